"""`batch`: converts a whole tree of documents; it can be stopped and continued."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from docparse_fast.batch.limits import Limits, bytes_of, check_system, default_jobs
from docparse_fast.cli.arguments import (
    DocTimeout,
    Exclude,
    FailOn,
    Include,
    Jobs,
    MaxMemory,
    Out,
    Password,
    Reporting,
    begin,
    path,
)
from docparse_fast.cli.watching import ended, watching
from docparse_fast.options import FAIL_ON, ParseOptions, one_of


def batch(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="Folder of PDFs and images, searched at any depth.", show_default=False, parser=path
        ),
    ],
    out: Out,
    options: ParseOptions,
    password: Password,
    reporting: Reporting,
    include: Include = None,
    exclude: Exclude = None,
    jobs: Jobs = None,
    doc_timeout: DocTimeout = None,
    max_memory: MaxMemory = None,
    force: Annotated[bool, typer.Option("--force", help="Convert finished documents again.")] = False,
    fail_on: FailOn = "partial",
) -> int:
    """Turn a folder of documents into Markdown; a second run continues where the first stopped.

    A second run skips finished documents, retries failed ones, and converts those again whose file, options, models or
    program version changed. A file that crashes its worker, hangs or takes too much memory fails alone: set
    --page-timeout and --max-memory.
    """
    check_system("batch runs")
    one_of("--fail-on", fail_on, FAIL_ON)
    from docparse_fast.opening import usable

    options = usable(replace(options, raster=password.unlocking(options.raster)))
    begin(reporting.display, offline=options.target.offline)
    limits = Limits(
        jobs=default_jobs() if jobs is None else jobs,
        page_timeout=options.speculation.page_timeout,
        doc_timeout=doc_timeout,
        max_memory=None if max_memory is None else bytes_of("--max-memory", max_memory),
    )

    from docparse_fast.batch.batch import Request, run_batch

    with watching(reporting, str(out), sums_up=True) as watcher:
        run = run_batch(Request(folder, out, include or (), exclude or (), force), options, limits, watcher)
        return ended(run, fail_on, watcher)
