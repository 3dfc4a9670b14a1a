"""Which of the proposed tables stand."""

from drafting.tables.proposed import line, lines_of, proposed

from docparse_fast.document import Box, Category
from docparse_fast.drafting.lines import LayoutBox
from docparse_fast.drafting.tables.choosing import chosen_tables

ROWS = [["Date", "Amount"], ["1 May", "10.00"], ["2 May", "20.00"], ["3 May", "30.00"]]
PAGE = lines_of(ROWS)
WHOLE = proposed(ROWS)


def readers(chosen):
    return [each.candidate.reader for each in chosen]


def test_of_two_that_share_lines_the_better_stands():
    other = proposed(ROWS, reader="grid")
    assert readers(chosen_tables([WHOLE, other], [0.7, 0.9], PAGE)) == ["grid"]


def test_lines_that_say_more_as_text_make_no_table():
    assert chosen_tables([WHOLE], [0.3], PAGE) == []


def test_where_the_layout_model_sees_a_table_a_poor_one_stands_before_text():
    seen = LayoutBox(WHOLE.box, Category.TABLE)
    assert len(chosen_tables([WHOLE], [0.3], PAGE, [seen])) == 1


def test_two_good_tables_stand_before_one_poor_one_of_the_same_lines():
    upper, lower = proposed(ROWS[:2], lines=range(4)), proposed(ROWS[2:], lines=range(4, 8))
    chosen = chosen_tables([WHOLE, upper, lower], [0.6, 0.9, 0.9], PAGE)
    assert {each.candidate.lines for each in chosen} == {upper.lines, lower.lines}


def test_a_rival_of_another_shape_that_is_nearly_as_good_leaves_a_doubt():
    merged = proposed([[" ".join(row)] for row in ROWS], reader="grid", lines=WHOLE.lines)
    (chosen,) = chosen_tables([WHOLE, merged], [0.8, 0.75], PAGE)
    assert (chosen.rivals, chosen.is_doubtful) == ((merged,), True)
    (chosen,) = chosen_tables([WHOLE, merged], [0.8, 0.5], PAGE)
    assert (chosen.rivals, chosen.is_doubtful) == ((), False)


def test_tables_apart_both_stand():
    page = [*PAGE, line(9, 0, "Total"), line(9, 1, "60.00")]
    below = proposed([["Total", "60.00"]], lines=(8, 9), whole=Box(0, 180, 200, 190))
    assert len(chosen_tables([WHOLE, below], [0.9, 0.9], page)) == 2
