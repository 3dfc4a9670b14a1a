"""Finds the words that belong to a displayed formula: conditions beside it, labels before it. Knows places."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docparse_fast.document import Box, TextLine
from docparse_fast.drafting.formulas.formula_lines import SEVERAL
from docparse_fast.drafting.formulas.numbered_rows import NUMBER_ASIDE, NUMBERED
from docparse_fast.drafting.formulas.set_off import INDENT, LEVEL, has_type

ASIDE = 4.0  # of the type's size: how far from a formula its conditions stand
WORD = re.compile(r"[^\W\d_]{2}")
LONGEST_NOTE = 4  # words in a condition beside a formula
QUAD = (0.6, 2.3)  # of the type's size: how much white stands between a formula and words that belong to it


def notes_within(prose: Sequence[int], others: Sequence[int], lines: Sequence[TextLine]) -> list[int]:
    """Few words with white around them on a formula's line: between two parts of it, or indented before it."""
    return [i for i in prose if _is_short(lines[i]) and _is_within(i, prose, others, lines)]


def _is_within(i: int, prose: Sequence[int], others: Sequence[int], lines: Sequence[TextLine]) -> bool:
    box, size = lines[i].box, max(span.size for span in lines[i].spans)
    level = [n for n in range(len(lines)) if n != i and lines[n].box.overlap_y(box) > LEVEL * box.height]
    right = min((n for n in level if lines[n].box.x0 > box.x1), key=lambda n: lines[n].box.x0, default=None)
    left = max((n for n in level if lines[n].box.x1 < box.x0), key=lambda n: lines[n].box.x1, default=None)
    if right is None or right in prose or not _is_quad(box, lines[right].box, size) or not has_type(lines[right].spans):
        return False
    if left is not None:
        return left in others and _is_quad(lines[left].box, box, size)
    return box.x0 - min(lines[n].box.x0 for n in prose) > INDENT * size


def _is_short(line: TextLine) -> bool:
    """Whether it has few words; the signs of a condition are not counted."""
    return sum(WORD.search(word) is not None for word in line.text.split()) <= LONGEST_NOTE


def _is_quad(a: Box, b: Box, size: float) -> bool:
    return QUAD[0] * size < b.x0 - a.x1 < QUAD[1] * size


def with_notes(cluster: list[int], lines: Sequence[TextLine], clusters: Sequence[list[int]]) -> list[int]:
    """The cluster with the words beside it, as in cases, and with its number."""
    taken = {i for other in clusters for i in other if len(other) > 1}
    box = Box.around(lines[i].box for i in cluster)
    size = max(span.size for i in cluster for span in lines[i].spans)
    beside = [
        i
        for i in range(len(lines))
        if i not in cluster and i not in taken and box.y0 < lines[i].box.center[1] < box.y1 and _is_note(lines[i], box)
    ]
    found = list(cluster)
    for i in sorted(beside, key=lambda i: across(lines[i].box, box)):
        numbered = NUMBERED.match(lines[i].text.strip())
        if across(lines[i].box, box) < (NUMBER_ASIDE if numbered else ASIDE) * size:
            found.append(i)
            box = Box.around([box, lines[i].box])
    return sorted(found)


def joined_by_notes(clusters: Sequence[list[int]], lines: Sequence[TextLine]) -> list[list[int]]:
    """Two clusters that share words are parts of one formula."""
    joined: list[list[int]] = []
    for cluster in clusters:
        words = {i for i in cluster if not NUMBERED.match(lines[i].text.strip())}
        same = [other for other in joined if not words.isdisjoint(other)]
        whole = sorted({*cluster, *(i for other in same for i in other)})
        joined = [*(other for other in joined if other not in same), whole]
    return joined


def _is_note(line: TextLine, box: Box) -> bool:
    """Words behind a formula, or beside one of several lines."""
    place = line.box.x0 > box.x1 or box.height > SEVERAL * line.box.height
    return place and _is_short(line) and not line.vertical


def across(a: Box, b: Box) -> float:
    return max(a.x0 - b.x1, b.x0 - a.x1, 0.0)
