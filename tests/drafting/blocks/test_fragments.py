from dataclasses import replace

from docparse_fast.document import Box
from docparse_fast.drafting.blocks.fragments import whole_lines
from docparse_fast.drafting.lines import Line


def line(text: str, x0: float, x1: float, row: int) -> Line:
    return Line(Box(x0, 16 * row, x1, 16 * row + 14), text, 10, "text-layer")


def test_a_marker_and_its_words_are_one_line():
    item = [line("[3]", 40, 55, 2), line("Books on clubs.", 70, 200, 2)]
    assert [each.plain for each in whole_lines(item)] == ["[3] Books on clubs."]


def test_a_bold_number_in_the_margin_begins_its_heading():
    heading = [replace(line("8.2", 40, 60, 2), bold=True), replace(line("Using this style", 80, 200, 2), bold=True)]
    assert [each.plain for each in whole_lines(heading)] == ["8.2 Using this style"]


def test_a_bold_word_beside_a_plain_one_begins_no_heading():
    row = [replace(line("8.2", 40, 60, 2), bold=True), line("kg of flour", 80, 200, 2)]
    assert [each.plain for each in whole_lines(row)] == ["8.2", "kg of flour"]


def typed_in(text: str, x0: float, x1: float, y0: float) -> Line:
    return Line(Box(x0, y0, x1, y0 + 14), text, 10, "embedded")


def test_what_is_typed_in_off_its_level_is_one_line_with_its_label():
    """Two rows of a form, the typewriter nine pixels low: a value stood nearer to the label of the next row."""
    rows = [typed_in("Name:", 0, 40, 0), typed_in("Ann Lee", 60, 120, 8), typed_in("Born:", 200, 240, 0)]
    rows += [typed_in("1982", 260, 290, 8), typed_in("Firm:", 0, 40, 18), typed_in("Code:", 200, 240, 18)]
    found = sorted((each.box.y0, each.box.x0, each.plain) for each in whole_lines(rows))
    assert [text for _, _, text in found] == ["Name: Ann Lee", "Born: 1982", "Firm:", "Code:"]
    apart = [typed_in("Sex:", 0, 30, 60), typed_in("Age:", 60, 100, 62), typed_in("A remark", 400, 480, 62)]
    assert len(whole_lines([*rows, *apart])) == len(found) + len(apart)


def test_columns_stay_apart_where_a_detectors_boxes_reach_into_the_gutter():
    """A scanned paper's columns were read across in single rows, among them behind a colon."""
    left = [typed_in("words of the column on the left", 0, 199, 20.0 * n) for n in range(8)]
    left[3] = typed_in("and these are its keywords:", 0, 199, 60.0)
    right = [typed_in("words of the column on the right", 200, 400, 20.0 * n) for n in range(8)]
    assert len(whole_lines([*left, *right])) == 16
    assert len(whole_lines([*left[:2], *right[:2]])) == 2
