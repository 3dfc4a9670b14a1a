"""Gives memory back that the C library keeps for later: each page leaves other holes, so that it would grow and grow.

Where the C library is another than glibc, nothing happens.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import suppress
from functools import cache


def give_back() -> None:
    if (trim := _trim()) is not None:
        trim(0)


@cache
def _trim() -> Callable[[int], int] | None:
    with suppress(OSError, AttributeError, TypeError):
        return ctypes.CDLL(None).malloc_trim
    return None
