"""Pages are drawn as boxes of lines; the order is checked by what was meant."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.document import Box
from docparse_fast.drafting.blocks.reading_order import columns
from docparse_fast.drafting.blocks.stacks import rows

LINE = 10.0
LEADING = 14.0


def column(x0: float, x1: float, y0: float, lines: int) -> list[Box]:
    return [Box(x0, y0 + n * LEADING, x1, y0 + n * LEADING + LINE) for n in range(lines)]


def order(boxes: list[Box]) -> list[int]:
    return [index for group in columns(boxes, LINE) for index in group]


def meant(*parts: list[Box]) -> tuple[list[Box], list[int]]:
    """Boxes shuffled out of their order, and the order in which they should be read."""
    reading = [box for part in parts for box in part]
    given_boxes = sorted(reading, key=lambda box: (box.y0, -box.x0))
    return given_boxes, [given_boxes.index(box) for box in reading]


def test_a_title_is_read_before_the_two_columns_below_it():
    boxes, wanted = meant(column(0, 500, 0, 1), column(0, 240, 30, 20), column(260, 500, 30, 20))
    assert order(boxes) == wanted


def questions(x0: float, level: int) -> list[Box]:
    """A question and three answers, as wide as an answer of one word."""
    top = level * 5 * LEADING
    return [Box(x0, top, x0 + 150, top + LINE), *column(x0 + 10, x0 + 60, top + LEADING, 3)]


@pytest.mark.parametrize(("numbers", "down"), [((1, 2, 3, 4), True), ((1, 3, 2, 4), False)])
def test_questions_are_read_as_they_are_counted(numbers, down):
    """A test's answers stand level and are short, as a table's rows: they were read across."""
    boxes = [*questions(0, 0), *questions(0, 1), *questions(260, 0), *questions(260, 1)]
    found = columns(boxes, LINE, {4 * n: number for n, number in enumerate(numbers)})
    assert found == (
        [[*range(8)], [*range(8, 16)]] if down else [[0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15]]
    )


def test_a_column_of_questions_goes_on_below_the_shorter_one_beside_it():
    """A test's last question at the left was read after those at the right, which end higher up."""
    sides = [box for x0, count in ((0, 4), (260, 2)) for n in range(count) for box in questions(x0, n)]
    found = columns(sides, LINE, {4 * n: n + 1 for n in range(6)})
    assert found == [[*range(16)], [*range(16, 24)]]


def test_headings_level_over_tables_are_read_with_what_they_head():
    """A newsletter's two headings were read one after the other, and then the two tables below them."""
    sides = [(Box(x, 0, x + 90, 12), Box(x, 32, x + 200, 130)) for x in (0, 300)]
    boxes, wanted = meant(*map(list, sides))
    assert order(boxes) == wanted


def test_columns_are_not_read_across_where_both_pause_at_one_height():
    left = column(0, 240, 0, 8) + column(0, 240, 200, 8)
    right = column(260, 500, 0, 8) + column(260, 500, 200, 8)
    boxes, wanted = meant(left, right)
    assert order(boxes) == wanted


def test_a_grid_whose_rows_begin_with_headings_is_read_by_rows():
    def headed(x0: float, y0: float) -> list[Box]:
        return [Box(x0, y0, x0 + 150, y0 + 1.3 * LINE), *column(x0, x0 + 240, y0 + 20, 6)]

    boxes, wanted = meant(headed(0, 0), headed(260, 0), headed(0, 160), headed(260, 160))
    assert order(boxes) == wanted


def test_a_full_width_figure_parts_the_columns_above_it_from_those_below():
    parts = (
        column(0, 240, 0, 8),
        column(260, 500, 0, 8),
        [Box(0, 130, 500, 250)],
        column(0, 240, 260, 8),
        column(260, 500, 260, 8),
    )
    boxes, wanted = meant(*parts)
    assert order(boxes) == wanted


def test_an_upper_part_in_two_columns_and_a_lower_one_in_three():
    parts = (
        column(0, 240, 0, 10),
        column(260, 500, 0, 10),
        column(0, 150, 200, 10),
        column(175, 325, 200, 10),
        column(350, 500, 200, 10),
    )
    boxes, wanted = meant(*parts)
    assert order(boxes) == wanted


def test_labels_and_values_of_a_form_stay_in_one_column():
    labels = [Box(box.x0, box.y0, 30 + 37 * n % 50, box.y1) for n, box in enumerate(column(0, 60, 0, 8))]
    values = column(200, 260, 0, 8)
    groups = columns(labels + values, LINE)
    assert len(groups) == 1
    assert rows(labels + values, groups[0]) == [[n, n + 8] for n in range(8)]


def test_three_narrow_columns_set_exactly_level_are_read_down():
    """The two columns right of a gutter were one ragged side, twice as wide as its lines, and read across as a form."""
    boxes, wanted = meant(column(0, 75, 0, 20), column(87, 162, 0, 20), column(174, 249, 0, 20))
    assert order(boxes) == wanted


def test_questions_in_two_level_columns_keep_their_options():
    def questions(x0: float) -> list[Box]:
        parts = []
        for n in range(4):
            parts += [Box(x0, 60 * n, x0 + 240, 60 * n + LINE), Box(x0, 60 * n + 14, x0 + 190, 60 * n + 24)]
            parts += [Box(x0 + 60 * m, 60 * n + 28, x0 + 60 * m + 30, 60 * n + 38) for m in range(4)]
        return parts

    left, right = questions(0), questions(270)
    groups = columns([*left, *right], LINE)
    assert [sorted(group) for group in groups] == [list(range(len(left))), list(range(len(left), 2 * len(left)))]


def test_the_last_lines_of_two_addresses_stay_with_the_others():
    """Three lines of each were even by chance, so the fourth ones of a delivery note were read across below them."""
    widths = [(145, 202, 168, 177), (162, 210, 248, 176)]
    title = Box(0, 0, 590, 50)
    sides = [
        [Box(x, 77 + 33 * n, x + width, 105 + 33 * n) for n, width in enumerate(side)]
        for x, side in zip((0, 716), widths, strict=True)
    ]
    assert columns([title, *sides[0], *sides[1], Box(0, 508, 177, 536)], 28) in (
        [[0, 1, 5, 2, 6, 3, 7, 4, 8, 9]],
        [[0], [1, 2, 3, 4], [5, 6, 7, 8], [9]],
    )


def test_short_labels_of_one_width_and_their_values_stay_in_one_column():
    assert len(columns(column(0, 36, 0, 8) + column(150, 186, 0, 8), LINE)) == 1


def test_a_few_words_beside_a_centred_heading_are_no_column():
    words = [Box(0, 0, 80, 10), Box(0, 90, 200, 100), Box(0, 104, 200, 114)]
    centred = column(220, 420, 0, 3)
    assert len(columns(words + centred, LINE)) == 1


def test_a_gutter_as_wide_as_a_word_gap_is_found_between_detected_boxes():
    """A detector's boxes reach into the gutter: at first only 0.2 line heights of it were left, and it was missed."""
    boxes, wanted = meant(column(0, 249, 0, 20), column(251, 500, 0, 20))
    assert order(boxes) == wanted


boxes_strategy = st.lists(
    st.tuples(st.integers(0, 400), st.integers(0, 600), st.integers(1, 300), st.integers(1, 40)).map(
        lambda t: Box(t[0], t[1], t[0] + t[2], t[1] + t[3])
    ),
    max_size=25,
)


@given(boxes_strategy)
def test_every_box_is_read_exactly_once(boxes: list[Box]):
    assert sorted(order(boxes)) == list(range(len(boxes)))


@given(boxes_strategy)
def test_rows_hold_every_member_once(boxes: list[Box]):
    members = list(range(len(boxes)))
    assert sorted(index for row in rows(boxes, members) for index in row) == members


def test_an_examination_in_two_columns_is_read_down_each_though_its_rows_stand_level():
    """A question, what is left of it, and four answers beside each other: mostly short boxes, mostly one line."""

    def question(x: float, y: float) -> list[Box]:
        answers = [Box(x + 20 + 160 * n, y + 66, x + 90 + 160 * n, y + 96) for n in range(4)]
        return [Box(x, y, x + 640, y + 30), Box(x, y + 33, x + 200, y + 63), *answers]

    left = [box for n in range(4) for box in question(60, 130 + 130 * n)]
    right = [box for n in range(4) for box in question(840, 130 + 130 * n)]
    groups = columns([*right, *left], unit=30)
    order = [index for group in groups for index in group]
    assert set(order[: len(left)]) == set(range(len(right), len(right) + len(left)))


def test_a_paragraphs_short_last_line_stays_with_it_above_two_columns():
    paragraph, last = column(0, 500, 0, 2), [Box(0, 28, 100, 38)]
    following, left, right = column(0, 500, 44, 1), column(0, 240, 80, 8), column(260, 500, 80, 8)
    groups = columns([*paragraph, *last, *following, *left, *right], LINE)
    assert groups[0] == [0, 1, 2, 3]


def test_terms_at_the_left_are_no_column_beside_what_explains_them():
    terms = [Box(0, 56 * n, 90, 56 * n + LINE) for n in range(5)]
    texts = [column(100, 500, 56 * n + LEADING, 2) for n in range(5)]
    boxes, wanted = meant(*(part for term, text in zip(terms, texts, strict=True) for part in ([term], text)))
    assert order(boxes) == wanted


def test_three_thousand_labels_with_values_beside_them_need_no_room_for_each_pair():
    boxes = [*column(0, 30, 0, 3000), *column(100, 130, 0, 3000)]
    tracemalloc.start()
    try:
        assert sorted(order(boxes)) == list(range(6000))
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_labels_level_with_what_they_name_are_read_row_by_row():
    """Years at the left of a life's stations were read one after the other, apart from what they date."""
    at = range(0, 360, 60)
    named = [part for y in at for part in (column(0, 60, y, 1), column(100, 300, y, 3))]
    side = column(340, 500, 0, 20)
    boxes, wanted = meant(*named, side)
    found = [index for group in columns(boxes, LINE) for row in rows(boxes, group) for index in row]
    assert found == wanted


def test_a_title_below_a_letters_head_is_read_after_both_its_sides():
    head = [*column(0, 200, 0, 2), *column(400, 500, 0, 2)]
    title = [Box(0, 50, 80, 65)]
    left, right = column(0, 220, 90, 8), column(300, 500, 90, 8)
    assert order([*head, *title, *left, *right]) == list(range(21))


def test_tables_that_begin_level_begin_a_row_of_a_grid():
    left = [Box(0, 0, 220, 60), Box(0, 75, 220, 160)]
    right = [Box(300, 4, 500, 55), Box(300, 78, 500, 150)]
    assert order([left[0], right[0], left[1], right[1]]) == [0, 1, 2, 3]


def test_names_level_over_tables_begin_a_row_of_a_grid():
    def named(x0: float, y0: float) -> list[Box]:
        return [Box(x0, y0, x0 + 60, y0 + LINE), Box(x0, y0 + 20, x0 + 200, y0 + 90)]

    boxes, wanted = meant(named(0, 0), named(300, 0), named(0, 110), named(300, 110))
    assert order(boxes) == wanted


def test_a_larger_line_alone_at_the_foot_of_the_left_column_is_read_after_both():
    heading, table = Box(0, 400, 60, 400 + 1.4 * LINE), Box(0, 430, 500, 500)
    boxes, wanted = meant(column(0, 240, 0, 20), column(260, 500, 0, 15), [heading], [table])
    assert order(boxes) == wanted


def test_a_name_over_a_wide_table_is_read_after_both_columns_above():
    """A data sheet's `Electrical characteristics` stood between the columns above its table."""
    name, table = [Box(0, 130, 160, 140)], [Box(0, 150, 500, 300)]
    boxes, wanted = meant(column(0, 240, 0, 8), column(260, 500, 0, 6), [*name, *table])
    assert order(boxes) == wanted


def test_a_columns_last_lines_are_read_with_it_though_nothing_stands_beside_them():
    """The gutter left of them was wider, since the lines above are short."""
    boxes, wanted = meant([*column(0, 120, 0, 6), *column(0, 240, 6 * LEADING, 2)], column(260, 500, 0, 6))
    table = [Box(0, 150, 500, 300)]
    assert order([*boxes, *table]) == [*wanted, len(boxes)]


def test_a_heading_over_columns_below_two_tables_is_read_after_both():
    """Two tables of unequal height stood above two columns: the right one was read after the left column."""
    tables = [[Box(0, 0, 60, 10), Box(0, 14, 240, 130)], [Box(260, 0, 320, 10), Box(260, 14, 500, 90)]]
    head = [Box(0, 148, 90, 158)]
    boxes, wanted = meant(*tables, head, column(0, 240, 164, 12), column(260, 500, 164, 12))
    assert order(boxes) == wanted


def test_what_stands_beside_the_first_paragraph_of_a_long_column_is_read_after_the_column():
    """A panel as high as the text beside it was read before the pictures and the list below that text."""
    left = [*column(0, 240, 0, 5), Box(0, 90, 240, 200), *column(0, 240, 215, 10)]
    boxes, wanted = meant(left, column(260, 500, 0, 5))
    assert order(boxes) == wanted


def test_two_lines_level_over_one_columns_text_are_read_before_it():
    """`Place, date`, then the terms below it, then `Signature`."""
    above = [*column(0, 240, 0, 6), *column(260, 500, 0, 6), Box(0, 100, 500, 110)]
    signed = [Box(0, 150, 80, 160), Box(300, 150, 370, 160)]
    terms = [Box(0, 172, 60, 187), *column(0, 240, 192, 4)]
    boxes = [*above, *signed, *terms, Box(50, 270, 450, 280)]
    assert order(boxes) == list(range(len(boxes)))


def test_a_line_far_below_two_columns_is_read_after_both():
    """A contract in two languages: its place and date were read between them."""
    boxes, wanted = meant(column(0, 240, 0, 12), column(260, 500, 0, 11), [Box(0, 200, 150, 210)])
    assert order(boxes) == wanted


def test_clauses_in_two_languages_are_two_columns_though_all_their_lines_are_level():
    """As many single lines stood far apart as near: they were terms beside what they mean."""
    both = [0, 16, 28, 40, 56, 68, 85, 101, 113, 125, 141, 153, 181, 198]
    left, right = ([Box(x, y, x + 260, y + LINE) for y in tops] for x, tops in ((0, both), (277, [*both, 165, 210])))
    boxes, wanted = meant(left, sorted(right, key=lambda box: box.y0), [Box(0, 250, 180, 260)])
    assert order(boxes) == wanted


def test_a_panel_is_read_before_the_heading_below_it():
    """A bill's summary was read after the chart that stands below the letter beside it."""
    letter, panel = column(0, 200, 0, 10), [Box(230, 0, 330, 138)]
    heading, chart, table = [Box(0, 160, 120, 173)], [Box(0, 180, 90, 240)], [Box(0, 260, 330, 400)]
    boxes, expected = meant(letter, panel, heading, chart, table)
    assert order(boxes) == expected
    beside, expected = meant(letter, heading, chart, panel)  # a page's sidebar, which nothing crosses below
    assert order(beside) == expected


def test_dates_at_the_end_of_their_lines_are_no_column():
    """A sheet of jobs had all its years below the last job."""
    jobs = column(0, 220, 0, 9)
    dates = [Box(280, n * LEADING, 330, n * LEADING + LINE) for n in (0, 4, 8)]
    assert len(columns([*jobs, *dates], LINE)) == 1


def test_a_paragraph_begun_at_a_columns_foot_is_read_with_it_though_a_note_stands_level():
    """The line above the first that has a footnote beside it was taken for the name of a grid's row."""
    left = [*column(0, 240, 0, 12), Box(0, 164, 70, 174), *column(0, 240, 188, 3)]
    right = [*column(260, 500, 0, 13), *column(260, 500, 202, 2)]
    boxes, wanted = meant(left, right)
    assert order(boxes) == wanted


def test_a_sidebars_short_lines_level_with_a_paragraphs_are_no_rows():
    """A résumé's address and skills stood word by word in its jobs, whose lines had the same leading."""
    stacks = [
        Box(0, y + n * LEADING, (60, 110, 40, 90)[n], y + n * LEADING + LINE) for y in (0, 70, 140) for n in range(4)
    ]
    text = [Box(220, n * LEADING - 2, (520, 515, 524, 300)[n % 4], n * LEADING + 8) for n in range(17)]
    boxes, wanted = meant(stacks, text)
    assert order(boxes) == wanted


def test_rows_of_several_figures_beside_a_bills_items_are_no_column():
    """An old program's bills were read items, sums, then figures: three stood in each row, and few rows had them."""
    items = [Box(0, 14.0 * n, 120.0 + 10 * n, 14.0 * n + 10) for n in range(7)]
    figures = [Box(200.0 + 50 * m, 14.0 * n, 230.0 + 50 * m, 14.0 * n + 10) for n in range(3) for m in range(3)]
    assert len(columns([*items, *figures], LINE)) == 1
