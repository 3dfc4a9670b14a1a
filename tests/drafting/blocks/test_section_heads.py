"""Headings that only a section's number tells."""

from docparse_fast.document import Box, Category, Draft, Region
from docparse_fast.drafting.blocks.drafted_block import DraftedBlock
from docparse_fast.drafting.blocks.rules import with_sections
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import Measures

PAGE = Measures(body=10.0, height=800.0)


def made(text, y, rows=1, plain=""):
    lines = [Line(Box(0, y + 14 * n, 300, y + 14 * n + 10), text, 10, "text-layer", plain=plain) for n in range(rows)]
    box = Box.around(line.box for line in lines)
    return DraftedBlock(Region(box, Category.TEXT, (Draft(text, "text-layer"),)), lines)


def heads(*blocks):
    return [block.region.text for block in with_sections(blocks, PAGE) if block.category is Category.SECTION_HEADER]


PROSE = made("Words of the section.", 100, rows=3)


def test_a_line_of_its_own_with_a_section_s_number_is_a_heading():
    assert heads(made("2.1 Basic functions", 70), PROSE) == ["2.1 Basic functions"]


def test_a_heading_that_ends_with_code_is_one():
    assert heads(made("**2.9.6 Option** `OT1`", 70, plain="2.9.6 Option OT1"), PROSE) == ["2.9.6 Option `OT1`"]


def test_lines_of_a_contents_page_are_none():
    assert heads(*(made(f"2.{n} Some part", 20 * n) for n in range(4)), PROSE) == []
    assert heads(made("2.1 Basic functions 17", 70), PROSE) == []


def test_a_sentence_or_a_line_close_below_another_is_none():
    assert heads(made("3.5 kg of flour are enough.", 70), PROSE) == []
    assert heads(made("Above", 86), made("2.1 Basic functions", 98), made("Words", 140)) == []


def test_short_sections_one_after_the_other_are_headed():
    """Where three such headings stood near each other, they were taken for a table of contents."""
    wide = Line(Box(0, 0, 300, 10), "Words of a section that fill its lines.", 10, "text-layer")
    prose = [
        DraftedBlock(Region(Box(0, y, 300, y + 38), Category.TEXT, (Draft("Words", "text-layer"),)), [wide] * 3)
        for y in (90, 170, 250)
    ]
    parts = [made(f"2.{n} Some part", 70 + 80 * n) for n in range(3)]
    assert len(heads(*(block for pair in zip(parts, prose, strict=True) for block in pair))) == 3


def test_a_running_head_that_is_cut_short_is_none():
    assert heads(made("5.4 Finding out what is wrong while …", 70), PROSE) == []
