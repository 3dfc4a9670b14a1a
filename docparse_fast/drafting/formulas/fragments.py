"""Puts lines together again that a file breaks at mathematical signs. Knows type and places.

MuPDF begins a new line wherever the baseline moves, as at a root, a tall fence or a fraction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.formulas.inline import is_strong
from docparse_fast.drafting.formulas.signs import AXIS, TALL, Kind, kind_of
from docparse_fast.drafting.formulas.type import glyphs_of
from docparse_fast.drafting.lines import largest_type, printed
from docparse_fast.drafting.measures import SCRIPT, WIDE
from docparse_fast.geometry import around

SAME_LINE = 0.12  # of the type's size: how far the baselines of one line lie apart
OVERLAP = 3.0  # of the type's size: how far an accent reaches over the letters behind it
ABOVE, BELOW = 1.1, 0.5  # of the host's type: how far from its baseline a part's middle may lie
ROUNDS = 2  # parts of parts
BESIDE = 0.6  # of the host's type: the widest white between a part and the host
HANGING = frozenset({Kind.RADICAL, Kind.BIG, Kind.INTEGRAL, Kind.OPENING, Kind.CLOSING, Kind.FENCE, Kind.ACCENT})
WIDEST_PART = 14.0  # of the host's type: how wide a numerator may be


@dataclass(slots=True)
class _Fragment:
    line: TextLine
    spans: list[TextSpan]
    size: float
    baseline: float
    hangs: bool
    box: Box  # of the ink
    strong: bool

    def take(self, part: _Fragment) -> None:
        self.spans += part.spans
        self.box = Box.around((self.box, part.box))
        self.strong = self.strong or part.strong


def joined_lines(lines: Sequence[TextLine]) -> list[TextLine]:
    """The lines, those put together that are parts of one."""
    if not any(map(is_strong, chain.from_iterable(line.spans for line in lines))):
        return list(lines)
    told = ((line, printed(line.spans)) for line in lines)
    fragments = {id(line): _fragment(line, spans) for line, spans in told if spans and not line.vertical}
    kept = list(fragments.values())
    for _ in range(ROUNDS):
        kept = _side_by_side(_attached(kept))
    made = {id(f.line): _line(f) for f in kept}
    taken = fragments.keys() - made.keys()
    return [made.get(id(line), line) for line in lines if id(line) not in taken]


def _attached(fragments: Sequence[_Fragment]) -> list[_Fragment]:
    """Without the parts that belong to a line; those are put into it."""
    kept = list(fragments)
    for part in sorted(fragments, key=lambda f: (not f.hangs, f.size)):
        host = _host(part, [h for h in kept if h is not part])
        if host is not None:
            host.take(part)
            kept = [h for h in kept if h is not part]
    return kept


def _fragment(line: TextLine, spans: Sequence[TextSpan]) -> _Fragment:
    upright = [span for span in spans if not _hangs(span)]
    size = largest_type(upright or spans)
    letters = Counter[float]()
    for span in upright or spans:
        if span.size > SCRIPT * size:
            letters[span.baseline] += len(span.text.strip())
    baseline = max(letters, key=letters.__getitem__)
    strong = any(map(is_strong, line.spans))
    return _Fragment(line, list(line.spans), size, baseline, not upright, Box.around(map(_ink, spans)), strong)


def _hangs(span: TextSpan) -> bool:
    """Whether all its signs hang from the line, and don't stand on it."""
    glyphs = glyphs_of(span)
    return bool(glyphs) and all(
        kind_of(g.symbol) in HANGING and (g.box.center[1] > span.baseline or g.box.height > TALL * span.size)
        for g in glyphs
    )


def _ink(span: TextSpan) -> Box:
    return Box.around(box for _, box in span.signs) if span.signs else span.box


def _side_by_side(hosts: Sequence[_Fragment]) -> list[_Fragment]:
    kept: list[_Fragment] = []
    for fragment in sorted(hosts, key=lambda f: f.box.x0):
        before = next((k for k in reversed(kept) if _continues(k, fragment)), None)
        if before is None:
            kept.append(fragment)
        else:
            before.take(fragment)
    return kept


def _continues(before: _Fragment, after: _Fragment) -> bool:
    if before.hangs or after.hangs or not (before.strong or after.strong):
        return False
    size = max(before.size, after.size)
    level = abs(before.baseline - after.baseline) < SAME_LINE * size
    alike = min(before.size, after.size) > SCRIPT * size
    return level and alike and -OVERLAP * size < after.box.x0 - before.box.x1 < WIDE * size


def _host(part: _Fragment, hosts: Sequence[_Fragment]) -> _Fragment | None:
    """The line that a small or hanging part belongs to."""
    fits = [host for host in hosts if _is_host(host, part)]
    middle = part.box.center[1]
    return min(fits, key=lambda h: abs(middle - (h.baseline - AXIS * h.size)), default=None)


def _is_host(host: _Fragment, part: _Fragment) -> bool:
    if host.hangs or not (part.hangs or part.size < SCRIPT * host.size) or not (host.strong or part.strong):
        return False
    off = (part.box.center[1] - host.baseline) / host.size
    if not -ABOVE < off < BELOW or part.box.width >= WIDEST_PART * host.size:
        return False
    return min(part.box.gap_x(span.box) for span in host.spans) < BESIDE * host.size


def _line(fragment: _Fragment) -> TextLine:
    if len(fragment.spans) == len(fragment.line.spans):
        return fragment.line
    spans = tuple(sorted(fragment.spans, key=lambda span: span.box.x0))
    return replace(fragment.line, box=around(spans), spans=spans)
