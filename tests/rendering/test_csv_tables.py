"""Tables as CSV: as other programs read it, and nothing in it that a spreadsheet computes."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.document import Block, Category, ParsedDocument, ParsedPage
from docparse_fast.rendering.csv_tables import as_csv, csv_files, with_csv_names

LINE = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)


@given(st.lists(st.lists(LINE.filter(lambda text: text[:1] not in "=+-@＝＋－＠"), min_size=2, max_size=2), min_size=1))
def test_what_is_written_is_read_back(rows):
    text = as_csv(rows)
    assert list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""))) == rows


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "＝1+1", "=HYPERLINK(1)", "+49 30 1234"]
)
def test_a_text_that_a_spreadsheet_would_compute_is_marked_as_text(text):
    ((written, _),) = csv.reader(io.StringIO(as_csv([[text, ""]]).removeprefix("\ufeff"), newline=""))
    assert written == f"'{text}"


@pytest.mark.parametrize("text", ["-3.50", "-1.234,50 €", "+5 %", "−4", "-", "a=b", "(12)", "- 7,00", "1-2"])
def test_a_figure_and_what_no_spreadsheet_computes_stand_as_printed(text):
    ((written, _),) = csv.reader(io.StringIO(as_csv([[text, ""]]).removeprefix("\ufeff"), newline=""))
    assert written == text


def test_a_byte_order_mark_stands_only_where_letters_need_one():
    assert as_csv([["cafe", "1"]]) == "cafe,1\r\n"
    assert as_csv([["café", "1"]]) == "\ufeffcafé,1\r\n"


def table(cell: str, csv: str | None = None) -> Block:
    return Block(Category.TABLE, f"<table><tr><td>{cell}</td></tr></table>", csv=csv)


def document(*pages: list[Block]) -> ParsedDocument:
    return ParsedDocument("a.pdf", "", tuple(ParsedPage(n, blocks=tuple(blocks)) for n, blocks in enumerate(pages, 1)))


def test_tables_are_numbered_page_by_page_and_what_goes_on_keeps_the_name_where_it_began():
    read = document([table("a"), table("b")], [table("c"), table("d")])
    joined = document([table("a"), table("b")], [Block(Category.TABLE, ""), table("d")])
    named = with_csv_names(read, joined)
    assert [block.csv for page in named.pages for block in page.blocks] == [
        "tables/page-0001-table-1.csv",
        "tables/page-0001-table-2.csv",
        "tables/page-0001-table-2.csv",
        "tables/page-0002-table-1.csv",
    ]


def test_a_table_that_a_reader_made_is_numbered_after_the_others_of_its_page():
    first = "tables/page-0001-table-1.csv"
    files = csv_files(document([table("made"), table("read", first), table("made too")]))
    assert {name: text.strip() for name, text in files.items()} == {
        first: "read",
        "tables/page-0001-table-2.csv": "made",
        "tables/page-0001-table-3.csv": "made too",
    }
