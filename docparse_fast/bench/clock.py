"""Measures seconds and peak memory. Knows the operating system; the device's functions are passed in.

On a CPU it counts the process's own CPU seconds of all threads, so that other work on the machine does not count. On a
GPU it counts wall seconds, and `now` waits until the device is done.
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
RESET_PEAK = "5"  # Linux's code for it


def _nothing() -> None:
    """A CPU has no device memory to forget."""


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
    """Restarts the count of `peak_bytes`, if the system can do that."""
    with suppress(OSError):
        CLEAR_REFS.write_text(RESET_PEAK)


def peak_bytes() -> int:
    """The most memory that the process held since `forget_peak`, or since its start."""
    with suppress(OSError, StopIteration):
        lines = STATUS.read_text(encoding="utf-8").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) * 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
