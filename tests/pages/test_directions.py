"""Lines from right to left, set by MuPDF or placed by hand as other producers place them."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.pages import open_pages
from docparse_fast.pages.directed_runs import DirectedRun, RunKind, pieces
from docparse_fast.pages.directions import in_reading_order


def read(tmp_path: Path, html: str) -> str:
    document = pymupdf.open()
    document.new_page(width=600, height=400).insert_htmlbox((40, 40, 560, 360), html)
    document.save(tmp_path / "made.pdf")
    with open_pages(tmp_path / "made.pdf") as pages:
        layer = next(pages.pages()).text_layer
    return "\n".join(line.text for line in layer.lines)


def line_of(*placed: tuple[float, str, RunKind], y: float = 10) -> tuple[TextLine, list[DirectedRun]]:
    """Pieces that each start at x and are 5 pixels wide for each letter."""
    pieces = [
        DirectedRun(TextSpan(Box(x, y - 8, x + 5 * len(text), y + 2), text, "F", 10, baseline=y), kind)
        for x, text, kind in placed
    ]
    spans = tuple(piece.span for piece in pieces)
    return TextLine(Box.around(span.box for span in spans), spans), pieces


def ordered(*lines: tuple[TextLine, list[DirectedRun]]) -> list[str]:
    return [line.text for block in in_reading_order([[line] for line in lines]) for line in block]


def test_a_hebrew_line_is_read_from_the_right_its_latin_words_and_numbers_from_the_left(tmp_path):
    said = "המחיר הוא 25.50 שקלים בגרסה Debian GNU/Linux 12 בלבד, כלומר 10% יותר (כאן)."
    assert read(tmp_path, f'<p dir="rtl">{said}</p>') == said


def test_hebrew_words_in_an_english_line_are_turned_round_by_themselves(tmp_path):
    said = "The plural is ספרים ישנים and the singular is ספר ישן in 12 texts."
    assert read(tmp_path, f"<p>{said}</p>") == said


def test_an_english_page_is_read_as_before(tmp_path):
    said = "Nothing turns round (here) in 12 texts."
    assert read(tmp_path, f"<p>{said}</p>") == said


def test_pieces_of_one_line_that_a_file_sets_apart_become_one_line():
    first = line_of((75, "אחת", "right"))
    number = line_of((60, "12", "number"))
    last = line_of((38, "סוף", "right"))
    assert ordered(last, first, number) == ["אחת 12 סוף"]


def test_letters_beside_vowel_signs_stand_in_one_word_though_they_stand_wider():
    wide = [(46.5, "ע\u05b7", "right"), (40, "ל", "right")]
    assert ordered(line_of(*wide, (35, " ", "blank"), (30, "מ", "right"))) == ["ע\u05b7ל מ"]


def test_columns_beside_each_other_stay_two_lines():
    assert ordered(line_of((30, "אחת", "right")), line_of((300, "שתיים", "right"))) == ["אחת", "שתיים"]


def test_a_number_between_two_cells_does_not_join_them():
    row = line_of((75, "אחת", "right"), (45, "12", "number"), (10, "סוף", "right"))
    assert sorted(ordered(row)) == sorted(["אחת", "12", "סוף"])


def test_a_hyphen_parts_two_numbers_amid_arabic():
    line = line_of((33, "رقم", "right"), (0, "34", "number"), (10, "-", "sign"), (15, "12", "number"))
    assert ordered(line) == ["رقم 12-34"]


@pytest.mark.parametrize(("left", "right"), [("(", ")"), (")", "(")])
def test_brackets_keep_their_meaning_even_if_stored_by_their_looks(left, right):
    line = line_of((60, "אחת", "right"), (50, right, "sign"), (35, "שתי", "right"), (30, left, "sign"))
    assert ordered(line) == ["אחת (שתי)"]


def test_a_mark_set_apart_goes_to_the_letters_under_it():
    assert ordered(line_of((30, "ساد", "right"), (50, "نام", "right"), (33, "\u0654", "sign"))) == ["نام ساد\u0654"]


def test_a_sign_that_only_stretches_an_arabic_word_is_left_out():
    assert ordered(line_of((30, "ور", "right"), (40, "\ufffd", "sign"), (45, "کش", "right"))) == ["کشور"]


def test_a_nameless_sign_at_the_right_of_a_line_is_its_bullet():
    assert ordered(line_of((30, "אחת", "right"), (46, "\ufffd", "sign"))) == ["• אחת"]


def test_figures_that_mupdf_turned_round_with_the_letters_are_turned_back():
    turned = [{"c": char, "origin": (x, 0.0), "bbox": (x, 0, x + 5, 9)} for char, x in (("٠", 5.0), ("١", 0.0))]
    assert [(kind, "".join(c["c"] for c in part)) for kind, part in pieces(turned, hebrew=False)] == [("number", "١٠")]


def test_the_letters_of_a_ligature_keep_their_order():
    placed = [("ا", 20.0, 23.0), ("أ", 20.0, 20.0), ("ل", 12.0, 20.0), ("و", 6.0, 12.0)]
    turned = [{"c": char, "origin": (x0, 0.0), "bbox": (x0, 0.0, x1, 9.0)} for char, x0, x1 in placed]
    assert ["".join(c["c"] for c in part) for _, part in pieces(turned, hebrew=False)] == ["الأو"]


def test_a_blank_parts_words_whose_boxes_overlap():
    words = line_of((60, "אחת", "right"), (73, " ", "blank"), (48, "שתים", "right"))
    assert ordered(words) == ["אחת שתים"]


def test_boxes_that_overlap_without_a_blank_are_one_word():
    assert ordered(line_of((60, "אחת", "right"), (48, "שתים", "right"))) == ["אחתשתים"]


def test_stretched_arabic_words_lose_what_stretches_them():
    assert ordered(line_of((40, "کتابخانـه", "right"))) == ["کتابخانه"]


def char(c: str, x0: float, x1: float, *, synthetic: bool = False) -> dict:
    return {"c": c, "bbox": (x0, 0, x1, 10), "origin": (x0, 8), "synthetic": synthetic}


@pytest.mark.parametrize(
    ("blank", "kinds"),
    [
        (char(" ", 10, 13), ["right", "blank", "right"]),
        (char(" ", 10, 13, synthetic=True), ["right", "right"]),  # MuPDF made it up
        (char(" ", 4, 7), ["right", "right"]),  # printed over a letter
    ],
)
def test_only_blanks_that_the_file_sets_between_letters_count(blank, kinds):
    letters = [char("ב", 13, 18), char("א", 5, 10)]
    found = pieces([letters[0], blank, letters[1]], False, [letter["origin"][0] for letter in letters])
    assert [kind for kind, _ in found] == kinds


def test_lam_and_alef_of_one_sign_are_put_back_in_order():
    run = [char("ا", 6, 9), char("ل", 0, 9)]
    ((_, read_now),) = pieces(run, False)
    assert "".join(each["c"] for each in read_now) == "لا"
