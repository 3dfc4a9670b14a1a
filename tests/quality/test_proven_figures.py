"""A figure that sums prove as drafted, and that an answer has otherwise, is doubted; what no sum proves is not."""

from __future__ import annotations

import pytest

from docparse_fast.document import Block, Box, Category, Draft, PageDraft, Region
from docparse_fast.quality.proven_figures import changed_figures
from docparse_fast.text.html_cells import rows_of

ITEMS = (
    ("Item", "Net", "Tax", "Gross"),
    ("Oak desk", "1,204.50", "240.90", "1,445.40"),
    ("Lamp", "86.00", "17.20", "103.20"),
)
ITEMS += (("Chair", "310.25", "62.05", "372.30"), ("Shelf", "455.10", "91.02", "546.12"))
TOTAL = ("Total", "2,055.85", "411.17", "2,467.02")


def html(rows) -> str:
    return (
        "<table>" + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows) + "</table>"
    )


def doubts(answer: list[Block], drafted=(*ITEMS, TOTAL)) -> list[str]:
    region = Region(Box(0, 0, 500, 300), Category.TABLE, (Draft(html(drafted), "text-layer", 1.0),))
    return [doubt.message for doubt in changed_figures(answer, PageDraft(1, 600, 800, (region,)))]


def table(*rows) -> list[Block]:
    return [Block(Category.TABLE, html(rows))]


def test_the_table_is_one_whose_sums_hold():
    assert rows_of(html(ITEMS))[1][3] == "1,445.40"
    assert doubts([]) != []


@pytest.mark.parametrize(
    "answer",
    [
        table(*ITEMS, TOTAL),
        table(*(tuple(cell.replace(",", "") for cell in row) for row in (*ITEMS, TOTAL))),
        [Block(Category.TEXT, "\n".join(" | ".join(row) for row in (*ITEMS, TOTAL)))],
        table(*(tuple(cell.replace("1,", "1 ").replace("2,", "2 ") for cell in row) for row in (*ITEMS, TOTAL))),
    ],
    ids=["as drafted", "without commas", "as text", "with blanks"],
)
def test_figures_that_are_written_somewhere_in_some_form_raise_nothing(answer):
    assert doubts(answer) == []


def test_a_total_that_the_target_changed_is_named():
    (message,) = doubts(table(*ITEMS, ("Total", "2,055.85", "411.17", "2,467.92")))
    assert message == "the target's answer has no 2,467.02, whose sums hold as drafted"


def test_figures_that_no_sum_proves_may_be_written_otherwise():
    misread = (("Lot", "Year", "Page"), ("17", "1987", "204"), ("23", "2004", "377"), ("31", "1999", "118"))
    assert doubts(table(*misread[:2]), drafted=misread) == []
