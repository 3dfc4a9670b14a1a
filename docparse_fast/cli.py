"""The command line: the only place that reads flags, prints, or exits.

Commands build options, hand them on, and return an exit code; every expected failure is one line on stderr.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from docparse_fast import __version__
from docparse_fast.errors import DocparseError, ModelError, UsageError
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
    one_of,
    options_of,
)

if TYPE_CHECKING:
    from docparse_fast.inputs import Input
    from docparse_fast.pipeline import Pipeline
    from docparse_fast.progress import Detail

# pipeline, pages and drafting are imported by the commands that need them: `--help` must not load PyMuPDF or NumPy.

EXIT_CODES = """
Exit codes: 0 all good; 1 nothing could be done; 2 usage; 3 partial: some document or page failed or was cut off;
130 interrupted, what is done is kept.
"""

DEFAULTS = ParseOptions()

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)


def main() -> None:
    """The console script."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """One command; its exit code."""
    try:
        return int(app(arguments, prog_name="docparse-fast", standalone_mode=False) or 0)
    except typer.TyperException as error:  # what Typer itself found wrong with the arguments
        return _refuse("usage", f"{error.format_message()}; see docparse-fast --help", error.exit_code)
    except UsageError as error:
        return _refuse(error.code, str(error), 2)
    except DocparseError as error:
        return _refuse(error.code, str(error), 1)
    except KeyboardInterrupt:
        return 130


def _refuse(code: str, message: str, exit_code: int) -> int:
    from docparse_fast.progress import error_line

    print(error_line(code, message), file=sys.stderr)
    return exit_code


def _version(asked: bool) -> None:
    if asked:
        print(f"docparse-fast {__version__}")
        raise typer.Exit


@app.callback(epilog=EXIT_CODES)
def _docparse_fast(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """PDFs and scans to Markdown."""


# ------------------------------------------------- how a target is run: said alike by all commands that run one

Device = Annotated[str, typer.Option(metavar="NAME", help="Where the target runs: auto, cpu, cuda, cuda:1.")]
Dtype = Annotated[str, typer.Option(metavar="NAME", help=f"In which numbers: {', '.join(DTYPES)}.")]
Offline = Annotated[bool, typer.Option("--offline", help="Never ask the network, not even for a model.")]
Stages = Annotated[str, typer.Option(metavar="WHICH", help="auto; 1: region crops only; 2: the page only; both.")]
Tau = Annotated[
    float, typer.Option(metavar="X", help="1: the target's own answer; below: a draft may stand where it is close.")
]
Window = Annotated[int, typer.Option(metavar="N", help="Accepted tokens by which a draft is aligned.")]
Temperature = Annotated[float, typer.Option(metavar="X", help="0: greedy; above: the target draws, repeatably.")]
MaxNewTokens = Annotated[int, typer.Option(metavar="N", help="The longest answer to a page.")]
PageTimeout = Annotated[
    float | None, typer.Option(metavar="SECONDS", help="The longest the target may take for a page.")
]
CheckExact = Annotated[bool, typer.Option("--check-exact", help="Decode each page plainly too, and compare.")]
MinAcceptance = Annotated[
    float, typer.Option(metavar="SHARE", help="Exit 3 if the target wrote less than this of a page's draft.")
]

# ----------------------------------------------------------------------- said alike by all commands that read pages

Password = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="For encrypted PDFs. Better: --password-file, or DOCPARSE_PASSWORD."),
]
PasswordFile = Annotated[Path | None, typer.Option(metavar="FILE", help="A file whose first line is the password.")]
FailOn = Annotated[str, typer.Option(metavar="WHAT", help=f"What makes the exit code non-zero: {', '.join(FAIL_ON)}.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")]
Verbose = Annotated[
    int, typer.Option("-v", "--verbose", count=True, metavar="", help="A line for every page; -vv: tracebacks.")
]

# ------------------------------------------------------------------------------------------------ convert


@app.command(epilog=EXIT_CODES)
def convert(
    inputs: Annotated[
        list[Path], typer.Argument(metavar="INPUT...", help="PDFs, images, or folders of them.", show_default=False)
    ],
    out: Annotated[
        str,
        typer.Option("-o", "--out", metavar="OUT", help="Folder to write to; - prints Markdown.", show_default=False),
    ],
    target: Annotated[
        str, typer.Option(metavar="NAME", help="Who verifies: a model, auto (the best at hand), or none.")
    ] = DEFAULTS.target.name,
    device: Device = "auto",
    dtype: Dtype = "auto",
    offline: Offline = False,
    stages: Stages = DEFAULTS.speculation.stages,
    tau: Tau = DEFAULTS.speculation.tau,
    window: Window = DEFAULTS.speculation.window,
    temperature: Temperature = DEFAULTS.speculation.temperature,
    max_new_tokens: MaxNewTokens = DEFAULTS.speculation.max_new_tokens,
    page_timeout: PageTimeout = None,
    check_exact: CheckExact = False,
    min_acceptance: MinAcceptance = DEFAULTS.speculation.min_acceptance,
    drafter: Annotated[
        str, typer.Option(metavar="NAME", help=f"Who drafts: {', '.join(DRAFTERS)}.")
    ] = DEFAULTS.drafting.drafter,
    ocr: Annotated[
        str, typer.Option(metavar="WHEN", help=f"Read the page's image: {', '.join(OCR_MODES)}.")
    ] = DEFAULTS.drafting.ocr,
    lang: Annotated[str, typer.Option(metavar="LANG", help="The language, where the recogniser should be told.")] = "",
    pages: Annotated[
        str, typer.Option(metavar="RANGE", help="1-5,8,r3-r1: r1 is the last page. All, unless said.")
    ] = "",
    max_pages: Annotated[int | None, typer.Option(metavar="N", help="No more pages than this of a document.")] = None,
    dpi: Annotated[int, typer.Option(metavar="N", help="How finely a PDF's pages are rendered.")] = DEFAULTS.raster.dpi,
    max_pixels: Annotated[
        int, typer.Option(metavar="N", help="The most pixels a page may have.")
    ] = DEFAULTS.raster.max_pixels,
    password: Password = None,
    password_file: PasswordFile = None,
    format_: Annotated[
        str, typer.Option("--format", metavar="LIST", help=f"What to write: {', '.join(FORMATS)}.")
    ] = ",".join(DEFAULTS.formats),
    tables: Annotated[
        str, typer.Option(metavar="STYLE", help="html, or pipe where a table has no spans.")
    ] = DEFAULTS.tables,
    keep_furniture: Annotated[
        bool, typer.Option("--keep-furniture", help="Keep running heads, feet and page numbers in the Markdown.")
    ] = False,
    fail_on: FailOn = "partial",
    progress: Annotated[
        bool | None,
        typer.Option("--progress/--no-progress", help="A bar on a terminal, else a line a page.", show_default=False),
    ] = None,
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> int:
    """Turn PDFs and images into Markdown, one file a page."""
    options = ParseOptions(
        raster=RasterOptions(pages, max_pages, dpi, max_pixels, _password(password, password_file)),
        drafting=DraftOptions(drafter, ocr, lang),
        target=TargetOptions(target, device, dtype, offline),
        speculation=SpeculationOptions(
            tau, window, temperature, stages, max_new_tokens, page_timeout, check_exact, min_acceptance
        ),
        formats=tuple(name.strip() for name in format_.split(",") if name.strip()),
        tables=tables,
        keep_furniture=keep_furniture,
    )
    one_of("--fail-on", fail_on, FAIL_ON)
    _log_to_stderr(verbose)
    detail = _detail(quiet=quiet, verbose=verbose, progress=progress)
    return _convert(inputs, out, options, fail_on, detail, bar=progress is not False and not quiet)


def _password(given: str | None, file: Path | None) -> str | None:
    if given is not None and file is not None:
        raise UsageError("--password and --password-file exclude each other", remedy="drop one of them")
    if file is None:
        return given if given is not None else os.environ.get("DOCPARSE_PASSWORD")
    try:
        with file.open(encoding="utf-8") as lines:
            return lines.readline().rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--password-file {file} can't be read: {error}") from error


def _log_to_stderr(verbose: int) -> None:
    """What is logged is for whoever looks for a fault; what the user must know is printed."""
    logging.basicConfig(stream=sys.stderr, format="%(name)s: %(message)s", level=logging.CRITICAL)
    logging.getLogger("docparse_fast").setLevel(logging.DEBUG if verbose > 1 else logging.CRITICAL)


def _detail(*, quiet: bool, verbose: int, progress: bool | None) -> Detail:
    if quiet:
        return "errors"
    wants_lines = progress is True and not sys.stderr.isatty()
    return "pages" if verbose or wants_lines else "documents"


def _convert(inputs: list[Path], out: str, options: ParseOptions, fail_on: str, detail: Detail, *, bar: bool) -> int:
    from docparse_fast.inputs import find_inputs
    from docparse_fast.pipeline import open_pipeline

    if out == "-" and "md" not in options.formats:
        raise UsageError("-o - prints Markdown, which --format leaves out", remedy="add md, or name a folder")
    found = find_inputs(inputs, None if out == "-" else Path(out))
    pipeline = open_pipeline(options)
    return _run(found, out, options, fail_on, detail, lambda _: pipeline, bar=bar)


def _run(
    found: Sequence[Input],
    out: str,
    options: ParseOptions,
    fail_on: str,
    detail: Detail,
    pipeline_of: Callable[[Input], Pipeline],
    *,
    bar: bool,
) -> int:
    from docparse_fast import conversion
    from docparse_fast.outputs import DocumentFolder, MarkdownStream, write_run
    from docparse_fast.progress import Bar, PlainLines

    to_stdout = out == "-"

    def output_of(source: Input) -> conversion.Output:
        if to_stdout:
            return MarkdownStream(sys.stdout, options, heading=source.name if len(found) > 1 else "")
        return DocumentFolder(Path(out) / source.output, options)

    def save(run: conversion.Run) -> None:
        if not to_stdout:
            write_run(Path(out), run.as_json())

    if to_stdout:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends us as it ends any other tool
    shown_out = "" if to_stdout else out
    show_bar = bar and not to_stdout and sys.stderr.isatty()
    watcher = Bar(sys.stderr, detail, shown_out, len(found)) if show_bar else PlainLines(sys.stderr, detail, shown_out)
    with watcher.shown():
        run = conversion.convert(found, pipeline_of, options, output_of, watcher, save)
    return conversion.exit_code(run, fail_on)


# ------------------------------------------------------------------------------------------------- verify


@app.command(epilog=EXIT_CODES)
def verify(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="What convert left.", show_default=False)],
    target: Annotated[
        str, typer.Option(metavar="NAME", help="Who verifies: a model, or auto (the best at hand).")
    ] = DEFAULTS.target.name,
    device: Device = "auto",
    dtype: Dtype = "auto",
    offline: Offline = False,
    stages: Stages = DEFAULTS.speculation.stages,
    tau: Tau = DEFAULTS.speculation.tau,
    window: Window = DEFAULTS.speculation.window,
    temperature: Temperature = DEFAULTS.speculation.temperature,
    max_new_tokens: MaxNewTokens = DEFAULTS.speculation.max_new_tokens,
    page_timeout: PageTimeout = None,
    check_exact: CheckExact = False,
    min_acceptance: MinAcceptance = DEFAULTS.speculation.min_acceptance,
    password: Password = None,
    password_file: PasswordFile = None,
    fail_on: FailOn = "partial",
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> int:
    """Have a target look at what an earlier run only drafted; its drafts are used, not made again."""
    from docparse_fast.drafting import open_drafter
    from docparse_fast.pipeline import open_pipeline
    from docparse_fast.stored import StoredDrafter, stored_run

    one_of("--fail-on", fail_on, FAIL_ON)
    _log_to_stderr(verbose)
    stored = stored_run(out)
    options = replace(
        options_of(stored.options, _password(password, password_file)),
        target=TargetOptions(target, device, dtype, offline),
        speculation=SpeculationOptions(
            tau, window, temperature, stages, max_new_tokens, page_timeout, check_exact, min_acceptance
        ),
    )
    pipeline = open_pipeline(options)
    if pipeline.target is None:
        raise ModelError("model_missing", f"nothing to verify with: {pipeline.why_target}", remedy="name a --target")

    def pipeline_of(source: Input) -> Pipeline:
        drafter = StoredDrafter(stored.drafts[source.output], lambda: open_drafter(options.drafting))
        return replace(pipeline, drafter=drafter)

    detail = _detail(quiet=quiet, verbose=verbose, progress=None)
    return _run(stored.inputs, str(out), options, fail_on, detail, pipeline_of, bar=not quiet)


# ------------------------------------------------------------------------------------------------- doctor


@app.command()
def doctor(
    json_: Annotated[bool, typer.Option("--json", help="The same as JSON.")] = False,
) -> int:
    """Say what this machine can do, and what auto would choose."""
    import json

    from docparse_fast.doctor import examine, report

    found = examine()
    print(json.dumps(found, indent=1) if json_ else report(found))
    return 0 if found["ready"] else 1
