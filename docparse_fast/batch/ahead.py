"""The documents that a run comes to next, and what workers have of them already. Chooses tasks; gives none.

Many scans are files of one page. If only the open document were drafted, a target would wait for each of them.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from docparse_fast.batch.messages import Opened, OpenTask, PageTask
from docparse_fast.batch.pending import PendingTask
from docparse_fast.run.inputs import Input


@dataclass(frozen=True, slots=True)
class ComingDocument:
    source: Input
    opening: PendingTask
    pages: dict[int, PendingTask] = field(default_factory=dict)  # by number

    @property
    def unclaimed(self) -> int:
        """The tasks whose answers wait, or will."""
        return len(self.pages) if self.opening.is_settled else 1

    def next_page(self, *, early: bool) -> PendingTask | None:
        opened = self.opening.answer
        if not isinstance(opened, Opened):
            return None
        number = next((number for number in opened.numbers if number not in self.pages), None)
        if number is None:
            return None
        task = PageTask(self.source.path, self.source.name, opened.sha256, number, early=early)
        self.pages[number] = PendingTask(task, time.monotonic())
        return self.pages[number]


class Ahead:
    def __init__(self, sources: Iterable[Input] = ()) -> None:
        """`sources`, in the order in which they will be opened."""
        self._expected = deque(sources)
        self._begun: deque[ComingDocument] = deque()

    @property
    def unclaimed(self) -> int:
        return sum(document.unclaimed for document in self._begun)

    def next_task(self, *, early: bool) -> PendingTask | None:
        """A page of a document that is open, or the next document. `early`: its image is wanted before its draft."""
        pages = (document.next_page(early=early) for document in self._begun)
        page = next((page for page in pages if page is not None), None)
        if page is not None or not self._expected:
            return page
        source = self._expected.popleft()
        self._begun.append(ComingDocument(source, PendingTask(OpenTask(source.path, source.name), None)))
        return self._begun[-1].opening

    def claim(self, source: Input) -> ComingDocument | None:
        """What was begun of a document whose turn it is. Those before it were left out, so they are forgotten."""
        if any(document.source == source for document in self._begun):
            while self._begun[0].source != source:
                self._begun.popleft()
            return self._begun.popleft()
        if source in self._expected:
            self._begun.clear()
            while self._expected.popleft() != source:
                pass
        return None
