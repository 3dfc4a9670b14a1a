"""Bullets that are drawn, before lines of either direction."""

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.born_digital.drawn_bullets import with_bullets

SIZE = 10.0


def row(text: str, y: float) -> TextLine:
    box = Box(100, y - SIZE, 300, y)
    return TextLine(box, (TextSpan(box, text, "Serif", SIZE, y),))


def squares(x: float, *levels: float) -> list[Box]:
    return [Box(x, y - 7, x + 4, y - 3) for y in levels]


def texts(lines: list[TextLine], painted: list[Box]) -> list[str]:
    return [line.text for line in with_bullets(lines, painted)]


def test_squares_left_of_lines_are_bullets():
    assert texts([row("one", 100), row("two", 120)], squares(90, 100, 120)) == ["• one", "• two"]


def test_squares_right_of_hebrew_lines_are_bullets():
    assert texts([row("חלון", 100), row("מכתב", 120)], squares(306, 100, 120)) == ["• חלון", "• מכתב"]
    assert texts([row("חלון", 100), row("מכתב", 120)], squares(90, 100, 120)) == ["חלון", "מכתב"]


def test_the_tiles_of_a_picture_are_no_bullets():
    tiles = [Box(90, y, 94, y + 4) for y in range(80, 130, 4)]
    assert texts([row("one", 100), row("two", 104)], tiles) == ["one", "two"]
