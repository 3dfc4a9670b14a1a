"""Which lines are read again and by whom: made readings, made looks, no model."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from tesseract_files import data_file

from docparse_fast.drafting.scans.languages import check_languages, languages_here
from docparse_fast.drafting.scans.other_scripts import (
    OtherLine,
    OtherScripts,
    in_own_signs,
    joined,
)
from docparse_fast.drafting.scans.page_scripts import Signs, scripts_of_lines
from docparse_fast.drafting.scans.tesseract import ReadPiece
from docparse_fast.errors import UsageError
from docparse_fast.system import language_data
from docparse_fast.system.language_data import own_folder

HEIGHT, WIDTH = 20, 400


@dataclass(frozen=True)
class Made:
    text: str = ""
    confidence: float = 0.99
    marks: tuple[tuple[str, float], ...] = ()
    sureness: tuple[float, ...] = ()


class MadeLooks:
    def __init__(self, **scripts: float) -> None:
        self.scripts = scripts
        self.asked = 0

    def of(self, crop):
        self.asked += 1
        return self.scripts


class MadeReader:
    def __init__(self, *pieces: ReadPiece) -> None:
        self.pieces = list(pieces)
        self.shown = []

    def read(self, crops, data):
        assert crops, "Tesseract reads no empty sheet"
        self.shown += crops
        return [self.pieces for _ in crops]


def line():
    crop = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    crop[5:15, 10:390:4] = 0
    return crop


def read(text):
    """A line whose letters account for all of its ink."""
    return Made(text, 0.99, tuple((letter, (n + 0.5) / len(text)) for n, letter in enumerate(text)))


RUSSIAN = MadeReader(ReadPiece("Глава", 0.0, 0.5), ReadPiece("седьмая", 0.5, 1.0))


@pytest.fixture(autouse=True)
def _no_data(monkeypatch, tmp_path):
    monkeypatch.setattr(language_data, "SYSTEM_FOLDERS", ())
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)


@pytest.fixture
def russian():
    own_folder().mkdir(parents=True)
    (own_folder() / "rus.traineddata").write_bytes(b"")


def test_a_line_that_was_read_whole_is_not_looked_at_again():
    looks = MadeLooks(cyrillic=1.0)
    assert OtherScripts(looks, RUSSIAN).look([line()], [read("All of this line was read")]).lines == (None,)
    assert looks.asked == 0


@pytest.mark.usefixtures("russian")
def test_an_unread_line_is_read_by_the_reader_of_its_script():
    found = OtherScripts(MadeLooks(cyrillic=0.95), RUSSIAN).look([line()], [Made()])
    assert found.lines == (OtherLine("Глава седьмая", tuple(RUSSIAN.pieces)),)
    assert found.failure is None


@pytest.mark.usefixtures("russian")
def test_the_words_beside_latin_ones_are_read_on_a_page_of_their_script():
    """`GNU License, версии 3` was kept as it was first read: its Latin words alone."""
    mixed = Made("GNU", 0.99, (("G", 0.02), ("N", 0.04), ("U", 0.06)))
    page = [line(), line()]
    found = OtherScripts(MadeLooks(cyrillic=0.99), RUSSIAN).look(page, [Made(), mixed])
    assert [one.text for one in found.lines] == ["Глава седьмая"] * 2


@pytest.mark.usefixtures("russian")
def test_a_reading_that_loses_a_sure_latin_word_is_not_taken():
    mixed = words((10, 190), (196, 215))
    marks = tuple((letter, (20 + 27 * n) / WIDTH) for n, letter in enumerate("License"))
    latin = Made("License", 0.99, marks, (0.99,) * 7)
    found = OtherScripts(MadeLooks(cyrillic=0.99), RUSSIAN).look([line(), mixed], [Made(), latin])
    assert (found.scripts, found.lines[1]) == (("cyrillic", "cyrillic"), None)


def test_without_data_an_unread_line_is_left_out_and_the_remedy_is_said():
    found = OtherScripts(MadeLooks(cyrillic=0.95), RUSSIAN).look(
        [line(), line()], [Made(), read("A line in English, all read")]
    )
    assert found.lines == ("", None)
    assert found.failure is not None
    assert found.failure.code == "model_missing"
    assert found.failure.message.startswith("1 of 2 lines are in Cyrillic script, which nothing here reads; apt-get")


WORDS = ["глава", "седьмая"]


@pytest.fixture
def russian_words():
    own_folder().mkdir(parents=True)
    data_file(own_folder() / "rus.traineddata", WORDS)


def test_a_script_in_which_no_words_come_out_is_given_up_for_one_in_which_they_do(russian_words):
    """A photographed Korean page was called Gujarati, which nothing here reads."""
    look = OtherScripts(MadeLooks(gujarati=0.6, cyrillic=0.2), RUSSIAN).look([line()] * 5, [Made("JIaBa", 0.5)] * 5)
    assert [each.text for each in look.lines] == ["Глава седьмая"] * 5
    assert look.failure is None


def test_a_page_that_stays_rubbish_in_its_script_says_how_little_of_it_is_words(russian_words):
    rubbish = MadeReader(ReadPiece("ршглыв", 0.0, 0.5), ReadPiece("фывадж", 0.5, 1.0))
    look = OtherScripts(MadeLooks(cyrillic=0.9), rubbish).look([line()] * 5, [Made("JIaBa", 0.5)] * 5)
    assert [each.known for each in look.lines] == [0.0] * 5
    words = OtherScripts(MadeLooks(cyrillic=0.9), RUSSIAN).look([line()] * 5, [Made("JIaBa", 0.5)] * 5)
    assert [each.known for each in words.lines] == [None] * 5


def test_a_page_that_is_read_badly_and_looks_latin_is_tried_in_others(russian_words):
    look = OtherScripts(MadeLooks(latin=0.6, cyrillic=0.3), RUSSIAN).look([line()] * 5, [Made("JIaBa", 0.5)] * 5)
    assert [each.text for each in look.lines] == ["Глава седьмая"] * 5


def test_lines_that_show_no_script_are_tried_in_others_on_a_page_that_is_read_well(russian_words):
    """Half of a page in low light was English, and its Russian became commas: noise looks like Khmer and Tamil."""
    crops, english, lost = [line()] * 10, read("a sentence of plain words that was read whole"), Made(" ,   . ,", 0.9)
    noise = MadeLooks(latin=0.2, khmer=0.3, tamil=0.3, cyrillic=0.1)
    look = OtherScripts(noise, RUSSIAN).look(crops, [english] * 6 + [lost] * 4)
    assert look.lines[:6] == (None,) * 6
    assert [each.text for each in look.lines[6:]] == ["Глава седьмая"] * 4


def test_a_few_lines_that_come_out_as_no_words_keep_their_first_reading(russian_words):
    """The small type of a photographed Dutch newspaper became lines of Korean."""
    rubbish = MadeReader(ReadPiece("ршглыв", 0.0, 0.5), ReadPiece("фывадж", 0.5, 1.0))
    crops, plain = [line()] * 10, read("a sentence of plain words that was read whole")
    looks = OtherScripts(MadeLooks(cyrillic=0.99), rubbish).look(crops, [plain] * 6 + [Made("huidk", 0.8)] * 4)
    assert looks.lines == (None,) * 10 and set(looks.scripts) == {""}
    words = OtherScripts(MadeLooks(cyrillic=0.99), RUSSIAN).look(crops, [plain] * 6 + [Made("JIaBa", 0.8)] * 4)
    assert [each.text for each in words.lines[6:]] == ["Глава седьмая"] * 4


@pytest.mark.parametrize(
    "script, word, rubbish, is_its",
    [
        ("hangul", "교개", "교개" * 3, True),
        ("hangul", "교개", "뎌갸봬쫴뷁쇎", False),
        ("thai", "คนดี", "ไยทนคดคนยธฏ", True),
    ],
    ids=["korean", "a quarter of Korean words", "a quarter of Thai ones"],
)
def test_a_page_is_tried_in_a_script_by_more_words_than_chance_brings(script, word, rubbish, is_its):
    """Of lines in other scripts, read as Korean, a third is words of two letters; read as Thai, next to nothing."""
    own_folder().mkdir(parents=True)
    data_file(own_folder() / {"hangul": "kor.traineddata", "thai": "tha.traineddata"}[script], [word])
    reader = MadeReader(ReadPiece(word + rubbish, 0.0, 0.5), ReadPiece(word + rubbish, 0.5, 1.0))
    looks = MadeLooks(latin=0.6, **{script: 0.3})
    look = OtherScripts(looks, reader).look([line()] * 5, [Made("huidk", 0.5)] * 5)
    assert [each is not None for each in look.lines] == [is_its] * 5


class ReaderOfTwo:
    """What each language's data makes of a line of Ukrainian."""

    def read(self, crops, data):
        words = {"rus": ("глава", "жывэдаж"), "ukr": ("глава", "вечэрка")}[data.code]
        return [[ReadPiece(word, n / 2, (n + 1) / 2) for n, word in enumerate(words)] for _ in crops]


@pytest.mark.parametrize("known", [["глава"], ["море"]], ids=["some words", "none"])
def test_of_two_languages_in_one_script_the_one_that_reads_more_words_is_read(known):
    """Persian was read by the data of Arabic."""
    own_folder().mkdir(parents=True)
    data_file(own_folder() / "rus.traineddata", known)
    data_file(own_folder() / "ukr.traineddata", ["глава", "вечэрка"])
    unread = [line()] * 5, [Made("JIaBa", 0.5)] * 5
    told = OtherScripts(MadeLooks(cyrillic=0.9), ReaderOfTwo()).look(*unread)
    assert {each.text for each in told.lines} == {"глава вечэрка"}
    assert OtherScripts(MadeLooks(), ReaderOfTwo()).words([line()] * 5, "cyrillic") > 0.4
    asked = OtherScripts(MadeLooks(cyrillic=0.9), ReaderOfTwo(), ["ru"]).look(*unread)
    assert {each.text for each in asked.lines} == {"глава жывэдаж"}, "the user knows"


def test_a_picture_is_no_other_script():
    found = OtherScripts(MadeLooks(none=0.9, cyrillic=0.1), RUSSIAN).look([line()], [Made()])
    assert (found.lines, found.failure) == ((None,), None)


@pytest.mark.usefixtures("russian")
def test_a_reading_without_a_letter_of_the_script_is_not_taken():
    found = OtherScripts(MadeLooks(cyrillic=0.95), MadeReader(ReadPiece("|[", 0, 1))).look([line()], [Made()])
    assert found.lines == (None,)


@pytest.mark.usefixtures("russian")
def test_the_script_that_is_asked_for_is_chosen_among_likenesses():
    looks = MadeLooks(armenian=0.6, cyrillic=0.55)
    found = OtherScripts(looks, RUSSIAN, ["ru"]).look([line()], [Made()])
    assert isinstance(found.lines[0], OtherLine)


def test_vietnamese_is_known_by_its_letters_and_keeps_what_was_read():
    readings = [read("Chưong trình đc tùng dòng"), read("và ghi văn bn, tư liu đư")]
    found = OtherScripts(MadeLooks(latin=1.0), RUSSIAN).look([line(), line()], readings)
    assert found.lines == (None, None)
    assert found.failure is not None
    assert "tesseract-ocr-vie" in found.failure.message


def test_vietnamese_words_take_the_place_of_the_same_ones_without_accents():
    (folder := own_folder()).mkdir(parents=True)
    (folder / "vie.traineddata").write_bytes(b"")
    first = read("Chưong trình đc tùng dòng và ghi văn bn, tư liu đư")
    reader = MadeReader(ReadPiece("Chương trình đọc", 0.0, 1.0))
    found = OtherScripts(MadeLooks(latin=1.0), reader).look([line()], [replace(first, sureness=(0.99,) * 50)])
    assert [each.text for each in found.lines] == ["Chương trình đọc"]


def test_a_line_of_plain_words_surely_read_is_no_vietnamese():
    """English lines on a Vietnamese page were read as `súch media`, `đo ï1 manually`."""
    (folder := own_folder()).mkdir(parents=True)
    (folder / "vie.traineddata").write_bytes(b"")
    page = [read("Chưong trình đc tùng dòng và ghi văn bn, tư liu đư"), read("do it manually")]
    page = [replace(each, sureness=(0.99,) * len(each.text)) for each in page]
    found = OtherScripts(MadeLooks(latin=1.0), MadeReader(ReadPiece("đọc", 0.0, 1.0))).look([line()] * 2, page)
    assert [each and each.text for each in found.lines] == ["đọc", None]


@pytest.mark.parametrize("again, is_better", [("глава седьмая", True), ("глафо седьмоя", False)])
def test_a_photographs_line_of_no_words_is_read_again_from_nearer(russian_words, again, is_better):
    class Reader:
        def read(self, crops, data):
            return [[ReadPiece(again if len(crop) < HEIGHT else "глафа седьмав", 0.0, 1.0)] for crop in crops]

    page = [line()] * 5, [Made("JIaBa", 0.5)] * 5
    look = OtherScripts(MadeLooks(cyrillic=0.95), Reader(), ["ru"]).look
    assert {each.text for each in look(*page, photographed=True).lines} == {again if is_better else "глафа седьмав"}
    assert {each.text for each in look(*page).lines} == {"глафа седьмав"}, "a flat scan costs nothing more"


def sign(length=10.0, unread=0.9, **scripts: float):
    return Signs(length, unread, 0.5, scripts)


PLAIN = Signs(30.0, 0.0, 0.99, {})


def test_a_line_that_merely_looks_like_another_script_is_in_the_pages_own():
    """One of three Russian lines was called Lao, and the page became partial although Russian could be read."""
    assert scripts_of_lines([sign(cyrillic=0.7)] * 2 + [sign(lao=0.6, cyrillic=0.3)]) == ["cyrillic"] * 3


def test_leaders_of_dots_that_look_a_little_like_another_script_are_in_none():
    leaders = [
        sign(length=20.0, unread=0.95, latin=0.85, myanmar=0.02),
        sign(length=20.0, unread=0.5, myanmar=0.6, latin=0.2),
    ]
    odd = sign(length=17.0, unread=0.94, myanmar=0.9, latin=0.04)
    assert scripts_of_lines([*leaders * 6, odd]) == [""] * 13


def test_handwriting_whose_ink_is_read_as_letters_is_in_no_other_script():
    """An English letter was called Telugu and its lines were left out: every letter was read, with doubt."""
    written = Signs(30.0, 0.0, 0.85, {"telugu": 0.7})
    assert scripts_of_lines([written] * 5 + [Signs(30.0, 0.05, 0.85, {"arabic": 0.9})]) == [""] * 6


def test_a_badly_read_page_is_in_the_likely_script_that_can_be_read():
    """Thai without loops looks like Lao, for which there was no data, and the page was left out."""
    page = [Signs(20.0, 0.0, 0.6, {"lao": 0.4, "thai": 0.3, "latin": 0.1})] * 3
    assert scripts_of_lines(page, lambda script: script == "thai") == ["thai"] * 3


def test_a_badly_read_page_is_in_a_script_that_cannot_be_read_where_it_is_much_likelier():
    page = [Signs(20.0, 0.0, 0.6, {"lao": 0.8, "thai": 0.1})] * 3
    assert scripts_of_lines(page, lambda script: script == "thai") == ["lao"] * 3


def test_one_short_odd_line_on_a_full_page_is_a_smudge():
    assert scripts_of_lines([PLAIN] * 20 + [sign(length=3.0, thai=0.95)])[-1] == ""


def test_one_long_line_that_is_plainly_of_another_script_counts():
    assert scripts_of_lines([PLAIN] * 20 + [sign(length=20.0, greek=0.97)])[-1] == "greek"


def test_a_short_line_goes_with_the_script_of_its_page():
    assert scripts_of_lines([sign(greek=0.9)] * 5 + [sign(length=2.0, greek=0.3, latin=0.4)])[-1] == "greek"


def test_a_line_that_was_mostly_read_stays_on_a_page_of_another_script():
    assert scripts_of_lines([sign(greek=0.9)] * 5 + [sign(unread=0.2, greek=0.3, latin=0.7)])[-1] == ""


def test_two_scripts_of_one_page_are_both_found():
    assert scripts_of_lines([sign(greek=0.9), sign(thai=0.9), PLAIN]) == ["greek", "thai", ""]


def words(*spans: tuple[int, int]):
    crop = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    for x0, x1 in spans:
        crop[5:15, x0:x1] = 0
    return crop


def test_thai_is_joined_where_there_is_no_gap():
    pieces = [ReadPiece("โป", 0.0, 0.1), ReadPiece("ร", 0.1, 0.3), ReadPiece("แก", 0.4, 0.5)]
    crop = words((0, 80), (160, 200))
    assert joined(pieces, "thai", crop) == "โปร แก"
    assert joined(pieces, "cyrillic", crop) == "โป ร แก"


def test_latin_words_in_a_row_stay_apart():
    pieces = [ReadPiece("General", 0.0, 0.2), ReadPiece("Public", 0.21, 0.4), ReadPiece("가", 0.41, 0.5)]
    assert joined(pieces, "hangul", words((0, 200))) == "General Public가"


def test_thai_stands_apart_from_latin_words():
    pieces = [ReadPiece("ไฟล์", 0.0, 0.2), ReadPiece("setup.zip", 0.2, 0.4), ReadPiece("แล้ว", 0.4, 0.5)]
    assert joined(pieces, "thai", words((0, 200))) == "ไฟล์ setup.zip แล้ว"


def test_no_word_begins_with_a_mark_over_a_letter():
    pieces = [ReadPiece("ท", 0.0, 0.1), ReadPiece("ี", 0.22, 0.25), ReadPiece("น", 0.3, 0.5)]
    assert joined(pieces, "thai", words((0, 40), (90, 200))) == "ที น"


def test_a_line_that_was_answered_in_greek_letters_is_greek():
    """The recogniser knows half of the Greek letters, and all its ink seemed to be read."""
    found = OtherScripts(MadeLooks(), RUSSIAN).look([line()], [read("τα δχτυα στην πκυαα")])
    assert found.failure is not None
    assert "Greek" in found.failure.message


def test_greek_letters_one_by_one_are_a_formula():
    reader = MadeReader(ReadPiece("αβγ", 0.0, 1.0))
    formula = read("|ψ|2 = |φ1s(r, θ, φ)|2 =")
    assert OtherScripts(MadeLooks(greek=1.0), reader).look([line()], [formula]).failure is None


def test_a_page_that_looks_like_no_script_of_the_recognisers_is_in_the_likeliest_other():
    """Thai in a face without loops was answered in Latin letters, with doubt."""
    doubtful = Signs(20.0, 0.0, 0.7, {"thai": 0.35, "lao": 0.3, "latin": 0.05})
    assert scripts_of_lines([doubtful, doubtful, Signs(10.0, 0.3, 0.5, {"thai": 0.4})]) == ["thai"] * 3


def test_arabic_has_its_own_comma():
    assert in_own_signs("البئر, ثم 1,5", "arabic") == "البئر، ثم 1,5"


def test_a_language_that_nothing_here_reads_is_a_usage_error_that_lists_what_is_here():
    with pytest.raises(
        UsageError, match=r"--lang ru: nothing here reads Russian; here are en, de, .*zh.*tesseract-ocr"
    ):
        check_languages("en+ru")


@pytest.mark.usefixtures("russian")
def test_data_of_one_language_reads_every_language_of_its_script():
    check_languages("uk")
    assert "ru" in languages_here()
    assert "el" not in languages_here()
