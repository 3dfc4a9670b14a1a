"""Tables of a place whose head returns."""

from drafting.tables.proposed import lines_of, proposed

from docparse_fast.drafting.tables.parts import at_returning_heads

ITEMS = [["Item", "Qty", "Price"], ["Nails", "3", "1.20"], ["Glue", "1", "4.00"], ["Tape", "2", "2.50"]]


def texts(candidate):
    rows = [[""] * candidate.width for _ in range(candidate.height)]
    for cell in candidate.cells:
        rows[cell.row][cell.column] = cell.text
    return rows


def test_a_head_that_returns_below_a_name_begins_another_table():
    """A price list's three tables were one, their headings and heads rows of it."""
    rows = [["Note", "", "1 May"], ["", "", "2 May"], ["Yard"], *ITEMS, ["Shop"], ITEMS[0], ["Rope", "5", "3.10"]]
    parts = [texts(part) for part in at_returning_heads(proposed(rows), lines_of(rows))]
    assert parts == [[["Note", "1 May"], ["", "2 May"]], ITEMS, [ITEMS[0], ["Rope", "5", "3.10"]]]


def test_rows_that_are_alike_are_no_heads_that_return():
    rows = [["Oars", "yes", "no"], ["Sail", "yes", "no"], ["Oars", "yes", "no"], ["Hull"], ["Keel", "yes", "no"]]
    assert at_returning_heads(proposed(rows), lines_of(rows)) == []
