"""Tables as readers propose them, drawn in a few rows."""

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.candidates import TableCandidate

HEIGHT, STEP, WIDTH = 10.0, 20.0, 100.0


def box(row, column, text, columns=1):
    left = WIDTH * column
    return Box(left, STEP * row, left + min(6.0 * len(text), WIDTH * columns - 10), STEP * row + HEIGHT)


def line(row, column, text):
    where = box(row, column, text, columns=9)
    return Line(where, text, HEIGHT, "text-layer", words=((where, text),))


def lines_of(rows):
    return [line(r, c, text) for r, row in enumerate(rows) for c, text in enumerate(row) if text]


def proposed(rows, reader="white", lines=None, whole=None):
    """The rows as cells; `lines` are the page's that it takes, by index."""
    cells = [TableCell(r, c, text, box=box(r, c, text)) for r, row in enumerate(rows) for c, text in enumerate(row)]
    taken = frozenset(range(len(lines_of(rows)))) if lines is None else frozenset(lines)
    return TableCandidate(reader, whole or Box.around(cell.box for cell in cells), tuple(cells), taken)


def texts(candidate):
    rows = [[""] * candidate.width for _ in range(candidate.height)]
    for cell in candidate.cells:
        rows[cell.row][cell.column] = cell.text
    return rows
