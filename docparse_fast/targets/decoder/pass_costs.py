"""Measures what this machine's passes cost, once for each model, device and dtype, and stores it for later runs.

Knows clocks and a file in the user's cache folder, no tensor; the caller passes in the pass to run. An existing table
is used unchanged, so that a second run grows the same trees as the first.

How long it may take is bounded by passes on a CPU: a large model is slow to measure and slower still to use with a
wrong table. On a GPU, whose costs are nearly known, it is bounded by seconds.
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from docparse_fast.speculative.costs import CostTable
from docparse_fast.system.typed_json import read, written

ROUNDS = 12  # at most
ROWS = (1, 2, 4, 8, 16)
NARROW = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)  # a CPU's costs rise early and in steps
WIDE = (1, 2, 4, 8, 16, 32, 64)  # a GPU's hardly rise
TOKENS = 128  # in a measured pass: larger passes are never worth it, and their costs follow from the smaller ones
AGREEING = 1.15  # a cell's two quickest passes differ by less on a quiet machine
QUIET = 0.75  # of one row's cells agree on a quiet machine

Cell = tuple[int, int]  # rows, width

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Effort:
    """How much measuring is worth."""

    seconds: float  # after which no more passes are made than the least
    alone: int  # the least passes for each width of one row, however long they take
    beside: int  # ... for each width of several rows
    warm_ups: int = 0  # passes of each shape before those that count


ON_CPU = Effort(seconds=6.0, alone=3, beside=1)
ON_GPU = Effort(seconds=3.0, alone=0, beside=0, warm_ups=3)  # a shape is recorded at its third use


@dataclass(frozen=True, slots=True)
class Measured:
    rows: tuple[int, ...]
    costs: tuple[tuple[float, ...], ...]
    seconds: float  # of the pass that costs 1
    is_whole: bool  # all widths of one row were measured; else the next run tries again


def stored(path: Path, measured: Callable[[], tuple[CostTable, bool]], since: float = 0.0) -> CostTable:
    """The table at `path` if it is not older than `since`; else a new one, which is stored there if it says so."""
    try:
        if path.stat().st_mtime >= since:
            return read(CostTable, json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        pass
    except (OSError, ValueError, TypeError, KeyError) as error:
        log.warning("the cost table %s can't be read (%s); measuring again", path, error)
    table, is_whole = measured()
    if not is_whole:
        return table
    try:
        _store(path, table)
    except OSError as error:
        log.warning("the cost table can't be kept at %s (%s); the next run may measure another", path, error)
    return table


def default_folder() -> Path:
    """`$XDG_CACHE_HOME/docparse-fast/costs`."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "docparse-fast" / "costs"


def measure(
    run: Callable[[int, int], object],
    slots: int,
    widths: Sequence[int],
    clock: Callable[[], float],
    effort: Effort = ON_CPU,
    assumed: CostTable | None = None,
) -> Measured:
    """`run(rows, width)` is one pass. What there is no time for costs as much more as is `assumed`, if anything is.

    One row's widths come first: most passes are of these. On a busy machine they get a second look.
    """
    rows = tuple(count for count in ROWS if count <= slots)
    alone = [(1, width) for width in widths]
    beside = [(count, width) for count in rows[1:] for width in _spread(widths) if count * width <= TOKENS]
    timed = TimedPasses(run, clock, time.perf_counter() + effort.seconds, effort.warm_ups)
    run(*alone[0])  # the very first pass is slow on any device
    timed.at(alone, effort.alone)
    timed.at(beside, effort.beside)
    timed.at([*alone, *beside], 0)
    if effort.alone and not timed.are_quiet(alone):
        timed.at(alone, effort.alone)
    quickest = without_noise(timed.quickest)
    unit = quickest[1, 1]
    costs = tuple(tuple(cost / unit for cost in _line(count, widths, quickest, assumed)) for count in rows)
    return Measured(rows, costs, unit, is_whole=all(cell in quickest for cell in alone))


def _spread(widths: Sequence[int]) -> list[int]:
    """Every other width and the last: for several rows the costs between are on a short line."""
    return sorted({*widths[::2], widths[-1]})


@dataclass(slots=True)
class TimedPasses:
    """Timed passes by cell: all noise adds time, so the quickest counts."""

    run: Callable[[int, int], object]
    clock: Callable[[], float]
    end: float  # by time.perf_counter
    warm_ups: int = 0
    seconds: dict[Cell, list[float]] = field(default_factory=lambda: defaultdict(list))

    @property
    def quickest(self) -> dict[Cell, float]:
        return {cell: min(found) for cell, found in self.seconds.items()}

    def at(self, cells: Sequence[Cell], least: int) -> None:
        """Passes of all cells in turns, `least` of each in any case, then more while there is time."""
        for number in range(least or ROUNDS):
            for cell in cells:
                if number >= least and time.perf_counter() > self.end and len(self.seconds) > 1:
                    return
                if least or len(self.seconds.get(cell, ())) < ROUNDS:
                    self._time(cell)

    def are_quiet(self, cells: Iterable[Cell]) -> bool:
        pairs = [sorted(found)[:2] for cell in cells if len(found := self.seconds[cell]) > 1]
        agreeing = sum(second <= AGREEING * first for first, second in pairs)
        return agreeing >= QUIET * len(pairs)

    def _time(self, cell: Cell) -> None:
        if cell not in self.seconds:
            for _ in range(self.warm_ups):
                self.run(*cell)
        start = self.clock()
        self.run(*cell)
        self.seconds[cell].append(self.clock() - start)


def quickest_of(
    cells: Sequence[Cell], run: Callable[[int, int], object], clock: Callable[[], float], seconds: float
) -> dict[Cell, float]:
    """Each cell's quickest pass over several rounds, as far as the time allows."""
    timed = TimedPasses(run, clock, time.perf_counter() + seconds)
    timed.at(cells, 0)
    return timed.quickest


def without_noise(quickest: Mapping[Cell, float]) -> dict[Cell, float]:
    """Lowers each cost to the least of the passes with as many rows and as much width or more.

    A pass could be padded to any of these, so it need not cost more.

    On a busy machine some cells are always disturbed; without this, two tokens could seem to cost as much as eight.
    """
    return {
        (rows, width): min(cost for (more, wider), cost in quickest.items() if more >= rows and wider >= width)
        for rows, width in quickest
    }


def _line(rows: int, widths: Sequence[int], quickest: Mapping[Cell, float], assumed: CostTable | None) -> list[float]:
    """The costs for one number of rows, measured or between two measured ones; beyond them as `assumed`.

    With nothing assumed, they go on along the last two; with less than two, a pass costs its tokens.
    """
    known = [(width, quickest[rows, width]) for width in widths if (rows, width) in quickest]
    if assumed is not None:
        nearest = (rows, known[-1][0]) if known else max(cell for cell in quickest if cell[0] == 1)
        unit = quickest[nearest] / assumed.cost(*nearest)
        beyond = [width for width in widths if not known or width > known[-1][0]]
        known += [(width, unit * assumed.cost(rows, width)) for width in beyond]
    if len(known) < 2:
        single = [(width, cost) for (count, width), cost in sorted(quickest.items()) if count == 1]
        return [_extended(single, rows * width) for width in widths]
    return [quickest.get((rows, width)) or _extended(known, width) for width in widths]


def _extended(known: Sequence[tuple[int, float]], width: int) -> float:
    """On the straight line through the two known points next to `width`, or through the last two."""
    right = next((index for index, (at, _) in enumerate(known) if at >= width), len(known) - 1)
    right = max(right, 1)
    (low, low_cost), (high, high_cost) = known[right - 1], known[right]
    return low_cost + max(high_cost - low_cost, 0.0) * (width - low) / (high - low)


def _store(path: Path, table: CostTable) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, suffix=".part", delete=False, encoding="utf-8") as part:
        part.write(written(table))
    Path(part.name).replace(path)
