"""`watch`: converts the documents of a folder as they arrive."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from docparse_fast.batch.limits import LONGEST_PAGE, Limits, bytes_of, check_system, default_jobs
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
from docparse_fast.cli.watching import NOTICES, ended, watching
from docparse_fast.options import FAIL_ON, ParseOptions
from docparse_fast.options.declaring import one_of, within

MOST_SETTLE = 3600.0


def watch(
    folder: Annotated[
        Path, typer.Argument(metavar="IN", help="Folder that fills, with its folders.", show_default=False, parser=path)
    ],
    out: Out,
    options: ParseOptions,
    password: Password,
    reporting: Reporting,
    include: Include = None,
    exclude: Exclude = None,
    settle: Annotated[
        float, typer.Option(metavar="SECONDS", help="A file is read when it has not changed for so long.")
    ] = 2.0,
    jobs: Jobs = None,
    doc_timeout: DocTimeout = None,
    max_memory: MaxMemory = None,
    fail_on: FailOn = "partial",
) -> int:
    """Convert a folder's documents as they arrive, until Ctrl-C.

    A file that is still being written is waited for; one that changes is converted again; one that is taken away keeps
    its output. Models are loaded once. What is done is recorded as by batch: a new start skips it, and finished pages
    are kept.
    """
    check_system("watch runs")
    one_of("--fail-on", fail_on, FAIL_ON)
    within("--settle", settle, 0, MOST_SETTLE)
    from docparse_fast.opening import usable

    options = usable(replace(options, raster=password.unlocking(options.raster)))
    begin(reporting.display, offline=options.target.offline)
    limits = Limits(
        jobs=default_jobs() if jobs is None else jobs,
        page_timeout=options.speculation.page_timeout or LONGEST_PAGE,
        doc_timeout=doc_timeout,
        max_memory=None if max_memory is None else bytes_of("--max-memory", max_memory),
    )
    lines = replace(reporting, display=replace(reporting.display, progress=False))  # a bar has an end

    from docparse_fast.batch.batch import Request
    from docparse_fast.batch.watching import watch_folder

    def begun() -> None:
        logging.getLogger(NOTICES).info("watching %s; Ctrl-C ends", folder)

    request = Request(folder, out, include or (), exclude or ())
    with watching(lines, str(out)) as watcher:
        run = watch_folder(request, options, limits, watcher, settle, begun)
        return ended(run, fail_on, watcher)
