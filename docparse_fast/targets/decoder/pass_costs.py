"""Measures what this machine's passes cost, once for each model, device and dtype, and stores it for later runs.

Knows clocks and a file in the user's cache folder, no tensor; the caller passes in the pass to run. An existing table
is used unchanged, so that a second run grows the same trees as the first.
"""

from __future__ import annotations

import logging
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from docparse_fast.speculative.costs import CostTable

SECONDS = 6.0  # for the whole measurement, without warm-ups
ROUNDS = 12  # at most
ROWS = (1, 2, 4, 8, 16)
NARROW = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)  # a CPU's costs rise early and in steps
WIDE = (1, 2, 4, 8, 16, 32, 64)  # a GPU's hardly rise
TOKENS = 128  # in a measured pass: larger passes are never worth it, and their costs follow from the smaller ones

Cell = tuple[int, int]  # rows, width

log = logging.getLogger(__name__)


def stored(path: Path, measured: Callable[[], CostTable]) -> CostTable:
    """The table at `path`, or a new one, which is stored there."""
    try:
        return CostTable.from_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        pass
    except (OSError, ValueError, TypeError, KeyError) as error:
        log.warning("the cost table %s can't be read (%s); measuring again", path, error)
    table = measured()
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
    *,
    captures: bool = False,
) -> tuple[tuple[int, ...], tuple[tuple[float, ...], ...], float]:
    """Returns rows, costs and the seconds of the pass that costs 1; `run(rows, width)` is one pass.

    `captures`: each shape's first pass captures a graph and does not count.
    """
    rows = tuple(count for count in ROWS if count <= slots)
    cells = [(count, width) for count in rows for width in widths if count == 1 or count * width <= TOKENS]
    for cell in cells if captures else cells[:1]:
        run(*cell)
    quickest = without_noise(quickest_of(cells, run, clock, SECONDS))
    unit = quickest[1, 1]
    return rows, tuple(tuple(cost / unit for cost in _line(count, widths, quickest)) for count in rows), unit


def quickest_of(
    cells: Sequence[Cell], run: Callable[[int, int], object], clock: Callable[[], float], seconds: float
) -> dict[Cell, float]:
    """Each cell's quickest pass over several rounds (noise only adds time), as far as the time allows."""
    quickest: dict[Cell, float] = {}
    end = time.perf_counter() + seconds
    for _ in range(ROUNDS):
        for cell in cells:
            if time.perf_counter() > end and len(quickest) > 1:
                return quickest
            start = clock()
            run(*cell)
            quickest[cell] = min(clock() - start, quickest.get(cell, float("inf")))
    return quickest


def without_noise(quickest: Mapping[Cell, float]) -> dict[Cell, float]:
    """Lowers each cost to the least of the passes with as many rows and as much width or more.

    A pass could be padded to any of these, so it need not cost more.

    On a busy machine some cells are always disturbed; without this, two tokens could seem to cost as much as eight.
    """
    return {
        (rows, width): min(cost for (more, wider), cost in quickest.items() if more >= rows and wider >= width)
        for rows, width in quickest
    }


def _line(rows: int, widths: Sequence[int], quickest: Mapping[Cell, float]) -> list[float]:
    """The costs for one number of rows.

    An unmeasured width lies on the line through the last two measured; without two, a pass costs its tokens.
    """
    known = [(width, quickest[rows, width]) for width in widths if (rows, width) in quickest]
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
        part.write(table.to_json())
    Path(part.name).replace(path)
