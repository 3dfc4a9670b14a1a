"""`batch`: a whole tree of documents, broken off and taken up again at will."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from docparse_fast.batch.limits import Limits, bytes_of, default_jobs
from docparse_fast.cli.arguments import FailOn, Out, Password, Reporting, begin, path
from docparse_fast.cli.watching import watching
from docparse_fast.options import FAIL_ON, ParseOptions, one_of


def batch(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="PDFs and images, at any depth.", show_default=False, parser=path)
    ],
    out: Out,
    options: ParseOptions,
    password: Password,
    reporting: Reporting,
    include: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="Only what fits: a name, a folder, or a path; *.pdf. Repeatable."),
    ] = None,
    exclude: Annotated[
        list[str] | None, typer.Option(metavar="PATTERN", help="Leave out what fits. Repeatable.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(metavar="N", help="Worker processes that open and draft; up to 4, unless said.")
    ] = None,
    doc_timeout: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="The longest a document may be worked on.")
    ] = None,
    max_memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="The most memory a worker may hold: 800M, 2G.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Do again what is done.")] = False,
    fail_on: FailOn = "partial",
) -> int:
    """Turn a folder of documents into Markdown; run again, it goes on where it was broken off.

    What is done is left alone, what failed is tried again, what has changed (the file, the options, the models, this
    program) is done again. A file that crashes, hangs or swells what reads it costs itself and nothing else;
    --page-timeout holds for that too.
    """
    one_of("--fail-on", fail_on, FAIL_ON)
    options = replace(options, raster=password.unlocking(options.raster))
    begin(reporting.display, offline=options.target.offline)
    limits = Limits(
        jobs=default_jobs() if jobs is None else jobs,
        page_timeout=options.speculation.page_timeout,
        doc_timeout=doc_timeout,
        max_memory=None if max_memory is None else bytes_of("--max-memory", max_memory),
    )

    from docparse_fast.batch.batch import Request, run_batch
    from docparse_fast.conversion import exit_code

    with watching(reporting, str(out), sums_up=True) as watcher:
        run = run_batch(Request(folder, out, include or (), exclude or (), force), options, limits, watcher)
        code = exit_code(run, fail_on)
        watcher.ended(run, code)
    return code
