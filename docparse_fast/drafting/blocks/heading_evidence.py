"""Measures a block that may be a heading (type, words, place, ground, the layout model's label), and judges it by that.

Knows lines and grounds. The weights are fitted: `scripts/fit_headings.py` makes `heading_judge.json`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import mean

from docparse_fast.document import Box, Category
from docparse_fast.drafting.blocks import headings
from docparse_fast.drafting.blocks.fragments import Levels
from docparse_fast.drafting.fitted import FittedTrees, fitted_trees
from docparse_fast.drafting.lines import Line, plain_of
from docparse_fast.drafting.measures import in_one_row
from docparse_fast.drafting.words import NUMBERED_HEAD, PART_OF_SECTION

WEIGHTS, WEIGHTS_OF_SCANS = "heading_judge.json", "scanned_heading_judge.json"
LABELS = (
    Category.TITLE,
    Category.SECTION_HEADER,
    Category.TEXT,
    Category.LIST_ITEM,
    Category.CAPTION,
    Category.TABLE,
    Category.FORMULA,
)
LIKELY = 0.4  # of a heading: of what is judged 0.4 to 0.5 nearly a half are, on scans, too
FAR = 9.0  # lines of white: as much as there is
_FIRST = """
larger largest larger_than_above larger_than_below bold bold_page bold_below italic mono capitals letters rows digits
stop colon comma numbered section small_letter white_above white_below letters_below wide indented alone number height
by_type
"""
_LAST = ("heavier", "heavier_below", "own_ground", "first_on_ground")
MEASURES = (*_FIRST.split(), *(f"label_{label.value}" for label in LABELS), *_LAST)
END = re.compile(r"[.!?。！？…][\"')\]»”’]*$")


class PageOfBlocks:
    """What a block is measured beside: the page's lines, and the size of its usual type."""

    def __init__(
        self, lines: Sequence[Line], body: float, height: float, grounds: Sequence[Box] = (), *, looked: bool
    ) -> None:
        self.body, self.height = body, height
        self._grounds = grounds
        self.looked = looked  # the layout model has labelled it
        letters = sum(len(line.plain) for line in lines)
        self.bold = sum(len(line.plain) for line in lines if line.bold) / max(1, letters)
        self.largest = max(line.size for line in lines)
        self._lines = lines
        self._levels = Levels(line.box.height for line in lines)
        for n, line in enumerate(lines):
            self._levels.add(n, line.box)

    def is_alone(self, lines: Sequence[Line]) -> bool:
        """Whether nothing else stands level with these."""
        own = {id(line) for line in lines}
        box = Box.around(line.box for line in lines)
        level = (self._lines[n] for n in self._levels.at(box))
        return not any(id(line) not in own and in_one_row(line.box, box) for line in level)

    def on_grounds(self, box: Box, above: Box | None, below: Box | None) -> tuple[float, float]:
        """Whether it stands on a ground alone, and whether as the first of several."""
        under = [ground for ground in self._grounds if ground.holds(box) and not (above and ground.holds(above))]
        goes_on = [below is not None and ground.holds(below) for ground in under]
        return float(not all(goes_on)), float(any(goes_on))


@dataclass(frozen=True, slots=True)
class Around:
    """A block's neighbours in reading order: their lines, or their box alone."""

    above: Sequence[Line] | Box | None
    below: Sequence[Line] | Box | None
    number: int  # of the block on its page


def measured(
    lines: Sequence[Line], labels: Sequence[Category], around: Around, page: PageOfBlocks
) -> tuple[float, ...]:
    """A value for each of MEASURES."""
    box, size = Box.around(line.box for line in lines), headings.size(lines)
    below = around.below if isinstance(around.below, Sequence) else ()
    above, after = _box_of(around.above), _box_of(around.below)
    label = max(set(labels), key=labels.count) if labels else None
    return (
        math.log(size / page.body),
        size / page.largest,
        _larger(size, around.above),
        _larger(size, around.below),
        _usual("bold", lines),
        page.bold,
        _usual("bold", below, 0.5),
        _usual("italic", lines),
        _usual("mono", lines),
        *_words(plain_of(lines).strip(), headings.rows(lines)),
        _white(above, box, size),
        _white(box, after, size),
        math.log1p(sum(len(line.plain) for line in below)),
        box.width / max(1.0, max(line.box.width for line in (*lines, *below))),
        (box.x0 - min(line.box.x0 for line in (*lines, *below))) / size,
        float(page.is_alone(lines)),
        math.log1p(around.number),
        box.y0 / page.height,
        float(headings.looks_like_heading(lines, page.body)),
        *(float(label is each) for each in LABELS),
        _usual("weight", lines),
        _usual("weight", below),
        *page.on_grounds(box, above, after),
    )


def _usual(side: str, lines: Sequence[Line], without: float = 0.0) -> float:
    return mean(map(attrgetter(side), lines)) if lines else without


def _words(text: str, rows: int) -> tuple[float, ...]:
    letters = [sign for sign in text if sign.isalpha()]
    return (
        sum(map(str.isupper, letters)) / max(1, len(letters)),
        math.log1p(len(text)),
        float(rows),
        sum(map(str.isdigit, text)) / max(1, len(text)),
        float(END.search(text) is not None),
        float(text.endswith((":", "："))),
        float(text.endswith((",", ";", "、", "-"))),
        float(NUMBERED_HEAD.match(text) is not None),
        float(PART_OF_SECTION.match(text) is not None),
        float(text[:1].islower()),
    )


def is_heading(measures: Sequence[float], *, exact: bool) -> bool:
    """`exact`: the block is of a text layer; a scan tells no bold type, but how heavy its letters are."""
    return heading_judge(WEIGHTS if exact else WEIGHTS_OF_SCANS).quality(measures) > LIKELY


def heading_judge(weights: str) -> FittedTrees:
    return fitted_trees(weights, MEASURES, "fit_headings.py")


def _larger(size: float, other: Sequence[Line] | Box | None) -> float:
    return math.log(size / headings.size(other)) if isinstance(other, Sequence) and other else 0.0


def _box_of(other: Sequence[Line] | Box | None) -> Box | None:
    if isinstance(other, Box) or other is None:
        return other
    return Box.around(line.box for line in other) if other else None


def _white(above: Box | None, below: Box | None, size: float) -> float:
    """From one to the next below it, in the block's type; much where there is none, or the next column begins."""
    if above is None or below is None or below.y0 < above.y0:
        return FAR
    return min(FAR, (below.y0 - above.y1) / size)
