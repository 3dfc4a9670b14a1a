"""The count so far: documents, pages, failures, what is in work, and how long it may still take. Shows nothing.

Only a few failures and slow documents are kept by name, so that memory does not grow with the number of documents. A
display may read this from another thread: no collection is iterated here while it can change.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappush, heappushpop

from docparse_fast.document import Failure
from docparse_fast.run.conversion import size_of
from docparse_fast.run.events import DocumentBegun, DocumentDone, Event, PageDone, RunPlan
from docparse_fast.run.run_record import DocumentRecord

FEW = 3  # places named for each code
SLOWEST = 5
SOON = 5.0  # seconds, before which nothing can be said of the time left
LITTLE = 0.01  # of the work, likewise


@dataclass(slots=True)
class Failures:
    """How often an error code occurred, and where it occurred first."""

    count: int = 0
    places: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Tally:
    clock: Callable[[], float] = time.monotonic
    plan: RunPlan = field(default_factory=lambda: RunPlan(0, 0))
    started: float = 0.0
    documents: int = 0  # ended in this run
    bytes: int = 0  # of those
    pages: Counter[str] = field(default_factory=Counter)  # read in this run, by status
    reused: int = 0  # pages that needn't be read again
    failed: int = 0  # documents that could not be read, and pages
    failures: dict[str, Failures] = field(default_factory=dict)  # by code
    in_work: dict[str, DocumentRecord] = field(default_factory=dict)  # by output
    slowest: list[tuple[float, str, int]] = field(default_factory=list)  # a heap: seconds, name, pages read

    def __post_init__(self) -> None:
        self.started = self.clock()

    # ------------------------------------------------------------------------------------ what happens

    def tell(self, event: Event) -> None:
        match event:
            case RunPlan():
                self.plan, self.started = event, self.clock()
            case DocumentBegun(record):
                self.in_work[record.input.output] = record
                self.reused += record.reused
            case PageDone(record, page):
                self.pages[page.status] += 1
                if page.error is not None:
                    self._failed(page.error, f"{record.input.name}, page {page.number}")
            case DocumentDone(record):
                self._document_done(record)

    def _document_done(self, record: DocumentRecord) -> None:
        self.in_work.pop(record.input.output, None)
        self.documents += 1
        self.bytes += size_of(record.input.path)
        if record.own_error is not None:
            self._failed(record.own_error, record.input.name)
        slow = (record.seconds, record.input.name, record.page_count - record.reused)  # both of this run
        (heappush if len(self.slowest) < SLOWEST else heappushpop)(self.slowest, slow)

    def _failed(self, failure: Failure, place: str) -> None:
        found = self.failures.setdefault(failure.code, Failures())
        found.count += 1
        self.failed += 1
        if len(found.places) < FEW:
            found.places.append(place)

    # ------------------------------------------------------------------------------------ what it comes to

    @property
    def seconds(self) -> float:
        return self.clock() - self.started

    @property
    def pages_per_second(self) -> float:
        return sum(self.pages.values()) / self.seconds if self.seconds > 0 else 0.0

    @property
    def share(self) -> float:
        """The part that is done, by file size, since the pages of an unopened document are unknown. Documents in
        work count by their pages."""
        todo = self.plan.documents - self.plan.done
        weight = self.plan.bytes - self.plan.bytes_done
        records = tuple(self.in_work.values())
        parts = [sum(record.pages.values()) / max(1, record.page_count) for record in records]
        if weight <= 0:
            return (self.documents + sum(parts)) / todo if todo > 0 else 1.0
        sizes = [size_of(record.input.path) for record in records]
        return min(1.0, (self.bytes + sum(part * size for part, size in zip(parts, sizes, strict=True))) / weight)

    @property
    def seconds_left(self) -> float | None:
        """The estimate if the rest is like what is done; None while there is too little to judge by."""
        if self.seconds < SOON or not LITTLE <= self.share <= 1:
            return None
        return self.seconds * (1 - self.share) / self.share
