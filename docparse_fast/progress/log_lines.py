"""One line for each thing that happens, for a log; errors are always printed. Knows a stream.

Every error is one line, so that `grep` finds it, and no text from a file can move the cursor.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import IO, Literal

from docparse_fast.document import Failure, ParsedPage
from docparse_fast.progress.looks import look_line
from docparse_fast.progress.phrases import duration, plural, printable
from docparse_fast.progress.summary import summary_lines
from docparse_fast.progress.tally import Tally
from docparse_fast.run.events import DocumentDone, Event, PageDone, RunEnded, RunPlan, Stopping, Trouble
from docparse_fast.run.run_record import DocumentRecord, Run

Detail = Literal["errors", "documents", "pages"]

SILENCE = 60.0  # seconds, after which a log is told that something still happens: some CI systems end what is silent


def error_line(code: str, message: str) -> str:
    """
    >>> error_line("encrypted", "in.pdf needs a password")
    'docparse-fast: error: encrypted: in.pdf needs a password'
    """
    return f"docparse-fast: error: {code}: {printable(message)}"


@dataclass(slots=True)
class PlainLines:
    """A line for each document (or page) that is done."""

    stream: IO[str]
    detail: Detail
    out: str = ""  # where the output goes, where that is a folder
    sums_up: bool = False  # says what is planned, and at the end what came of it
    tally: Tally = field(default_factory=Tally)
    said: float = 0.0  # when, by the tally's clock
    of_run: Failure | None = None  # the run's own, told once: pages that have it too aren't told of each

    def tell(self, event: Event) -> None:
        self.tally.tell(event)
        match event:
            case RunPlan():
                self._planned(event)
            case PageDone(record, page):
                self._page_done(record, page)
            case DocumentDone(record):
                self._document_done(record)
            case Stopping():
                self.say("finishing the pages in work; once more to stop at once")
            case Trouble(failure):
                self.of_run = failure
                self.say(error_line(failure.code, failure.message))
            case RunEnded(run):
                self._ended(run)

    def _planned(self, plan: RunPlan) -> None:
        self.said = self.tally.clock()
        if (self.sums_up or plan.done) and self.detail != "errors":
            self.say(plan_line(plan))

    def _page_done(self, record: DocumentRecord, page: ParsedPage) -> None:
        if page.error is not None and page.error != self.of_run:
            self.say(error_line(page.error.code, f"{record.input.name}, page {page.number}: {page.error.message}"))
        if self.detail == "pages":
            self.say(page_line(record, page))
        elif self.detail == "documents" and self.tally.clock() - self.said > SILENCE:
            self.still_at_it()

    def _document_done(self, record: DocumentRecord) -> None:
        own = record.own_error
        if own is not None:
            self.say(error_line(own.code, own.message))
        for line in shortfalls(record):
            self.say(line)
        if self.detail != "errors" and (own is None or record.pages):
            where = f" -> {printable(f'{self.out}/{record.input.output}')}" if self.out else ""
            self.say(f"{printable(record.input.name)}: {summary(record)}{where}")

    def _ended(self, run: Run) -> None:
        if self.sums_up and self.detail != "errors":
            for line in summary_lines(self.tally, run):
                self.say(line)
        if self.detail != "errors" and (line := look_line(run.records)):
            self.say(line)

    def still_at_it(self) -> None:
        self.say(status_line(self.tally))

    def say(self, line: str) -> None:
        try:
            print(line, file=self.stream, flush=True)
        except BrokenPipeError:  # work goes on without a reader, and Python must not try to write the rest at its end
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stream.fileno())
        self.said = self.tally.clock()

    def shown(self) -> AbstractContextManager[object]:
        """Progress is shown inside this context."""
        return nullcontext()


def shortfalls(record: DocumentRecord) -> Iterator[str]:
    """What the exit code says of a document, though all its pages are there.

    >>> from docparse_fast.run.inputs import Input
    >>> from pathlib import Path
    >>> list(shortfalls(DocumentRecord(Input(Path("a.pdf"), "a.pdf", "a"), disagreed=2)))
    ['docparse-fast: error: low_confidence: a.pdf: 2 pages: less of the draft stands than --min-acceptance asks']
    """
    told = {
        "less of the draft stands than --min-acceptance asks": record.disagreed,
        "--check-exact: the target answers otherwise without drafts": record.inexact,
    }
    for said, pages in told.items():
        if pages:
            yield error_line("low_confidence", f"{record.input.name}: {plural(pages, 'page')}: {said}")


def plan_line(plan: RunPlan) -> str:
    """
    >>> plan_line(RunPlan(30, 12_345_678, done=4, pages_done=7, duplicates=1))
    '30 documents, 12.3 MB; 4 are done, 26 to do; of those 7 pages are done; 1 link left out'
    """
    line = f"{plural(plan.documents, 'document')}, {plan.bytes / 1e6:.1f} MB"
    if plan.done:
        line += f"; {plan.done} {'are' if plan.done > 1 else 'is'} done, {plan.documents - plan.done} to do"
    if plan.pages_done:
        line += f"; of those {plural(plan.pages_done, 'page')} {'are' if plan.pages_done > 1 else 'is'} done"
    return line + (f"; {plural(plan.duplicates, 'link')} left out" if plan.duplicates else "")


def page_line(record: DocumentRecord, page: ParsedPage) -> str:
    seconds = sum(page.seconds.values())
    reason = page.evidence.reason
    return (
        f"{printable(record.input.name)}: page {page.number} ({sum(record.pages.values())} of {record.page_count}): "
        f"{page.status}, {seconds:.1f} s" + (f", {reason}" if reason else "")
    )


def status_line(tally: Tally) -> str:
    left = tally.seconds_left
    parts = [
        f"{tally.plan.done + tally.documents} of {plural(tally.plan.documents, 'document')}",
        plural(sum(tally.pages.values()), "page"),
        f"{tally.pages_per_second:.2f} pages/s",
        *([f"{tally.failed} failed"] if tally.failed else []),
        *([f"about {duration(left)} left"] if left is not None else []),
    ]
    return ", ".join(parts)


def summary(record: DocumentRecord) -> str:
    """
    >>> from docparse_fast.run.inputs import Input
    >>> from pathlib import Path
    >>> from collections import Counter
    >>> source = Input(Path("a.pdf"), "a.pdf", "a")
    >>> summary(DocumentRecord(source, "partial", page_count=3, pages=Counter(ok=2, failed=1), seconds=1.23))
    'partial, 3 pages (1 failed) in 1.2 s'
    """
    odd = ", ".join(f"{record.pages[name]} {name}" for name in ("blank", "partial", "failed") if record.pages.get(name))
    return f"{record.status}, {plural(record.page_count, 'page')}{f' ({odd})' if odd else ''} in {record.seconds:.1f} s"
