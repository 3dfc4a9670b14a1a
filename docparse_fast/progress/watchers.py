"""Several watchers as one. Knows what a watcher is told; shows nothing itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Protocol

from docparse_fast.document import Failure, ParsedPage
from docparse_fast.run.conversion import RunPlan, Watcher
from docparse_fast.run.run_record import DocumentRecord, Run


class RunWatcher(Watcher, Protocol):
    """A watcher that the command line has set up: it is there for a while, and sees the end."""

    def ended(self, run: Run, exit_code: int) -> None:
        """Once, after everything else, where the run came to an end of its own."""

    def shown(self) -> AbstractContextManager[object]: ...


class Watchers:
    """Tells each, in order."""

    def __init__(self, each: Sequence[RunWatcher]) -> None:
        self._each = each
        self.lost: Failure | None = None  # why one of them could not record everything

    def planned(self, plan: RunPlan) -> None:
        for watcher in self._each:
            watcher.planned(plan)

    def begun(self, record: DocumentRecord) -> None:
        for watcher in self._each:
            watcher.begun(record)

    def page_begun(self, record: DocumentRecord, number: int) -> None:
        for watcher in self._each:
            watcher.page_begun(record, number)

    def page_done(self, record: DocumentRecord, page: ParsedPage) -> None:
        for watcher in self._each:
            watcher.page_done(record, page)

    def done(self, record: DocumentRecord) -> None:
        for watcher in self._each:
            watcher.done(record)

    def stopping(self) -> None:
        for watcher in self._each:
            watcher.stopping()

    def trouble(self, failure: Failure) -> None:
        for watcher in self._each:
            watcher.trouble(failure)

    def ended(self, run: Run, exit_code: int) -> None:
        for watcher in self._each:
            watcher.ended(run, exit_code)

    @contextmanager
    def shown(self) -> Iterator[object]:
        with ExitStack() as stack:
            for watcher in self._each:
                stack.enter_context(watcher.shown())
            yield self
