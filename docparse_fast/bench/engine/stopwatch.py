"""Splits a decoding step's time into the device's part and the host's. Knows calls to time; no model."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from itertools import pairwise
from typing import Any


class Stopwatch:
    """Times the device's two calls of a step, model and choice; the rest of the step is the host's."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._stretches: list[tuple[float, float]] = []

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*inputs: Any) -> Any:
            start = self._clock()
            result = call(*inputs)
            self._stretches.append((start, self._clock()))
            return result

        return timed

    def host_seconds(self) -> float:
        """The median over all steps of the host's time: before the model, and between model and choice.

        The timed calls alternate between model and choice.
        """
        waits = [start - stop for (_, stop), (start, _) in pairwise(self._stretches)]
        return statistics.median(a + b for a, b in zip(waits[::2], waits[1::2], strict=False)) if waits else 0.0
