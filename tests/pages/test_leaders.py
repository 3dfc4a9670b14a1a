"""Dots of a form, each a line of its own."""

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.pages.leaders import without_leaders


def word(text: str, x: float, y: float = 100) -> TextLine:
    box = Box(x, y - 8, x + 5 * len(text), y)
    return TextLine(box, (TextSpan(box, text, "Sans", 10, y),))


def kept(*lines: TextLine) -> list[str]:
    return [line.text for block in without_leaders([lines]) for line in block]


def test_dots_that_lead_to_figures_are_left_out():
    """A tax form's rows had a cell for each dot."""
    dots = [word(".", 100 + 12 * n) for n in range(9)]
    assert kept(word("Tentative total tax", 0), *dots, word("6", 220)) == ["Tentative total tax", "6"]


def test_other_dots_stay():
    few, uneven = [word(".", 100), word(".", 112)], [word(".", x) for x in (100, 112, 138, 141)]
    below = [word(".", 100, 100 + 12 * n) for n in range(6)]
    for dots in (few, uneven, below):
        assert len(kept(*dots)) == len(dots)
