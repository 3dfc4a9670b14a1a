"""Sums that tables hold, found without being told where, and the cell at which one breaks."""

from __future__ import annotations

import random

import pytest
from counted import calls_of

from docparse_fast.sums.checking import checked, proof
from docparse_fast.sums.table_sums import table_sums

INVOICE = [
    ["Item", "Quantity", "Price", "Amount"],
    ["Nails", "12", "1.35", "16.20"],
    ["Oak board", "7", "31.90", "223.30"],
    ["Hinge", "24", "2.85", "68.40"],
    ["Varnish", "3", "18.99", "56.97"],
    ["Total", "", "", "364.87"],
]
BRANCHES = [
    ["", "Jan", "Feb", "Year"],
    ["North", "", "", ""],
    ["Lamps", "1.204,5", "881,0", "2.085,5"],
    ["Chairs", "377,3", "1.419,8", "1.797,1"],
    ["Subtotal", "1.581,8", "2.300,8", "3.882,6"],
    ["South", "", "", ""],
    ["Lamps", "904,1", "713,7", "1.617,8"],
    ["Chairs", "2.033,9", "645,2", "2.679,1"],
    ["Subtotal", "2.938,0", "1.358,9", "4.296,9"],
    ["All", "4.519,8", "3.659,7", "8.179,5"],
]
STATEMENT = [
    ["Booked", "Details", "Debit", "Credit", "Balance"],
    ["01.03.", "Carried forward", "", "", "4.120,55"],
    ["02.03.", "Rent", "1.290,00", "", "2.830,55"],
    ["04.03.", "Sales", "", "2.417,80", "5.248,35"],
    ["09.03.", "Power", "311,27", "", "4.937,08"],
    ["11.03.", "Wages", "3.805,44", "", "1.131,64"],
    ["15.03.", "Sales", "", "986,12", "2.117,76"],
]


def kinds(rows):
    return {(each.kind, each.each) for each in checked(rows).relations}


def spoilt(rows, row, column, text):
    changed = [list(each) for each in rows]
    changed[row][column] = text
    return changed


def test_quantities_by_prices_and_their_total_are_found():
    assert kinds(INVOICE) == {("product", "row"), ("sum", "column")}


def test_subtotals_a_grand_total_and_sums_along_rows_are_found():
    relations = checked(BRANCHES).relations
    totals = {each.result: each.parts for each in relations if each.each == "column"}
    assert totals == {4: (2, 3), 8: (6, 7), 9: (4, 8)}
    assert [(each.parts, each.result, len(each.held)) for each in relations if each.each == "row"] == [((1, 2), 3, 7)]


def test_a_running_balance_is_found_from_either_end():
    (down,) = checked(STATEMENT).relations
    (up,) = checked([STATEMENT[0], *reversed(STATEMENT[1:])]).relations
    assert [(each.kind, each.parts, each.signs, each.result) for each in (down, up)] == [
        ("balance", (2, 3), (-1, 1), 4)
    ] * 2


def test_a_share_in_a_column_of_its_own_reduces_an_amount():
    rows = [
        ["12", "31.50", "10", "340.20"],
        ["7", "18.95", "", "132.65"],
        ["4", "220.00", "5", "836.00"],
        ["25", "3.19", "10", "71.78"],
    ]
    (relation,) = checked(rows).relations
    assert (relation.kind, relation.parts, relation.result, len(relation.held)) == ("reduced", (0, 1, 2), 3, 4)


def test_net_tax_and_total_are_a_sum_and_what_is_taken_away_too():
    assert kinds([["Net", "1,204.50"], ["VAT 19 %", "228.86"], ["Total", "1,433.36"]]) == {("sum", "column")}
    rows = [
        ["", "2025", "2024"],
        ["Sales", "91,204", "84,377"],
        ["Costs", "58,911", "60,208"],
        ["Profit", "32,293", "24,169"],
    ]
    assert len(checked(rows).relations) == 1


def test_what_few_or_short_figures_hold_proves_nothing():
    assert not checked([["1", "2", "3"], ["2", "2", "4"]]).relations
    assert not checked([["2023", "2024", "2025"], ["1", "2", "3"], ["2", "3", "4"]]).relations
    assert not checked([[str(n), str(2000 + n), str(4000 + 2 * n)] for n in range(20)]).relations


def test_figures_drawn_at_random_hold_no_sum():
    dice = random.Random(7)
    grids = [[[str(dice.randrange(10, 9999)) for _ in range(5)] for _ in range(12)] for _ in range(60)]
    assert not any(checked(rows).relations for rows in grids)


def test_a_misread_digit_is_named_with_what_it_would_have_to_be():
    (misfit,) = checked(spoilt(INVOICE, 2, 3, "228.30")).misfits
    assert (misfit.cell, misfit.needed.value, misfit.others) == ((2, 3), 223.3, ())
    (misfit,) = checked(spoilt(BRANCHES, 6, 2, "773,7")).misfits
    assert (misfit.cell, misfit.needed.value) == ((6, 2), 713.7)
    (misfit,) = checked(spoilt(STATEMENT, 4, 4, "4.987,08")).misfits
    assert (misfit.cell, misfit.needed.value) == ((4, 4), 4937.08)


def test_a_lone_total_that_one_digit_breaks_names_every_cell_that_it_may_be():
    rows = [["Basic pay", "2,315.36"], ["Overtime", "481.63"], ["Travel", "191.73"], ["Total", "2,938.72"]]
    (misfit,) = checked(rows).misfits
    assert {misfit.cell, *misfit.others} == {(1, 1), (2, 1), (3, 1)}


def test_a_whole_table_and_one_that_no_misread_sign_explains_raise_no_alarm():
    for rows in (INVOICE, BRANCHES, STATEMENT, spoilt(INVOICE, 2, 3, "9.10")):
        assert not checked(rows).misfits


def test_a_discount_printed_without_its_minus_is_taken_away_and_accuses_nobody():
    rows = [
        ["Oak", "1,512.34"],
        ["Post", "117.85"],
        ["Boards", "2,061.20"],
        ["Discount", "50.00"],
        ["Total", "3,641.39"],
    ]
    found = checked(rows)
    assert [(each.parts, each.signs, each.result) for each in found.relations] == [((0, 1, 2, 3), (1, 1, 1, -1), 4)]
    assert not found.misfits


def test_a_total_that_leaves_one_of_its_lines_out_accuses_nobody():
    rows = [["Oak", "1,512.34"], ["Post", "117.85"], ["Boards", "2,061.20"], ["Option", "20.00"], ["Total", "3,691.39"]]
    assert not checked(rows).misfits


def test_a_credit_has_its_minus_at_the_amount_alone():
    assert not checked(spoilt(INVOICE, 5, 0, "")).misfits
    rows = [*INVOICE[:5], ["Returned", "2", "44.10", "88.20-"]]
    assert not checked(rows).misfits
    assert len(checked(rows).relations[0].held) == 5


def test_a_reading_whose_sums_hold_proves_more_than_a_torn_one():
    torn = [list(row) for row in INVOICE]
    torn[2][3], torn[3][3] = "223.30 68.40", ""
    whole, torn, wordy = (tuple(map(tuple, rows)) for rows in (INVOICE, torn, [["Name", "Town"], ["Ann", "Ulm"]]))
    assert proof(whole) > proof(torn)
    assert proof(wordy) == 0.0


def test_what_two_readings_lay_into_the_same_cells_is_looked_at_for_sums_once():
    """Half of the readings of a page's tables differ in nothing but where their columns end."""
    rows = tuple(("Nails", f"{n}", "1.35", f"{1.35 * n:.2f}") for n in range(11, 31))
    first, again = (calls_of(lambda: proof(rows)) for _ in range(2))
    assert again < first / 100


@pytest.mark.parametrize(("low", "high"), [(10, 9999), (100, 103)])
def test_the_work_grows_with_the_rows_and_not_faster(low, high, monkeypatch):
    monkeypatch.setattr("docparse_fast.sums.relations.MOST_STEPS", 5_000)
    dice = random.Random(3)

    def steps(count):
        rows = [[str(dice.randrange(low, high)) for _ in range(8)] for _ in range(count)]
        return calls_of(lambda: checked(rows))

    assert steps(160) < 3 * steps(80)


def test_signs_are_kept_where_something_is_taken_away():
    taken, added = (table_sums(rows).relations for rows in (STATEMENT, INVOICE))
    assert [min(each.signs) for each in taken] == [-1]
    assert [each.signs for each in added] == [(), ()]
