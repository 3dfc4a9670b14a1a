"""What the places of words tell of a page's tables and of its order. Knows words with boxes and texts of cells.

Words that stand level and near each other are a run, as a reader would take them together: a cell should hold it whole
and no second one beside it, and the runs of one line should share a row.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, groupby
from statistics import mean, median

from docparse_fast.geometry import Box, runs
from docparse_fast.text.placed_words import PlacedWord

BLANK = 0.5  # of the letters' height: words of a sentence stand no farther apart
WIDE = 1.0  # of the letters' height: a gap that parts two runs
WIDER = 2.0  # a gap that hardly stands within a sentence
LEVEL = 0.5  # of the lower one's height that two words of one line share
STEP, NARROW = 0.2, 2  # of the letters' height; how many of them a strip of white has at least
CROSSED, BOTH = 0.1, 0.6  # of a table's lines: those that may cross a strip, those that have words on both sides
FEWEST_LINES = 3
MOST_STEPS = 5000
MOST_LOOKS = 100_000  # rows by runs of a table; a larger one is not looked at


@dataclass(frozen=True, slots=True)
class WordRun:
    """Words of one line, none far from the next."""

    box: Box
    key: str  # their letters, without blanks


def lines_of(words: Iterable[PlacedWord]) -> list[list[PlacedWord]]:
    """Words that stand level, from the left; lines from top to bottom.

    >>> [[text for _, text in line] for line in lines_of([(Box(9, 0, 12, 9), "b"), (Box(0, 1, 3, 9), "a")])]
    [['a', 'b']]
    """

    def is_level(line: Sequence[PlacedWord], word: PlacedWord) -> bool:
        last, box = line[-1][0], word[0]
        return last.overlap_y(box) > LEVEL * min(last.height, box.height)

    lines = runs(sorted(words, key=lambda word: word[0].center[1]), is_level)
    return [sorted(line, key=lambda word: word[0].x0) for line in lines]


def runs_of(line: Sequence[PlacedWord], gap: float = WIDE) -> list[WordRun]:
    parts = _parts(line, gap)
    return [WordRun(Box.around(box for box, _ in part), _key("".join(text for _, text in part))) for part in parts]


def _parts(line: Sequence[PlacedWord], gap: float) -> list[list[PlacedWord]]:
    height = median(box.height for box, _ in line)
    return runs(line, lambda part, word: word[0].x0 - part[-1][0].x1 <= gap * height)


def _key(text: str) -> str:
    return "".join(text.split())


@dataclass(frozen=True)
class WordedTable:
    """A table's cells, row by row, beside the words it was made of."""

    rows: Sequence[Sequence[str]]
    words: Sequence[PlacedWord]

    @cached_property
    def lines(self) -> list[list[WordRun]]:
        lines = [runs_of(line) for line in lines_of(self.words)]
        small = len(self.rows) * sum(map(len, lines)) <= MOST_LOOKS
        return lines if small else []

    @cached_property
    def keys(self) -> list[list[str]]:
        return [[key for cell in row if (key := _key(cell))] for row in self.rows]

    @property
    def torn_runs(self) -> float:
        """The share of runs that stand whole in no cell."""
        runs = [run for line in self.lines for run in line]
        cells = {key for row in self.keys for key in row}
        return mean(not _held(run, cells) for run in runs) if runs else 0.0

    @property
    def lines_a_row(self) -> float:
        return len(lines_of(self.words)) / max(1, len(self.rows))

    @property
    def torn_lines(self) -> float:
        """The share of lines of several runs that no row holds."""
        wide = [line for line in self.lines if len(line) > 1]
        return mean(not any(_holds(row, line) for row in self.keys) for line in wide) if wide else 0.0

    @property
    def merged_lines(self) -> float:
        """The share of rows that hold several lines of several runs."""
        wide = [line for line in self.lines if len(line) > 1]
        return mean(sum(_holds(row, line) for line in wide) > 1 for row in self.keys) if self.keys and wide else 0.0

    def torn_phrase(self, fewest: int) -> str | None:
        """Words of one line, a blank from each other, that stand in as many cells of a row as `fewest`, or more."""
        words = [word for word in self.words if any(map(str.isalpha, word[1]))] if self.lines else []
        phrases = (part for line in lines_of(words) for part in _parts(line, BLANK) if len(part) >= 2 * fewest)
        texts = (" ".join(text for _, text in part) for part in phrases)
        return next((text for text in texts if self._fewest_pieces(_key(text)) >= fewest), None)

    def _fewest_pieces(self, phrase: str) -> int:
        """Into how many pieces the cells of a row part it, where they hold all of it."""
        if any(phrase in cell for row in self.keys for cell in row):
            return 1
        return min(filter(None, (_pieces(phrase, row) for row in self.keys)), default=0)

    @property
    def strips(self) -> int:
        """By how many the strips of white between the words are more than those between the columns, or fewer."""
        lines = [line for line in lines_of(self.words) if len(line) > 1]
        columns = max(map(len, self.rows), default=0)
        return white_strips(lines) + 1 - columns if len(lines) >= FEWEST_LINES else 0


def white_strips(lines: Sequence[Sequence[PlacedWord]]) -> int:
    """How many strips of white run from top to bottom between words."""
    step = STEP * median(box.height for line in lines for box, _ in line)
    left = min(line[0][0].x0 for line in lines)
    count = min(MOST_STEPS, int((max(line[-1][0].x1 for line in lines) - left) / max(step, 1e-3)) + 1)
    crossed, between = [0] * (count + 1), [0] * (count + 1)
    for line in lines:
        for box, _ in line:
            _add(crossed, (box.x0 - left) / step, (box.x1 - left) / step)
        _add(between, (line[0][0].x1 - left) / step, (line[-1][0].x0 - left) / step)
    within = zip(accumulate(crossed), accumulate(between), strict=True)
    white = [c <= CROSSED * len(lines) and b >= BOTH * len(lines) for c, b in within]
    return sum(is_white and len(list(run)) >= NARROW for is_white, run in groupby(white))


def _add(steps: list[int], start: float, end: float) -> None:
    """Counts one more from step to step: as differences."""
    last = len(steps) - 1
    first, after = min(last, max(0, int(start))), min(last, max(0, int(end) + 1))
    if first < after:
        steps[first] += 1
        steps[after] -= 1


def _pieces(phrase: str, row: Sequence[str]) -> int:
    """Into how many pieces cells of a row part it, each as long as one allows; 0 where they don't hold all of it."""
    count = 0
    while phrase:
        held = max((_held_of(phrase, cell) for cell in row), default=0)
        if not held:
            return 0
        phrase, count = phrase[held:], count + 1
    return count


def _held_of(phrase: str, cell: str) -> int:
    """How many of its first letters a cell holds."""
    return bisect(range(1, len(phrase) + 1), 0, key=lambda end: phrase[:end] not in cell)


def _held(run: WordRun, cells: set[str]) -> bool:
    return run.key in cells or any(run.key in cell for cell in cells)


def _holds(row: Sequence[str], line: Sequence[WordRun]) -> bool:
    return all(any(run.key in cell for cell in row) for run in line)


def read_across(blocks: Iterable[Sequence[PlacedWord]]) -> float:
    """The share of lines of running text that have a gap in them."""
    lines = [line for words in blocks for line in lines_of(words) if len(line) > 1]
    return mean(len(runs_of(line, WIDER)) > 1 for line in lines) if lines else 0.0


def lines_at(table: Box, others: Iterable[PlacedWord], reach: float) -> int:
    """How many lines of several runs stand above or below a table, no farther off than `reach`."""
    lines = lines_of(word for word in others if table.y0 - reach < word[0].center[1] < table.y1 + reach)
    outside = (line for line in lines if not table.y0 < line[0][0].center[1] < table.y1)
    return sum(len(runs_of(line)) > 1 for line in outside)
