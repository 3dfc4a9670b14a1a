"""The number of workers, and the limits of a page, a document and a worker. Measures nothing."""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass

from docparse_fast.errors import UsageError
from docparse_fast.options.declaring import within

MOST_JOBS = 256
LONGEST_PAGE = 600.0  # seconds of drafting; the heaviest honest pages we know take half a minute
LEAST_MEMORY = 64 * 2**20  # Python itself needs this much
_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}


@dataclass(frozen=True, slots=True)
class Limits:
    jobs: int
    page_timeout: float | None = None  # seconds, for opening a document and for drafting a page
    doc_timeout: float | None = None  # seconds of work on a document
    max_memory: int | None = None  # bytes in a worker's resident set

    @property
    def of_time(self) -> bool:
        return self.page_timeout is not None or self.doc_timeout is not None

    def __post_init__(self) -> None:
        within("--jobs", self.jobs, 1, MOST_JOBS)
        if self.doc_timeout is not None:
            within("--doc-timeout", self.doc_timeout, 0.001, 10**7)
        if self.max_memory is not None and self.max_memory < LEAST_MEMORY:
            raise UsageError(f"--max-memory {shown_bytes(self.max_memory)} is too little", remedy="give 64M or more")


def has_workers() -> bool:
    """Whether the system has what workers need: process groups, and sockets that are passed on."""
    return hasattr(os, "killpg")


def check_system(what: str) -> None:
    if not has_workers():
        remedy = "use convert without time limits, or Linux or macOS; Windows has WSL"
        raise UsageError(f"{what} on Linux and macOS only", remedy=remedy)


def default_jobs() -> int:
    """One worker per available processor, up to four, because each worker that reads scans loads the models."""
    return min(4, _processors())


def threads_per_worker(jobs: int) -> int:
    return max(1, min(4, _processors() // jobs))


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def bytes_of(option: str, text: str) -> int:
    """
    >>> bytes_of("--max-memory", "1.5G")
    1610612736
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMG]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if found is None:
        raise UsageError(f"{option} {text!r} is not a size", remedy="give one like 800M or 2G")
    return round(float(found[1]) * _UNITS[found[2].upper()])


def shown_bytes(count: float) -> str:
    """
    >>> shown_bytes(1610612736)
    '1.5 GB'
    """
    if count < 1024:
        return f"{count:.0f} bytes"
    units = ("KB", "MB", "GB", "TB")
    power = min(int(math.log(count, 1024)), len(units))
    return f"{count / 1024**power:.1f} {units[power - 1]}"
