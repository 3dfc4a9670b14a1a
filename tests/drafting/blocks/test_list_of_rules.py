"""The list of rules, and what it leaves behind in a block."""

from docparse_fast.document import Box, Category
from docparse_fast.drafting.blocks.assembly import assemble
from docparse_fast.drafting.lines import Line


def row(text: str, y: float, *, x: float = 50.0, bold: bool = False, size: float = 10.0) -> Line:
    box = Box(x, y, x + 5 * len(text), y + 1.2 * size)
    return Line(box, f"**{text}**" if bold else text, size, "text-layer", bold=bold, plain=text)


PROSE = [
    row("Words that fill a line of their column from end to end, as prose does.", 200.0 + 12 * n) for n in range(6)
]


def because(*lines: Line) -> list[tuple[Category, str]]:
    found = assemble([*lines, *PROSE], 600, 800)
    return [(region.category, region.because) for region in found]


def test_a_block_says_by_which_sign_it_is_what_it_is():
    found = because(row("A larger line", 100, size=14), row("• an item of a list", 160))
    assert found == [(Category.SECTION_HEADER, "heading judge"), (Category.LIST_ITEM, "marker"), (Category.TEXT, "")]


def test_a_block_that_a_rule_made_something_else_bears_its_name():
    assert because(row("2.1 Basic functions", 150))[0] == (Category.SECTION_HEADER, "with_sections")
    assert because(row("1. Introduction", 150, bold=True))[0] == (Category.SECTION_HEADER, "with_numbered")
