"""What several commands take beside `options`: inputs, a password, what is shown meanwhile. See `flags`.

Nothing here acts: what is done about it (a log opened, the network left alone) a command does with `begin`.
"""

from __future__ import annotations

import logging
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from docparse_fast.errors import UsageError
from docparse_fast.options import FAIL_ON, RasterOptions

if TYPE_CHECKING:
    from docparse_fast.progress import Detail


def path(text: str) -> Path:
    """A path that was given: a script's unset variable must not stand for the folder that it runs in."""
    if not text:
        raise UsageError("a path is empty", remedy="name a file or a folder; . is this one")
    return Path(text)


def check_file(option: str, file: Path | None) -> None:
    """That a file can be written: said before anything is measured, not hours later."""
    if file is not None and not file.absolute().parent.is_dir():
        raise UsageError(f"{option} {file}: there is no such folder", remedy="make it, or name another")


Inputs = Annotated[
    list[Path],
    typer.Argument(metavar="INPUT...", help="PDFs, images, or folders of them.", show_default=False, parser=path),
]
Out = Annotated[
    Path, typer.Option("-o", "--out", metavar="OUT", help="Folder to write to.", show_default=False, parser=path)
]
FailOn = Annotated[str, typer.Option(metavar="WHAT", help=f"What makes the exit code non-zero: {', '.join(FAIL_ON)}.")]


@dataclass(frozen=True, slots=True)
class Password:
    """A password, out of whichever place it was put in."""

    title: ClassVar[str] = RasterOptions.title

    password: Annotated[
        str | None,
        typer.Option("--password", metavar="TEXT", help="For encrypted PDFs. Better: the file, or DOCPARSE_PASSWORD."),
    ] = None
    password_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A file whose first line is the password.")
    ] = None

    def text(self) -> str | None:
        if self.password is not None and self.password_file is not None:
            raise UsageError("--password and --password-file exclude each other", remedy="drop one of them")
        if self.password_file is None:
            return self.password if self.password is not None else os.environ.get("DOCPARSE_PASSWORD")
        try:
            with self.password_file.open(encoding="utf-8") as lines:
                return lines.readline().rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"--password-file {self.password_file} can't be read: {error}") from error

    def unlocking(self, raster: RasterOptions) -> RasterOptions:
        return replace(raster, password=self.text())


@dataclass(frozen=True, slots=True)
class Display:
    """How much is printed while it goes on, and whether a bar may be drawn."""

    title: ClassVar[str] = "Progress"

    progress: Annotated[
        bool | None,
        typer.Option("--progress/--no-progress", help="A bar on a terminal, else a line a page.", show_default=False),
    ] = None
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")] = False
    verbose: Annotated[
        int,
        typer.Option(
            "-v",
            "--verbose",
            count=True,
            metavar="",
            help="A line for every page; -vv: tracebacks.",
            show_default=False,
        ),
    ] = 0

    @property
    def bar(self) -> bool:
        return self.progress is not False and not self.quiet and not self.logs  # which would run through it

    @property
    def logs(self) -> bool:
        return self.verbose > 1

    @property
    def detail(self) -> Detail:
        if self.quiet:
            return "errors"
        wants_lines = self.progress is True and not sys.stderr.isatty()
        return "pages" if self.verbose or wants_lines else "documents"


@dataclass(frozen=True, slots=True)
class Reporting:
    """Who is told of a run over documents: the terminal, and a file of events."""

    title: ClassVar[str] = Display.title

    display: Display
    log_json: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write what happens, one JSON object a line; - prints it.")
    ] = None


def begin(display: Display, *, offline: bool) -> None:
    """What holds for the whole process: where it logs, and that it stays off the network."""
    if offline:
        os.environ["HF_HUB_OFFLINE"] = "1"  # for libraries, and for the processes that are started
    logging.basicConfig(stream=sys.stderr, format="%(name)s: %(message)s", level=logging.CRITICAL)
    logging.getLogger("docparse_fast").setLevel(logging.DEBUG if display.logs else logging.CRITICAL)
