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
    """

    clock: Callable[[], float] = time.perf_counter
    sync: Callable[[], None] = _no_sync
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def span(self, name: str) -> Iterator[None]:
        self.sync()
        start = self.clock()
        try:
            yield
        finally:
            self.sync()
            self.seconds[name] = self.seconds.get(name, 0.0) + self.clock() - start
