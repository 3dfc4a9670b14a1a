"""A spreadsheet as it is printed: words begin in line at a cell's left, figures end in line at its right."""

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.readers import white_grids


def sheet(*rows: list[tuple[float, str]]) -> list[Line]:
    """A figure ends at its place, a word begins there; letters are five pixels wide."""
    return [line(x, 14 * n, text) for n, row in enumerate(rows) for x, text in row]


def line(x: float, y: float, text: str) -> Line:
    wide = 5.0 * len(text)
    x0 = x - wide if text[0].isdigit() else x
    box = Box(x0, y, x0 + wide, y + 10)
    words, at = [], x0
    for word in text.split():
        words.append((Box(at, y, at + 5 * len(word), y + 10), word))
        at += 5 * len(word) + 3
    return Line(box, text, 10, "text-layer", words=tuple(words))


def readings(lines: list[Line]) -> list[list[dict[int, str]]]:
    """The rows of each reading that is proposed, by column."""
    found = white_grids(lines, range(len(lines)), (), ())
    return [[{cell.column: cell.text for cell in row} for row in table.rows] for table in found]


def test_heads_left_of_their_figures_stand_over_them():
    """Where names have no head, `Jan` was the names' and each month stood a column too far left."""
    months = [(100, "Jan"), (148, "Feb"), (196, "Mar"), (244, "Sum")]
    rows = [
        [(52, name), *((ends, str(n + 10 * k)) for k, ends in enumerate((146, 194, 242, 290), 300))]
        for n, name in enumerate(("Income", "Rent", "Power", "Food"))
    ]
    heads = [table[0] for table in readings(sheet(months, *rows))]
    assert {1: "Jan", 2: "Feb", 3: "Mar", 4: "Sum"} in heads


def test_a_long_name_right_before_the_next_column_is_its_own_cell():
    """`Insurance pcs` was one cell over two columns: the gutter ran through the long name."""
    names = ("Car", "Rent", "Insurance", "Books", "Food", "Power", "Club", "School", "Phone", "Gifts", "Travel")
    rows = [[(50, name), (100, "pcs"), (190, f"{n}4")] for n, name in enumerate(names, 1)]
    head = [(50, "Article"), (100, "Unit"), (140, "In stock now")]
    assert ["Unit"] + ["pcs"] * 11 in [[row.get(1) for row in table] for table in readings(sheet(head, *rows))]


def test_amounts_with_a_currency_part_from_words_right_behind_them():
    """A sheet's `35.00 € no` was one cell."""
    paid = ("no", "yes", "no", "late", "yes", "no")
    rows = [[(50, "Ada"), (139, "35.00 €"), (140, word)] for word in paid]
    head = [(50, "Name"), (104, "Fee"), (140, "Paid")]
    assert ["Paid", *paid] in [[row.get(2) for row in table] for table in readings(sheet(head, *rows))]
