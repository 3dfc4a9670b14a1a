"""Columns of a proposed table that are set right."""

from dataclasses import replace

from drafting.tables.proposed import proposed, texts

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.columns import with_columns_right


def amounts(head, *rows, unit="USD"):
    """A name, figures that end at one place, and a narrow column for what stands behind them."""
    texts = [head, *((name, figure, unit) for name, figure in rows)]
    places = {0: (0, 90), 1: (150, 190), 2: (194, 214)}
    cells = [
        TableCell(r, c, text, box=Box(places[c][0], 12 * r, places[c][1], 12 * r + 10))
        for r, row in enumerate(texts)
        for c, text in enumerate(row)
        if text
    ]
    return TableCandidate("white", Box(0, 0, 214, 12 * len(texts)), tuple(cells), frozenset(range(9)))


def test_the_one_unit_of_all_figures_is_no_column():
    """An invoice's `USD` had a column of its own, and the figures' column no head."""
    whole = amounts(("Item", "", "Amount"), ("Nails", "3.20"), ("Glue", "14.00"))
    assert texts(with_columns_right(whole)) == [["Item", "Amount"], ["Nails", "3.20 USD"], ["Glue", "14.00 USD"]]


def test_a_column_of_units_with_a_head_of_its_own_stays():
    whole = amounts(("Item", "Amount", "Currency"), ("Nails", "3.20"), ("Glue", "14.00"))
    assert with_columns_right(whole) == whole


def test_figures_at_the_right_of_their_column_are_below_its_head_at_the_left():
    """A garage's bill had its prices in a column of their own, beside `Price`, under which the sums' labels stood."""
    whole = proposed([["Part", "Price", ""], ["Oil", "", "53.55"], ["Pads", "", "64.20"], ["", "Net", ""]])
    assert texts(with_columns_right(whole)) == [["Part", "Price"], ["Oil", "53.55"], ["Pads", "64.20"], ["", "Net"]]
    owed = proposed([["Text", "Out", "In"], ["Rent", "9.20", ""], ["Pay", "", "38.90"], ["Toy", "", "12.00"]])
    assert with_columns_right(owed) == owed


def test_a_figure_in_the_first_row_is_no_head():
    """A statement's second page, without a head, had its debits and credits in one column."""
    on = proposed([["Fee", "9.20", "", "60.00"], ["Pay", "", "38.90", "98.90"], ["Gift", "", "12.00", "110.90"]])
    assert with_columns_right(on) == on


def test_as_many_heads_as_columns_stand_in_order_over_them():
    """A network saw `Apr` over a column of its own, and its figures below `May`."""

    def table(head: list[str]) -> TableCandidate:
        rows = [head, ["Rent", "5", "", "7", "8"], ["Car", "6", "", "9", "4"]]
        cells = [(n, m, text) for n, row in enumerate(rows) for m, text in enumerate(row) if text]
        placed = tuple(TableCell(n, m, text, box=Box(50 * m, 20 * n, 50 * m + 30, 20 * n + 10)) for n, m, text in cells)
        return TableCandidate("model", Box(0, 0, 230, 50), placed, frozenset(range(3)))

    mended = with_columns_right(table(["Item", "Mar", "Apr", "May", ""]))
    assert [cell.text for cell in mended.rows[0]] == ["Item", "Mar", "Apr", "May"]
    assert {cell.column for cell in mended.rows[1]} == {0, 1, 2, 3}
    spare = table(["Item", "Mar", "Apr", "May", "Sum"])
    assert with_columns_right(spare) == spare, "a head may have no cell"


def test_a_figure_stands_in_the_one_column_whose_others_stand_over_it():
    """A statement's first amounts spanned `Out` and `In`."""
    told = proposed([["Text", "Out", "In"], ["Rent", "9.20", ""], ["Pay", "", "38.90"], ["Toy", "4.10", ""]])
    rent, pay, toy = (cell for cell in told.filled if cell.row and cell.column)
    cells = tuple(replace(cell, columns=2) if cell is rent else cell for cell in told.filled)
    assert texts(with_columns_right(replace(told, cells=cells))) == texts(told)
    below = tuple(replace(cell, columns=2) if cell in (rent, toy) else cell for cell in told.filled if cell is not pay)
    spanned = replace(told, cells=below)
    assert with_columns_right(spanned) == spanned, "nothing says in which"


def placed(*rows):
    """Cells given by row, column, text and where they begin and end."""
    cells = [
        TableCell(r, column, text, box=Box(x0, 20 * r, x1, 20 * r + 10))
        for r, row in enumerate(rows)
        for column, text, x0, x1 in row
    ]
    return TableCandidate("grid", Box(0, 0, 400, 20 * len(rows)), tuple(cells), frozenset(range(len(cells))))


ROWS = [[(0, "1.10.", 0, 25), (1, "2.10.", 60, 85), (2, "Rent", 120, 150), (3, f"{n}.20", 300, 320)] for n in (7, 8, 9)]


def test_words_a_blank_apart_are_one_cell_where_white_is_wide_in_other_rows():
    """A statement's last row was `New | balance of 31 October`."""
    torn = [(0, "New", 0, 24), (1, "balance of 31 October", 27, 160), (3, "24.60", 295, 320)]
    found = with_columns_right(placed(*ROWS, torn))
    assert texts(found)[3][0] == "New balance of 31 October"
    heads = [(0, "Day due", 0, 40), (1, "Value day", 43, 90), (2, "For", 120, 140), (3, "EUR", 300, 320)]
    assert texts(with_columns_right(placed(heads, *ROWS)))[0] == ["Day due", "Value day", "For", "EUR"]


def test_a_groups_name_that_runs_over_the_next_column_stands_in_the_first():
    """Days in an expense report stood in the column of what was bought, since most of their words are over it."""
    whole = proposed([["", "Monday, 9 May", ""], ["9.5.", "Train", "8.90"], ["9.5.", "", "7.10"], ["", "Sum", "16.00"]])
    moved = {"Monday, 9 May": 0.0, "Sum": 100.0}
    cells = tuple(replace(c, box=replace(c.box, x0=moved.get(c.text, c.box.x0))) for c in whole.cells if c.text)
    found = texts(with_columns_right(replace(whole, cells=cells)))
    assert (found[0], found[3]) == (["Monday, 9 May", "", ""], ["", "Sum", "16.00"])


def test_names_of_sums_farther_right_are_in_the_column_above_them():
    """A Spanish statement's `Total abonos` had a column of its own, without a head, between the texts and amounts."""
    rows = [["Day", "Text", "", "Euro"], ["2/11", "Wages", "", "5.00"], ["3/11", "Rent", "", "2.00"]]
    whole = proposed([*rows, ["", "", "Paid in", "5.00"], ["", "", "Paid out", "2.00"]])
    assert texts(with_columns_right(whole))[2:] == [
        ["3/11", "Rent", "2.00"],
        ["", "Paid in", "5.00"],
        ["", "Paid out", "2.00"],
    ]
    beside = proposed([*rows, ["", "Fee", "Paid in", "5.00"], ["", "", "Paid out", "2.00"]])
    assert with_columns_right(beside).width == 4


def test_a_cell_that_a_reader_cut_to_nothing_ends_no_page():
    """A French bill was read in a plainer way, and lost its letterhead: a height was 0."""
    whole = proposed([["Olive oil", "from Nyons", "4"], ["Nougat", "from Sault", "2"]])
    flat = [replace(c, box=replace(c.box, y1=c.box.y0)) if c.text == "from Sault" else c for c in whole.cells]
    assert texts(with_columns_right(replace(whole, cells=tuple(flat)))) == texts(whole)
