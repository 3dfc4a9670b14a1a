"""What part of a decoding step is the device's, and what the host's. Knows calls to time; no model."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from itertools import pairwise
from typing import Any


class Stopwatch:
    """When the device works, for the model and for the choice from its logits; the rest of a step is the host's."""

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
        """A step's, the median of all: from a choice to the next model, and from there to its choice.

        The calls are model and choice in turn.
        """
        waits = [start - stop for (_, stop), (start, _) in pairwise(self._stretches)]
        return statistics.median(a + b for a, b in zip(waits[::2], waits[1::2], strict=False)) if waits else 0.0
