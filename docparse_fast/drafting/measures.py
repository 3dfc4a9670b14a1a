"""What is measured on a page, for all rules that read it, and the numbers that say what is level, alike or wide.

`python scripts/rules.py compare` says what a change of one moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line, letters_of
from docparse_fast.text.characters import CJK

PROSE = 18.0  # of the type's size: a line as wide is prose
SHORT_PROSE = 15.0  # where it tells a page's own type, or ends a table: 18 moves eight of 1,425 pages
NARROW_PROSE = 12.0  # where pieces of a line are put together: 18 tears two of 694 pages with narrow columns
ROW = 0.5  # of the lower box's height: what shares more stands in one row. 0.5 was found nine times on its own
EDGE = 0.4  # of the type's size: places that differ by less are one edge
INDENT = 0.8  # of the type's size: what begins so much farther right is indented
HELD = 0.5  # of a line or a box: as much of it within another belongs to that
ACROSS = 0.2  # the same of what runs over an edge: as much of it within, and it is not wholly outside
WITHIN = 0.9  # the same of what lies wholly within it
MOST = 0.5  # of what is counted: more than all the rest
MOSTLY = 0.8  # of what is counted: nearly all
MUCH = 0.25  # of what is counted: more than chance brings
ON_LEVEL = 0.2  # of a line's height, between the feet of two lines that stand level
LEVEL = 0.5  # of the lower box's height, from middle to middle: what is nearer stands in one line
WORDY = 60  # letters in a cell, from which it is prose
SEVERAL = 2  # of what is counted: one may stand anywhere
ENOUGH = 3  # of what is alike: two may be so by chance
SAME_DRAWN = 3.0  # pixels between places of what is drawn that are one
ONE_LEVEL = 4.0  # the same of the ends and levels of rules, and of grounds of cells
SEVERAL_LINES = 1.8  # times a line's height, from which something holds several
SET_APART = 0.8  # of a line's height: white under a page's head, or above what stands alone
LEADING = 0.75  # of a line's height: the widest white between two lines of a paragraph or a stack
PROSAIC = 2  # lines as wide as prose, from which there is prose
TELLING_LETTERS = 3  # that tell a line's type
TELLING_WORDS = 25  # that tell a font's weight: more say the same
PROVING_LETTERS = 4  # of a word that proves something: shorter ones are found within others
FROM_NEARER = 0.08  # of a line's box, above and below: without it more is seen of each of its letters
WORD_GAP = 0.15  # of the type's size: words or pieces of a line that stand no farther apart are one
RAISED, LOWERED = 0.15, 0.05  # of a line's type: how far the baseline of a script or mark lies off the line's
SCRIPT = 0.87  # of a line's type: smaller signs are raised or lowered ones
SMALLER = 0.92  # of a line's or a sign's type, where little else can be meant: of scripts in formulas, and limits
SAME_PLACE = 0.35  # of the type's size: relations are aligned, limits stand in the middle of their sign
DOWNWARDS = 1.5  # height over width, from which a line is written from top to bottom
BULLET = 0.13, 0.66, 0.08  # of a scanned line's height: a bullet's least and longest side, what two of a form differ
BULLET_GAP = 0.6, 0.09, 1.5  # the same: white before it, least and most before the words; from 689 made items
BULLET_SHAPE = 0.67, 4.0  # its width over its height: a dash is flat, figures are high
MOST_DRAWN = 1000  # pieces of a drawing: in one of more, no frame, ground or bullet is looked for
BACKGROUND = 0.7  # of the page: a picture that large is the page, or lies behind its text
LEAST_FIGURE = 0.05  # of the page's sides: a figure's
TEXT_IN_FIGURE = 0.25  # of a figure's area under text, from which it is text
HEADING_ROWS = 3  # the most that a heading takes
ONE_TYPE = 1.1  # ratio of two sizes of one type: journals set a part's head 1.12 times its first section's
ONE_READ_TYPE = 1.35  # the same where an OCR tells the sizes: they wander with a line's tall letters
TONE = 0.2  # as a logarithm, between inks of two colours: within one they differ by 0.06 at most
HEAVIER = 0.12  # of the logarithm of strokes' width: 90 % of bold lines of office scans, 4 % of the others
BOLD_FONT = 0.3  # the same between two fonts of a file: 98 % of 113 bold ones, 8 of 62 others, most of these heavy, too
LARGER = 1.15  # of the text's or a table's type, from which a line heads what follows: journals' groups have 1.12
SAME = 1.03  # ratio of two sizes that are counted together
TYPED = 0.85  # of letters in a font of one width: a reference has as much of it as of words about it
FILLED_IN = 0.3  # of the lower box's height: a label shares so much with what is filled in behind it
VALUE_GAP = 10.0  # of the type's size: the widest white between them
WIDE_STEP = 1.3  # of the usual step from row to row: above a heading, and where a row of text begins a table's
WIDE = 1.0  # of a line's height or its type's size: white in a row that no blank explains
USUAL_LEADING = 1.2  # of the type's size, from a line to the next, where a page tells no other
LOOSE_LEADING = 1.4  # of the usual distance between two lines, from which a paragraph ends
ON_BASELINE = 0.1  # of the type's size, between baselines of one line
FEWEST = 6  # lines of prose, or of a page: one with fewer may be a crop or a title page


@dataclass(frozen=True, slots=True)
class Measures:
    """Of one page, in pixels."""

    body: float  # the size of the type that most of the text is set in
    height: float  # of the page


def is_wide(line: Line) -> bool:
    """Whether the line is as wide as prose is."""
    return line.box.width > PROSE * line.size


def in_one_row(a: Box, b: Box) -> bool:
    return a.overlap_y(b) > ROW * min(a.height, b.height)


def of_one_type(a: float, b: float) -> bool:
    """Whether two sizes are those of one type."""
    return max(a, b) <= ONE_TYPE * min(a, b)


def other_type(above: Line, line: Line) -> bool:
    """Whether another type begins, as a heading's does; a file has a heading's lines in one size exactly."""
    apart = above.is_exact and above.bold and line.bold and above.typeface != line.typeface
    return apart or is_other_type(line, above.size) or abs(above.paler - line.paler) > TONE


def is_other_type(line: Line, size: float) -> bool:
    """Whether a line's type is of another size."""
    ratio = max(size, line.size) / max(1e-6, min(size, line.size))
    return ratio > (ONE_TYPE if line.is_exact else ONE_READ_TYPE)


def body_size(lines: Sequence[Line]) -> float:
    """The size of most characters; a larger one if much of the page is prose in it, and the most is small print."""
    usual = _of_most(lines)
    prose = [line for line in lines if line.size > SAME * usual and line.box.width > SHORT_PROSE * line.size]
    if len(prose) < FEWEST:
        return usual
    larger = _of_most(prose)
    alike = [line for line in prose if larger / SAME < line.size < larger * SAME]
    return larger if letters_of(alike) > MUCH * letters_of(lines) else usual


def _of_most(lines: Sequence[Line]) -> float:
    sizes = sorted((line.size, len(line.plain)) for line in lines)
    half = sum(count for _, count in sizes) / 2
    for size, count in sizes:
        half -= count
        if half <= 0:
            return size
    return sizes[-1][0]


def downwards(lines: Sequence[Line]) -> bool:
    """Whether a page is written in columns from top to bottom, as Chinese may be."""
    tall = [line for line in lines if len(line.plain) > 1 and line.box.height > DOWNWARDS * line.box.width]
    characters = letters_of(lines)
    return letters_of(line for line in tall if CJK.search(line.plain)) > characters / 2
