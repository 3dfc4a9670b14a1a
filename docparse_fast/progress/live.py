"""A live display of a few lines at the foot of a terminal; messages are printed above it.

Knows a terminal through rich, which is imported only here: a log does not need it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, RLock, Thread
from typing import IO, TYPE_CHECKING

from docparse_fast.progress.log_lines import Detail, PlainLines
from docparse_fast.progress.phrases import duration, plural, printable
from docparse_fast.progress.tally import Tally
from docparse_fast.run.run_record import DocumentRecord

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

SHOWN = 4  # documents in work
REFRESHES = 8  # a second


class LiveDisplay(PlainLines):
    """Documents and pages so far, their speed, failures, the time left, and what is in work."""

    def __init__(
        self,
        stream: IO[str],
        detail: Detail,
        out: str = "",
        *,
        sums_up: bool = False,
        tally: Tally | None = None,
        console: Console | None = None,
    ) -> None:
        from rich.console import Console
        from rich.live import Live

        super().__init__(stream, detail, out, sums_up, tally or Tally())
        self._alone = RLock()  # a line that is printed while the display shrinks would cover the line above it
        self._console = console or Console(file=stream)
        self._live = Live(
            console=self._console,
            get_renderable=self.renderable,
            auto_refresh=False,
            transient=True,
            # Both streams stay whose they are: events may go to stdout.
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def still_at_it(self) -> None:
        """Nothing to print: the live display shows it all the time."""

    def say(self, line: str) -> None:
        with self._alone:
            self._console.print(line, markup=False, highlight=False, soft_wrap=True)
        self.said = self.tally.clock()

    @contextmanager
    def shown(self) -> Iterator[object]:
        over = Event()
        refreshing = Thread(target=self._refresh_until, args=(over,), daemon=True)
        with self._live:
            refreshing.start()
            try:
                yield self._live
            finally:
                over.set()
                refreshing.join()

    def _refresh_until(self, over: Event) -> None:
        while not over.wait(1 / REFRESHES):
            with self._alone:
                self._live.refresh()

    def renderable(self) -> RenderableType:
        from rich.console import Group
        from rich.text import Text

        tally = self.tally
        in_work = tuple(tally.in_work.values())
        lines = [_file(record) for record in in_work[:SHOWN]]
        if len(in_work) > SHOWN:
            lines.append(Text(f"  and {len(in_work) - SHOWN} more", style="dim"))
        return Group(_bar(tally), _numbers(tally), *lines)


def _bar(tally: Tally) -> RenderableType:
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 1), expand=True)
    grid.add_column(ratio=1)
    grid.add_column(no_wrap=True)
    share = min(1.0, tally.share) if tally.plan.documents else 0.0
    grid.add_row(
        ProgressBar(total=1, completed=share, complete_style="green", finished_style="green"),
        Text(f"{100 * share:3.0f} %"),
    )
    return grid


def _numbers(tally: Tally) -> RenderableType:
    from rich.text import Text

    text = Text(no_wrap=True, overflow="ellipsis")
    if tally.plan.documents > 1:
        text.append(f"{tally.plan.done + tally.documents}", style="bold")
        text.append(f" of {tally.plan.documents} documents  ")
    text.append(plural(sum(tally.pages.values()), "page"), style="bold")
    text.append(f"  {tally.pages_per_second:.2f} pages/s  ")
    text.append(f"{tally.failed} failed  ", style="bold red" if tally.failed else "dim")
    text.append(duration(tally.seconds))
    left = tally.seconds_left
    text.append(f"  about {duration(left)} left" if left is not None else "", style="dim")
    return text


def _file(record: DocumentRecord) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 1), expand=True)
    grid.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    grid.add_column(no_wrap=True, justify="right")
    read = sum(record.pages.values())
    pages = f"{read} of {record.page_count} pages" if record.page_count > 1 else "1 page"
    grid.add_row(Text(f"  {printable(record.input.name)}", style="cyan"), Text(pages, style="dim"))
    return grid
