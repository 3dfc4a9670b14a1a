"""Whose seconds count, and how much memory was held at most. Knows the operating system; a device is handed in.

On a CPU the process's own seconds count, of all its threads: other work on the machine doesn't. What a GPU takes, the
host waits for: there it is wall seconds, and `now` is told once the device is done.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from docparse_fast.timing import Timer

CLEAR_REFS = Path("/proc/self/clear_refs")
STATUS = Path("/proc/self/status")
RESET_PEAK = "5"  # what Linux calls it


def _nothing() -> None:
    """A CPU has no memory of its own."""


def _none() -> int | None:
    return None


@dataclass(frozen=True, slots=True)
class Clock:
    """
    >>> ticks = iter([1.0, 3.5])
    >>> timer = Clock("cpu", ticks.__next__).timer()
    >>> with timer.span("decode"):
    ...     pass
    >>> timer.seconds
    {'decode': 2.5}
    """

    kind: Literal["cpu", "wall"] = "cpu"
    now: Callable[[], float] = time.process_time
    forget_device_peak: Callable[[], None] = _nothing
    device_peak_bytes: Callable[[], int | None] = _none

    def timer(self) -> Timer:
        return Timer(self.now)


CPU = Clock()


def forget_peak() -> None:
    """From here on `peak_bytes` counts anew, where the system can do that."""
    with suppress(OSError):
        CLEAR_REFS.write_text(RESET_PEAK)


def peak_bytes() -> int:
    """The most memory the process had since `forget_peak`, or ever."""
    with suppress(OSError, StopIteration):
        lines = STATUS.read_text(encoding="utf-8").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) * 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
