"""Gathers a page's lines into rows, tells which are typed, and whether a run of typed rows is code.

Signs in their order: the first that says something decides. Knows the rows of one column, the ground behind a run of
them, and what the page's type is like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.lines import printed, text_in
from docparse_fast.drafting.measures import ENOUGH, MUCH, SCRIPT, TYPED, USUAL_LEADING
from docparse_fast.drafting.words import LEADER, MARKER
from docparse_fast.geometry import around, runs
from docparse_fast.text.characters import TERMINAL
from docparse_fast.text.mail import is_mail

LEVEL = 0.3  # of the type's size between two baselines of one row
ADDRESS = re.compile(r"(?:https?:|//|www\.|doi[.:])\S*", re.IGNORECASE)
COUNTER = re.compile(r"\d{1,4}[.:]?")  # of lines of code


def without_counter(spans: Sequence[TextSpan]) -> list[TextSpan]:
    """A line's words but for its number, where typed words follow it."""
    inked = printed(spans)
    counted = len(inked) > 1 and COUNTER.fullmatch(inked[0].text.strip()) and not inked[0].mono and inked[1].mono
    return inked[1:] if counted and not _is_raised(inked) else inked


def _is_raised(inked: Sequence[TextSpan]) -> bool:
    """Whether the first of a line's words stands higher than the next, as a note's mark does."""
    return len(inked) > 1 and inked[1].baseline - inked[0].baseline > LEVEL * inked[1].size


def _is_marked(inked: Sequence[TextSpan]) -> bool:
    first = inked[0]
    return not first.mono and (_is_raised(inked) or MARKER.match(first.text.strip() + " x") is not None)


def letters(spans: Iterable[TextSpan]) -> int:
    return sum(len(span.text.strip()) for span in spans)


def main_type(spans: Sequence[TextSpan]) -> tuple[float, float]:
    """Size and baseline of most of the characters; small capitals are of their large ones' type."""
    if all(span.size == spans[0].size and span.baseline == spans[0].baseline for span in spans):  # as in most lines
        return round(spans[0].size, 1), round(spans[0].baseline, 1)
    texts: dict[tuple[float, float], str] = {}
    for span in spans:
        key = round(span.size, 1), round(span.baseline, 1)
        texts[key] = texts.get(key, "") + span.text.strip()
    most = max(texts, key=lambda key: (len(texts[key]), key[0]))
    capitals = (key for key in texts if key[1] == most[1] and (texts[key] + texts[most]).isupper())
    return max((key for key in capitals if SCRIPT**2 * key[0] < most[0]), default=most)


@dataclass(frozen=True, slots=True)
class TypedRow:
    members: tuple[int, ...]
    spans: tuple[TextSpan, ...]
    box: Box
    size: float
    baseline: float
    mono: bool

    @property
    def text(self) -> str:
        return " ".join(span.text.strip() for span in self.spans)


def is_mono(spans: Sequence[TextSpan]) -> bool:
    """Signs of another font, an arrow or a sum, are not counted; a list's marker is. No code: mail addresses, notes."""
    inked = without_counter(spans)
    if is_mail(text_in(inked)) or _is_marked(inked):
        return False
    words = [span for span in inked if any(map(str.isalnum, span.text))]
    if not words:
        return all(span.mono for span in inked)
    return letters(span for span in words if span.mono) >= TYPED * letters(words)


def code_rows(lines: Sequence[TextLine], members: Sequence[int]) -> list[TypedRow]:
    """Lines on one baseline, from the top."""
    types = {i: main_type(lines[i].spans) for i in members}
    ordered = sorted(members, key=lambda i: (types[i][1], lines[i].box.x0))
    groups = runs(ordered, lambda group, i: abs(types[group[0]][1] - types[i][1]) < LEVEL * types[i][0])
    return [_row(lines, group) for group in groups]


def _row(lines: Sequence[TextLine], group: Sequence[int]) -> TypedRow:
    ordered = sorted(group, key=lambda i: lines[i].box.x0)
    counted = ordered[1:] if len(ordered) > 1 and COUNTER.fullmatch(lines[ordered[0]].text.strip()) else ordered
    spans = tuple(printed(span for i in ordered for span in lines[i].spans))
    size, baseline = main_type([span for i in counted for span in without_counter(lines[i].spans)])
    box = around(without_counter(spans))
    mono = [is_mono(lines[i].spans) for i in counted]
    return TypedRow(tuple(ordered), spans, box, size, baseline, all(mono))


def leading_of(rows: Sequence[TypedRow], size: float) -> float:
    """The most frequent distance from one row to the next."""
    steps = [b.baseline - a.baseline for a, b in pairwise(rows)]
    near = [step for step in steps if 0.8 * size < step < 1.6 * size]
    return median(near) if near else USUAL_LEADING * size


APART = 1.3  # leadings from one row to the next, from which there is white between them
SET_OFF = 1.1  # leadings, above and below, from which an indented row stands by itself
INDENT = 0.6  # of the type's size, less than a paragraph's: 0.8 loses four blocks of one manual
DEEP = 0.3  # of the column's width: what stands so far from where the lines around it begin is centred
ROOM = 0.5  # of the type's size, for a blank
BESIDE = 1.0  # of the type's size, between a term and what explains it
WIDE_GROUND = 1.15  # of the words' width: a ground no wider is a word's, within a sentence
PROGRAM = re.compile(r"[{};=\\|]|\$(?!\d[\d,]*\.\d\d)|\w\(|->|::|^\s*(?:#|//|>>> |def |class |import |return )|\s--?\w")


@dataclass(frozen=True, slots=True)
class PageType:
    """What all runs of rows of a page share."""

    size: float  # of the usual type
    leading: float  # of code
    text_leading: float
    prosaic: bool  # it has lines of prose


@dataclass(frozen=True)
class TypedRun:
    """Rows of typewriter's type, one below the other: those of `column` from `start` to `end`."""

    column: Sequence[TypedRow]
    start: int
    end: int
    ground: Box | None
    page: PageType

    @cached_property
    def rows(self) -> Sequence[TypedRow]:
        return self.column[self.start : self.end]

    @cached_property
    def words(self) -> Box:
        return around(self.rows)

    @property
    def above(self) -> TypedRow | None:
        return self.column[self.start - 1] if self.start else None

    @property
    def below(self) -> TypedRow | None:
        return self.column[self.end] if self.end < len(self.column) else None

    @cached_property
    def signed(self) -> bool:
        """Whether enough rows have a program's signs."""
        return sum(bool(PROGRAM.search(row.text)) for row in self.rows) >= MUCH * len(self.rows)

    @cached_property
    def apart(self) -> tuple[bool, bool]:
        """Whether there is white above it, and below."""
        leading = self.page.leading
        return _apart(self.above, self.rows[0], leading), _apart(self.rows[-1], self.below, leading)

    @cached_property
    def indented(self) -> bool:
        left = min(row.box.x0 for row in self.column)
        return self.words.x0 - left > INDENT * self.page.size and not self.centred

    @cached_property
    def centred(self) -> bool:
        left, right = min(row.box.x0 for row in self.column), max(row.box.x1 for row in self.column)
        beside = [abs(self.words.x0 - row.box.x0) for row in (self.above, self.below) if row is not None]
        return min(beside, default=self.words.x0 - left) > DEEP * (right - left)

    @cached_property
    def has_own_lines(self) -> bool:
        """Whether somebody wanted it on lines of its own: the words around it had fitted beside it."""
        right = max(row.box.x1 for row in self.column)
        told = self.signed or (self.above is not None and self.above.text.endswith(":"))
        return told and _leaves_room(self.above, self.rows[0], right) and _leaves_room(self.rows[-1], self.below, right)


def is_code(run: TypedRun) -> bool:
    return next((told for sign in SIGNS if (told := sign(run)) is not None), False)


def only_leaders(run: TypedRun) -> bool | None:
    """Dots that lead from a name to its figures are often in this type, whatever the names are in."""
    return False if all(LEADER.fullmatch(row.text) for row in run.rows) else None


def on_ground(run: TypedRun) -> bool | None:
    wide = run.ground is not None and run.ground.width > WIDE_GROUND * run.words.width
    return (run.ground is not None and (wide or len(run.rows) > 1)) or None


def part_of_text(run: TypedRun) -> bool | None:
    """A term that the words below explain, or part of a sentence."""
    term = _is_term(run.rows[-1], run.below, run.page.leading)
    return False if term or (len(run.rows) == 1 and _runs_on(run.above, run.rows[0], run.page.leading)) else None


def rest_of_source(run: TypedRun) -> bool | None:
    """An address below the words of a source, or the rest of an address."""
    above, (own, *others) = run.above.text.split() if run.above else [], [row.text for row in run.rows]
    told = not others and " " not in own and any(map(ADDRESS.match, (own, *above[-1:])))
    return False if told and above and not run.apart[0] else None


def apart_from_prose(run: TypedRun) -> bool | None:
    told = run.page.prosaic and (run.signed or len(run.rows) >= ENOUGH)
    return (told and all(run.apart) and not run.centred) or None


def set_in(run: TypedRun) -> bool | None:
    if not run.indented:
        return None
    parts = any(run.apart) or len(run.rows) > 1 or run.has_own_lines or _is_set_off(run)
    return (run.signed or run.page.prosaic) and parts


def on_own_lines(run: TypedRun) -> bool | None:
    return run.has_own_lines and (all(run.apart) or (any(run.apart) and len(run.rows) > 1))


SIGNS: tuple[Callable[[TypedRun], bool | None], ...] = (
    only_leaders,
    on_ground,
    part_of_text,
    rest_of_source,
    apart_from_prose,
    set_in,
    on_own_lines,
)


def _is_set_off(run: TypedRun) -> bool:
    leading = SET_OFF / APART * run.page.text_leading
    return _apart(run.above, run.rows[0], leading) and _apart(run.rows[-1], run.below, leading)


def _leaves_room(above: TypedRow | None, below: TypedRow | None, right: float) -> bool:
    """Whether a line ends though the next one's first word would have fitted on it."""
    if above is None or below is None:
        return True
    return above.box.x1 + ROOM * above.size + below.spans[0].box.width < right


def _apart(above: TypedRow | None, below: TypedRow | None, leading: float) -> bool:
    return above is None or below is None or below.baseline - above.baseline > APART * leading


def _is_term(row: TypedRow, below: TypedRow | None, leading: float) -> bool:
    """Whether the row is a term that the indented words right below it explain."""
    return below is not None and not _apart(row, below, leading) and below.box.x0 > row.box.x0 + INDENT * row.size


def _runs_on(above: TypedRow | None, row: TypedRow, leading: float) -> bool:
    """Whether the row is part of a sentence, perhaps beside a term, and only happens to have a line of its own."""
    begins = _begins(above) if above is not None else []
    same = any(abs(x - row.box.x0) < INDENT * row.size for x in begins)
    return same and above is not None and not _apart(above, row, leading) and above.box.x1 > row.box.x1


def _begins(row: TypedRow) -> list[float]:
    """Where the row's words begin, at its left end and, if their sentence goes on below, behind wide white."""
    pairs = pairwise(row.spans if not TERMINAL.search(row.text) else ())
    return [row.spans[0].box.x0, *(b.box.x0 for a, b in pairs if b.box.x0 - a.box.x1 > BESIDE * row.size)]
