"""Finds where columns end below a head whose words run over their white. Knows words and where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import SEVERAL
from docparse_fast.drafting.tables.grid import MOST_HEADS
from docparse_fast.drafting.tables.heads import is_figure
from docparse_fast.drafting.tables.white_slots import RowLevels, WhiteGap, cleared, plain_white, white_gaps, word_levels
from docparse_fast.geometry import runs


def gutters_below_head(lines: Sequence[Line]) -> list[float]:
    """The gutters of the rows below a head, of which words may run over them, where the head has white, too."""
    levels = word_levels(tuple(lines))
    figures = [sum(is_figure(text) for _, text in level) for level in levels]
    told = [n for n, count in enumerate(figures[: MOST_HEADS + 1]) if count >= SEVERAL]
    first = next((n for n in told if figures[n] < len(levels[n])), next(iter(told), 0))  # years alone are a head
    if not first:
        return []
    rows, plain = levels[first:], plain_white(lines)
    return below_heads(cleared(white_gaps(rows, plain), rows, plain), levels[:first])


def below_heads(gaps: Sequence[WhiteGap], head: RowLevels) -> list[float]:
    """The middle of each gap, in white of the head if it can be: in another one each, so that all columns have heads.

    >>> from docparse_fast.document import Box
    >>> heads = [(Box(386, 0, 429, 12), "Count"), (Box(437, 0, 507, 12), "Price"), (Box(601, 0, 645, 12), "Sum")]
    >>> below_heads([(436, 547), (599, 619)], [heads])
    [436.5, 600.0]
    """
    white = _white_within(head, gaps) if gaps else []

    @cache
    def best(n: int, first: int) -> tuple[int, float, tuple[WhiteGap, ...]]:
        """Of the gaps from one on, in white from one on: how many lie there, how wide that is, and where they lie."""
        if n == len(gaps):
            return 0, 0.0, ()
        count, wide, parts = best(n + 1, first)
        ways = [(count, wide, (gaps[n], *parts))]
        for m, (left, right) in enumerate(white[first:], first):
            part = max(left, gaps[n][0]), min(right, gaps[n][1])
            if part[0] < part[1]:
                count, wide, parts = best(n + 1, m + 1)
                ways.append((count + 1, wide + right - left, (part, *parts)))
        return max(ways)

    return [(left + right) / 2 for left, right in best(0, 0)[2]]


def _white_within(head: RowLevels, gaps: Sequence[WhiteGap]) -> list[WhiteGap]:
    """Also before its first word, if names have no head: one word less than columns tells it, or a word far behind."""
    words = sorted((box.x0, box.x1) for level in head for box, _ in level)
    heads = runs(words, lambda group, word: word[0] <= max(end for _, end in group))
    start = gaps[0][0] if len(heads) == len(gaps) else sum(gaps[0]) / 2
    edges = [(start, start), *((group[0][0], max(end for _, end in group)) for group in heads)]
    return [(end, begin) for (_, end), (begin, _) in pairwise(edges) if end < begin]
