"""Lines of prose that a wide blank parts."""

from docparse_fast.document import Box
from docparse_fast.drafting.born_digital.text_lines import flowing_lines
from docparse_fast.drafting.lines import Line


def line(text, row, x0=0, x1=400):
    box = Box(x0, 14 * row, x1, 14 * row + 10)
    return Line(box, text, 10, "text-layer", words=((box, text),))


def plain(*lines):
    return [each.plain for each in flowing_lines(lines)]


def test_a_line_whose_neighbour_runs_through_its_blank_is_whole():
    lines = line("a sentence ends.", 0, x1=200), line("Another begins", 0, x0=210), line("and goes on here", 1)
    assert plain(*lines) == ["a sentence ends. Another begins", "and goes on here"]


def test_a_line_in_three_pieces_is_whole():
    lines = line("One.", 0, x1=100), line("Two.", 0, 110, 200), line("Three", 0, x0=210), line("goes on", 1)
    assert plain(*lines) == ["One. Two. Three", "goes on"]


def test_two_columns_stay_apart():
    lines = [line(f"{side}{row}", row, x0, x0 + 195) for row in range(3) for side, x0 in (("a", 0), ("b", 205))]
    assert len(plain(*lines)) == 6


def test_a_line_too_long_for_its_column_joins_no_columns():
    assert len(plain(line("a", 0, 0, 195), line("b", 0, 205, 400), line("too long a line", 1, 0, 220))) == 3


def test_a_wider_gap_and_numbers_part_cells():
    assert len(plain(line("Name", 0, x1=180), line("Value", 0, x0=220), line("a note that runs through", 1))) == 3
    assert len(plain(line("Name", 0, x1=200), line("12.5", 0, x0=210), line("a note that runs through", 1))) == 3


def test_a_stretched_line_that_fills_its_column_is_whole_above_a_short_one():
    """A paragraph of two lines, the first justified: the second is too short to run through the blank."""
    lines = (
        line("as wide as the column", -3),
        line("It ends.", 0, x1=100),
        line("Then, far", 0, x0=115),
        line("on", 1, x1=50),
    )
    assert plain(*lines) == ["as wide as the column", "It ends. Then, far", "on"]
    assert len(plain(*lines[1:])) == 3


def test_the_first_row_of_two_columns_stays_apart_below_a_line_as_wide_as_both():
    below = line("c", 1, 0, 90), line("d", 1, x0=115)
    assert len(plain(line("as wide as both", -3), line("a", 0, x1=100), line("b", 0, x0=115), *below)) == 5


def test_a_line_of_few_words_far_apart_that_fills_its_column_is_whole():
    """A newspaper's `fishermen   have   long` stood alone, and `memories.` below it was a paragraph."""
    words = line("fishermen", 1, 0, 50), line("have", 1, 75, 100), line("long", 1, 125, 150)
    column = line("been kind to fishermen, and", 0, x1=150), *words, line("memories.", 2, x1=50)
    assert plain(*column)[1:] == ["fishermen have long", "memories."]
    assert plain(*column, line("next column", 1, 170, 300))[1:] == ["fishermen have long", "memories.", "next column"]


def test_cells_that_stand_farther_apart_here_than_there_stay_cells():
    cells = line("fishermen", 1, 0, 50), line("have", 1, 70, 95), line("long", 1, 130, 150)
    assert len(plain(line("been kind to fishermen, and", 0, x1=150), *cells)) == 4
