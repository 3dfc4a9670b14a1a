"""A pass's cost is read from the table; its width follows from the cost and from the credit."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.speculative.costs import ALLOWED_LOSS, OPENING_CREDIT, ROW_CREDIT, Budget, CostTable, best_width
from docparse_fast.system.typed_json import read, written

TABLE = CostTable((1, 4), (1, 2, 10), ((1.0, 1.5, 3.5), (2.0, 3.0, 8.6)), "model", "cpu", "bfloat16", 0.025)


def test_measured_points_cost_what_was_measured():
    for rows, line in zip(TABLE.rows, TABLE.costs, strict=True):
        assert [TABLE.cost(rows, width) for width in TABLE.widths] == pytest.approx(line)


def test_between_points_costs_lie_on_the_line_and_beyond_them_on_the_last_slope():
    assert TABLE.cost(1, 6) == pytest.approx(2.5)
    assert TABLE.cost(1, 14) == pytest.approx(4.5)
    assert TABLE.cost(2, 1) == pytest.approx(1 + 1 / 3)
    assert TABLE.cost(7, 2) == pytest.approx(4.5)


def test_prices_are_in_plain_passes_over_as_many_rows_and_never_fall():
    noisy = CostTable((1, 2), (1, 2, 3), ((1.0, 0.9, 1.2), (2.0, 3.0, 2.8)))
    assert noisy.prices(1, (1, 2, 3)) == pytest.approx((1.0, 1.0, 1.2))
    assert noisy.prices(2, (1, 2, 3, 4)) == pytest.approx((1.0, 1.5, 1.5, 1.5))


def test_a_table_survives_its_json_with_its_names():
    copy = read(CostTable, json.loads(written(TABLE)))
    assert copy == TABLE
    assert (copy.model, copy.device, copy.dtype, copy.seconds) == ("model", "cpu", "bfloat16", 0.025)


@pytest.mark.parametrize(
    ("rows", "widths", "costs", "complaint"),
    [
        ((), (1,), (), "axes start at 1"),
        ((1,), (2, 3), ((1.0, 2.0),), "axes start at 1"),
        ((1, 1), (1,), ((1.0,), (1.0,)), "rise"),
        ((1,), (1, 3, 2), ((1.0, 2.0, 3.0),), "rise"),
        ((1,), (1, 2), ((1.0,),), "one cost for every"),
        ((1, 2), (1,), ((1.0,),), "one cost for every"),
        ((1,), (1, 2), ((1.0, 0.0),), "positive"),
        ((1, 2), (1,), ((1.0,), (-1.0,)), "positive"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(rows, widths, costs, complaint):
    with pytest.raises(ValueError, match=complaint):
        CostTable(rows, widths, costs)


@given(
    st.lists(st.floats(0.0, 0.5), min_size=1, max_size=12),
    st.lists(st.floats(0.0, 1.0), max_size=11),
)
def test_the_best_width_writes_most_for_its_price(steps, chances):
    prices = [1.0]
    for step in steps:
        prices.append(prices[-1] + step)
    chances = [1.0, *sorted(chances, reverse=True)]
    rates = [sum(chances[:width]) / prices[width - 1] for width in range(1, min(len(prices), len(chances)) + 1)]
    width = best_width(prices, chances)
    if max(rates) > 1.02:
        assert rates[width - 1] == pytest.approx(max(rates))
    else:
        assert width == 1


def test_a_gain_within_the_tables_noise_widens_nothing():
    assert best_width([1.0, 1.5], [1.0, 0.52]) == 1
    assert best_width([1.0, 1.5], [1.0, 0.54]) == 2


def test_the_narrower_of_two_equally_good_widths_is_used():
    assert best_width([1.0, 1.0, 1.0], [1.0, 0.5, 0.0]) == 2


def test_a_budget_never_widens_beyond_what_it_was_given():
    assert Budget(CostTable((1,), (1,), ((1.0,),)), widest=7).limit(1) == 7


def test_a_pass_may_cost_what_the_credit_covers_if_all_of_it_is_wrong():
    budget = Budget(CostTable((1,), (1, 11), ((1.0, 11.0),)), widest=64)  # one plain token for each further node
    assert budget.limit(1) == 1 + int(OPENING_CREDIT)
    budget.charge([2], written=1)
    assert budget.limit(1) == int(OPENING_CREDIT)
    budget.charge([2], written=5)  # four gained
    assert budget.limit(1) == int(OPENING_CREDIT) + 3


@given(st.booleans(), st.lists(st.tuples(st.integers(1, 3), st.integers(0, 3)), min_size=1, max_size=40))
def test_whatever_is_accepted_a_call_costs_little_more_than_plain_decoding(packed, passes):
    table = CostTable((1, 4), (1, 2, 8), ((1.0, 1.7, 3.5), (2.0, 4.0, 14.0)), packed=packed)
    budget, cost, plain = Budget(table, widest=16), 0.0, 0.0
    for rows, more in passes:
        sizes = budget.widths([[1.0] * budget.limit(rows)] * rows)
        written = rows + min(more, max(sizes) - 1)
        budget.charge(sizes, written)
        width = sum(sizes) / rows if packed else max(sizes)
        cost += rows * table.cost(rows, width) / table.cost(rows, 1)
        plain += written
    assert cost <= plain * (1 + ALLOWED_LOSS) + OPENING_CREDIT + 1e-9


def test_each_row_that_begins_adds_to_the_credit():
    budget = Budget(CostTable((1,), (1, 11), ((1.0, 11.0),)), widest=64)
    budget.rows_started(4)
    assert budget.limit(1) == 1 + int(OPENING_CREDIT + 4 * ROW_CREDIT)


def test_padded_rows_agree_on_the_width_that_serves_them_together():
    table = CostTable((1, 2), (1, 9), ((1.0, 3.0), (1.0, 5.0)))
    budget = Budget(table, widest=9)
    sure, lost = [1.0] * 9, [1.0]
    budget.rows_started(2)
    assert budget.widths([sure]) == [9]
    assert budget.widths([sure, lost]) == [1, 1]  # ten tokens for five passes; plainly, two for one
    budget.charge([1, 1], written=20)
    assert budget.widths([sure, sure]) == [9, 9]


def test_a_padded_row_with_few_nodes_gets_only_these():
    budget = Budget(CostTable((1, 2), (1, 9), ((1.0, 1.2), (1.0, 1.2))), widest=9)
    assert budget.widths([[1.0] * 9, [1.0, 0.5]]) == [9, 2]


def test_packed_rows_share_their_nodes_by_chance():
    table = CostTable((1, 2), (1, 9), ((1.0, 2.0), (1.0, 1.8)), packed=True)
    budget = Budget(table, widest=9)
    budget.charge([1, 1], written=20)
    sure, unsure, lost = [1.0, *[0.9] * 8], [1.0, *[0.5] * 2, *[0.01] * 6], [1.0]
    assert budget.widths([sure, lost]) == [9, 1]
    assert budget.widths([sure, unsure]) == [9, 3]
    assert budget.widths([lost, lost]) == [1, 1]


def test_equally_likely_packed_rows_stay_within_the_pass():
    budget = Budget(CostTable((1, 4), (1, 5), ((1.0, 2.0), (1.0, 4.2)), packed=True), widest=9)
    alike = [1.0, 0.9, 0.8, 0.7]
    budget.rows_started(2)
    assert sum(budget.widths([alike] * 4)) - 4 == int((OPENING_CREDIT + 2 * ROW_CREDIT) / 4 / 0.2)
    assert budget.widths([alike] * 4) == [2, 2, 1, 1]


def test_packed_rows_pay_for_every_node_and_in_debt_decode_plainly():
    budget = Budget(CostTable((1, 4), (1, 5), ((1.0, 2.0), (1.0, 4.2)), packed=True), widest=9)
    budget.charge([1, 1, 1, 6], written=4)  # five nodes in vain, at four fifths of a plain token each
    assert budget.limit(4) == 1
    budget.charge([1, 1, 1, 1], written=8)
    credit = OPENING_CREDIT + 12 * (1 + ALLOWED_LOSS) - 8 - 4
    assert budget.limit(4) == 1 + int(credit / 0.8)


def test_packed_rows_may_all_be_as_wide_as_a_row_may_be():
    free = CostTable((1, 2), (1, 9), ((1.0, 1.0), (1.0, 1.0)), packed=True)
    assert Budget(free, widest=4).widths([[1.0] * 4] * 2) == [4, 4]
