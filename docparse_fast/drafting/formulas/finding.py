"""Reads a scan's formulas, where the layout or a line's looks say formula; sets their symbols as LaTeX.

The lines of a formula are put together first. What is read without confidence stays as the OCR read it. What the OCR
read is kept as the rival of what is read here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import mean, median

from docparse_fast.document import Box, Category, Draft, Region
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.formulas.detection import SymbolDetector
from docparse_fast.drafting.formulas.formula_lines import BESIDE, INDENT, MOST_WORDS, NUMBER_ASIDE, NUMBERED
from docparse_fast.drafting.formulas.found_symbols import Symbol, Symbols
from docparse_fast.drafting.formulas.glyphs import latex_of
from docparse_fast.drafting.formulas.signs import FUNCTIONS
from docparse_fast.drafting.formulas.within_lines import with_formulas_read
from docparse_fast.drafting.lines import LayoutBox, Line, draft_of
from docparse_fast.drafting.measures import HELD, MOST, SEVERAL, in_one_row
from docparse_fast.geometry import around, merged, runs
from docparse_fast.text.markup import as_read

ABOVE = 0.6  # of the type's size: so far over and under a box is looked; lines farther apart are two formulas
LEAST_CONFIDENCE = 0.65  # with which a reading stands
SURE = 0.85  # with which a reading stands where the layout said no formula
SURER = 0.9  # the same, on a page where the layout said none at all
COLUMN = 2.0  # of the type's size: columns stand farther apart; so far beside a box is looked
UPRIGHT = re.compile(r"\\(?:text|mathrm|operatorname)\{([^{}]*)\}")
SOURCE = re.compile(r"\\setminus ?\\(?:text|mathrm)")  # a backslash before a word: LaTeX itself, in print
BOLD = re.compile(r"\\mathbf\{[^{}]*\}")  # heavy type without slant: a vector, or code
COMMAND = re.compile(r"\\(?:begin|end)\{\w+\*?\}|\\[A-Za-z]+")
SIGN = re.compile(r"[=<>≤≥≈≡∼∈⊂⊆→⇒:+−±∑∏∫]")
STRAY = 0.15  # what a script of nothing takes from the confidence
TAG = "\\tag{"
WORD = re.compile(r"[^\W\d_]{4,}[.,;:]?")
FUNCTION = re.compile(rf"(?:{'|'.join(sorted(FUNCTIONS | {'rank', 'diag'}, key=len, reverse=True))})\w{{0,2}}", re.I)
SHORT_WORD = re.compile(r"[^\W\d_a-z][a-z]{1,3}[,:]?")  # "So", "Then"
LETTERS = re.compile(r"[^\W\d_]{2,}")
SIGN_OF_FORMULA = re.compile(r"[=<>≤≥≈≡∼∈⊂⊆→⇒∑∏∫√]")
ACROSS = 0.15  # of a line's height, by which it may reach over a cut between two formulas
NUMBER_ALONE = re.compile(rf"{NUMBERED.pattern}|[\d\s.,:%]+|\S")  # 17:02, 85%; or one sign


@dataclass(frozen=True, slots=True)
class FormulaLines:
    """The lines of one formula, and how far up and down it may reach."""

    lines: list[Line]
    top: float = -math.inf
    bottom: float = math.inf


def apart(lines: Sequence[Line], across: float = math.inf) -> list[FormulaLines]:
    """The lines of each formula, whose parts stand at most `across` beside each other."""
    numbered = {id(line): _numbered_by(line, lines) for line in lines}

    def touches(group: Sequence[Line], line: Line) -> bool:
        return any(_belong(line, other, numbered, across) for other in group)

    groups = merged(sorted(lines, key=lambda line: line.box.y0), touches)
    return [part for group in groups for part in _by_numbers(group)]


def _belong(a: Line, b: Line, numbered: Mapping[int, Line | None], across: float) -> bool:
    if numbered[id(a)] is b or numbered[id(b)] is a:
        return True
    return a.box.gap_x(b.box) < across and a.box.gap_y(b.box) < ABOVE * max(a.size, b.size)


def _numbered_by(number: Line, lines: Sequence[Line]) -> Line | None:
    """The line that a number at the right end of its row belongs to."""
    if not NUMBERED.fullmatch(number.plain.strip()):
        return None
    left = [line for line in lines if line.box.x1 < number.box.x0 and in_one_row(line.box, number.box)]
    near = max(left, key=lambda line: line.box.x1, default=None)
    return near if near and number.box.x0 - near.box.x1 < NUMBER_ASIDE * number.size else None


def at_widest_gap(group: FormulaLines) -> list[FormulaLines]:
    """The rows above and under the widest white between rows; or the group, if it is one row."""
    ordered = sorted(group.lines, key=lambda line: line.box.y0)
    rows = runs(ordered, lambda row, line: line.box.y0 < max(other.box.y1 for other in row))
    if len(rows) < 2:
        return [group]
    white = [min(b.box.y0 for b in below) - max(a.box.y1 for a in above) for above, below in pairwise(rows)]
    at = white.index(max(white)) + 1
    above, below = ([line for row in part for line in row] for part in (rows[:at], rows[at:]))
    return [FormulaLines(above, group.top, group.bottom), FormulaLines(below, group.top, group.bottom)]


def _by_numbers(group: Sequence[Line]) -> list[FormulaLines]:
    """Numbered formulas under one another, each for itself, where no line stands across the cut."""
    numbers = sorted(line.box.center[1] for line in group if NUMBERED.fullmatch(line.plain.strip()))
    boxes, cuts = [line.box for line in group], [-math.inf]
    for above, below in pairwise(numbers):
        between = [box.y1 for box in boxes if above < box.y1 < below]
        clear = [y for y in between if not any(b.y0 + ACROSS * b.height < y < b.y1 - ACROSS * b.height for b in boxes)]
        cuts += clear[-1:]
    parts = []
    for top, foot in pairwise([*cuts, math.inf]):
        if lines := [line for line in group if top < line.box.center[1] <= foot]:
            parts.append(FormulaLines(lines, top, foot))
    return parts


def is_prose(line: Line) -> bool:
    return words_of(line) > MOST_WORDS


def is_text(line: Line, around: Sequence[Line]) -> bool:
    return is_prose(line) or _is_in_sentence(line, around) or _is_said(line, around)


def _is_in_sentence(line: Line, around: Sequence[Line]) -> bool:
    """Whether its row begins with words and goes on with more; behind a formula, words are a case's."""
    row = sorted((other for other in around if in_one_row(line.box, other.box)), key=lambda other: other.box.x0)
    begins = bool(row) and words_of(row[0]) > 0 and SIGN_OF_FORMULA.search(row[0].plain) is None
    return begins and sum(map(words_of, row)) > MOST_WORDS


def _is_said(line: Line, around: Sequence[Line]) -> bool:
    """Whether it says something alone on its row, beginning where formulas around do, or before: where, Theorem 3.1."""
    if not _is_spelt(line.plain):
        return False
    others = [other for other in around if other is not line and not _is_number(other)]
    left = min((other.box.x0 for other in others), default=line.box.x0)
    return line.box.x0 < left + line.size and not any(in_one_row(line.box, other.box) for other in others)


def _is_spelt(text: str) -> bool:
    """
    >>> [_is_spelt(text) for text in ("where", "So", "Theorem 3.1:", "det B", "arcsin x", "rate = 2")]
    [True, True, True, False, False, False]
    """
    words = [word for word in text.split() if _is_word(word)]
    letters = sum(map(len, LETTERS.findall(text)))
    spelt = bool(words or SHORT_WORD.fullmatch(text)) and letters >= MOST * len(text.replace(" ", ""))
    return spelt and SIGN_OF_FORMULA.search(text) is None


def _is_number(line: Line) -> bool:
    """Whether it is a number alone, or one sign."""
    return NUMBER_ALONE.fullmatch(line.plain.strip()) is not None


def words_of(line: Line) -> int:
    return sum(map(_is_word, line.plain.split()))


def _is_word(text: str) -> bool:
    return WORD.fullmatch(text) is not None and FUNCTION.fullmatch(text) is None


@dataclass(frozen=True, slots=True)
class ReadFormula:
    latex: str
    confidence: float


class FormulaReader:
    """Reads what stands in formula boxes; opens its model with the first of them."""

    def __init__(self, threads: int = 1) -> None:
        self._detector = SymbolDetector(threads)

    def regions(
        self, pixels: Pixels, layout: Sequence[LayoutBox], lines: Sequence[Line]
    ) -> tuple[list[Region], list[Line]]:
        """The page's formulas as finished regions, and the lines that are left."""
        found: list[tuple[Region, Sequence[Line]]] = []
        for label in layout:
            if label.category is Category.FORMULA:
                held = _held(label.box, _left(lines, found))
                groups = apart([line for line in held if not is_text(line, held)])
                found += self._found(pixels, groups, lines, label.box)
        known = bool(found)
        unlabelled = self._found(pixels, _unlabelled(_left(lines, found)), lines)
        found += [each for each in unlabelled if _stands(each[0].drafts[0], known=known)]
        return [region for region, _ in found], _left(lines, found)

    def _found(
        self, pixels: Pixels, groups: Sequence[FormulaLines], lines: Sequence[Line], seen: Box | None = None
    ) -> Iterator[tuple[Region, Sequence[Line]]]:
        """Formulas, as wide as they are `seen`, with their lines; what is none is read on both sides of a gap."""
        for group in groups:
            region = self._region(pixels, group, lines, seen)
            if region is not None:
                yield region, group.lines
            elif len(parts := at_widest_gap(group)) > 1:
                yield from self._found(pixels, parts, lines, seen)

    def within(self, pixels: Pixels, lines: Sequence[Line], *, mathematical: bool) -> list[Line]:
        """The lines with the formulas in them; `mathematical` where the page has displayed ones."""
        return with_formulas_read(pixels, lines, self._detector, mathematical=mathematical)

    def _region(self, pixels: Pixels, group: FormulaLines, lines: Sequence[Line], seen: Box | None) -> Region | None:
        inside = group.lines
        if all(map(_is_number, inside)):
            return None
        box = around(inside)
        if seen is not None:
            box = replace(box, x0=min(box.x0, seen.x0), x1=max(box.x1, seen.x1))
        others = [line.box for line in lines if line not in inside]
        found = self.read(pixels, box, median(line.size for line in lines), others, (group.top, group.bottom))
        stands = found.confidence >= LEAST_CONFIDENCE and found.latex and not SOURCE.search(found.latex)
        if not stands or not _has_words_of(inside, found.latex):
            return None
        heard = replace(draft_of(inside, _as_heard(inside), "ocr"), certainty=None)
        return Region(box, Category.FORMULA, (Draft(found.latex, "embedded", round(found.confidence, 4)), heard))

    def read(
        self,
        pixels: Pixels,
        box: Box,
        size: float,
        others: Sequence[Box] = (),
        between: tuple[float, float] = (-math.inf, math.inf),
    ) -> ReadFormula:
        """A formula whose type is about `size` pixels high, among other lines, `between` formulas above and below."""
        height, width = pixels.shape[:2]
        top, bottom = max(box.y0 - ABOVE * size, between[0]), min(box.y1 + ABOVE * size, between[1])
        wide = Box(box.x0 - COLUMN * size, top, box.x1 + COLUMN * size, bottom)
        seen = wide.clipped(width, height)
        left, top, right, bottom = map(round, (seen.x0, seen.y0, seen.x1, seen.y1))
        crop = pixels[top:bottom, left:right]
        if not crop.size:
            return ReadFormula("", 0.0)
        around = [other.shifted(-left, -top) for other in others]
        found = _without(self._detector.find(crop, size), around)
        # one alone is the end of a proof
        return formula_of(found) if len(found.symbols) >= SEVERAL else ReadFormula("", 0.0)


def _left(lines: Sequence[Line], found: Sequence[tuple[Region, Sequence[Line]]]) -> list[Line]:
    """The lines that no formula takes."""
    return [line for line in lines if not any(line in taken for _, taken in found)]


def _has_words_of(lines: Sequence[Line], latex: str) -> bool:
    """Whether it has more than half of the words that were read in its lines: else it is text read as signs."""
    text = [line.plain for line in lines if SIGN_OF_FORMULA.search(line.plain) is None]
    words = [word.rstrip(".,;:") for word in " ".join(text).split() if _is_word(word)]
    letters = "".join(filter(str.isalpha, COMMAND.sub("", latex)))
    return not words or 2 * sum(word in letters for word in words) > len(words)


def _as_heard(lines: Sequence[Line]) -> str:
    return r" \\ ".join(as_read(line.text) for line in sorted(lines, key=lambda line: (line.box.y0, line.box.x0)))


def with_text(layout: Sequence[LayoutBox], lines: Sequence[Line]) -> list[LayoutBox]:
    """The layout, of whose formulas those are text that hold lines of text. `lines` are those that no formula took."""
    return [
        replace(label, category=Category.TEXT) if label.category is Category.FORMULA and _says(label, lines) else label
        for label in layout
    ]


def _says(label: LayoutBox, lines: Sequence[Line]) -> bool:
    held = _held(label.box, lines)
    return any(is_text(line, held) for line in held) or all(map(_is_number, held))


def _held(box: Box, lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if box.covers(line.box) > HELD]


def _without(found: Symbols, others: Sequence[Box]) -> Symbols:
    """What doesn't stand in other lines."""

    def is_free(box: Box) -> bool:
        return not any(other.holds(box) for other in others)

    return Symbols(tuple(s for s in found.symbols if is_free(s.box)), tuple(filter(is_free, found.rules)))


def formula_of(found: Symbols) -> ReadFormula:
    """LaTeX of the symbols, with the equation's number as a tag."""
    if not found.symbols:
        return ReadFormula("", 0.0)
    number, symbols = _numbered(found.symbols)
    glyphs = Symbols(symbols, found.rules).glyphs()
    reading = latex_of(glyphs, found.rules)
    stray = reading.latex.count("{}_") + reading.latex.count("{}^")
    sure = mean(symbol.confidence for symbol in symbols) * reading.soundness * max(0.0, 1.0 - STRAY * stray)
    return ReadFormula(f"{reading.latex} {TAG}{number}}}" if number else reading.latex, sure)


def _numbered(symbols: Sequence[Symbol]) -> tuple[str, tuple[Symbol, ...]]:
    """The number that stands apart, on the right or on the left, and the other symbols."""
    ordered = sorted(symbols, key=lambda symbol: symbol.box.x0)
    right = ordered[0].box.x1
    for n, symbol in enumerate(ordered[1:], start=1):
        if symbol.box.x0 - right > BESIDE * symbol.size:
            for aside, rest in ((ordered[n:], ordered[:n]), (ordered[:n], ordered[n:])):
                if match := NUMBERED.fullmatch("".join(each.character for each in aside)):
                    return match["number"], tuple(rest)
        right = max(right, symbol.box.x1)
    return "", tuple(symbols)


def _stands(draft: Draft, *, known: bool) -> bool:
    """Whether a reading stands where the layout said no formula."""
    sure = draft.confidence or 0.0
    known = known or TAG in draft.text
    return sure >= SURE and has_variables(draft.text, 1) if known else sure >= SURER and has_variables(draft.text, 3)


def has_variables(latex: str, fewest: int) -> bool:
    r"""Whether single letters are slanted, as in formulas and not in code.

    >>> has_variables("T = a + bS^{2}", 3), has_variables("= 2\\mathrm{x}", 1), has_variables("\\text{Odd}(x) = 1", 1)
    (True, False, True)
    >>> has_variables("\\begin{gathered} 03/04 \\\\ \\mathrm{M} - 7 \\end{gathered}", 1)
    False
    """
    upright = sum(len(name) == 1 for name in UPRIGHT.findall(latex))
    slanted = sum(map(str.isalpha, COMMAND.sub("", BOLD.sub("", UPRIGHT.sub("", latex)))))
    return slanted >= max(fewest, 2 * upright)


def _unlabelled(lines: Sequence[Line]) -> list[FormulaLines]:
    """What looks like displayed formulas: lines indented in their column, without words, alone on their rows."""
    if not lines:
        return []
    prose = list(filter(is_prose, lines))
    numbers = [line.box for line in lines if NUMBERED.fullmatch(line.plain.strip())]

    def is_set_off(line: Line) -> bool:
        beside = (other for other in prose if line.box.gap_x(other.box) < COLUMN * line.size)
        placed = _is_indented(line, prose) or _is_numbered(line, numbers, prose)
        return placed and not any(in_one_row(line.box, other.box) for other in beside)

    alone = [line for line in lines if not words_of(line) and is_set_off(line)]
    groups = apart(alone, COLUMN * median(line.size for line in lines))
    return [group for group in groups if any(SIGN.search(line.plain) for line in group.lines)]


def _is_indented(line: Line, prose: Sequence[Line]) -> bool:
    """Whether it begins to the right of the running text nearest above or below it in its column."""
    column = [other for other in prose if other.box.x0 < line.box.center[0] < other.box.x1]
    if not column:
        return False
    nearest = min(column, key=lambda other: abs(other.box.center[1] - line.box.center[1]))
    return line.box.x0 > nearest.box.x0 + INDENT * line.size


def _is_numbered(line: Line, numbers: Sequence[Box], prose: Sequence[Line]) -> bool:
    """Whether a formula's number stands on its row, or one above and one below it with no running text between."""
    y = line.box.center[1]
    if any(in_one_row(line.box, number) for number in numbers):
        return True
    above = max((box.center[1] for box in numbers if box.center[1] < y), default=None)
    below = min((box.center[1] for box in numbers if box.center[1] > y), default=None)
    return above is not None and below is not None and not any(above < t.box.center[1] < below for t in prose)
