"""Handles Ctrl-C: the first only sets a flag, the second raises. Knows signals only."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@dataclass(slots=True)
class Interrupts:
    asked: bool = False

    def heard(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


@contextmanager
def interrupts() -> Iterator[Interrupts]:
    """While entered, the first SIGINT or SIGTERM only sets `asked`. For the main thread."""
    heard = Interrupts()
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number in SIGNALS:
        signal.signal(number, heard.heard)
    try:
        yield heard
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
