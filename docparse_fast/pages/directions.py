"""Puts the words of lines that run from right to left, wholly or in part, into reading order.

Knows which way characters run and where they are. A file stores such a line in its visual order. MuPDF reverses only
each run of letters; the runs, and the numbers and signs between them, stay in visual order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from docparse_fast.document import Box, TextLine
from docparse_fast.geometry import runs
from docparse_fast.pages.directed_runs import DirectedLine, DirectedRun
from docparse_fast.pages.direction_order import are_mirrored, in_direction, with_brackets_turned
from docparse_fast.text.characters import runs_right

HEBREW = re.compile(r"[\u0590-\u05ff\ufb1d-\ufb4f]")
SAME_LINE = 0.25  # of the type's size: the most by which baselines of one line differ
BESIDE = 1.0  # of the type's size: a wider gap separates two columns


# ------------------------------------------------------------------------------------------------- lines


def in_reading_order(
    blocks: Sequence[Sequence[tuple[TextLine, Sequence[DirectedRun]]]],
) -> tuple[tuple[TextLine, ...], ...]:
    """The page's blocks; lines with letters from right to left are joined and ordered, all others are unchanged."""
    texts = [" ".join(line.text for line, _ in block) for block in blocks]
    page = runs_right(" ".join(texts))
    rows = _whole([_directed(n, line, parts, texts[n]) for n, block in enumerate(blocks) for line, parts in block])
    rows = [part for row in rows for part in (_parted(row) if row.right else [row])]
    whole = [in_direction(row, runs_right(row.around, default=page)) if row.right else row.line for row in rows]
    if are_mirrored(line.text for line, row in zip(whole, rows, strict=True) if row.right):
        whole = [with_brackets_turned(line) if row.right else line for line, row in zip(whole, rows, strict=True)]
    kept: dict[int, list[TextLine]] = {}
    for line, row in zip(whole, rows, strict=True):
        kept.setdefault(row.block, []).append(line)
    return tuple(map(tuple, kept.values()))


def _directed(block: int, line: TextLine, parts: Sequence[DirectedRun], around: str) -> DirectedLine:
    inked = tuple(part for part in parts if part.kind != "blank")
    blanks = tuple(part.span.box.center[0] for part in parts if part.kind == "blank")
    return DirectedLine(block, line, inked, around, blanks)


def _whole(rows: Sequence[DirectedLine]) -> list[DirectedLine]:
    """Joins the pieces of one line that the file separates, as files do where the direction changes."""
    found: dict[int, DirectedLine] = dict(enumerate(rows))
    for level in _levels(rows):
        for chain in _chains(rows, level):
            if len(chain) > 1 and any(rows[n].right for n in chain):
                first, *others = sorted(chain)
                found[first] = reduce(DirectedLine.joined, (rows[n] for n in others), rows[first])
                for n in others:
                    del found[n]
    return [found[n] for n in sorted(found)]


def _levels(rows: Sequence[DirectedLine]) -> list[list[int]]:
    """Groups lines of the same height."""

    def is_level(level: Sequence[int], n: int) -> bool:
        last = rows[level[-1]]
        return _baseline(rows[n]) - _baseline(last) <= SAME_LINE * last.line.spans[0].size

    upright = (n for n, row in enumerate(rows) if not row.line.vertical)
    return runs(sorted(upright, key=lambda n: _baseline(rows[n])), is_level)


def _baseline(row: DirectedLine) -> float:
    return row.line.spans[0].baseline


def _chains(rows: Sequence[DirectedLine], level: Sequence[int]) -> list[list[int]]:
    """Splits lines of one height where a wide gap separates them."""
    chains: list[list[int]] = []
    end = 0.0
    for n in sorted(level, key=lambda n: rows[n].line.box.x0):
        line = rows[n].line
        if chains and line.box.x0 - end < BESIDE * line.spans[0].size:
            chains[-1].append(n)
        else:
            chains.append([n])
            end = line.box.x1
        end = max(end, line.box.x1)
    return chains


def _parted(row: DirectedLine) -> list[DirectedLine]:
    """The line cut at its wide gaps: a number between two cells must not join them."""
    parts: list[list[DirectedRun]] = []
    end = 0.0
    for piece in sorted(row.pieces, key=lambda piece: piece.span.box.x0):
        if parts and piece.span.box.x0 - end < BESIDE * piece.span.size:
            parts[-1].append(piece)
        else:
            parts.append([piece])
            end = piece.span.box.x1
        end = max(end, piece.span.box.x1)
    return [row] if len(parts) == 1 else [_part(row, part) for part in parts]


def _part(row: DirectedLine, part: Sequence[DirectedRun]) -> DirectedLine:
    spans = tuple(piece.span for piece in part)
    line = replace(row.line, box=Box.around(span.box for span in spans), spans=spans)
    made = replace(row, line=line, pieces=tuple(part))
    return made if made.right else replace(made, line=in_direction(made, base_right=False))


# ------------------------------------------------------------------------------------------------- order


# ---------------------------------------------------------------------------------------------- brackets
