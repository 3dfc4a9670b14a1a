"""Waiting for another process: until something is so, and never for ever."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 100  # seconds after which a test has failed; what it waits for takes one, or forty on a busy machine


def wait_until(true: Callable[[], object], patience: float = PATIENCE) -> None:
    deadline = time.monotonic() + patience
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)
