"""What several commands take, each flag said once: its name, its help, and the options it becomes.

A command names the type (`target: TargetOptions`) and gets the flags: see `grouping`.
"""

from __future__ import annotations

import logging
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from docparse_fast.cli.grouping import makes
from docparse_fast.errors import UsageError
from docparse_fast.options import (
    DRAFTERS,
    DTYPES,
    FAIL_ON,
    FORMATS,
    OCR_MODES,
    DraftOptions,
    ParseOptions,
    RasterOptions,
    SpeculationOptions,
    TargetOptions,
)

if TYPE_CHECKING:
    from docparse_fast.progress import Detail

DEFAULTS = ParseOptions()


def path(text: str) -> Path:
    """A path that was given: a script's unset variable must not stand for the folder that it runs in."""
    if not text:
        raise UsageError("a path is empty", remedy="name a file or a folder; . is this one")
    return Path(text)


def check_json(file: Path | None) -> None:
    """That a benchmark's record can be written: said before anything is measured, not hours later."""
    if file is not None and not file.absolute().parent.is_dir():
        raise UsageError(f"--json {file}: there is no such folder", remedy="make it, or name another")


Inputs = Annotated[
    list[Path],
    typer.Argument(metavar="INPUT...", help="PDFs, images, or folders of them.", show_default=False, parser=path),
]
Out = Annotated[
    Path, typer.Option("-o", "--out", metavar="OUT", help="Folder to write to.", show_default=False, parser=path)
]
PasswordText = Annotated[
    str | None,
    typer.Option("--password", metavar="TEXT", help="For encrypted PDFs. Better: the file, or DOCPARSE_PASSWORD."),
]
PasswordFile = Annotated[Path | None, typer.Option(metavar="FILE", help="A file whose first line is the password.")]
FailOn = Annotated[str, typer.Option(metavar="WHAT", help=f"What makes the exit code non-zero: {', '.join(FAIL_ON)}.")]


# what benchmarks take of how a target decodes
Stages = Annotated[str, typer.Option(metavar="WHICH", help="auto; 1: region crops only; 2: the page only; both.")]
Tau = Annotated[
    float, typer.Option(metavar="X", help="1: the target's own answer; below: a draft may stand where it is close.")
]
Window = Annotated[int, typer.Option(metavar="N", help="Accepted tokens by which a draft is aligned.")]
MaxNewTokens = Annotated[int, typer.Option(metavar="N", help="The longest answer to a page.")]
Device = Annotated[str, typer.Option(metavar="NAME", help="Where the target runs: auto, cpu, cuda, cuda:1.")]
Dtype = Annotated[str, typer.Option(metavar="NAME", help=f"In which numbers: {', '.join(DTYPES)}.")]
Offline = Annotated[bool, typer.Option("--offline", help="Never ask the network, not even for a model.")]


# ------------------------------------------------------------------------------------- how pages are read


@dataclass(frozen=True, slots=True)
class Password:
    text: str | None


@makes
def password_given(password: PasswordText = None, password_file: PasswordFile = None) -> Password:
    if password is not None and password_file is not None:
        raise UsageError("--password and --password-file exclude each other", remedy="drop one of them")
    if password_file is None:
        return Password(password if password is not None else os.environ.get("DOCPARSE_PASSWORD"))
    try:
        with password_file.open(encoding="utf-8") as lines:
            return Password(lines.readline().rstrip("\r\n"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--password-file {password_file} can't be read: {error}") from error


@makes
def raster_options(
    password: Password,
    pages: Annotated[
        str, typer.Option(metavar="RANGE", help="1-5,8,r3-r1: r1 is the last page. All, unless said.")
    ] = "",
    max_pages: Annotated[int | None, typer.Option(metavar="N", help="No more pages than this of a document.")] = None,
    dpi: Annotated[int, typer.Option(metavar="N", help="How finely a PDF's pages are rendered.")] = DEFAULTS.raster.dpi,
    max_pixels: Annotated[
        int, typer.Option(metavar="N", help="The most pixels a page may have.")
    ] = DEFAULTS.raster.max_pixels,
) -> RasterOptions:
    return RasterOptions(pages, max_pages, dpi, max_pixels, password.text)


@makes
def draft_options(
    drafter: Annotated[
        str, typer.Option(metavar="NAME", help=f"Who drafts: {', '.join(DRAFTERS)}.")
    ] = DEFAULTS.drafting.drafter,
    ocr: Annotated[
        str, typer.Option(metavar="WHEN", help=f"Read the page's image: {', '.join(OCR_MODES)}.")
    ] = DEFAULTS.drafting.ocr,
    lang: Annotated[str, typer.Option(metavar="LANG", help="The language, where the recogniser should be told.")] = "",
) -> DraftOptions:
    return DraftOptions(drafter, ocr, lang)


# ------------------------------------------------------------------------------------- how a target is run


@makes
def target_options(
    target: Annotated[
        str, typer.Option(metavar="NAME", help="Who verifies: a model, auto (the best at hand), or none.")
    ] = DEFAULTS.target.name,
    device: Device = DEFAULTS.target.device,
    dtype: Dtype = DEFAULTS.target.dtype,
    offline: Offline = False,
) -> TargetOptions:
    if offline:
        os.environ["HF_HUB_OFFLINE"] = "1"  # for libraries, and for the processes that are started
    return TargetOptions(target, device, dtype, offline)


@makes
def speculation_options(
    stages: Stages = DEFAULTS.speculation.stages,
    tau: Tau = DEFAULTS.speculation.tau,
    window: Window = DEFAULTS.speculation.window,
    temperature: Annotated[
        float, typer.Option(metavar="X", help="0: greedy; above: the target draws, repeatably, whatever --tau is.")
    ] = DEFAULTS.speculation.temperature,
    repetition_penalty: Annotated[
        float, typer.Option(metavar="X", help="Above 1 the target is kept from repeating what it read or wrote.")
    ] = DEFAULTS.speculation.repetition_penalty,
    max_new_tokens: MaxNewTokens = DEFAULTS.speculation.max_new_tokens,
    page_timeout: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="The longest the target may take for a page.")
    ] = None,
    check_exact: Annotated[
        bool, typer.Option("--check-exact", help="Decode each page plainly too, and compare.")
    ] = False,
    min_acceptance: Annotated[
        float, typer.Option(metavar="SHARE", help="Exit 3 if the target wrote less than this of a page's draft.")
    ] = DEFAULTS.speculation.min_acceptance,
) -> SpeculationOptions:
    return SpeculationOptions(
        tau,
        window,
        temperature,
        repetition_penalty,
        stages,
        max_new_tokens,
        page_timeout,
        check_exact,
        min_acceptance,
    )


# ------------------------------------------------------------------------------------- everything of convert


@makes
def parse_options(
    target: TargetOptions,
    speculation: SpeculationOptions,
    drafting: DraftOptions,
    raster: RasterOptions,
    format_: Annotated[
        str, typer.Option("--format", metavar="LIST", help=f"What to write: {', '.join(FORMATS)}.")
    ] = ",".join(DEFAULTS.formats),
    tables: Annotated[
        str, typer.Option(metavar="STYLE", help="html, or pipe where a table has no spans.")
    ] = DEFAULTS.tables,
    keep_furniture: Annotated[
        bool, typer.Option("--keep-furniture", help="Keep running heads, feet and page numbers in the Markdown.")
    ] = False,
) -> ParseOptions:
    formats = tuple(name.strip() for name in format_.split(",") if name.strip())
    return ParseOptions(raster, drafting, target, speculation, formats, tables, keep_furniture)


# ------------------------------------------------------------------------------------- what is shown meanwhile


@dataclass(frozen=True, slots=True)
class Display:
    """How much is printed while it goes on, and whether a bar may be drawn."""

    detail: Detail
    bar: bool


@makes
def display(
    progress: Annotated[
        bool | None,
        typer.Option("--progress/--no-progress", help="A bar on a terminal, else a line a page.", show_default=False),
    ] = None,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")] = False,
    verbose: Annotated[
        int, typer.Option("-v", "--verbose", count=True, metavar="", help="A line for every page; -vv: tracebacks.")
    ] = 0,
) -> Display:
    _log_to_stderr(verbose)
    bar = progress is not False and not quiet and verbose < 2  # else what is logged would run through it
    if quiet:
        return Display("errors", bar)
    wants_lines = progress is True and not sys.stderr.isatty()
    return Display("pages" if verbose or wants_lines else "documents", bar)


@dataclass(frozen=True, slots=True)
class Reporting:
    """Who is told of a run over documents: whoever watches, and a file of events."""

    display: Display
    log_json: str | None


@makes
def reporting(
    display: Display,
    log_json: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write what happens, one JSON object a line; - prints it.")
    ] = None,
) -> Reporting:
    return Reporting(display, log_json)


def _log_to_stderr(verbose: int) -> None:
    """What is logged is for whoever looks for a fault; what the user must know is printed."""
    logging.basicConfig(stream=sys.stderr, format="%(name)s: %(message)s", level=logging.CRITICAL)
    logging.getLogger("docparse_fast").setLevel(logging.DEBUG if verbose > 1 else logging.CRITICAL)
