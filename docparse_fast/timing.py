"""Named spans of time behind one injected clock. Knows nothing of what is timed; a device's sync is handed in."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


def _no_sync() -> None:
    """Nothing to do: a CPU has finished when the call returns."""


@dataclass(slots=True)
class Timer:
    """Seconds by span name, summed over all times the span was entered.

    >>> timer = Timer(clock=iter([0.0, 1.5]).__next__)
    >>> with timer.span("draft"):
    ...     pass
    >>> timer.seconds
    {'draft': 1.5}

    What is asked for within another span and counts by itself is taken out of the span around it:

    >>> timer = Timer(clock=iter([0.0, 1.0, 4.0, 5.0]).__next__)
    >>> with timer.span("draft"), timer.span("raster", aside=True):
    ...     pass
    >>> timer.seconds
    {'raster': 3.0, 'draft': 2.0}
    """

    clock: Callable[[], float] = time.perf_counter
    sync: Callable[[], None] = _no_sync
    seconds: dict[str, float] = field(default_factory=dict)
    _aside: float = 0.0  # counted by itself so far

    @contextmanager
    def span(self, name: str, *, aside: bool = False) -> Iterator[None]:
        self.sync()
        start, before = self.clock(), self._aside
        try:
            yield
        finally:
            self.sync()
            own = self.clock() - start - (self._aside - before)
            self.seconds[name] = self.seconds.get(name, 0.0) + own
            if aside:
                self._aside += own


@dataclass(slots=True)
class NowAndThen:
    """Says when it is time again for something that costs time itself, and must not take most of it.

    >>> moments = iter([0.0, 1.0, 1.5, 60.0])
    >>> saving = NowAndThen(every=2.0, share=0.02, clock=moments.__next__)
    >>> with saving.doing():   # for one second, so that it may be done again after fifty
    ...     pass
    >>> saving.is_due, saving.is_due
    (False, True)
    """

    every: float  # seconds at least
    share: float  # of the time, at most
    clock: Callable[[], float] = time.monotonic
    _due: float = 0.0

    @property
    def is_due(self) -> bool:
        return self.clock() > self._due

    @contextmanager
    def doing(self) -> Iterator[None]:
        start = self.clock()
        try:
            yield
        finally:
            end = self.clock()
            self._due = end + max(self.every, (end - start) / self.share)
