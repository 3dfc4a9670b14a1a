"""Decides what a target's exception costs: its page or, if its device is lost, every later page too. Knows names only.

A device's own errors are RuntimeErrors that this layer can't import, so it recognises them by their names.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass

from docparse_fast.document import Failure
from docparse_fast.errors import DocparseError, PageError, TargetGoneError

OUT_OF_MEMORY = Failure("out_of_memory", "the device had no memory left for it; the drafts stand")
NO_MEMORY = "OutOfMemoryError"
BROKEN_DEVICE = "AcceleratorError"
DEVICE_ERRORS = ("CUDA error", "HIP error")  # how the message of a broken device begins
DEVICE_WITHOUT_MEMORY = "error: out of memory"  # the driver's message for a full memory; the device still works

log = logging.getLogger("docparse_fast")


@dataclass(slots=True)
class Device:
    """The state of the target's device in one run. Once it is lost, every call would fail, so it gets no more pages."""

    lost: Failure | None = None

    def failure_of(self, error: Exception, page: int) -> Failure:
        """The failure to mark the page with. An error that concerns all pages is raised again."""
        if isinstance(error, DocparseError) and not isinstance(error, PageError):
            raise error
        if isinstance(error, TargetGoneError):
            self.lost = Failure(error.code, f"{error}; the pages from here on are drafts only")
        if isinstance(error, PageError):
            return Failure(error.code, f"{error}; the drafts stand")
        if ran_out_of_memory(error):
            return OUT_OF_MEMORY
        log.debug("the target failed at page %d", page, exc_info=error)
        if is_of_device(error):
            reason = f"the target's device failed ({_told(error)}); the pages from here on are drafts only"
            self.lost = Failure("worker_crashed", reason)
        return Failure("worker_crashed", f"the target failed ({_told(error)}); the drafts stand")


def ran_out_of_memory(error: Exception) -> bool:
    too_long = isinstance(error, PageError) and error.code == "out_of_memory"  # it exceeds the model's context
    named = type(error).__name__ == NO_MEMORY or DEVICE_WITHOUT_MEMORY in str(error)
    return too_long or isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and named)


def is_of_device(error: Exception) -> bool:
    """Whether this error, or one of its causes, says that the device itself is broken."""
    return any(
        any(kind.__name__ == BROKEN_DEVICE for kind in type(each).__mro__)
        or (isinstance(each, RuntimeError) and str(each).startswith(DEVICE_ERRORS))
        for each in _chain(error)
    )


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _told(error: Exception) -> str:
    """The message's first line: a device's error goes on with advice for programmers."""
    lines = str(error).splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
