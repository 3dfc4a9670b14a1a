"""Heads of tables, by what is set and drawn around their cells."""

import pytest
from counted import calls_of

from docparse_fast.document import Box, TableCell, TextSpan
from docparse_fast.drafting.tables.heads import (
    SetAndDrawn,
    spanned_by_rules,
    spanned_evenly,
    with_heads,
    with_whole_texts,
)

ROWS = [("Year", "North", "South"), ("Wind", "4.2", "5.1"), ("Rain", "1.0", "2.2"), ("Snow", "0.3", "0.1")]
TABLE = Box(90, 90, 400, 190)


def cells(rows=ROWS):
    return [
        TableCell(r, c, text, box=Box(100 + 100 * c, 100 + 20 * r, 150 + 100 * c, 110 + 20 * r))
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
    ]


def spans(bold=()):
    return [TextSpan(cell.box, cell.text, "Serif", 10, cell.box.y1, bold=cell.row in bold) for cell in cells()]


def rule(row):
    return Box(90, 95 + 20 * row, 400, 95.5 + 20 * row)


def heads(looks, rows=ROWS):
    return sorted({cell.row for cell in with_heads(TABLE, cells(rows), looks) if cell.header})


@pytest.mark.parametrize(
    "looks",
    [
        SetAndDrawn(spans(), [rule(0), rule(1), rule(4)], []),
        SetAndDrawn(spans(bold=(0,)), [], []),
        SetAndDrawn(spans(), [], [Box(90, 95, 400, 115)]),
        SetAndDrawn(spans(bold=(0,)), [rule(3)], []),
    ],
    ids=["a rule below", "bold type", "a ground", "bold type, and a rule above a sum"],
)
def test_a_first_row_that_is_set_apart_is_a_head(looks):
    assert heads(looks) == [0]


@pytest.mark.parametrize(
    "looks",
    [
        SetAndDrawn(spans(), [rule(n) for n in range(5)], []),
        SetAndDrawn(spans(bold=range(4)), [], []),
        SetAndDrawn(spans(), [], [Box(90, 95 + 20 * n, 400, 115 + 20 * n) for n in (0, 2)]),
    ],
    ids=["rules between all rows", "bold type everywhere", "grounds behind every other row"],
)
def test_what_all_rows_share_makes_no_head(looks):
    assert heads(looks) == []


def test_a_row_of_numbers_is_no_head():
    assert heads(SetAndDrawn(spans(), [rule(1)], []), [("1", "4.2", "5.1"), *ROWS[1:]]) == []


def test_a_head_is_told_by_its_rule_though_one_stands_above_the_sum():
    """A short table's two rules were too many: its head was no head."""
    rows = [*ROWS, ("Sum", "5.5", "7.4")]
    assert heads(SetAndDrawn(spans(), [rule(1), rule(4)], []), rows) == [0]


def test_what_is_summed_below_a_rule_is_no_head():
    """A phone bill's balance, payment and charges were heads of its total."""
    rows = [("Balance", "", "31.40"), ("Payment", "", "-31.40"), ("Charges", "", "34.87"), ("Total", "", "34.87")]
    assert heads(SetAndDrawn(spans(), [rule(3)], []), rows) == []


def test_the_head_of_twice_as_many_rows_is_found_in_twice_the_steps():
    def steps(count):
        table = cells([ROWS[0], *(count * [ROWS[1]])])
        looks = SetAndDrawn([], [rule(row) for row in range(0, count, 3)], [])
        return calls_of(lambda: with_heads(TABLE, table, looks))

    assert steps(400) < 2.2 * steps(200)


def test_the_rows_of_a_long_table_are_not_gone_through_for_each_cell():
    """A ruled table of 5,000 rows took four times as long as without it."""

    class Watched(list):
        seen = 0

        def __iter__(self):
            for each in super().__iter__():
                self.seen += 1
                yield each

    long = Watched(cells([("a", "b", "c")] * 200))
    spanned_by_rules(Box(90, 90, 400, 5000), long, [])
    assert long.seen < 5 * len(long)


def test_a_term_that_the_page_writes_within_a_line_keeps_its_hyphen_in_a_cell():
    looks = SetAndDrawn([TextSpan(Box(0, 0, 90, 10), "/usr/lib/i386-linux-gnu/", "Serif", 10, 10)], [], [])
    table = [TableCell(0, 0, "/usr/include/i386-linux-\ngnu/")]
    assert [cell.text for cell in with_whole_texts(TABLE, table, looks)] == ["/usr/include/i386-linux-gnu/"]


def test_the_first_groups_name_is_no_head_where_others_stand_below():
    """A balance sheet's `Fixed assets` was a head, and `Current assets` a row."""
    grouped = [ROWS[0], ("Coast", "", ""), ROWS[1], ("Hills", "", ""), ROWS[2]]
    looks = SetAndDrawn([], [rule(2)], [])
    assert heads(looks, grouped) == [0]
    assert heads(looks, [*grouped[:3], ROWS[2], ROWS[3]]) == [0, 1]


def test_a_groups_name_spans_its_columns_where_one_rule_runs_below_all_groups():
    """Upright rules come down on it between the groups: `Total | Men | Women` over three columns each."""
    named = [("", "Total", "", "Men", ""), ("Area", "All", "Old", "All", "Old"), ("East", "1", "2", "3", "4")]
    there = [cell for cell in cells(named) if cell.text]
    rules = [Box(190, 115, 590, 116), Box(395, 95, 396, 160)]
    spanned = spanned_by_rules(Box(90, 90, 590, 150), there, rules)
    names = [(c.text, c.column, c.columns) for c in spanned if c.row == 0]
    assert names == [("Total", 1, 2), ("Men", 3, 2)]


def test_a_cell_beside_one_that_goes_through_its_row_spans_nothing():
    """An expense's second item joined the town beside it, which spans both rows, above a group's closing rule."""
    placed = [
        (0, 0, 2, "Lyon", 90),
        (0, 1, 1, "Hotel", 200),
        (1, 1, 1, "Train", 200),
        (2, 0, 1, "Sum", 90),
        (2, 1, 1, "9", 200),
    ]
    cells = [TableCell(r, c, t, rows, box=Box(x, 100 + 20 * r, x + 50, 112 + 20 * r)) for r, c, rows, t, x in placed]
    assert spanned_by_rules(Box(90, 90, 590, 160), cells, [Box(90, 136, 300, 137)]) == cells


@pytest.mark.parametrize(
    ("names", "below", "span"),
    [
        ({2: "Wheat", 5: "Barley"}, "abcdef", [(1, 3), (4, 3)]),
        ({1: "Wheat", 4: "Barley"}, "abcdef", [(1, 1), (4, 1)]),
        ({2: "Wheat", 5: "Barley"}, "123456", [(2, 1), (5, 1)]),
        ({2: "Wheat"}, "abc", [(2, 1)]),
    ],
    ids=["in the middles", "beside them", "over figures", "alone"],
)
def test_names_over_the_middles_of_as_many_heads_each_span_them(names, below, span):
    """`Wheat` over `control | N60 | N120`, with one long rule below: it spanned two of the three."""
    rows = [["Region", *(names.get(n, "") for n in range(1, 7))], ["", *below], ["North", *"123456"[: len(below)]]]
    made = [cell for cell in cells(rows) if cell.text or cell.row == 0]
    told = {cell.text: (cell.column, cell.columns) for cell in spanned_evenly(made)}
    assert [told[name] for name in names.values()] == span
