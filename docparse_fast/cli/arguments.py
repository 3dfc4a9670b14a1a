"""Arguments that several commands share beside `options`: inputs, a password, progress. See `flags`.

They only hold values; a command applies them with `begin`, which sets up logging and turns off the network.
"""

from __future__ import annotations

import logging
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from docparse_fast.errors import UsageError, in_words
from docparse_fast.options import FAIL_ON, RasterOptions
from docparse_fast.run.inputs import is_folder

if TYPE_CHECKING:
    from docparse_fast.progress import Detail

WRITTEN = (".md", ".json", ".jsonl", ".html", ".pdf")  # a name that ends so was meant for a file


def path(text: str) -> Path:
    """The path; an empty one is refused, because a script's unset variable must not mean the current folder."""
    if not text:
        raise UsageError("a path is empty", remedy="name a file or a folder; . is the current folder")
    return Path(text)


def out_folder(text: str) -> Path:
    """The output folder, which need not exist; refused if a file stands in its place."""
    folder = path(text)
    for each in (folder, *folder.parents):
        if os.path.lexists(each) and not is_folder(each):
            place = "it" if each == folder else str(each)
            raise UsageError(f"-o {folder}: {place} is not a folder", remedy="name another, or move the file away")
    if folder.suffix.lower() in WRITTEN and not folder.exists():
        raise UsageError(f"-o {folder} would make a folder of that name", remedy="name a folder; -o - prints")
    return folder


def check_file(option: str, file: Path | None) -> None:
    """Raises if the file's folder does not exist, before hours are spent on measuring."""
    if file is not None and not file.absolute().parent.is_dir():
        raise UsageError(f"{option} {file}: there is no such folder", remedy="create it, or name another")


Inputs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="INPUT...",
        help="PDFs, images, folders of them; - reads standard input; URLs with --allow-net.",
        show_default=False,
    ),
]
FilesFrom = Annotated[
    str | None,
    typer.Option("--files-from", metavar="FILE", help="Read names from FILE, one a line; - reads standard input."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be read, and write nothing.")]
Warm = Annotated[
    bool, typer.Option("--warm", help="Leave a process loaded for a minute, which the next calls use. Linux.")
]
InputPaths = Annotated[
    list[Path],
    typer.Argument(metavar="INPUT...", help="PDFs, images, or folders of them.", show_default=False, parser=path),
]
Out = Annotated[
    Path, typer.Option("-o", "--out", metavar="OUT", help="Output folder.", show_default=False, parser=out_folder)
]
Include = Annotated[
    list[str] | None,
    typer.Option(metavar="PATTERN", help="Only files whose name, folder or path matches. Repeatable."),
]
Exclude = Annotated[list[str] | None, typer.Option(metavar="PATTERN", help="Skip files that match. Repeatable.")]
Jobs = Annotated[int | None, typer.Option(metavar="N", help="Worker processes; default: one per processor, up to 4.")]
MaxMemory = Annotated[str | None, typer.Option(metavar="SIZE", help="Most memory for one worker, such as 800M or 2G.")]
DocTimeout = Annotated[
    float | None, typer.Option(metavar="SECONDS", help="The longest a document may take; finished pages are kept.")
]
FailOn = Annotated[
    str, typer.Option(metavar="WHAT", help=f"Which failures set a non-zero exit code: {', '.join(FAIL_ON)}.")
]


@dataclass(frozen=True, slots=True)
class Password:
    """A password from the command line, a file or the environment."""

    title: ClassVar[str] = RasterOptions.title

    password: Annotated[
        str | None,
        typer.Option(
            "--password", metavar="TEXT", help="Password of encrypted PDFs. Safer: a file, or DOCPARSE_PASSWORD."
        ),
    ] = None
    password_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File whose first line is the password.")
    ] = None

    def text(self) -> str | None:
        if self.password is not None and self.password_file is not None:
            raise UsageError("--password and --password-file exclude each other", remedy="drop one of them")
        if self.password_file is None:
            return self.password if self.password is not None else os.environ.get("DOCPARSE_PASSWORD")
        try:
            with self.password_file.open(encoding="utf-8") as lines:
                return lines.readline().rstrip("\r\n")
        except OSError as error:
            message = f"--password-file {self.password_file} can't be read: {in_words(error)}"
            raise UsageError(message, remedy="check the path") from error
        except UnicodeDecodeError as error:
            message = f"--password-file {self.password_file} is not text in UTF-8"
            raise UsageError(message, remedy="save it as such") from error

    def unlocking(self, raster: RasterOptions) -> RasterOptions:
        return replace(raster, password=self.text())


@dataclass(frozen=True, slots=True)
class Display:
    """How much a command prints while it runs, and whether it may draw a bar."""

    title: ClassVar[str] = "Progress"

    progress: Annotated[
        bool | None,
        typer.Option(
            "--progress/--no-progress", help="Show a bar on a terminal, else a line per page.", show_default=False
        ),
    ] = None
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")] = False
    verbose: Annotated[
        int,
        typer.Option(
            "-v",
            "--verbose",
            count=True,
            metavar="",
            help="Print a line per page; -vv adds tracebacks.",
            show_default=False,
        ),
    ] = 0

    @property
    def bar(self) -> bool:
        return self.progress is not False and not self.quiet and not self.logs  # log lines would break the bar

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
    """Where a run reports its progress: on the terminal, and in a file of events."""

    title: ClassVar[str] = Display.title

    display: Display
    log_json: Annotated[str | None, typer.Option(metavar="FILE", help="Write events as JSON lines; - prints them.")] = (
        None
    )
    summary: Annotated[bool, typer.Option("--summary", help="At the end, print the result as a line of JSON.")] = False


def begin(display: Display, *, offline: bool) -> None:
    """Sets up logging for the whole process, and with `offline` keeps it off the network."""
    if offline:
        os.environ["HF_HUB_OFFLINE"] = "1"  # also for libraries and child processes
    logging.basicConfig(stream=sys.stderr, format="%(name)s: %(message)s", level=logging.CRITICAL)
    logging.getLogger("docparse_fast").setLevel(logging.DEBUG if display.logs else logging.CRITICAL)


def check_warm() -> None:
    """Raises UsageError where no process can be kept for later calls (`docparse_fast.warm`)."""
    if sys.platform != "linux":
        raise UsageError("--warm needs Linux", remedy="drop it")
