"""What the places of words tell of tables: words on one level, white that runs down, cells that hold two runs."""

from docparse_fast.geometry import Box
from docparse_fast.quality.word_places import WordedTable, lines_at, lines_of, read_across

HEIGHT = 10


def word(text: str, x: float, y: float) -> tuple[Box, str]:
    return Box(x, y, x + 5 * len(text), y + HEIGHT), text


PRINTED = [["Bolt", "4", "1.20"], ["Nut", "9", "0.80"], ["Washer", "2", "0.10"]]
WORDS = [word(cell, 100 * n, 20 * k) for k, row in enumerate(PRINTED) for n, cell in enumerate(row)]


def test_a_table_as_its_words_stand_shows_no_sign():
    table = WordedTable(PRINTED, WORDS)
    assert (table.torn_runs, table.torn_lines, table.merged_lines, table.lines_a_row, table.strips) == (0, 0, 0, 1, 0)


def test_a_cell_that_holds_two_columns_is_told_by_the_white_in_it():
    merged = WordedTable([[f"{name} {count}", price] for name, count, price in PRINTED], WORDS)
    assert merged.strips == 1


def test_a_cell_that_holds_half_a_word_is_told_by_the_whole_one():
    torn = WordedTable([[*row[:2], row[2][:1], row[2][1:]] for row in PRINTED], WORDS)
    assert torn.torn_runs > 0.3 and torn.strips == -1


def test_a_row_that_holds_two_lines_and_a_line_in_two_rows_are_told():
    both = WordedTable([[f"{a} {b}" for a, b in zip(*PRINTED[:2], strict=True)], PRINTED[2]], WORDS)
    assert both.merged_lines == 0.5
    shifted = WordedTable([["Bolt", "4", ""], ["Nut", "9", "1.20"], ["Washer", "2", "0.80"], ["", "", "0.10"]], WORDS)
    assert shifted.torn_lines == 1


def test_text_that_is_read_across_two_columns_has_gaps_in_its_lines():
    prose = [word("read", 0, 20 * k) for k in range(3)] + [word("on", 25, 20 * k) for k in range(3)]
    across = [*prose, *(word("here", 200, 20 * k) for k in range(3))]
    assert (read_across([prose]), read_across([across])) == (0, 1)


def test_lines_like_rows_above_and_below_a_table_are_counted():
    outside = [word("Total", 0, 65), word("2.10", 200, 65), word("Thanks", 0, 300)]
    assert lines_at(Box(0, 0, 220, 50), outside, reach=25) == 1


def test_words_of_other_heights_stand_on_one_line():
    assert len(lines_of([word("a", 0, 0), (Box(20, -6, 40, 14), "B"), word("c", 60, 3)])) == 1
