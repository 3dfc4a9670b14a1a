"""What a benchmark prints: progress and failed pages while it runs, tables and files at its end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from docparse_fast.cli.arguments import Display, check_file

if TYPE_CHECKING:
    from docparse_fast.bench.record import PageRecord
    from docparse_fast.bench.tables import Part


@dataclass(frozen=True, slots=True)
class Files:
    """The files that a benchmark's result is written to."""

    json: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="Write all measurements as JSON.", show_default=False),
    ] = None
    markdown: Annotated[
        Path | None,
        typer.Option("--markdown", metavar="FILE", help="Write the tables as Markdown.", show_default=False),
    ] = None

    def __post_init__(self) -> None:
        check_file("--json", self.json)
        check_file("--markdown", self.markdown)


def keep_and_show(parts: Iterable[Part], json: Callable[[], str], files: Files, *, quiet: bool) -> None:
    """Writes the files and prints the tables: as wide as the terminal, or at a fixed width if there is none."""
    from rich.console import Console

    from docparse_fast.bench.tables import WIDTH, markdown, show
    from docparse_fast.system.files import write

    parts = list(parts)
    if files.json is not None:
        write(files.json, json())
    if files.markdown is not None:
        write(files.markdown, markdown(parts) + "\n")
    if not quiet:
        show(parts, Console(width=None if sys.stdout.isatty() else WIDTH))


@contextmanager
def watching(display: Display) -> Iterator[tuple[Callable[[PageRecord], None], Callable[[str], None]]]:
    """Two functions that show progress: one for each measured page, one for the current activity."""
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
