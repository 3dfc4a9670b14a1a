"""What a benchmark tells while it runs: pages that fail, those that are done, and, on a terminal, what goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from docparse_fast.cli.arguments import Display

if TYPE_CHECKING:
    from docparse_fast.bench.record import PageRecord


@contextmanager
def watching(display: Display) -> Iterator[tuple[Callable[[PageRecord], None], Callable[[str], None]]]:
    """What is told of a page that is done with, and of what goes on."""
    from rich.console import Console

    from docparse_fast.progress import error_line, printable

    console = Console(stderr=True)
    status = console.status("", spinner="line")

    def done(page: PageRecord) -> None:
        if page.error is not None:
            line = error_line(page.error.code, f"{page.name}: {page.error.message}")
        elif display.detail == "pages":
            line = printable(f"{page.name}: {'blank' if page.blank else 'measured'}")
        else:
            return
        console.print(line, markup=False, highlight=False, soft_wrap=True)

    def watch(what: str) -> None:
        status.update(printable(what).replace("[", r"\["))

    if not display.bar or not console.is_terminal:
        yield done, watch
        return
    with status:
        yield done, watch
