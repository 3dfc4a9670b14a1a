"""Two columns that a grid has as one are told apart by what stands in line on both sides of a narrow gap."""

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.grid import Slot, fill
from docparse_fast.drafting.tables.readers import at_seams

LETTER, HEIGHT, STEP = 5.0, 10.0, 14.0
AMOUNTS = ("9", "12", "3", "140", "7", "25")
WORDS = ("kg", "pieces", "m", "boxes", "hours", "sets")


def word(left: float, row: int, text: str) -> tuple[Box, str]:
    return Box(left, STEP * row, left + LETTER * len(text), STEP * row + HEIGHT), text


def line_of(*words: tuple[Box, str]) -> Line:
    return Line(Box.around(box for box, _ in words), " ".join(text for _, text in words), 10, "text-layer", words=words)


def rows_of(lines: list[Line]) -> list[list[str]]:
    """What a grid of one column left of 200 and one right of it holds, parted at its seams."""
    sides = ((0, Box(0, 0, 200, 0)), (1, Box(200, 0, 300, 0)))
    seen = [
        Slot(row, column, Box(box.x0, STEP * row, box.x1, STEP * row + HEIGHT))
        for row in range(len(lines) // 2)
        for column, box in sides
    ]
    slots, seams = at_seams(seen, lines)
    cells = fill(slots, lines, lambda box: False, seams).cells()
    return [[cell.text for cell in cells if cell.row == row] for row in range(len(lines) // 2)]


def counted(rows: list[tuple[str, str]], *, end: float | None) -> list[Line]:
    """Rows of a figure, a blank and a word, the figures in line at `end` or at their left; and a price beside them."""
    made = []
    for n, (amount, text) in enumerate(rows):
        left = 20.0 if end is None else end - LETTER * len(amount)
        figure = word(left, n, amount)
        made += [line_of(figure, word(figure[0].x1 + 3, n, text)), line_of(word(250, n, "4.00"))]
    return made


def test_figures_that_end_in_line_before_words_that_begin_in_line_are_a_column():
    rows = rows_of(counted(list(zip(AMOUNTS, WORDS, strict=True)), end=60))
    assert rows[3] == ["140", "boxes", "4.00"]


def test_figures_that_begin_in_line_stay_in_their_cells():
    rows = rows_of(counted(list(zip(AMOUNTS, WORDS, strict=True)), end=None))
    assert rows[3] == ["140 boxes", "4.00"]


def test_a_sign_that_follows_every_figure_stays_with_it():
    rows = rows_of(counted([(amount, "EUR") for amount in AMOUNTS], end=60))
    assert rows[3] == ["140 EUR", "4.00"]


def test_figures_in_groups_of_three_stay_whole():
    """`1 250,00` ends and begins in line at its blank, too."""
    rows = rows_of(counted([(amount, "250,00" if n else "300,00") for n, amount in enumerate(AMOUNTS)], end=60))
    assert rows[3] == ["140 250,00", "4.00"]


def test_a_head_that_runs_across_a_seam_moves_no_cut():
    """LibreOffice sets two heads so close that the file has one word."""
    head = [line_of(word(35, 0, "AmountUnit")), line_of(word(250, 0, "Price"))]
    body = counted([("", ""), *zip(AMOUNTS, WORDS, strict=True)], end=60)[2:]
    assert rows_of([*head, *body])[4] == ["140", "boxes", "4.00"]
