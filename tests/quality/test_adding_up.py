"""The sums of a page's tables: kept with the table, and a doubt where one breaks at one cell."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from docparse_fast.document import Box, Category, Draft, PageDraft, ParsedDocument, Region
from docparse_fast.drafted import DraftedPage
from docparse_fast.page_result import page_result
from docparse_fast.rendering.json import page_as_json, read_json, render_json
from docparse_fast.sums.table_sums import BrokenCell, KeptSum, TableSums
from docparse_fast.timing import Timer

BOX = Box(10, 10, 500, 90)
ROWS = [("Nails", "12", "1.35", "16.20"), ("Oak board", "7", "31.90", "223.30"), ("Hinge", "24", "2.85", "68.40")]


def table(rows) -> str:
    return f"<table>{''.join('<tr>' + ''.join(f'<td>{text}</td>' for text in row) + '</tr>' for row in rows)}</table>"


def finished(*regions: tuple[Category, str]):
    made = tuple(Region(BOX, category, (Draft(text, "text-layer"),)) for category, text in regions)
    draft = PageDraft(1, 600, 800, made, drafter="text-layer")
    return page_result(DraftedPage(1, draft, 600, 800, 72.0), None, None, Timer())


def test_a_tables_sums_are_kept_with_it_and_read_back():
    page = finished((Category.TEXT, "Dear all"), (Category.TABLE, table(ROWS)))
    block = page_as_json(page)["blocks"][1]
    assert block["sums"]["relations"] == [
        {"kind": "product", "each": "row", "parts": (1, 2), "result": 3, "held": (0, 1, 2)}
    ]
    assert "sums" not in page_as_json(page)["blocks"][0]
    document = ParsedDocument("a.pdf", "", (page,))
    assert read_json(render_json(document)).pages[0].blocks[1].sums == page.blocks[1].sums


def test_a_broken_sum_is_a_doubt_that_names_the_cell_and_changes_no_figure():
    spoilt = [*ROWS[:2], ("Hinge", "24", "2.85", "68.10")]
    page = finished((Category.TABLE, table(spoilt)))
    (doubt,) = page.evidence.doubts
    assert (doubt.kind, doubt.block) == ("broken_sum", 0)
    assert doubt.message == "the sums of a table break at row 3, column 4: 68.10 would have to be 68.40"
    assert page.blocks[0].text == table(spoilt)


def test_totals_below_the_table_count_as_lines_and_as_a_table_of_their_own():
    for following in (
        (Category.TEXT, "**Net:** 307.90\\\nVAT 20 %: 61.58\\\nTotal due: 369.48"),
        (Category.CODE, "Net         307.90\nVAT 20 %     61.58\nTotal due   369.48"),
        (Category.TABLE, table([("Net", "307.90"), ("VAT 20 %", "61.58"), ("Total due", "369.48")])),
    ):
        terms = Category.TEXT, "Please pay by 12 May 2026"
        page = finished((Category.TABLE, table(ROWS)), terms, following, terms)
        assert page.blocks[0].sums is not None
        sums = [(each.parts, each.result) for each in page.blocks[0].sums.relations if each.kind == "sum"]
        assert sums == [((0, 1, 2), 3), ((3, 4), 5)]


def test_a_table_of_words_has_no_sums():
    page = finished((Category.TABLE, table([("Name", "Town"), ("Ann", "Ulm"), ("Bo", "Bonn")])))
    assert page.blocks[0].sums is None
    assert page.evidence.doubts == ()


def test_every_key_of_a_tables_sums_is_in_the_documentation():
    text = (Path(__file__).parents[2] / "docs/keys.md").read_text("utf-8")
    keys = [each.name for kind in (TableSums, KeptSum, BrokenCell) for each in fields(kind)]
    assert [key for key in keys if f"`{key}`" not in text and f"`{key}[]`" not in text] == []
