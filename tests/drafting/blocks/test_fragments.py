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
