"""Finds code on a scan: lines that stand together in a font of one width. Knows read lines; looks at no pixels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from statistics import median

from docparse_fast.document import Category, Region, TextLine, TextSpan
from docparse_fast.drafting.blocks.code_blocks import CodeBlock, code_blocks
from docparse_fast.drafting.blocks.code_rows import PROGRAM
from docparse_fast.drafting.lines import Line, draft_of, letters_of, words_of
from docparse_fast.drafting.measures import MOST, ONE_READ_TYPE, SEVERAL
from docparse_fast.geometry import not_in

NEAR = 1.2  # of a line's height, between it and its neighbour
OF_NEIGHBOURS = 0.7  # of a neighbour's evenness, added to a line's own
DOUBTFUL, SURE = -2.0, 1.0  # evenness together with the neighbours'
SHORT = 12  # characters
TYPED = 0.6  # of a page's letters: a typewriter's, where such a font says nothing
EVEN = 2.0  # sum over a block's lines, from which it is code
BASELINE = 0.3  # of the type's size, below the middle of a line


def printed_code(lines: Sequence[Line], height: float) -> tuple[list[Region], list[Line]]:
    """Code as finished regions, and the lines that are left."""
    even = _even_lines(lines)
    if not any(even):
        return [], list(lines)
    is_typed = letters_of(compress(lines, even)) > TYPED * letters_of(lines)
    size = median(line.size for line in compress(lines, even))
    typed = [_typed(line, mono=is_even, size=size) for line, is_even in zip(lines, even, strict=True)]
    blocks = [block for block in code_blocks(typed, (), height) if _is_code(block, lines, MOST if is_typed else 0)]
    regions = [_region(block, [lines[n] for n in sorted(block.lines)]) for block in blocks]
    return regions, not_in(lines, (block.lines for block in blocks))


def _even_lines(lines: Sequence[Line]) -> list[bool]:
    """Which are set in a font of one width: those that tell by themselves and by their neighbours, and what tells
    little but has a program's signs or few letters, beside one that is sure.
    """
    every = range(len(lines))
    beside = [[m for m in every if m != n and _are_neighbours(lines[n], lines[m])] for n in every]
    odds = [
        line.evenness + OF_NEIGHBOURS * sum(lines[m].evenness for m in near)
        for line, near in zip(lines, beside, strict=True)
    ]
    sure = [max((odds[m] for m in near), default=0) > SURE for near in beside]
    may_be = [
        sure[n] and (len(line.plain) <= SHORT or bool(PROGRAM.search(line.plain))) for n, line in enumerate(lines)
    ]
    return [odds[n] > (DOUBTFUL if may_be[n] else 0) for n in range(len(lines))]


def _are_neighbours(one: Line, other: Line) -> bool:
    low, high = sorted((one.box.height, other.box.height))
    gap = max(one.box.y0, other.box.y0) - min(one.box.y1, other.box.y1)
    return gap < NEAR * one.box.height and high < ONE_READ_TYPE * low and one.box.overlap_x(other.box) > 0


def _typed(line: Line, *, mono: bool, size: float) -> TextLine:
    """As a text layer would have it. A line's height varies with its letters; code has one size."""
    usual = size if mono and size / ONE_READ_TYPE < line.size < size * ONE_READ_TYPE else line.size
    baseline = line.box.center[1] + BASELINE * usual
    return TextLine(line.box, (TextSpan(line.box, line.plain, "", usual, baseline, mono=mono),))


def _is_code(block: CodeBlock, lines: Sequence[Line], share: float) -> bool:
    """`share`: of the characters, that stand in lines with a program's signs at least."""
    members = [lines[n] for n in block.lines]
    signed = letters_of(line for line in members if PROGRAM.search(line.plain))
    enough = len(members) >= SEVERAL and signed > share * letters_of(members)
    return enough and sum(line.evenness for line in members) > EVEN


def _region(block: CodeBlock, members: Sequence[Line]) -> Region:
    draft = draft_of(members, block.text, members[0].source)
    return Region(block.box, Category.CODE, (draft,), words=words_of(members))
