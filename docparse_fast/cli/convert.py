"""`convert`: turns documents into Markdown, one file per page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from docparse_fast.batch.limits import Limits
from docparse_fast.cli.arguments import (
    DocTimeout,
    DryRun,
    FailOn,
    FilesFrom,
    Inputs,
    Password,
    Reporting,
    Warm,
    begin,
    check_warm,
    out_folder,
)
from docparse_fast.cli.interruption import INTERRUPTION
from docparse_fast.cli.printing import STDOUT, check_output, printer
from docparse_fast.cli.running import run_documents
from docparse_fast.cli.sources import listed, named_inputs
from docparse_fast.cli.watching import before_progress
from docparse_fast.errors import UsageError
from docparse_fast.options import FAIL_ON, FetchOptions, ParseOptions
from docparse_fast.options.declaring import one_of

if TYPE_CHECKING:
    from docparse_fast.pipeline import Pipeline
    from docparse_fast.run.conversion import OpenSource
    from docparse_fast.run.inputs import Input


def convert(
    out: Annotated[
        str,
        typer.Option("-o", "--out", metavar="OUT", help="Output folder; - prints.", show_default=False),
    ],
    options: ParseOptions,
    password: Password,
    fetching: FetchOptions,
    reporting: Reporting,
    inputs: Inputs = None,
    files_from: FilesFrom = None,
    dry_run: DryRun = False,
    warm: Warm = False,
    json_lines: Annotated[
        bool, typer.Option("--json-lines", help="With -o -: print a line of JSON per block.")
    ] = False,
    doc_timeout: DocTimeout = None,
    fail_on: FailOn = "partial",
) -> int:
    """Turn PDFs and images into Markdown, one file per page.

    -o - prints Markdown; with --format json it prints document.json, with --json-lines a line per block.

    With --page-timeout or --doc-timeout files are opened and drafted in another process, which can be stopped; beside a
    target on a GPU or a server in several. Pages whose drawing may take any time (patterns, thousands of paths) are
    drafted so anyway, within 600 seconds each.
    """
    one_of("--fail-on", fail_on, FAIL_ON)
    if warm:
        check_warm()
    from docparse_fast.opening import usable

    options = usable(replace(options, raster=password.unlocking(options.raster)))
    begin(reporting.display, offline=options.target.offline)

    check_output(out, options, json_lines=json_lines)
    if fetching.allow_net and options.target.offline:
        raise UsageError("--allow-net and --offline exclude each other", remedy="drop one of them")
    given = [*(inputs or ()), *listed(files_from)]
    if not given:
        raise UsageError("no input is named", remedy="name files or folders, or a list of them with --files-from")
    with ExitStack() as stack:
        with before_progress(reporting.display):
            named = stack.enter_context(named_inputs(given, None if out == STDOUT else out_folder(out), fetching))
        if dry_run:
            from docparse_fast.cli.dry_run import tell

            return tell(named.found, out, options, unread=named.urls.keys())
        print_to = None
        if out == STDOUT:
            print_to = printer(options, named.clean_up, json_lines=json_lines, several=len(named.found) > 1)
        limits = Limits(jobs=1, page_timeout=options.speculation.page_timeout, doc_timeout=doc_timeout)
        coming = [source for source in named.found if source.path not in named.urls]
        with _pipeline(options, limits, reporting, coming, for_figures=out != STDOUT) as (pipeline, open_source):
            return run_documents(
                named.found,
                out,
                options,
                fail_on,
                reporting,
                lambda _: pipeline,
                open_source=named.opening(open_source),
                print_to=print_to,
            )


@contextmanager
def _pipeline(
    options: ParseOptions, limits: Limits, reporting: Reporting, coming: Sequence[Input], *, for_figures: bool
) -> Iterator[tuple[Pipeline, OpenSource]]:
    """The pipeline within its limits, and what opens documents."""
    from docparse_fast.batch.within_limits import bounded
    from docparse_fast.opening import open_pipeline

    with before_progress(reporting.display):
        pipeline = open_pipeline(options)
    shown = {"for_figures": for_figures, "quiet": not reporting.display.logs}
    with bounded(pipeline, options, limits, lambda: INTERRUPTION.heard, coming=coming, **shown) as within:
        yield within
