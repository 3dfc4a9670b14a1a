"""What this machine's passes cost: measured once for a model, device and dtype, stored, and read back ever after.

Knows clocks and a file in the user's cache folder, no tensor; a pass is handed in as something to run. A table that is
there is used as it is, so that a second run grows the same trees as the first.
"""

from __future__ import annotations

import logging
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from docparse_fast.speculative.costs import CostTable

SECONDS = 6.0  # for the whole measurement, warm-ups apart
ROUNDS = 12  # of it at most
ROWS = (1, 2, 4, 8, 16)
NARROW = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)  # a CPU's costs rise early and by steps
WIDE = (1, 2, 4, 8, 16, 32, 64)  # a GPU's hardly rise
TOKENS = 128  # in a measured pass: dearer ones are never worth it, and follow from the cheaper ones

Cell = tuple[int, int]  # rows, width

log = logging.getLogger(__name__)


def stored(path: Path, measured: Callable[[], CostTable]) -> CostTable:
    """The table at `path`, or a fresh one, put there."""
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
    """Rows, costs and the seconds of the pass that costs 1; `run(rows, width)` is one pass.

    `captures`: each shape's first pass is like no other, and is not to count.
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
    """Each cell's quickest pass over some rounds (noise only ever adds), as many cells and rounds as time allows."""
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
    """No pass costs more than one of as many rows and as much width or more: it could have been padded to that.

    On a busy machine some cells never get a quiet moment; without this, a table could say that two tokens cost eight.
    """
    return {
        (rows, width): min(cost for (more, wider), cost in quickest.items() if more >= rows and wider >= width)
        for rows, width in quickest
    }


def _line(rows: int, widths: Sequence[int], quickest: Mapping[Cell, float]) -> list[float]:
    """One row count's costs.

    A width not measured lies on the last two that were; without two, a pass costs its tokens.
    """
    known = [(width, quickest[rows, width]) for width in widths if (rows, width) in quickest]
    if len(known) < 2:
        single = [(width, cost) for (count, width), cost in sorted(quickest.items()) if count == 1]
        return [_extended(single, rows * width) for width in widths]
    return [quickest.get((rows, width)) or _extended(known, width) for width in widths]


def _extended(known: Sequence[tuple[int, float]], width: int) -> float:
    """On the straight line through the two known points next to `width`, or the last two."""
    right = next((index for index, (at, _) in enumerate(known) if at >= width), len(known) - 1)
    right = max(right, 1)
    (low, low_cost), (high, high_cost) = known[right - 1], known[right]
    return low_cost + max(high_cost - low_cost, 0.0) * (width - low) / (high - low)


def _store(path: Path, table: CostTable) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, suffix=".part", delete=False, encoding="utf-8") as part:
        part.write(table.to_json())
    Path(part.name).replace(path)
