"""Makes a batch fail on purpose at named places, for tests. Reads one environment variable, here only.

    DOCPARSE_FAST_FAULT=ACTION@PLACE:WHAT        kill@page-kept:7     segfault@reading:scan.pdf:2

WHAT is a count or the current document and page. The process that reaches PLACE at WHAT does ACTION to itself: `kill`
is kill -9, `segfault` a fault in native code, `hang` waits for ever, `eat` takes memory without end. No other process
is affected, and a batch must survive each of them.
"""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections import Counter

VARIABLE = "DOCPARSE_FAST_FAULT"
PLACES = (
    "begun",
    "page-written",
    "page-kept",
    "pages-revised",
    "document-written",
    "document-kept",
    "run-saved",
    "journal-rewritten",
)
BITE = 16 * 2**20  # bytes eaten at a time

_passed: Counter[str] = Counter()


def reach(place: str, what: str = "") -> None:
    """Acts if the fault names this place and `what`; without `what` it counts the calls."""
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
