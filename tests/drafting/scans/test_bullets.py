"""Bullets in front of lines that an OCR read without them."""

import pytest

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.scans.bullets import with_bullets

UNIT, LEFT = 20.0, 60.0  # a line's height, where words begin


def line(y, text, left=LEFT):
    """The line and the ink of its letters."""
    words = []
    for word in text.split():
        words.append((Box(left, y, left + 8 * len(word), y + UNIT), word))
        left += 8 * len(word) + 6
    letters = [Box(box.x0 + 8 * n, y + 5, box.x0 + 8 * n + 6, y + 15) for box, word in words for n in range(len(word))]
    return Line(Box.around(box for box, _ in words), text, 14.0, "embedded", words=tuple(words)), letters


def blot(y, width=6.0, height=6.0, right=LEFT - 8, off=0.0):
    return Box(right - width, y + 10 + off - height / 2, right, y + 10 + off + height / 2)


def read(texts, blots, left=LEFT):
    told = [line(40 * n, text, left) for n, text in enumerate(texts)]
    ink = [*blots, *(letter for _, letters in told for letter in letters)]
    return [each.plain for each in with_bullets(ink, [each for each, _ in told], UNIT)]


@pytest.mark.parametrize("size", [(4, 4), (6, 5), (11, 11), (5, 1.5)], ids=["small", "disc", "ring", "dash"])
def test_a_small_blot_before_words_is_a_bullet(size):
    assert read(["Milk and eggs", "Flour"], [blot(0, *size), blot(40, *size)]) == ["• Milk and eggs", "• Flour"]


def test_an_items_second_line_has_none():
    assert read(["Milk of", "a cow", "Flour"], [blot(0), blot(80)]) == ["• Milk of", "a cow", "• Flour"]


@pytest.mark.parametrize("said", ["o", "。", "口"])
def test_what_was_read_for_a_bullet_goes(said):
    blots = [blot(y, right=LEFT + 6) for y in (0, 40)]
    texts = [f"{said} Milk", f"{said} Flour"]
    told = [line(40 * n, text) for n, text in enumerate(texts)]
    ink = [*blots, *(letter for _, letters in told for letter in letters[1:])]
    assert [each.plain for each in with_bullets(ink, [each for each, _ in told], UNIT)] == ["• Milk", "• Flour"]


@pytest.mark.parametrize(
    "blots",
    [
        [blot(0)],
        [blot(0), blot(40, 11, 11)],
        [blot(0, off=-7), blot(40, off=-7)],
        [blot(0, 14, 14), blot(40, 14, 14)],
        [blot(0, 3, 11), blot(40, 3, 11)],
        [blot(0, right=20), blot(40, right=20)],
    ],
    ids=["alone", "not alike", "raised", "large", "a one", "far"],
)
def test_other_ink_is_no_bullet(blots):
    assert read(["Milk", "Flour"], blots) == ["Milk", "Flour"]


def test_figures_in_the_column_beside_are_no_bullets():
    """Old-style ones are as small; `25` beside its unit was `25 •`."""
    texts, figures = ["pieces", "hours"], [blot(0), blot(40)]
    counts = [Line(figure.expanded(4), "4", 14.0, "embedded", words=((figure, "4"),)) for figure in figures]
    told = [line(40 * n, text) for n, text in enumerate(texts)]
    ink = [*figures, *(letter for _, letters in told for letter in letters)]
    assert [each.plain for each in with_bullets(ink, [*(each for each, _ in told), *counts], UNIT)][:2] == texts


def test_a_lost_sign_before_a_figure_is_no_bullet():
    assert read(["4.50", "12.00"], [blot(0), blot(40)]) == ["4.50", "12.00"]


def test_a_bullet_that_was_read_speaks_for_its_like():
    told = [line(0, "• Milk", LEFT - 14), line(40, "Flour")]
    ink = [blot(0), blot(40), *told[0][1][1:], *told[1][1]]
    assert [each.plain for each in with_bullets(ink, [each for each, _ in told], UNIT)] == ["• Milk", "• Flour"]
