"""Finds the columns of a sheet whose columns hold rows of cells: a reference card, a cheat sheet.

Knows boxes only. Such columns are white from top to bottom between them, and begin at equal distances, which a table's
columns seldom do.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

from docparse_fast.document import Box
from docparse_fast.drafting.measures import ROW

CORRIDOR = 0.8  # of a line's height: the narrowest white between two columns
CROSSED = 0.02  # of the boxes may run across it: a title
LEAST_PITCH = 15.0  # line heights from where one column begins to where the next does
PITCH = 0.03  # of it, by which two such distances may differ
MOST_STRIPS = 4
MOST_CORRIDORS = 12
LEAST_BOXES = 10  # in a column
FEWEST_ROWS = 3  # of several cells, in a column that holds some
LEAST_SHARE = 0.3  # of all rows have several
CELLS_APART = 0.5  # of a line's height
JOINING = 4  # rules: a sheet may have one below its title and one above its foot, and a table's head two

LEVEL = 0.2  # of a line's height: how far the middles of one row's lines are apart
ONE_TABLE = 0.9  # of the rows: as many of one length, level with those beside them, are one table's

Corridor = tuple[float, float]  # from where white begins to where it ends


def strip_edges(boxes: Sequence[Box], unit: float, rules: Sequence[Box] = ()) -> list[float]:
    """Where each column of a sheet but the first begins; nothing on another page. `unit` is a line's height.

    Many rules across the white between two columns make one table of them.
    """
    if len(boxes) < 2 * LEAST_BOXES:
        return []
    left, right = min(box.x0 for box in boxes), max(box.x1 for box in boxes)
    spans = [(box.x0, box.x1) for box in boxes]
    corridors = _widest(corridors_between(spans, int(CROSSED * len(spans)), CORRIDOR * unit))
    for count in range(min(MOST_STRIPS, len(corridors) + 1), 1, -1):
        for chosen in combinations(corridors, count - 1):
            if not _begin_evenly([left, *(end for _, end in chosen)], right, unit) or _wider(corridors, chosen):
                continue
            edges = [end for _, end in chosen]
            if any(_joined_by_rules(white, rules) for white in chosen):
                continue
            found = parted_at(edges, boxes)
            if min(map(len, found)) >= LEAST_BOXES and _hold_cells(boxes, found) and not _share_rows(boxes, found):
                return edges
    return []


def _joined_by_rules(white: Corridor, rules: Sequence[Box]) -> bool:
    start, end = white
    return sum(rule.x0 < start and end < rule.x1 for rule in rules) >= JOINING


def _widest(corridors: Sequence[Corridor]) -> list[Corridor]:
    return sorted(sorted(corridors, key=lambda white: white[0] - white[1])[:MOST_CORRIDORS])


def _wider(corridors: Sequence[Corridor], chosen: Sequence[Corridor]) -> bool:
    """Whether another stretch is as wide as one of those chosen: then all are the gaps of one table."""
    least = min(end - start for start, end in chosen)
    return any(end - start >= least for start, end in corridors if (start, end) not in chosen)


def parted_at(edges: Sequence[float], boxes: Sequence[Box]) -> list[list[int]]:
    """The places of the boxes between the edges."""
    found: list[list[int]] = [[] for _ in range(len(edges) + 1)]
    for i, box in enumerate(boxes):
        found[sum(box.center[0] > edge for edge in edges)].append(i)
    return found


def corridors_between(spans: Sequence[tuple[float, float]], allowed: int, narrowest: float) -> list[Corridor]:
    """White between the first span and the last, from the left; at most `allowed` spans reach across."""
    events = sorted([(start, 1) for start, _ in spans] + [(end, -1) for _, end in spans])
    found: list[Corridor] = []
    depth, start = 0, None
    for x, step in events:
        before, depth = depth, depth + step
        if before > allowed >= depth:
            start = x
        elif before <= allowed < depth and start is not None and x - start >= narrowest:
            found.append((start, x))
    return found


def _begin_evenly(lefts: Sequence[float], right: float, unit: float) -> bool:
    pitches = [b - a for a, b in pairwise(lefts)]
    even = max(pitches) - min(pitches) <= PITCH * max(pitches)
    return even and min(pitches) > LEAST_PITCH * unit and right - lefts[-1] <= max(pitches)


def _hold_cells(boxes: Sequence[Box], found: Sequence[Sequence[int]]) -> bool:
    """Whether many rows have several cells, in two columns at least."""
    several = [_rows_of_cells(boxes, strip) for strip in found]
    rows = len(boxes) - sum(several)
    return sum(n >= FEWEST_ROWS for n in several) > 1 and sum(several) >= LEAST_SHARE * rows


def _share_rows(boxes: Sequence[Box], found: Sequence[Sequence[int]]) -> bool:
    """Whether nearly every row of one strip is level with a row of the next: then they are one table's halves."""
    strips = [_rows([boxes[i] for i in strip]) for strip in found]
    return all(_level_with(first, second) for first, second in pairwise(strips))


def _level_with(rows: Sequence[Sequence[Box]], others: Sequence[Sequence[Box]]) -> bool:
    heights = [row[0].center[1] for row in others]
    level = sum(any(abs(row[0].center[1] - y) < LEVEL * row[0].height for y in heights) for row in rows)
    return level > ONE_TABLE * max(len(rows), len(others))


def _rows(boxes: Sequence[Box]) -> list[list[Box]]:
    rows: list[list[Box]] = []
    for box in sorted(boxes, key=lambda box: box.center[1]):
        if rows and rows[-1][0].overlap_y(box) > ROW * box.height:
            rows[-1].append(box)
        else:
            rows.append([box])
    return rows


def _rows_of_cells(boxes: Sequence[Box], strip: Sequence[int]) -> int:
    ordered = sorted((boxes[i] for i in strip), key=lambda box: box.center[1])
    return sum(_are_cells(a, b) for a, b in pairwise(ordered))


def _are_cells(a: Box, b: Box) -> bool:
    """Whether two boxes stand level, and not as near as a raised sign to its word."""
    height = min(a.height, b.height)
    return a.overlap_y(b) > ROW * height and max(a.x0 - b.x1, b.x0 - a.x1) > CELLS_APART * height
