"""Lines of words drawn as boxes; a gutter is where no line has a word."""

from docparse_fast.document import Box
from docparse_fast.drafting.blocks.gutters import parted_at_gutters
from docparse_fast.drafting.lines import Line

GUTTER = 300.0


def line(y: float, *words: tuple[float, float, str]) -> Line:
    boxes = tuple((Box(x0, y, x1, y + 14), text) for x0, x1, text in words)
    text = " ".join(text for _, _, text in words)
    return Line(Box(words[0][0] - 4, y, words[-1][1] + 4, y + 14), text, 10, "embedded", words=boxes)


def side(x0: float, x1: float, text: str, words: int = 4) -> list[tuple[float, float, str]]:
    pitch = (x1 - x0 + 5) / words
    return [(x0 + n * pitch, x0 + (n + 1) * pitch - 5, text) for n in range(words)]


def across(y: float, left: str = "left", right: str = "right") -> Line:
    return line(y, *side(0, GUTTER - 7, left), *side(GUTTER + 7, 600, right))


def test_lines_read_across_a_gutter_are_cut_there():
    parted = parted_at_gutters([across(18 * n) for n in range(12)])
    assert {part.text for part in parted} == {"left left left left", "right right right right"}


def test_one_line_read_across_is_cut_where_its_neighbours_leave_a_gutter():
    apart = [
        piece
        for n in range(12)
        if n != 5
        for piece in (line(18 * n, *side(0, GUTTER - 7, "left")), line(18 * n, *side(GUTTER + 7, 600, "right")))
    ]
    parted = parted_at_gutters([*apart, across(90)])
    assert len(parted) == 24


def test_a_wide_gap_between_two_words_of_prose_is_no_gutter():
    full = [line(18 * n, *side(0, 600, "prose", 8 + n % 2)) for n in range(12) if n != 5]
    parted = parted_at_gutters([*full, across(90)])
    assert len(parted) == 12


def test_a_table_of_numbers_is_not_cut_into_columns():
    lines = [across(18 * n, right="12.40") for n in range(12)]
    assert parted_at_gutters(lines) == lines


def test_lines_without_words_stay_as_they_are():
    lines = [Line(Box(0, 18 * n, 600, 18 * n + 14), "a line", 10, "embedded") for n in range(8)]
    assert parted_at_gutters(lines) == lines
