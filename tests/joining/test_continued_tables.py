"""Tables that go on below a line that says so."""

from __future__ import annotations

import pytest

from docparse_fast.document import Block, Box, Category, ParsedDocument, ParsedPage
from docparse_fast.joining import flowing, whole
from docparse_fast.rendering.markdown import render_markdown

TABLE = "<table><tr><th>Name</th><th>Size</th></tr><tr><td>{}</td><td>1</td></tr></table>"


def page(number: int, caption: str, cell: str, y: float) -> ParsedPage:
    blocks = (
        Block(Category.CAPTION, caption, Box(200, y - 30, 400, y - 20)),
        Block(Category.TABLE, TABLE.format(cell), Box(60, y - 10, 540, y + 90)),
    )
    return ParsedPage(number, 600, 800, 72.0, blocks=blocks)


def read(caption: str, after: str) -> str:
    pages = (page(1, caption, "a", 650), page(2, after, "b", 60))
    return render_markdown(flowing(whole(ParsedDocument("a.pdf", "", pages))))


@pytest.mark.parametrize(
    "after", ["Table 2.3: (continued)", "Table 2.3 – continued from previous page", "(Fortsetzung)"]
)
def test_a_table_goes_on_below_a_line_that_says_so(after):
    found = read("Table 2.3: Sizes", after)
    assert found.count("<table>") == 1 and after not in found


@pytest.mark.parametrize("after", ["Table 2.4: (continued)", "Table 2.3: Sizes that are continued here"])
def test_a_table_of_another_name_is_another_table(after):
    found = read("Table 2.3: Sizes", after)
    assert found.count("<table>") == 2 and after in found


@pytest.mark.parametrize(
    ("first_row", "tables"), [("<th></th><th>Other kinds</th>", 1), ("<th>Kind</th><th>No</th>", 2)]
)
def test_a_group_s_name_above_the_rest_of_a_table_is_no_head_of_its_own(first_row, tables):
    """A journal's table was two, since its second page began with a group's name in bold type."""
    rest = TABLE.replace("<th>Name</th><th>Size</th>", first_row).format("b")
    below = Block(Category.TABLE, rest, Box(60, 50, 540, 150))
    pages = (page(1, "Table 2.3: Sizes", "a", 650), ParsedPage(2, 600, 800, 72.0, blocks=(below,)))
    found = render_markdown(flowing(whole(ParsedDocument("a.pdf", "", pages))))
    assert found.count("<table>") == tables
