"""Finds headings among paragraphs, and their levels. Knows sizes, weights, numbering and grounds; sees one page only.

What may be one is measured (type, words, place, ground, the layout model's label), and judged by that. The weights are
fitted: `scripts/training/fit_headings.py` makes `heading_judge.json`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import attrgetter
from statistics import mean

from docparse_fast.document import HEADINGS, Box, Category
from docparse_fast.drafting.blocks.drafted_block import DraftedBlock
from docparse_fast.drafting.lines import Line, largest_type, letters_of, plain_of, words_of
from docparse_fast.drafting.measures import (
    HEADING_ROWS,
    HEAVIER,
    INDENT,
    LARGER,
    LEADING,
    ONE_READ_TYPE,
    SAME,
    SMALLER,
    WIDE,
    Measures,
    in_one_row,
    of_one_type,
    other_type,
)
from docparse_fast.drafting.words import CLOSING, DATE, NAME_ABOVE, NUMBERED_HEAD, ORDINAL_HEAD, PART_OF_SECTION
from docparse_fast.geometry import around, levels_of, runs
from docparse_fast.system.fitted import FittedTrees, fitted_trees
from docparse_fast.text.characters import COLONS
from docparse_fast.text.mail import holds_mail

LONGEST = 200  # characters
SMALLEST_SECTION = 0.8  # of the text's type: bold words with a section's number
LONGEST_BOLD = 120  # where bold type alone says what it is
TITLE_SIZE = 1.55  # than the body
TO_FILL_IN = "____"
QUANTITY = re.compile(r"[-–−+]?\d[\d.,'’\s]*+(?<=\s)[a-zµ]\w{0,2}[²³]?")
PRICE = re.compile(r"[€$£]?\d{1,6}[.,]\d\d[€$£]?")
QUOTED = re.compile(r'["“„«»](?:[^\s"“”„«»]+\s){5}[^"“”„«»]+["”“»«]\W?')  # a book's title is shorter


def looks_like_heading(lines: Sequence[Line], body: float) -> bool:
    """Decides without a layout model: a heading is short, not a sentence, and larger than the text, or bold."""
    text = plain_of(lines)
    if lines[0].mono or not re.search(r"[^\W\d_]{2}", text) or are_too_many(lines, text) or _says_otherwise(text):
        return False
    larger = size(lines) > (LARGER if lines[0].is_exact else ONE_READ_TYPE) * body
    return larger or (is_bold(lines) and _may_be_bold_heading(text, size(lines), body))


def is_bold(lines: Sequence[Line]) -> bool:
    return all(line.bold for line in lines)


def are_too_many(lines: Sequence[Line], text: str) -> bool:
    """More lines than a heading has: an address in display type, say."""
    numbered = NUMBERED_HEAD.match(text) is not None and is_bold(lines)
    return rows(lines) > HEADING_ROWS + numbered


def _says_otherwise(text: str) -> bool:
    return text.rstrip().endswith((";", "-")) or says_it_is_none(text) or holds_mail(text)


def _may_be_bold_heading(text: str, own: float, body: float) -> bool:
    if len(text) >= LONGEST_BOLD:
        return False
    if PART_OF_SECTION.match(text):
        return own > SMALLEST_SECTION * body
    return own > SMALLER * body and not text.rstrip().endswith((".", ":"))


def is_numbered(lines: Sequence[Line]) -> bool:
    """Whether bold words behind a list's number, as `1. Introduction`, may be a heading: none of a list's items is."""
    text = plain_of(lines)
    return (
        ORDINAL_HEAD.match(text) is not None
        and all(line.bold and not line.mono for line in lines)
        and not text.rstrip().endswith((".", ":", ";", ","))
    )


def are_numbered(*lines: Line) -> bool:
    """Whether each begins as a heading with a number does: two headings are no one, `2 Nets` over `2.1 Knots`."""
    return all(NUMBERED_HEAD.match(line.plain) for line in lines)


def explained_below(lines: Sequence[Line], below: Sequence[Line]) -> bool:
    """Whether a bold line is a term, not a heading: the words right below are all indented and explain it."""
    last = lines[-1]
    if size(lines) > LARGER * below[0].size:
        return False
    close = below[0].box.y0 - last.box.y1 < LEADING * last.box.height
    return close and min(line.box.x0 for line in below) > lines[0].box.x0 + INDENT * last.size


def rows(lines: Sequence[Line]) -> int:
    """The number of rows: lines at the same height count once."""
    return 1 + sum(not in_one_row(a.box, b.box) for a, b in pairwise(lines))


def says_it_is_none(text: str) -> bool:
    """Whether this looks like a heading and is none: a letter's date or closing, `Dear Ms Oka,`, a quantity, a blank.

    Or what somebody said: a sentence in quotation marks. Or signs alone, or what names a figure or a table.

    >>> [says_it_is_none(text) for text in ("14 March 2026", "Dear Mr Oka,", "Signed: ______", "£ 77.80", "2026", "}")]
    [True, True, True, True, False, True]
    >>> [says_it_is_none(text) for text in ("Kind regards", "Mit freundlichem Gruß", "Kind regards to all")]
    [True, True, False]
    >>> [says_it_is_none(text) for text in ("1 284 kr", "602 kWh", "38 m³", "2 Nets", "1 Aim")]
    [True, True, True, False, False]
    >>> [says_it_is_none(text) for text in ("Table 1", "TABLE II", "Figure 3 The nets", "Tables", "Table 1 of clubs")]
    [True, True, True, False, False]
    """
    amount = text.strip(" 0123456789.,'’-−") in set("%$€£¥₹₽₩₺₴₦₫₪฿₱")
    said = QUOTED.fullmatch(text.strip("*_ ")) is not None
    written = any(map(str.isalnum, text)) and TO_FILL_IN not in text and not text.rstrip().endswith(",")
    named = NAME_ABOVE.match(text.strip("*_ "))
    measured = QUANTITY.fullmatch(text.strip())
    closes = CLOSING.fullmatch(text.strip())
    return amount or said or not written or bool(named or measured or closes or DATE.fullmatch(text.strip()))


def names_price(lines: Sequence[Line]) -> bool:
    """Whether a price is all, or ends it beyond white that no blank explains: a dish on a menu."""
    *before, (last, text) = words_of(lines)
    apart = not before or last.x0 - before[-1][0].x1 > WIDE * last.height
    return apart and PRICE.fullmatch(text) is not None


def size(lines: Sequence[Line]) -> float:
    return mean(line.letter_size or line.size for line in lines)


def known_size(lines: Sequence[Line]) -> float:
    """0 where only a detector's boxes tell it: they are as high as they happen to be."""
    return size(lines) if all(line.letter_size or line.is_exact for line in lines) else 0.0


def levels(headings: Sequence[Sequence[Line]], titles: Sequence[bool], body: float) -> list[int]:
    """A level from 1 for each heading: the title has 1, the others follow their numbering or else their size.

    `titles[i]` is true if a label names heading i as the page's title.
    """
    sizes = [size(lines) for lines in headings]
    numbers = [NUMBERED_HEAD.match(plain_of(lines)) for lines in headings]
    is_title = list(titles)
    if titles and not numbers[0] and sizes[0] > TITLE_SIZE * body and sizes[0] >= max(sizes):
        is_title[0] = True
    others = sorted((mine for mine, title in zip(sizes, is_title, strict=True) if not title), reverse=True)
    steps = [step[0] for step in runs(others, lambda step, mine: of_one_type(step[0], mine))]

    def level(number: re.Match[str] | None, mine: float) -> int:
        if number:
            return 2 + number["number"].count(".")
        return min(4, 2 + next(i for i, step in enumerate(steps) if of_one_type(step, mine)))

    told = zip(is_title, numbers, sizes, strict=True)
    return [1 if title else level(number, mine) for title, number, mine in told]


def with_levels(made: Sequence[DraftedBlock], measures: Measures) -> list[DraftedBlock]:
    """Gives each heading its level, by comparing all of the page's headings."""
    at = [n for n, block in enumerate(made) if block.category in HEADINGS and block.lines]
    told = levels([made[n].lines for n in at], [made[n].category is Category.TITLE for n in at], measures.body)
    found = list(made)
    for n, level in zip(at, told, strict=True):
        category = Category.TITLE if level == 1 else Category.SECTION_HEADER
        type_size = round(known_size(made[n].lines), 2)
        found[n] = replace(made[n], region=replace(made[n].region, category=category, level=level, type_size=type_size))
    return found


WEIGHTS, WEIGHTS_OF_SCANS = "heading_judge.json", "scanned_heading_judge.json"
LABELS = (Category.SECTION_HEADER, Category.TEXT)
LIKELY = 0.4  # of a heading: of what is judged 0.4 to 0.5 nearly a half are, on scans, too
FAR = 9.0  # lines of white: as much as there is
_FIRST = """
larger largest larger_than_above larger_than_below bold bold_page bold_below italic capitals letters rows digits
stop numbered section small_letter white_above white_below letters_below wide indented alone number height
by_type
"""
_LAST = ("heavier", "heavier_below", "own_ground", "first_on_ground", "paler", "coloured")
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
        letters = letters_of(lines)
        self.bold = letters_of(line for line in lines if line.bold) / max(1, letters)
        self.largest = largest_type(lines)
        self._lines = lines
        self._levels = levels_of([line.box for line in lines])

    def is_alone(self, lines: Sequence[Line]) -> bool:
        """Whether nothing else stands level with these."""
        own = {id(line) for line in lines}
        box = around(lines)
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


def leads_on(lines: Sequence[Line], text: str, around: Around, larger: float) -> bool:
    """Whether lines that look like a heading are part of what follows; `larger` than the text's is their type."""
    if lines[0].is_exact:
        return larger <= SAME and _introduces(lines, text, around)
    is_label = known_size(lines) > 0 and larger < SMALLEST_SECTION  # a form's, in small letters over its value
    return is_label or _goes_on_below(lines, around)


def _introduces(members: Sequence[Line], text: str, around: Around) -> bool:
    """Whether a line leads to what follows it; set as a heading is, it may be one, but none of a listing or a table.

    Or whether it is as many lines as a heading may have, set as the text is: an address.
    """
    set_apart = text.isupper() or any(line.bold or line.italic for line in members)
    leads = text.endswith(COLONS) and (isinstance(around.below, Box) or not set_apart)
    return leads or not (set_apart or rows(members) < HEADING_ROWS)


def _goes_on_below(lines: Sequence[Line], around: Around) -> bool:
    """Whether the line below a scan's lines follows at their own step, in their type: an address, and no heading."""
    below = around.below if isinstance(around.below, Sequence) else ()
    if not below or not len(lines) == rows(lines) > 1:
        return False
    middles = [line.box.center[1] for line in (*lines, below[0])]
    steps = [b - a for a, b in pairwise(middles)]
    alike = not other_type(lines[-1], below[0]) and len({line.bold for line in (*lines, below[0])}) == 1
    return alike and of_one_type(max(steps), min(steps))


def measured(
    lines: Sequence[Line], labels: Sequence[Category], around: Around, page: PageOfBlocks
) -> tuple[float, ...]:
    """A value for each of MEASURES."""
    box, own = Box.around(line.box for line in lines), size(lines)
    below = around.below if isinstance(around.below, Sequence) else ()
    above, after = _box_of(around.above), _box_of(around.below)
    label = max(set(labels), key=labels.count) if labels else None
    return (
        math.log(own / page.body),
        own / page.largest,
        _larger(own, around.above),
        _larger(own, around.below),
        _usual("bold", lines),
        page.bold,
        _usual("bold", below, 0.5),
        _usual("italic", lines),
        *_words(plain_of(lines).strip(), rows(lines)),
        _white(above, box, own),
        _white(box, after, own),
        math.log1p(letters_of(below)),
        box.width / max(1.0, max(line.box.width for line in (*lines, *below))),
        (box.x0 - min(line.box.x0 for line in (*lines, *below))) / own,
        float(page.is_alone(lines)),
        math.log1p(around.number),
        box.y0 / page.height,
        float(looks_like_heading(lines, page.body)),
        *(float(label is each) for each in LABELS),
        _usual("weight", lines),
        _usual("weight", below),
        *page.on_grounds(box, above, after),
        _usual("paler", lines),
        _usual("coloured", lines),
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
        float(NUMBERED_HEAD.match(text) is not None),
        float(PART_OF_SECTION.match(text) is not None),
        float(text[:1].islower()),
    )


def is_heading(measures: Sequence[float], *, exact: bool) -> bool:
    """`exact`: the block is of a text layer; a scan tells no bold type, but how heavy its letters are."""
    judge = heading_judge(WEIGHTS if exact else WEIGHTS_OF_SCANS)
    return judge.quality(measures) > LIKELY or (not exact and _stands_apart(dict(zip(MEASURES, measures, strict=True))))


def _stands_apart(told: Mapping[str, float]) -> bool:
    """A scanned journal's: one heavier line that the model, too, takes for a heading, with a line of white around."""
    apart = min(told["white_above"], told["white_below"]) > 1 and told["rows"] == 1 and not told["stop"]
    return apart and told["heavier"] > HEAVIER and told[f"label_{Category.SECTION_HEADER.value}"] > 0


def heading_judge(weights: str) -> FittedTrees:
    return fitted_trees(weights, MEASURES, "training/fit_headings.py")


def _larger(own: float, other: Sequence[Line] | Box | None) -> float:
    return math.log(own / size(other)) if isinstance(other, Sequence) and other else 0.0


def _box_of(other: Sequence[Line] | Box | None) -> Box | None:
    if isinstance(other, Box) or other is None:
        return other
    return around(other) if other else None


def _white(above: Box | None, below: Box | None, size: float) -> float:
    """From one to the next below it, in the block's type; much where there is none, or the next column begins."""
    if above is None or below is None or below.y0 < above.y0:
        return FAR
    return min(FAR, (below.y0 - above.y1) / size)
