"""What is shown while documents are converted: a bar on a terminal, plain lines elsewhere, error lines always.

Knows streams and what happened; decides nothing. Every error is one line, so that it can be grepped, and nothing that
stands in a file can move the cursor.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Literal

from docparse_fast.conversion import Plan, Record
from docparse_fast.document import Failure, ParsedPage

if TYPE_CHECKING:
    from rich.progress import Progress

Detail = Literal["errors", "documents", "pages"]


def error_line(code: str, message: str) -> str:
    """
    >>> error_line("encrypted", "in.pdf needs a password")
    'docparse-fast: error: encrypted: in.pdf needs a password'
    """
    return f"docparse-fast: error: {code}: {printable(message)}"


def printable(text: str) -> str:
    """One line without control characters: a file's name may hold any."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


@dataclass(slots=True)
class PlainLines:
    """A line for each document (or page) that is done, as suits a log."""

    stream: IO[str]
    detail: Detail
    out: str = ""  # where the output goes, where that is a folder

    def planned(self, plan: Plan) -> None: ...

    def begun(self, record: Record) -> None: ...

    def page_begun(self, record: Record, number: int) -> None: ...

    def stopping(self) -> None:
        self.say("finishing the pages in work; once more to stop at once")

    def trouble(self, failure: Failure) -> None:
        self.say(error_line(failure.code, failure.message))

    def page_done(self, record: Record, page: ParsedPage) -> None:
        if page.error is not None:
            self.say(error_line(page.error.code, f"{record.input.name}, page {page.number}: {page.error.message}"))
        if self.detail == "pages":
            seconds = sum(page.seconds.values())
            reason = page.stats.get("reason")
            self.say(
                f"{printable(record.input.name)}: page {page.number} ({sum(record.pages.values())} of "
                f"{record.page_count}): {page.status}, {seconds:.1f} s" + (f", {reason}" if reason else "")
            )

    def done(self, record: Record) -> None:
        if record.error is not None and not record.pages:
            self.say(error_line(record.error.code, record.error.message))
        elif self.detail != "errors":
            where = f" -> {printable(f'{self.out}/{record.input.output}')}" if self.out else ""
            self.say(f"{printable(record.input.name)}: {summary(record)}{where}")

    def say(self, line: str) -> None:
        print(line, file=self.stream, flush=True)

    def shown(self) -> AbstractContextManager[object]:
        """While this is entered, progress is shown."""
        return nullcontext()


class Bar(PlainLines):
    """One bar on a terminal: documents and pages so far, the file at work, the time it has taken."""

    def __init__(self, stream: IO[str], detail: Detail, out: str, documents: int) -> None:
        super().__init__(stream, detail, out)
        self._progress = _bar(stream)
        self._documents = documents
        self._document = 0
        self._task = self._progress.add_task("", total=0)

    def begun(self, record: Record) -> None:
        self._document += 1
        of = f"{self._document}/{self._documents} " if self._documents > 1 else ""
        self._progress.reset(self._task, total=record.page_count, description=of + printable(record.input.name))

    def page_done(self, record: Record, page: ParsedPage) -> None:
        super().page_done(record, page)
        self._progress.advance(self._task)

    def say(self, line: str) -> None:
        self._progress.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def shown(self) -> AbstractContextManager[object]:
        return self._progress


def _bar(stream: IO[str]) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TextColumn("pages"),
        TimeElapsedColumn(),
    )
    return Progress(*columns, console=Console(file=stream), transient=True)


def summary(record: Record) -> str:
    """
    >>> from docparse_fast.inputs import Input
    >>> from pathlib import Path
    >>> from collections import Counter
    >>> source = Input(Path("a.pdf"), "a.pdf", "a")
    >>> summary(Record(source, "partial", page_count=3, pages=Counter(ok=2, failed=1), seconds=1.23))
    'partial, 3 pages (1 failed) in 1.2 s'
    """
    odd = ", ".join(f"{record.pages[name]} {name}" for name in ("blank", "partial", "failed") if record.pages.get(name))
    pages = f"{record.page_count} page{'s' if record.page_count != 1 else ''}"
    return f"{record.status}, {pages}{f' ({odd})' if odd else ''} in {record.seconds:.1f} s"
