"""Turns Ctrl-C and SIGTERM into an exception, and remembers that they came.

It must remember, because native code that is being loaded when the signal comes replaces the exception by an
ImportError, which looks like any other failure of a page.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType


@dataclass(slots=True)
class Interruption:
    heard: bool = False

    def listen(self) -> None:
        with _held_back(signal.SIGINT, signal.SIGTERM) as numbers:
            for number in numbers:
                signal.signal(number, self._hear)
                _act_once(number)
        sys.unraisablehook = _report_unless_interrupt

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self.heard = True
        raise KeyboardInterrupt


def _report_unless_interrupt(ignored: sys.UnraisableHookArgs) -> None:
    """Python prints what is raised while it clears an object away, then goes on; the interrupt was remembered."""
    if not isinstance(ignored.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(ignored)


@contextmanager
def _held_back(*numbers: signal.Signals) -> Iterator[Sequence[signal.Signals]]:
    """Signals that come meanwhile wait, where a system has that: between two handlers they would be lost."""
    if sys.platform == "win32":
        yield numbers
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield numbers
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _act_once(number: int) -> None:
    """The handler is called for the first signal; a second one ends the process, as the system does by itself.

    Python calls a handler only between its own instructions, and MuPDF may draw one page for hours.
    """
    if sys.platform != "linux":
        return
    import ctypes

    with suppress(OSError, AttributeError):  # another C library than GNU's
        library = ctypes.CDLL(None)
        by_default, for_one = library.signal, library["__sysv_signal"]
        for each in (by_default, for_one):
            each.argtypes, each.restype = (ctypes.c_int, ctypes.c_void_p), ctypes.c_void_p
        for_one(number, by_default(number, None))


INTERRUPTION = Interruption()
