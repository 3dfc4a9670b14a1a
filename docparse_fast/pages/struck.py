"""Words that are crossed out: a thin bar runs through the middle of their letters, from a word's edge to another's.

Underlines, rules of tables and lines of forms run below the letters or farther than the words, a fraction's bar stands
between them, and a frame's side ends at another side.
Strike-out annotations are drawn as such bars too. Knows lines and bars; knows no font.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.lattices.rules import Drawn

LOWEST, HIGHEST = 0.18, 0.42  # of the type's size above the baseline: the middle of small letters is at 0.22 to 0.3
THICKEST = 0.15  # of the type's size
COVERED = 0.8  # of a word's width: a comma behind it may be left out
SAME_EDGE = 0.35  # of the type's size

_Blocks = tuple[tuple[TextLine, ...], ...]


def with_struck(blocks: _Blocks, ink: Drawn) -> tuple[_Blocks, Drawn]:
    """The same lines, each span under such a bar `struck`, and what is drawn without these bars: no rule of a table."""
    across = sorted({bar for bar in (*ink.bars, *ink.rules) if bar.width > bar.height}, key=_level)
    levels = [_level(bar) for bar in across]
    lines = [line for block in blocks for line in block if not (line.vertical or line.slanted)] if across else []
    upright = [bar for bar in ink.bars if bar.width < bar.height]
    crossed: dict[int, set[int]] = {}
    used: set[Box] = set()
    for line in lines:
        for bar, under in _crossed(line.spans, across, levels):
            if any(_is_corner(bar, side, ink.point) for side in upright):
                continue
            crossed.setdefault(id(line), set()).update(under)
            used.add(bar)
    if not used:
        return blocks, ink
    marked = tuple(tuple(_marked(line, crossed.get(id(line), set())) for line in block) for block in blocks)
    return marked, replace(ink, rules=_others(ink.rules, used), bars=_others(ink.bars, used))


def _others(rules: Sequence[Box], used: Collection[Box]) -> tuple[Box, ...]:
    """The rules that are neither such a bar nor a part of one."""
    by_level: dict[int, list[Box]] = defaultdict(list)
    for bar in used:
        by_level[round(_level(bar))].append(bar)
    kept = []
    for rule in rules:
        level = round(_level(rule))
        near = (bar for n in (level - 1, level, level + 1) for bar in by_level.get(n, ()))
        if not any(bar.x0 - 1 <= rule.x0 and rule.x1 <= bar.x1 + 1 for bar in near):
            kept.append(rule)
    return tuple(kept)


def _marked(line: TextLine, struck: Collection[int]) -> TextLine:
    if not struck:
        return line
    return replace(line, spans=tuple(replace(s, struck=True) if n in struck else s for n, s in enumerate(line.spans)))


def _crossed(
    spans: Sequence[TextSpan], bars: Sequence[Box], levels: Sequence[float]
) -> Iterator[tuple[Box, list[int]]]:
    """Each bar that crosses out some of a line's spans, and their numbers."""
    top = min(span.baseline - HIGHEST * span.size for span in spans)
    bottom = max(span.baseline - LOWEST * span.size for span in spans)
    for bar in bars[bisect_left(levels, top) : bisect_left(levels, bottom)]:
        under = [n for n, span in enumerate(spans) if _crosses(bar, span)]
        if under and _ends_with(bar, [spans[n] for n in under]):
            yield bar, under


def _crosses(bar: Box, span: TextSpan) -> bool:
    height = (span.baseline - _level(bar)) / span.size
    inside = min(bar.x1, span.box.x1) - max(bar.x0, span.box.x0)
    thin = bar.height <= THICKEST * span.size
    return thin and LOWEST <= height <= HIGHEST and inside >= COVERED * span.box.width and bool(span.text.strip())


def _ends_with(bar: Box, words: Sequence[TextSpan]) -> bool:
    near = SAME_EDGE * max(word.size for word in words)
    left, right = min(word.box.x0 for word in words), max(word.box.x1 for word in words)
    return abs(bar.x0 - left) <= near and abs(bar.x1 - right) <= near


def _is_corner(bar: Box, side: Box, point: float) -> bool:
    """Whether the bar ends at an upright one: it is a side of a frame."""
    beside = min(abs(side.center[0] - bar.x0), abs(side.center[0] - bar.x1)) <= point
    return beside and side.y0 - point <= _level(bar) <= side.y1 + point


def _level(bar: Box) -> float:
    return (bar.y0 + bar.y1) / 2
