"""Which of the proposed tables stand."""

from dataclasses import replace

import pytest
from drafting.tables.proposed import line, lines_of, proposed

from docparse_fast.document import Box
from docparse_fast.drafting.tables.candidates import Marks
from docparse_fast.drafting.tables.choosing import Weighed, beaten, chosen_tables, is_likely, weighed

ROWS = [["Date", "Amount"], ["1 May", "10.00"], ["2 May", "20.00"], ["3 May", "30.00"]]
PAGE = lines_of(ROWS)
WHOLE = proposed(ROWS)


def worth(page, *qualities, as_text=0.4):
    """Candidates with what they are worth as tables, and all as text."""
    return [Weighed(each, quality, sum(len(page[n].plain) for n in each.lines), as_text) for each, quality in qualities]


def readers(chosen):
    return [each.candidate.reader for each in chosen]


def test_of_two_that_share_lines_the_better_stands():
    other = proposed(ROWS, reader="grid")
    assert readers(chosen_tables(worth(PAGE, (WHOLE, 0.7), (other, 0.9)))) == ["grid"]


def test_lines_that_say_more_as_text_make_no_table():
    assert chosen_tables(worth(PAGE, (WHOLE, 0.3))) == []


def test_the_best_table_where_lines_say_more_as_text_is_kept_with_what_else_it_may_be():
    merged = proposed([[" ".join(row)] for row in ROWS], reader="grid", lines=range(8))
    (kept,) = beaten(worth(PAGE, (merged, 0.2), (WHOLE, 0.3)), [])
    assert (kept.candidate, kept.rivals) == (WHOLE, (merged,))
    assert beaten(worth(PAGE, (WHOLE, 0.3), as_text=0.95), []) == []
    assert beaten(worth(PAGE, (WHOLE, 0.05), as_text=0.1), []) == []


def test_no_other_table_is_kept_of_lines_that_stand_in_one():
    found = worth(PAGE, (WHOLE, 0.9), (proposed(ROWS[:2], lines=range(4)), 0.3))
    assert beaten(found, chosen_tables(found)) == []


def test_lines_that_would_be_torn_as_text_make_a_poor_table():
    assert len(chosen_tables(worth(PAGE, (WHOLE, 0.3), as_text=0.1))) == 1


def test_two_good_tables_stand_before_one_poor_one_of_the_same_lines():
    upper, lower = proposed(ROWS[:2], lines=range(4)), proposed(ROWS[2:], lines=range(4, 8))
    chosen = chosen_tables(worth(PAGE, (WHOLE, 0.6), (upper, 0.9), (lower, 0.9)))
    assert {each.candidate.lines for each in chosen} == {upper.lines, lower.lines}


def test_two_halves_of_the_same_rows_do_not_stand_where_the_whole_is_nearly_as_good():
    dates, amounts = (proposed([[row[n]] for row in ROWS], lines=range(n, 8, 2)) for n in (0, 1))
    torn = ((dates, 0.6), (amounts, 0.6))
    assert [each.candidate for each in chosen_tables(worth(PAGE, (WHOLE, 0.55), *torn, as_text=0.1))] == [WHOLE]
    assert len(chosen_tables(worth(PAGE, (WHOLE, 0.45), *torn, as_text=0.1))) == 2


@pytest.mark.parametrize(("first", "tables"), [(["2 May", "7.00"], 1), (["Day", "Sum"], 2)])
def test_upper_and_lower_rows_are_one_table_where_the_lower_have_no_head(first, tables):
    """A group's name between them parted a table; a head below it says that another one begins."""
    rows = [*ROWS, ["Second cohort", ""], first, *ROWS[1:]]
    upper = proposed(rows[:4], lines=range(8))
    below = proposed([["", ""]] * 5 + rows[5:], lines=range(9, 17))
    cells = tuple(replace(cell, row=cell.row - 5) for cell in below.cells if cell.row > 4)
    lower = replace(below, cells=cells, box=Box.around(cell.box for cell in cells))
    found = worth(lines_of(rows), (proposed(rows), 0.82), (upper, 0.9), (lower, 0.9), as_text=0.1)
    assert len(chosen_tables(found)) == tables


def test_a_rival_of_another_shape_that_is_half_as_good_is_kept():
    merged = proposed([[" ".join(row)] for row in ROWS], reader="grid", lines=WHOLE.lines)
    (chosen,) = chosen_tables(worth(PAGE, (WHOLE, 0.8), (merged, 0.41)))
    assert chosen.rivals == (merged,)
    (chosen,) = chosen_tables(worth(PAGE, (WHOLE, 0.8), (merged, 0.39)))
    assert chosen.rivals == ()


def test_tables_apart_both_stand():
    page = [*PAGE, line(9, 0, "Total"), line(9, 1, "60.00")]
    below = proposed([["Total", "60.00"]], lines=(8, 9), whole=Box(0, 180, 200, 190))
    assert len(chosen_tables(worth(page, (WHOLE, 0.9), (below, 0.9)))) == 2


def test_of_two_that_are_as_good_the_one_with_more_cells_stands():
    """A head over two columns was one cell with its neighbour's, and as good as any by its many rows."""
    merged = proposed([["Date Amount", ""], *ROWS[1:]], reader="banded", lines=WHOLE.lines)
    assert readers(chosen_tables(worth(PAGE, (merged, 0.904), (WHOLE, 0.901)))) == ["white"]


def test_some_rows_of_the_chosen_table_are_no_rival():
    """An invoice's items were called another reading of the items with their total, and the page doubtful."""
    fewer = proposed(ROWS[:3], reader="grid", lines=range(6))
    (chosen,) = chosen_tables(worth(PAGE, (WHOLE, 0.8), (fewer, 0.75)))
    assert chosen.rivals == ()


def test_a_head_of_two_rows_stays_if_it_stands_nearly_as_well():
    rows = [["First half", ""], ["Jan", "Feb"], ["1.00", "2.00"], ["3.00", "4.00"]]
    page = lines_of(rows)
    body = proposed(rows[2:], reader="grid", lines=range(3, 7))
    (chosen,) = chosen_tables(worth(page, (proposed(rows), 0.8), (body, 0.89), as_text=0.75))
    assert chosen.candidate.height == 4


def test_fields_above_a_head_are_no_second_head():
    """A score sheet's `Class 5N` became a row of the marks below it."""
    rows = [["Class", "5N"], *ROWS]
    below = proposed(ROWS, reader="grid", lines=range(2, 10))
    (chosen,) = chosen_tables(worth(lines_of(rows), (proposed(rows), 0.86), (below, 0.9), as_text=0.8))
    assert chosen.candidate == below


FULL = [["Rate", "Limit", "Rule"], *([f"{n}.5 mg", f"below {n}0", f"ISO {n}"] for n in range(1, 5))]


def test_a_reading_that_holds_two_columns_in_one_does_not_stand():
    """White parts them in every row; the merged reading was 0.02 better."""
    whole = proposed(FULL)
    pairs = [[row[0], f"{row[1]} {row[2]}"] for row in FULL]
    merged = proposed(pairs, reader="grid", lines=whole.lines)
    page = lines_of(FULL)
    (chosen,) = chosen_tables(worth(page, (merged, 0.6), (whole, 0.5)))
    assert chosen.candidate is whole
    assert chosen.rivals == (merged,)


def test_counts_less_than_a_blank_line_from_what_they_count_are_a_column():
    """A scanned receipt's counts: 0.003 of quality decided for one column."""
    rows = [["Qty", "Item", "Sum"], *([f"{n}", f"lamp {n}", f"{n}.50"] for n in range(1, 5))]
    whole = proposed(rows)
    for n in range(5):
        whole = moved(whole, n, 0, x0=70.0, x1=95.0)  # half a line's height before the next
    merged = proposed([[f"{a} {b}", c] for a, b, c in rows], reader="grid", lines=whole.lines)
    assert readers(chosen_tables(worth(lines_of(rows), (merged, 0.6), (whole, 0.59)))) == ["white"]


def test_units_that_repeat_are_no_column_that_was_lost():
    rows = [["Loss", "kg", "Day"], *([f"{n}0", "kg", f"{n} May"] for n in range(1, 5))]
    whole = proposed(rows)
    merged = proposed([[f"{a} {b}", c] for a, b, c in rows], reader="grid", lines=whole.lines)
    assert readers(chosen_tables(worth(lines_of(rows), (merged, 0.6), (whole, 0.5)))) == ["grid"]


def moved(candidate, row, column, **sides):
    """The candidate with the box of one cell moved."""
    cells = (
        replace(cell, box=replace(cell.box, **sides)) if (cell.row, cell.column) == (row, column) else cell
        for cell in candidate.cells
    )
    return replace(candidate, cells=tuple(cells))


def test_two_rows_over_figures_may_be_a_head():
    rows = [["", "2025", "2024"], ["", "EUR", "EUR"], *([f"Item {n}", f"{n}0", f"{n}1"] for n in range(3, 9))]
    page, whole = lines_of(rows), proposed(rows)
    taken = frozenset(n for n, each in enumerate(page) if each.box.y0 > 30)
    body = [replace(cell, row=cell.row - 2) for cell in whole.cells if cell.row > 1]
    below = replace(whole, cells=tuple(body), lines=taken)
    (chosen,) = chosen_tables(worth(page, (below, 0.9), (whole, 0.85), as_text=0.5))
    assert chosen.candidate is whole


@pytest.mark.parametrize(("last", "stands"), [(["Sum", "60.04"], True), (["Sum", "of all"], False)])
@pytest.mark.parametrize("quality", [0.661, 0.5])
def test_a_sums_row_stays_if_it_stands_half_as_well(last, stands, quality):
    """Calls of a month were 0.003 better without their sum, a year's marks 0.14 better."""
    rows = [*ROWS, last]
    summed = proposed(rows)
    found = worth(lines_of(rows), (proposed(ROWS), 0.76), (summed, quality), as_text=0.1)
    assert [each.candidate for each in chosen_tables(found)] == [summed if stands else proposed(ROWS)]


def test_a_row_like_the_last_one_stays_if_it_stands_half_as_well():
    """A price list lost its last article, which no rule closes below."""
    rows = [["Ref.", "Item", "Price"], *([f"A-{n}", item, f"{n}.50"] for n, item in enumerate(("Oars", "Rope")))]
    for last, stands in ((["A-3", "Bolt", "7.00"], True), (["Paid", "by card", "in May"], False)):
        longer = proposed([*rows, last])
        found = worth(lines_of([*rows, last]), (proposed(rows), 0.82), (longer, 0.55), as_text=0.1)
        assert [each.candidate for each in chosen_tables(found)] == [longer if stands else proposed(rows)]


def test_a_reading_whose_cell_a_rule_of_the_table_runs_through_does_not_stand():
    """A timesheet's `10 l` ended in the next day's row, below the rule."""
    rows = [["Tue", "17:45", "paint, 10 l"], ["Wed", "16:00", "Lanmere 96"], ["Thu", "15:00", "Kelwood 61"]]
    torn = [["Tue", "17:45", "paint, 10"], ["Wed", "16:00", "l Lanmere 96"], rows[2]]
    page = [line(2 * r, c, text) for r, row in enumerate(torn) for c, text in enumerate(row)]
    whole, parted = proposed(rows, lines=range(len(page))), proposed(torn, lines=range(len(page)))
    lower = [Box(200, 12, 270, 30) if "Lanmere" in cell.text else cell.box for cell in parted.cells]
    parted = replace(parted, cells=tuple(replace(cell, box=box) for cell, box in zip(parted.cells, lower, strict=True)))
    rules = [Box(0, 20, 300, 21)]
    found = [replace(each, quality=0.6, as_text=0.1) for each in weighed([parted, whole], page, Marks(rules))]
    (chosen,) = chosen_tables([found[0], replace(found[1], quality=0.55)])
    assert chosen.candidate is whole


@pytest.mark.parametrize(("quality", "likely"), [(0.47, False), (0.6, True)])
def test_what_is_hardly_likely_as_a_table_is_none_where_stacks_stand(quality, likely):
    """A bill's parties, side by side, were a table, by 0.47 to 0.43 and by 0.37 to 0.24."""
    assert is_likely(Weighed(proposed([["Billed to", "Sent to"]]), quality, 20, 0.3)) == likely
