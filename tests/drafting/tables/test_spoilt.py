"""Which of two readings of the same lines is plainly worse."""

from dataclasses import replace

from drafting.tables.proposed import proposed

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.spoilt import is_worse

TALL, LOW = 24.0, 10.0


def rows_of_heights(rows):
    """Each row's texts with its height; lines are the same, however the rows are cut."""
    cells = [
        TableCell(r, c, text, box=Box(100 * c, 40 * r, 100 * c + 60, 40 * r + height))
        for r, (height, row) in enumerate(rows)
        for c, text in enumerate(row)
        if text
    ]
    return TableCandidate("white", Box(0, 0, 300, 400), tuple(cells), frozenset(range(9)))


LESSONS = [
    (LOW, ["Hour", "Mon", "Tue"]),
    *((TALL, [f"{hour}:00", f"Art R {hour}", "Music R 2"]) for hour in (8, 9, 11, 12)),
]
WHOLE = [*LESSONS, (TALL, ["10:00", "Music R 5", "Art R 6"])]
IN_TWO = [*LESSONS, (LOW, ["10:00", "Music", "Art"]), (LOW, ["", "R 5", "R 6"])]


def test_a_row_in_two_is_worse_where_the_others_are_as_high_as_both():
    whole, in_two = rows_of_heights(WHOLE), rows_of_heights(IN_TWO)
    assert is_worse(in_two, whole, near=False)
    assert not is_worse(whole, in_two, near=True)


def test_two_rows_as_high_as_the_others_are_two():
    low = [(LOW, row) for _, row in IN_TWO]
    assert not is_worse(rows_of_heights(low), rows_of_heights(WHOLE), near=True)


def test_a_cell_that_goes_on_below_in_lower_case_is_one():
    """An offer's chair had its `back` in a row of its own."""
    rows = [["Item", "Qty"], ["Office chair, mesh", "3"], ["back", ""], ["Roll,", "1"], ["blue", ""]]
    whole = [["Item", "Qty"], ["Office chair, mesh back", "3"], ["Roll, blue", "1"]]
    parted, other = (rows_of_heights([(LOW, row) for row in each]) for each in (rows, whole))
    assert is_worse(parted, other, near=True)
    groups = [["Item", "Qty"], ["Vehicles", "3"], ["Stocks", ""], ["Rope", "1"], ["Cash", ""]]
    joined = [["Item", "Qty"], ["Vehicles Stocks", "3"], ["Rope Cash", "1"]]
    parted, other = (rows_of_heights([(LOW, row) for row in each]) for each in (groups, joined))
    assert not is_worse(parted, other, near=True)


def test_rows_broken_off_at_a_dash_or_a_comma_are_one():
    """A roster's early shift was two rows, `06:00 –` and `14:00`."""
    rows = [["Shift", "Mon"], ["06:00 –", "Ada,"], ["14:00", "Berg"], ["14:00 –", "Ole"], ["22:00", "Dahl"]]
    whole = [["Shift", "Mon"], ["06:00 – 14:00", "Ada, Berg"], ["14:00 – 22:00", "Ole Dahl"]]
    parted, other = (rows_of_heights([(LOW, row) for row in each]) for each in (rows, whole))
    assert is_worse(parted, other, near=True)
    owed = [["Shift", "Mon"], ["06:00", "1.50-"], ["14:00", "2.00-"], ["15:00", "3.00-"], ["22:00", "1.00-"]]
    added = [["Shift", "Mon"], ["06:00 14:00", "1.50- 2.00-"], ["15:00 22:00", "3.00- 1.00-"]]
    parted, other = (rows_of_heights([(LOW, row) for row in each]) for each in (owed, added))
    assert not is_worse(parted, other, near=True)


def test_words_that_go_on_without_a_figure_are_no_row_of_their_own():
    apart = [["Oak shelf", "84.19"], ["Net total", "from the"], ["VAT", "start"]]
    joined = [["Oak shelf", "84.19"], ["Net total VAT", "from the start"]]
    assert not is_worse(*(rows_of_heights([(LOW, row) for row in each]) for each in (joined, apart)), near=False)


def test_rows_of_one_cell_below_rows_of_figures_are_the_rest_of_a_cell():
    """Of a statement's references some stood in rows of their own, others in the cell above."""
    whole = [["22 Jan", "Transfer Pelval Ref. NB35", "3.30"], ["25 Jan", "Fee Lanval", "26.22"]]
    parted = [["22 Jan", "Transfer Pelval", "3.30"], ["", "Ref. NB35", ""], ["25 Jan", "Fee Lanval", "26.22"]]
    one, other = (rows_of_heights([(LOW, row) for row in each]) for each in (parted, whole))
    assert is_worse(one, other, near=True)
    assert not is_worse(one, other, near=False)
    staff = [["Office", "Ann Lee"], ["", "Bob Fox"], ["Yard", "Cara May"]]
    joined = [["Office", "Ann Lee Bob Fox"], ["Yard", "Cara May"]]
    assert not is_worse(*(rows_of_heights([(LOW, row) for row in each]) for each in (staff, joined)), near=True)


def test_a_cell_whose_word_goes_on_below_is_one_however_its_lines_are_parted():
    """A harbour's fees had `paint sup-` and `plied by the owner` in two rows: readers part a cell's lines."""
    rows = [["Item", "Price"], ["Two coats, paint sup-", "31.00"], ["plied by the owner", ""], ["Mast", "85.00"]]
    whole = [["Item", "Price"], ["Two coats, paint sup-\nplied by the owner", "31.00"], ["Mast", "85.00"]]
    parted, other = (rows_of_heights([(LOW, row) for row in each]) for each in (rows, whole))
    assert is_worse(parted, other, near=True)


def stepped(tops, rows):
    cells = [
        TableCell(r, c, text, box=Box(100 * c, top, 100 * c + 60, top + LOW))
        for r, (top, row) in enumerate(zip(tops, rows, strict=True))
        for c, text in enumerate(row)
        if text
    ]
    return TableCandidate("white", Box(0, 0, 300, 400), tuple(cells), frozenset(range(9)))


def test_a_name_that_goes_on_in_lower_case_close_below_is_one():
    """A tax bill's deduction had the end of its name and its amount in a row of their own."""
    rows = [["Wages", "54.31"], ["Costs", "2.18"], ["Pension fund, of which", ""], ["deductible", "5.05"]]
    whole = replace(proposed([*rows[:2], ["Pension fund, of which\ndeductible", "5.05"]]), lines=frozenset(range(9)))
    assert is_worse(stepped((0, 20, 40, 51), rows), whole, near=True)
    assert not is_worse(stepped((0, 20, 40, 51), rows), whole, near=False)
    assert not is_worse(stepped((0, 20, 40, 60), rows), whole, near=True)


def test_two_heads_in_one_are_worse_where_another_has_one_over_each_column():
    """A statement's `Details Debit` stood over its details, `Credit` over the debits, and nothing over the credits."""
    body = [["8 May", "Wages", "2,085.34", ""], ["9 May", "Fee", "", "76.99"]]
    named, joined = ["Booked", "Details", "Debit", "Credit"], ["Booked", "Details Debit", "Credit", ""]
    one, other = (rows_of_heights([(LOW, row) for row in [head, *body]]) for head in (joined, named))
    assert is_worse(one, other, near=False)
    assert not is_worse(other, one, near=True)
    empty = [["8 May", "Wages", "2,085.34", ""], ["9 May", "Fee", "76.99", ""]]
    one, other = (rows_of_heights([(LOW, row) for row in [head, *empty]]) for head in (joined, named))
    assert not is_worse(one, other, near=False)  # a column of a head alone


def test_three_sums_in_one_row_are_worse_than_in_three():
    """An invoice's net sum, tax and total stood in two cells."""
    items = [["1", "Oars", "8.00"], ["2", "Rope", "4.00"]]
    apart = proposed([*items, ["", "Net", "12.00"], ["", "Tax", "2.40"], ["", "Total", "14.40"]])
    joined = proposed([*items, ["", "Net Tax Total", "12.00 2.40 14.40"]])
    assert is_worse(joined, apart, near=False)
    assert not is_worse(apart, joined, near=True)


def test_deviations_below_their_means_are_one_row_with_them():
    means = proposed([["Slope", "1.20", "3.10"], ["", "0.04", "0.20"]])
    joined = proposed([["Slope", "1.20 0.04", "3.10 0.20"]])
    assert not is_worse(joined, means, near=True)


def test_the_end_of_a_name_in_lower_case_is_no_row_however_good_it_looks():
    """A balance sheet's `Total` and `liabilities` were two rows."""
    apart = proposed([["Loans", "14", "20"], ["Total", "109", "146"], ["liabilities", "", ""]])
    whole = proposed([["Loans", "14", "20"], ["Total liabilities", "109", "146"]])
    assert is_worse(apart, whole, near=False)


def test_names_in_lower_case_are_rows_of_their_own():
    apart = proposed([["foo", "14", "20"], ["bar", "", ""]])
    assert not is_worse(apart, proposed([["foo bar", "14", "20"]]), near=False)


def test_a_date_below_another_makes_no_row_of_its_own():
    apart = proposed([["Day", "What", "Sum"], ["1 Dec", "Fee", "2.50"], ["(29.11.14)", "see below", ""]])
    joined = proposed([["Day", "What", "Sum"], ["01.12.14 (29.11.14)", "Fee see below", "2.50"]])
    apart = replace(apart, cells=tuple(replace(c, text="01.12.14") if c.text == "1 Dec" else c for c in apart.cells))
    assert not is_worse(joined, apart, near=False)
