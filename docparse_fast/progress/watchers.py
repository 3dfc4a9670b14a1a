"""Several watchers as one. Shows nothing itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Protocol

from docparse_fast.document import Failure
from docparse_fast.run.events import Event, Watcher


class RunWatcher(Watcher, Protocol):
    """A watcher that the command line has set up: it is there for a while."""

    def shown(self) -> AbstractContextManager[object]: ...


class Watchers:
    """Tells each, in order."""

    def __init__(self, each: Sequence[RunWatcher]) -> None:
        self.each = each
        self.lost: Failure | None = None  # why one of them could not record everything

    def tell(self, event: Event) -> None:
        for watcher in self.each:
            watcher.tell(event)

    @contextmanager
    def shown(self) -> Iterator[object]:
        with ExitStack() as stack:
            for watcher in self.each:
                stack.enter_context(watcher.shown())
            yield self
