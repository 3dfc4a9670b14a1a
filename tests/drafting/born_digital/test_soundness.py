"""What a text layer is worth: layers are built by hand, as extraction would give them."""

import pytest

from docparse_fast.document import Box, TextLayer, TextLine, TextSpan
from docparse_fast.drafting.born_digital.soundness import covered, judge

WIDTH, HEIGHT = 1000.0, 1400.0
PAGE = Box(0, 0, WIDTH, HEIGHT)
ENGLISH = "The committee met on Tuesday and agreed that the report should be published before the end of the year. " * 4
PERSIAN = "این یک متن فارسی است که برای آزمون نوشته شده و باید درست خوانده شود " * 4
CHINESE = "文档解析是把扫描件和电子文档转换成结构化文本的任务" * 6
# what a font without ToUnicode gives where its codes lie 29 below the letters'
SHIFTED = "".join(chr(ord(char) - 29) if char.isalpha() else char for char in ENGLISH)


def layer(
    text: str = "", *, visible: bool = True, images: tuple[Box, ...] = (), areas: tuple[Box, ...] = ()
) -> TextLayer:
    box = Box(100, 100, 900, 120)
    spans = tuple(TextSpan(box, word + " ", "Font", 20, visible=visible) for word in text.split())
    return TextLayer(((TextLine(box, spans),),) if spans else (), images=images, areas=areas)


@pytest.mark.parametrize(
    "text", [ENGLISH, PERSIAN, CHINESE, "12 345.60 (7.8 %) - 9/10", "p = 0.05", "Łódź i Świnoujście " * 9]
)
def test_text_in_any_script_is_sound(text):
    assert judge(layer(text), WIDTH, HEIGHT).verdict == "sound"


@pytest.mark.parametrize(
    "text",
    [
        " ".join(f"v{n}" for n in range(200)),
        " ".join(f"BRKT-{n:04d} M{n % 9}x{n} HX SCRW/{n}B" for n in range(60)),
        " ".join(f"{n * 2654435761 % 2**32:08x}" for n in range(60)),
        "CHF kg km Nr hPa 12.50 3,100.00 " * 40,
        "✓ ✗ ☐ ★★★ → " * 60,
        "*** 0.12 ** 0.31 * 1.70 *** " * 40,
        "Q7F3-XK9C 8BTN2-4ZRWD 1HG5K-PL2MX " * 20,
        "GH-12 TTL LM317T NE555P BC547B SN74LS00N 1N4148 " * 20,
        "A plain heading line " + ("a" * 90 + " ") * 90,
        "A plain heading line " + ("a" + "E=mc" * 22 + "x! ") * 90,
        " ".join("()[]{}|=+-"[n % 10] + "x" + "|=+-x"[n % 5] + "()[]{}|=+-"[n // 10] for n in range(100)),
    ],
    ids=["cells", "parts", "hashes", "units", "marks", "stars", "keys", "types", "one word", "one equation", "signs"],
)
def test_codes_numbers_and_marks_are_sound(text):
    assert judge(layer(text), WIDTH, HEIGHT).verdict == "sound"


def test_a_tables_words_are_told_apart_though_no_blank_ends_them():
    row = ("1958", "Petrel", "Skiff", "7.1", "Ketch", "10.0")
    spans = tuple(TextSpan(PAGE, word, "Font", 20) for word in row * 12)
    assert judge(TextLayer(((TextLine(PAGE, spans),),)), WIDTH, HEIGHT).verdict == "sound"


def test_a_layer_with_some_characters_without_a_meaning_can_be_read_nevertheless():
    verdict = judge(layer(PERSIAN.replace("ا", "\ufffd")), WIDTH, HEIGHT)
    assert (verdict.verdict, verdict.legible) == ("broken", True)
    assert not judge(layer("\ufffd" * 300), WIDTH, HEIGHT).legible


@pytest.mark.parametrize(
    "text",
    [
        SHIFTED,
        "\ufffd" * 300,
        "\ue012\ue045\ue0a1 \ue011\ue0b2 " * 30,
        ENGLISH.replace("e", "\ufffd"),
        CHINESE.encode("gbk").decode("latin-1"),
        ("Größe über Maß für Öl " * 20).encode().decode("latin-1"),
        "xkcd qwrtz bcdfg hjklm npqrst vwxz " * 10,
        "".join(chr(ord(char) + 3) if char.isalpha() else char for char in ENGLISH).upper(),
        "co%mi+ee me$ an#d ag=ed o<er lu{ch i] ju\\y a2en 0f a3m3d " * 10,
    ],
    ids=[
        "shifted",
        "replaced",
        "private",
        "some-replaced",
        "gbk-as-latin",
        "utf8-as-latin",
        "no-vowels",
        "shifted-capitals",
        "signs-amid-letters",
    ],
)
def test_gibberish_is_broken_and_the_reason_told(text):
    verdict = judge(layer(text), WIDTH, HEIGHT)
    assert verdict.verdict in ("broken", "doubtful")
    assert "text layer" in verdict.reason


def test_a_scan_with_an_older_ocrs_words_behind_it_is_hidden():
    assert judge(layer(ENGLISH, visible=False, images=(PAGE,)), WIDTH, HEIGHT).verdict == "hidden"


def test_a_stamp_on_a_scan_does_not_speak_for_it():
    assert judge(layer("Received 4 May 1998", images=(PAGE,)), WIDTH, HEIGHT).verdict == "missing"


def test_a_picture_behind_a_page_of_text_is_a_background():
    assert judge(layer(ENGLISH, images=(PAGE,)), WIDTH, HEIGHT).verdict == "sound"


def test_a_large_picture_beside_few_words_may_hold_more():
    picture = Box(0, 500, WIDTH, HEIGHT)
    verdict = judge(layer("A heading over a picture", images=(picture,)), WIDTH, HEIGHT)
    assert (verdict.verdict, verdict.areas) == ("partial", (picture,))


def test_letters_drawn_as_outlines_are_missing():
    outlines = tuple(Box(n, 100, n + 1, 110) for n in range(500))
    assert judge(layer("Page 3", areas=outlines), WIDTH, HEIGHT).verdict == "missing"


def test_nothing_at_all_is_empty():
    assert judge(TextLayer(), WIDTH, HEIGHT).verdict == "empty"


def test_a_scan_in_strips_covers_the_page_as_one():
    strips = tuple(Box(0, 7 * n, WIDTH, 7 * (n + 1)) for n in range(200))
    assert covered(strips, WIDTH, HEIGHT) > 0.95


def test_many_words_without_vowels_are_doubtful_for_an_ocr_to_confirm():
    verdict = judge(layer("BRKT SCRW WSHR FLNG SPRG BRNG GSKT PLTFRM CRTRDG HNDL CLMP THRD"), WIDTH, HEIGHT)
    assert (verdict.verdict, verdict.reason) == ("doubtful", "the text layer's letters form no words")


def letters_at(step: float) -> TextLayer:
    """A sentence's letters, each drawn by itself."""
    placed = ((Box(100 + step * n, 100, 120 + step * n, 120), char) for n, char in enumerate(ENGLISH) if char != " ")
    spans = tuple(TextSpan(box, char, "Font", 20, baseline=120.0) for box, char in placed)
    return TextLayer(((TextLine(Box.around(span.box for span in spans), spans),),))


def test_letters_drawn_one_right_behind_the_other_form_no_words():
    found = judge(letters_at(12), WIDTH, HEIGHT)
    assert (found.verdict, found.reason) == ("doubtful", "the text layer's letters form no words")
    assert judge(letters_at(50), WIDTH, HEIGHT).verdict == "sound"  # in a table's cells


def test_two_words_of_bytes_prove_another_script_on_a_latin_page():
    """A Russian report's `Îò÷¼ò ñîäåðæèò` among much Latin was sound."""
    assert judge(layer(f"{ENGLISH} Îò÷¼ò ñîäåðæèò 8 ñòð. ÐÅÔÅÐÀÒ"), WIDTH, HEIGHT).verdict == "broken"
    assert judge(layer(f"{ENGLISH} Éé äöüß"), WIDTH, HEIGHT).verdict == "sound"
