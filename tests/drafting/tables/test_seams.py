"""Two columns that a grid has as one are told apart by what stands in line on both sides of a narrow gap."""

import pytest

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.grid import Slot, fill, mended
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


def priced(units: tuple[str, ...]) -> list[list[str]]:
    """Rows of an amount with its currency that ends in line, a word a blank behind it, and a figure."""
    made = []
    for n, (amount, unit) in enumerate(zip(AMOUNTS, units, strict=True)):
        sign = word(60, n, "€")
        figure = word(57 - LETTER * len(amount), n, amount)
        made += [line_of(figure, sign, word(70, n, unit)), line_of(word(250, n, "4.00"))]
    return rows_of(made)


def test_an_amount_with_its_currency_ends_before_words_that_begin_in_line():
    """A statement of costs had `1.766,12 € Wohnfläche` in one cell."""
    assert priced(WORDS)[3] == ["140 €", "boxes", "4.00"]
    assert priced(("net",) * 6)[3] == ["140 € net", "4.00"]


def test_figures_in_groups_of_three_stay_whole():
    """`1 250,00` ends and begins in line at its blank, too."""
    rows = rows_of(counted([(amount, "250,00" if n else "300,00") for n, amount in enumerate(AMOUNTS)], end=60))
    assert rows[3] == ["140 250,00", "4.00"]


def test_a_head_that_runs_across_a_seam_moves_no_cut():
    """LibreOffice sets two heads so close that the file has one word."""
    head = [line_of(word(35, 0, "AmountUnit")), line_of(word(250, 0, "Price"))]
    body = counted([("", ""), *zip(AMOUNTS, WORDS, strict=True)], end=60)[2:]
    assert rows_of([*head, *body])[4] == ["140", "boxes", "4.00"]


def quantities(units: tuple[str, ...], heads: tuple[str, ...], left: float = 12) -> list[list[str]]:
    """Rows of figures and units under heads, where the grid has the column of figures end before its figures."""
    lines = [line_of(word(x, 0, head)) for x, head in zip((left, 52, 250), heads, strict=True) if head]
    for n, (amount, unit) in enumerate(zip(AMOUNTS, units, strict=True), 1):
        figure = word(43 + 4 * (n % 2) - LETTER * len(amount), n, amount)  # a scan's words are off by a little
        lines += [line_of(figure, word(49, n, unit)), line_of(word(250, n, "4.00"))]
    sides = ((0, Box(0, 0, 27, 0)), (1, Box(27, 0, 200, 0)), (2, Box(200, 0, 300, 0)))
    seen = [
        Slot(row, column, Box(box.x0, STEP * row, box.x1, STEP * row + HEIGHT))
        for row in range(len(AMOUNTS) + 1)
        for column, box in sides
    ]
    slots, seams = at_seams(seen, lines)
    cells = mended(slots, lambda made: fill(made, lines, lambda box: False, seams)).cells()
    return [[cell.text for cell in cells if cell.row == row] for row in range(len(AMOUNTS) + 1)]


def test_figures_go_below_a_head_that_has_nothing_below_it():
    """A scanned order's quantities stood in front of their units, and `Qty` was an empty column."""
    rows = quantities(("h", "pcs", "h", "h", "pcs", "h"), ("Qty", "Unit", "Price"))
    assert rows[0] == ["Qty", "Unit", "Price"]
    assert rows[4] == ["140", "h", "4.00"]


def test_a_bare_head_far_from_the_figures_gets_none_of_them():
    """A network's cut stood between `Details` and what it heads: `USD` came off the amounts below `Amount`."""
    assert quantities(("EUR",) * 6, ("It", "Sum", "Price"), left=0)[4] == ["", "140 EUR", "4.00"]


def test_a_currency_below_no_head_stays_with_its_figures():
    assert quantities(("EUR",) * 6, ("Sum", "", "Price"))[4] == ["140 EUR", "4.00"]


BOUGHT = (("1", "Ladder"), ("2", "Desks"), ("1", "Bracket"), ("3", "Screws"))


def receipt(heads: tuple[str, ...], at: float) -> list[list[str]]:
    """Rows of a digit and a word a blank apart, below heads of which the second begins at `at`."""
    head = line_of(*(word(x, 0, text) for x, text in zip((10, at), heads, strict=True)))
    return rows_of([head, line_of(word(250, 0, "Price")), *_below(BOUGHT)])


def _below(rows: tuple[tuple[str, str], ...]) -> list[Line]:
    made = []
    for n, (count, text) in enumerate(rows, 1):
        made += [line_of(word(22, n, count), word(29, n, text)), line_of(word(250, n, "4.00"))]
    return made


def test_below_one_head_of_two_words_they_are_one_cell():
    assert receipt(("Our", "articles"), at=33)[2] == ["2 Desks", "4.00"]


def test_words_that_begin_below_a_second_head_by_chance_are_one_cell():
    head = line_of(word(10, 0, "Our"), word(29, 0, "articles"))
    rows = rows_of([head, line_of(word(250, 0, "Price")), *_below((("a", "ladder"), *BOUGHT[1:]))])
    assert rows[2] == ["2 Desks", "4.00"]


def test_a_currency_below_a_heads_second_word_stays_with_its_amount():
    head = [line_of(word(10, 0, "Net"), word(45, 0, "sum")), line_of(word(250, 0, "Day"))]
    body = [
        part
        for n in (1, 2, 3)
        for part in (line_of(word(22, n, "8.25"), word(45, n, "EUR")), line_of(word(250, n, "Mon")))
    ]
    assert rows_of([*head, *body])[1] == ["8.25 EUR", "Mon"]


def test_counts_of_one_digit_more_than_a_blank_before_names_are_a_column():
    """A receipt's `3 Ladders` was one cell: counts of one digit may end in line by chance, but not so far away."""
    counts = [("3", "Ladders"), ("2", "Paper"), ("1", "Filter"), ("3", "Paint")]
    far = []
    for n, (count, text) in enumerate(counts):
        figure = word(20, n, count)
        far += [line_of(figure, word(figure[0].x1 + 6, n, text)), line_of(word(250, n, "4.00"))]
    assert rows_of(far)[1] == ["2", "Paper", "4.00"]
    assert rows_of(counted(counts, end=25))[1] == ["2 Paper", "4.00"]


def test_counts_of_rows_more_than_a_blank_before_numbers_are_a_column():
    """An order's `1 7105.77`, its line and the article's number, was one cell in each row."""
    articles = ("7105.77", "2362.68", "XC-9463", "L39607")
    made = []
    for n, article in enumerate(articles):
        count = word(20, n, str(n + 1))
        made += [line_of(count, word(count[0].x1 + 6, n, article)), line_of(word(250, n, "4.00"))]
    assert rows_of(made)[1] == ["2", "2362.68", "4.00"]


def test_three_capitals_behind_one_count_of_many_are_no_currency():
    """A receipt's `2 LED panel` looked like an amount: no count stood in a column."""
    goods = [
        ("1", "Desk", "lamp"),
        ("3", "Wire", "mesh"),
        ("2", "LED", "panel"),
        ("1", "Door", "closer"),
        ("2", "Oak", "shelf"),
    ]
    made = []
    for n, (count, first, last) in enumerate(goods):
        name = word(31, n, first)
        made += [line_of(word(20, n, count), name, word(name[0].x1 + 6, n, last)), line_of(word(250, n, "4.00"))]
    assert rows_of(made)[2] == ["2", "LED panel", "4.00"]


@pytest.mark.parametrize("texts", [["EUR"] * 4, ["– now", "– 2022", "– 2019", "– 2016"]])
def test_a_unit_or_a_sign_behind_figures_stays_with_them_however_far(texts):
    made = []
    for n, text in enumerate(texts):
        figure = word(20, n, f"201{n}")
        made += [line_of(figure, word(figure[0].x1 + 6, n, text)), line_of(word(250, n, "4.00"))]
    assert rows_of(made)[1] == [f"2011 {texts[1]}", "4.00"]


@pytest.mark.parametrize(("head", "expected"), [(("Hours", "Work"), ["8.00", "Ladder"]), (("Hours",), ["8.00 Ladder"])])
def test_below_names_words_behind_few_figures_are_a_column_where_figures_alone_end_so(head, expected):
    """A timesheet's few notes stood in the cells of its hours."""
    notes = {1: "Ladder", 4: "Paint", 7: "Nails"}
    names = [word(60 - LETTER * len(head[0]), 0, head[0]), *(word(66, 0, name) for name in head[1:])]
    made = [line_of(*names), line_of(word(250, 0, "Day"))]
    for n in range(1, 10):
        figure = word(60 - LETTER * 4, n, f"{n % 3 + 7}.00")
        note = [word(66, n, notes[n])] if n in notes else []
        made += [line_of(figure, *note), line_of(word(250, n, "Mon"))]
    assert rows_of(made)[1][: len(expected)] == expected
