"""Places where a batch can be made to fail on purpose, for trials. Reads one environment variable, here only.

    DOCPARSE_FAST_FAULT=ACTION@PLACE:WHAT        kill@page-kept:7     segfault@reading:scan.pdf:2

The process that reaches PLACE for WHAT (the how-manieth time, or the document and page in work) does ACTION to itself:
`kill` ends it as kill -9 does, `segfault` as a fault in native code does, `hang` stops it, `eat` makes it take memory
without end. Nothing but the process itself is touched, and a batch is made to survive each of them.
"""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections import Counter

VARIABLE = "DOCPARSE_FAST_FAULT"
PLACES = ("begun", "page-written", "page-kept", "document-written", "document-kept", "run-saved", "journal-rewritten")
BITE = 16 * 2**20  # bytes eaten at a time

_passed: Counter[str] = Counter()


def reach(place: str, what: str = "") -> None:
    """A named place; without `what`, the how-manieth time it is reached."""
    fault = os.environ.get(VARIABLE)
    if not fault:
        return
    _passed[place] += 1
    action, _, where = fault.partition("@")
    if where == f"{place}:{what or _passed[place]}":
        _ACTIONS[action]()


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _segfault() -> None:
    ctypes.string_at(0)


def _hang() -> None:
    while True:
        time.sleep(60)


def _eat() -> None:
    eaten = []
    while True:
        eaten.append(b"x" * BITE)
        time.sleep(0.005)


_ACTIONS = {"kill": _kill, "segfault": _segfault, "hang": _hang, "eat": _eat}
