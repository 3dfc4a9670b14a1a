"""Turns Ctrl-C and SIGTERM into an exception, and remembers that they came.

It must remember, because native code that is being loaded when the signal comes replaces the exception by an
ImportError, which looks like any other failure of a page.
"""

from __future__ import annotations

import signal
from dataclasses import dataclass
from types import FrameType


@dataclass(slots=True)
class Interruption:
    heard: bool = False

    def listen(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._hear)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self.heard = True
        raise KeyboardInterrupt


INTERRUPTION = Interruption()
