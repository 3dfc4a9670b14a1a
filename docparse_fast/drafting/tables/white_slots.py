"""Finds a table's slots from the white between its words. Knows lines alone: no picture, no model.

Columns are parted by white that nearly all rows of text leave free. A row ends where the next word would have had room
in its cell, where the step is wider than between lines of a cell, or where all columns begin anew (`white_rows.py`).
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache, partial
from itertools import chain, pairwise
from statistics import median

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line, words_of
from docparse_fast.drafting.measures import LEVEL, MOSTLY, SEVERAL
from docparse_fast.drafting.tables.grid import FLUSH, WIDE_GAP, CellPiece, Slot, cell_words, looks_like_number, piece_of
from docparse_fast.drafting.tables.heads import are_counts
from docparse_fast.drafting.tables.white_rows import LEAST_STEP, BegunBy, Ruled, TextRow, table_rows
from docparse_fast.geometry import around, level_rows, parted, runs

REACH = 0.7  # of the leading, from middle to middle of words on one level
NARROWEST = 0.25  # of a line's height: a space is hardly wider
PLAIN = 0.8  # of a line's height: white that is wider than any space
CROSSED = 0.15  # of the rows of text may run across a gutter: headings over several columns
FEWEST_NARROW = 4  # and of narrow white, which may be spaces that stand in line by chance
LEAST_SHARE = 0.34  # of the levels beside the gap with most; of the rows, up to which sums may run over gutters
BLANK = 0.3  # of a line's height, where no words stand beside each other
NEARLY = 1.25  # of the usual blank: what is wider is none
WIDER = 1.2  # times another figure: of figures as wide as each other, no column's edge can be told
ENOUGH_STEPS = 400  # words, from which the step from line to line is known; with more only some are asked
DASHES = frozenset("-–—")  # alone between two figures or days
SeenWord = tuple[Box, str]
RowLevels = Sequence[Sequence[SeenWord]]
WhiteGap = tuple[float, float]
Read = tuple[list[TextRow], Sequence[float]]  # and the gutters between its columns


def white_slots(read: Read, ruled: Ruled, begun_by: BegunBy = "room") -> list[Slot]:
    """The slots; none if there are no two columns.

    `ruled` says whether a level rule is drawn through a box. Rows are begun by what had room in the row above; also by
    all `names`, which stand in the first column; or by `figures`: what stands below a row's figures goes on in it if it
    has none in their columns. Where rules part all figures of a column, they part the rows.
    """
    rows, gutters = read
    if not rows:
        return []
    edges = [min(row.box.x0 for row in rows), *gutters, max(row.box.x1 for row in rows)]
    return list(_slots(table_rows(rows, ruled, begun_by), edges))


def rows_in(lines: Sequence[Line], gutters: Sequence[float] | None = None) -> Read:
    """What stands on each level, by column: `gutters` are where columns end, if that is known."""
    levels = word_levels(tuple(lines))
    plain = plain_white(lines)
    if gutters is None:
        gaps = _between_runs(white_gaps(levels, plain), levels, plain)
        gutters = [sum(gap) / 2 for gap in cleared(gaps, levels, plain)]
    if not gutters:
        return [], gutters
    blank = NEARLY * _blank(levels, plain)
    ends = _usual_ends(levels, gutters)
    narrow = _behind_narrow_white(levels, gutters, plain)
    begins = frozenset(cell_words([line])[0][0] for line in lines if line.words)
    held = {box: line for line in lines for box, _ in cell_words([line])}
    rows = (_text_row(level, gutters, blank, ends, narrow, begins, held) for level in levels)
    return list(chain.from_iterable(map(_line_by_line, rows))), gutters


def _slots(rows: Sequence[Sequence[TextRow]], edges: Sequence[float]) -> list[Slot]:
    slots = []
    for number, texts in enumerate(rows):
        box = around(texts)
        spans = {column: span for text in texts for column, span in text.spans.items()}
        if len(spans) == 1 and number == 0 and len(edges) > 2 and next(iter(spans.values())) > 1:
            spans = {0: len(edges) - 1}
        column = 0
        while column < len(edges) - 1:
            span = spans.get(column, 1)
            slots.append(Slot(number, column, Box(edges[column], box.y0, edges[column + span], box.y1), columns=span))
            column += span
    return slots


# ----------------------------------------------------------------------------------------------- columns


@lru_cache(maxsize=4)  # each way to read a place asks for them again
def word_levels(lines: tuple[Line, ...]) -> list[list[SeenWord]]:
    """The words by the level they stand on, from the top and left; cells set in the middle of a row are one level."""
    words = cell_words(lines)
    reach = REACH * _leading([box for box, _ in words])
    return level_rows(
        words, lambda level, word: word[0].center[1] - level[-1][0].center[1] < reach, lambda word: word[0]
    )


def _leading(boxes: Sequence[Box]) -> float:
    """The distance from line to line within a cell, or the least one from row to row."""
    from_above = sorted(boxes, key=lambda box: box.center[1])
    middles = [box.center[1] for box in from_above]
    some = from_above[:: 1 + len(boxes) // ENOUGH_STEPS]
    steps = sorted(step for step in (_step_below(box, from_above, middles) for box in some) if step is not None)
    return steps[int(LEAST_STEP * len(steps))] if steps else median(box.height for box in boxes)


def _step_below(box: Box, from_above: Sequence[Box], middles: Sequence[float]) -> float | None:
    """To the next box below it. Those on its own level are left out."""
    first = bisect_right(middles, box.center[1] + LEVEL * box.height)
    nearest = next((n for n in range(first, len(middles)) if from_above[n].overlap_x(box) > 0), None)
    return None if nearest is None else middles[nearest] - box.center[1]


def plain_white(lines: Sequence[Line]) -> float:
    """White that is wider than any space between these words; a typewriter's is as wide as its letters."""
    words = words_of(lines)
    plain = PLAIN * median(box.height for box, _ in words)
    if 2 * sum(line.mono for line in lines) < len(lines):
        return plain
    return max(plain, NEARLY * median(box.width / max(1, len(text)) for box, text in words))


def white_gaps(levels: RowLevels, plain: float) -> list[WhiteGap]:
    """Where white reaches down, though some words run across it."""
    height, rows = _height(levels), _with_cells_apart(levels, plain)
    allowed = int(CROSSED * len(rows))
    edges = sorted({edge for level in levels for box, _ in level for edge in (box.x0, box.x1)})
    place = {edge: n for n, edge in enumerate(edges)}
    crossed = Counter[int]()
    for row in rows:
        crossed.update({n for box, _ in row for n in range(place[box.x0], place[box.x1])})
    white = runs((n for n in range(len(edges) - 1) if crossed[n] <= allowed), lambda run, n: run[-1] == n - 1)
    gaps = [(edges[run[0]], edges[run[-1] + 1]) for run in white]
    gaps = [(left, right) for left, right in gaps if right - left > NARROWEST * height]
    return _cleared(gaps, levels, height, plain)


def _with_cells_apart(levels: RowLevels, plain: float) -> RowLevels:
    """The levels with cells apart, if most have some: a group's name stands alone; without the names of a few sums."""
    apart = [row for level in levels if len(row := runs_of(level, plain)) > 1]
    if 2 * len(apart) < len(levels):
        return levels
    sums = set(map(id, _sums(apart)))
    few = sums if len(sums) <= LEAST_SHARE * len(apart) else set()
    return [list(chain.from_iterable(row[1:] if id(row) in few else row)) for row in apart]


def _sums(rows: Sequence[list[list[SeenWord]]]) -> list[list[list[SeenWord]]]:
    """Those of fewer cells than usual, a name at the left side and a figure."""
    usual, left = median(map(len, rows)), min(row[0][0][0].x0 + row[0][0][0].height for row in rows)
    named = (row for row in rows if len(row) < usual and row[0][0][0].x0 < left)
    return [row for row in named if any(looks_like_number(text) for _, text in row[-1])]


def _height(levels: RowLevels) -> float:
    return median(box.height for level in levels for box, _ in level)


def _between_runs(gaps: Sequence[WhiteGap], levels: RowLevels, plain: float) -> list[WhiteGap]:
    """The gaps as far as rows with a run of words for each column leave them; or as these have them, if most are so."""
    full = [row for level in levels if len(row := runs_of(level, plain)) == len(gaps) + 1]
    found = []
    for n, (left, right) in enumerate(gaps):
        white = [(row[n][-1][0].x1, row[n + 1][0][0].x0) for row in full]
        end, start = max((a for a, _ in white), default=left), min((b for _, b in white), default=right)
        if max(left, end) < min(right, start):
            left, right = max(left, end), min(right, start)
        elif end < start and 2 * len(full) > len(levels):
            left, right = end, start
        found.append((left, right))
    return found


def cleared(gaps: Sequence[WhiteGap], levels: RowLevels, plain: float) -> list[WhiteGap]:
    """Each gap as far as cells leave it that reach into it, but not through it."""
    rows = map(partial(runs_of, plain=NEARLY * _blank(levels, plain)), levels if gaps else ())
    cells = [Box.around(box for box, _ in run) for row in rows if len(row) > 1 for run in row]
    return [_left_by(cells, *gap) for gap in gaps]


def _left_by(cells: Sequence[Box], left: float, right: float) -> WhiteGap:
    end = max((box.x1 for box in cells if box.x0 < left < box.x1 < right), default=left)
    start = min((box.x0 for box in cells if left < box.x0 < right < box.x1), default=right)
    return (end, start) if end < start else (left, right)


def runs_of(level: Sequence[SeenWord], plain: float) -> list[list[SeenWord]]:
    """Words of one level up to white that is wider than `plain`."""
    return runs(level, lambda run, word: word[0].x0 - run[-1][0].x1 <= plain)


def _cleared(gaps: list[WhiteGap], levels: RowLevels, height: float, plain: float) -> list[WhiteGap]:
    """Those with cells on both sides in many rows: spaces may stand in line by chance, and line ends be ragged."""
    several = sum(len(level) > 1 for level in levels)
    wide = 2 * _blank(levels, plain)
    chance = [gap for gap in gaps if _is_blanks(gap, levels) or _stands_by_repetition(gap, levels, wide)]
    gaps = [gap for gap in gaps if gap[1] - gap[0] > plain or gap not in chance]
    fewest = [SEVERAL if right - left > plain else FEWEST_NARROW for left, right in gaps]
    apart = {gap for n, gap in enumerate(gaps) if _ends_in_line_on_both_sides(gaps, n, levels, height, fewest[n])}

    def share(n: int) -> float:
        is_plain = gaps[n][1] - gaps[n][0] > plain
        named = is_plain and _rows_beside(gaps, n, levels[:1], plain)  # a column of few cells
        fewest = SEVERAL if is_plain else FEWEST_NARROW
        least = fewest if named else max(LEAST_SHARE * several, fewest)
        return math.inf if gaps[n] in apart else _rows_beside(gaps, n, levels, plain) / least

    shares = [share(n) for n in range(len(gaps))]
    while gaps and min(shares) < 1:
        worst = shares.index(min(shares))
        del gaps[worst], shares[worst]
        for n in range(max(0, worst - 1), min(worst + 1, len(gaps))):  # its neighbours' columns are wider now
            shares[n] = share(n)
    return gaps


def _ends_in_line_on_both_sides(
    gaps: Sequence[WhiteGap], n: int, levels: RowLevels, height: float, fewest: int
) -> bool:
    """Whether the last words on both sides end in line: money in and money out, of which a row has one."""
    start, end = _ends_of_columns(gaps, n)
    for low, high in ((start, gaps[n][0]), (gaps[n][1], end)):
        inside = [[word for word in level if low < word[0].center[0] < high] for level in levels]
        last = [(words[-1], not n) for n, words in enumerate(inside) if words]
        figures = [box.x1 for (box, text), _ in last if looks_like_number(text)]
        told = [box.x1 for (box, text), is_head in last if is_head or looks_like_number(text)]
        in_line = sum(abs(end - median(figures)) < FLUSH * height for end in told) if figures else 0
        if in_line < fewest or in_line < MOSTLY * sum(map(bool, inside)) - 1:  # its head may be centred
            return False
    return True


def _stands_by_repetition(gap: WhiteGap, levels: RowLevels, wide: float) -> bool:
    """Whether white that isn't `wide` stands in line since the same words stand beside it: `True if file exists`."""
    left = ([word for word in level if word[0].x1 <= gap[0] + 1] for level in levels)
    right = ([word for word in level if word[0].x0 >= gap[1] - 1] for level in levels)
    before = [max(words, key=lambda word: word[0].x1) for words in left if words]
    after = [min(words, key=lambda word: word[0].x0) for words in right if words]
    figures, names = parted(before, lambda word: looks_like_number(word[1]))
    if gap[1] - gap[0] > wide or (2 * len(names) <= len(before) and not _are_alike(figures)):
        return False  # a number and its unit, row by row, are two columns; a day and its month are none
    return _are_repeated(names) or _are_repeated([word for word in after if not looks_like_number(word[1])])


def _are_alike(figures: Sequence[SeenWord]) -> bool:
    """Whether they are as wide as each other, and don't count the rows."""
    widths = [box.width for box, _ in figures]
    return bool(widths) and max(widths) < WIDER * min(widths) and not are_counts([text for _, text in figures])


def _is_blanks(gap: WhiteGap, levels: RowLevels) -> bool:
    """Whether narrow white is blanks, in nearly all rows: Korean words of one width stand in line so, and dashes.

    So does the one unit of a column's figures, which no word of the head names.
    """
    beside = [(a, b) for level in levels for a, b in pairwise(level) if a[0].x1 <= gap[0] + 1 and gap[1] - 1 <= b[0].x0]
    dashed, others = parted(beside, lambda pair: not DASHES.isdisjoint((pair[0][1], pair[1][1])))
    close = [(a, b) for a, b in others if a[0].gap_x(b[0]) < WIDE_GAP * b[0].height]
    figures, worded = parted(close, _has_figure)
    units = {unit for _, (_, unit) in figures}
    return len(dashed) + len(figures if len(units) == 1 and not worded else worded) > MOSTLY * len(beside)


def _has_figure(words: Sequence[SeenWord]) -> bool:
    return any(looks_like_number(text) for _, text in words)


def _are_repeated(words: Sequence[SeenWord]) -> bool:
    return bool(words) and 2 * len({text for _, text in words}) <= len(words)


def _rows_beside(gaps: Sequence[WhiteGap], n: int, levels: RowLevels, plain: float) -> int:
    """How many levels have words on both sides of the gap, up to the next gaps, and as much or `plain` white there."""
    (start, end), (left, right) = _ends_of_columns(gaps, n), gaps[n]
    middle, least = (left + right) / 2, min(right - left, plain)
    held = ([box for box, _ in level if start < box.center[0] < end] for level in levels)
    beside = ((a, b) for boxes in held for a, b in pairwise(boxes) if a.center[0] < middle <= b.center[0])
    return sum(b.x0 - a.x1 >= least for a, b in beside)


def _ends_of_columns(gaps: Sequence[WhiteGap], n: int) -> WhiteGap:
    """Where the column before a gap begins, and the one behind it ends: heads may stand in the white beside them."""
    return sum(gaps[n - 1]) / 2 if n else -math.inf, sum(gaps[n + 1]) / 2 if n + 1 < len(gaps) else math.inf


def _blank(levels: RowLevels, plain: float) -> float:
    """The usual white between two words of one cell."""
    height = _height(levels)
    gaps = [b.x0 - a.x1 for level in levels for (a, _), (b, _) in pairwise(level)]
    return median([gap for gap in gaps if 0 < gap < plain] or [BLANK * height])


def _behind_narrow_white(levels: RowLevels, gutters: Sequence[float], plain: float) -> set[int]:
    """The columns before which white is usually no wider than between words."""
    pairs = [(a, b) for level in levels for (a, _), (b, _) in pairwise(level)]
    beside = ([b.x0 - a.x1 for a, b in pairs if a.center[0] < gutter <= b.center[0]] for gutter in gutters)
    return {column for column, white in enumerate(beside, start=1) if median(white or [0.0]) <= plain}


def _usual_ends(levels: RowLevels, gutters: Sequence[float]) -> list[WhiteGap]:
    """Where each column's cells usually begin and end."""
    found = []
    for low, high in pairwise([-math.inf, *gutters, math.inf]):
        inside = [words for level in levels if (words := [w for w in level if low < w[0].center[0] < high])]
        starts, stops = [words[0][0].x0 for words in inside], [words[-1][0].x1 for words in inside]
        found.append((median(starts), median(stops)) if inside else (low, high))
    return found


def _text_row(
    level: Sequence[SeenWord],
    gutters: Sequence[float],
    blank: float,
    ends: Sequence[WhiteGap],
    narrow: Set[int],
    begins_line: frozenset[Box],
    lines: Mapping[Box, Line],
) -> TextRow:
    """A word may run across a gutter with those before it, but not where its line begins: the file sets it apart.

    Where white is a blank here and wide elsewhere, but for `narrow` columns, one end in line tells nothing.
    """
    held: dict[int, list[SeenWord]] = {}
    worded = not _has_figure(level)
    last, told = -1, worded and _name_all(level, gutters, ends)
    names = worded and len(runs_of(level, blank)) > 1
    for before, word in pairwise([level[0], *level]):
        column = bisect_left(gutters, word[0].center[0])
        if last not in (-1, column) and word[0].x0 - before[0].x1 <= blank and word[0] not in begins_line and not told:
            apart = _are_parted(before, word, ends[last][1], ends[column][0], one_tells=names or column in narrow)
            column = column if apart else last  # the words run across the gutter
        held.setdefault(column, []).append(word)
        last = column
    cells = {column: list(map(piece_of, _cell_lines(words))) for column, words in held.items()}
    spans = {n: max(1 + max(0, bisect_left(gutters, p.box.x1) - n) for p in row) for n, row in cells.items()}
    of = [lines[box] for box, _ in level]
    size = max((line.size for line in of if line.is_exact), default=0.0)
    return TextRow(cells, spans, Box.around(box for box, _ in level), bold=all(line.bold for line in of), size=size)


def _are_parted(before: SeenWord, word: SeenWord, end: float, start: float, *, one_tells: bool) -> bool:
    """Whether one ends, or the other begins, where cells of their columns usually do; both, or a figure, if not."""
    flush = FLUSH * word[0].height
    begins, ended = abs(word[0].x0 - start) < flush, abs(before[0].x1 - end) < flush
    return (begins or ended) if one_tells else ended and (begins or looks_like_number(before[1]))


def _name_all(level: Sequence[SeenWord], gutters: Sequence[float], ends: Sequence[WhiteGap]) -> bool:
    """Whether what stands in each column begins or ends, or has its middle, where its cells usually do."""
    held = ([box for box, _ in level if bisect_left(gutters, box.center[0]) == n] for n in range(len(ends)))
    boxes = [Box.around(each) for each in held if each]
    off = [(box.x0 - start, box.x1 - end) for box, (start, end) in zip(boxes, ends, strict=False)]
    near = (min(abs(a), abs(b), abs(a + b) / 2) < FLUSH * box.height for (a, b), box in zip(off, boxes, strict=True))
    return len(boxes) == len(ends) and all(near)


def _line_by_line(row: TextRow) -> list[TextRow]:
    """The lines of a level that has a figure in each, where a name beside them stands in the middle: it has rows."""
    tall = {column: pieces for column, pieces in row.cells.items() if len(pieces) > 1}
    counts = set(map(len, tall.values()))
    if len(tall) < SEVERAL or len(counts) > 1 or not any(map(_are_figures, tall.values())):
        return [row]
    beside = {column: row.cells[column] for column in row.cells.keys() - tall.keys()}
    first, *rest = ({column: [pieces[n]] for column, pieces in tall.items()} for n in range(counts.pop()))
    return [_with_cells(row, cells) for cells in (beside | first, *rest)]


def _are_figures(pieces: Sequence[CellPiece]) -> bool:
    return all(looks_like_number(piece.text) for piece in pieces)


def _with_cells(row: TextRow, cells: dict[int, list[CellPiece]]) -> TextRow:
    box = around(chain.from_iterable(cells.values()))
    return TextRow(
        dict(sorted(cells.items())), {column: row.spans[column] for column in cells}, box, row.bold, row.size
    )


def _cell_lines(words: Sequence[SeenWord]) -> list[list[SeenWord]]:
    return level_rows(
        words, lambda line, w: w[0].center[1] - line[0][0].center[1] < LEVEL * w[0].height, lambda w: w[0]
    )
