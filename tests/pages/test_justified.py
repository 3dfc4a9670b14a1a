"""Justified lines whose words MuPDF takes for lines of their own."""

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.pages.justified import with_justified

SIZE = 10.0


def piece(text: str, x: float, y: float) -> TextLine:
    box = Box(x, y - SIZE, x + 5 * len(text), y)
    return TextLine(box, (TextSpan(box, text, "Serif", SIZE, y),))


def row(y: float, gap: float, *words: str, x: float = 100.0) -> list[TextLine]:
    made = []
    for word in words:
        made.append(piece(word, x, y))
        x = made[-1].box.x1 + gap
    return made


def texts(lines: list[TextLine]) -> list[str]:
    return [line.text for line in with_justified((tuple(lines),))[0]]


def test_words_spread_over_the_width_of_their_paragraph_are_one_line():
    spread = row(100, 11, "To", "make", "an", "association")
    width = spread[-1].box.x1 - 100
    assert texts([*spread, piece("x" * round(width / 5), 100, 112)])[0] == "To make an association"


def test_cells_whose_gaps_differ_stay_apart():
    cells = [piece("To", 100, 100), piece("make", 130, 100), piece("an", 175, 100), piece("association", 190, 100)]
    assert len(texts([*cells, piece("x" * 29, 100, 112)])) == 5


def test_words_that_no_other_line_is_flush_with_stay_apart():
    assert len(texts(row(100, 11, "To", "make", "an", "association"))) == 4
