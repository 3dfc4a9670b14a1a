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
