"""Several watchers as one. Knows what a watcher is told; shows nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any, Concatenate, ParamSpec, Protocol

from docparse_fast.document import Failure
from docparse_fast.run.conversion import Watcher
from docparse_fast.run.run_record import Run

What = ParamSpec("What")


class RunWatcher(Watcher, Protocol):
    """A watcher that the command line has set up: it is there for a while, and sees the end."""

    def ended(self, run: Run, exit_code: int) -> None:
        """Once, after everything else, where the run came to an end of its own."""

    def shown(self) -> AbstractContextManager[object]: ...


def _to_each(method: Callable[Concatenate[Any, What], None]) -> Callable[Concatenate[Watchers, What], None]:
    def tell(watchers: Watchers, /, *what: What.args, **more: What.kwargs) -> None:
        for watcher in watchers.each:
            getattr(watcher, method.__name__)(*what, **more)

    return tell


class Watchers:
    """Tells each, in order."""

    def __init__(self, each: Sequence[RunWatcher]) -> None:
        self.each = each
        self.lost: Failure | None = None  # why one of them could not record everything

    planned = _to_each(RunWatcher.planned)
    begun = _to_each(RunWatcher.begun)
    page_begun = _to_each(RunWatcher.page_begun)
    page_done = _to_each(RunWatcher.page_done)
    done = _to_each(RunWatcher.done)
    stopping = _to_each(RunWatcher.stopping)
    trouble = _to_each(RunWatcher.trouble)
    ended = _to_each(RunWatcher.ended)

    @contextmanager
    def shown(self) -> Iterator[object]:
        with ExitStack() as stack:
            for watcher in self.each:
                stack.enter_context(watcher.shown())
            yield self
