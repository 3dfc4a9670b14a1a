"""`convert`: turns documents into Markdown, one file per page."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from docparse_fast.batch.limits import Limits, check_system
from docparse_fast.cli.arguments import DocTimeout, FailOn, InputPaths, Password, Reporting, begin, path
from docparse_fast.cli.interruption import INTERRUPTION
from docparse_fast.cli.running import run_documents
from docparse_fast.errors import UsageError
from docparse_fast.options import FAIL_ON, ParseOptions, one_of


def convert(
    inputs: InputPaths,
    out: Annotated[
        str,
        typer.Option("-o", "--out", metavar="OUT", help="Output folder; - prints Markdown.", show_default=False),
    ],
    options: ParseOptions,
    password: Password,
    reporting: Reporting,
    doc_timeout: DocTimeout = None,
    fail_on: FailOn = "partial",
) -> int:
    """Turn PDFs and images into Markdown, one file per page.

    With --page-timeout or --doc-timeout files are opened and drafted in another process, which can be stopped.
    """
    one_of("--fail-on", fail_on, FAIL_ON)
    options = replace(options, raster=password.unlocking(options.raster))
    begin(reporting.display, offline=options.target.offline)

    from docparse_fast.inputs import find_inputs
    from docparse_fast.opening import open_pipeline

    if out == "-" and "md" not in options.formats:
        raise UsageError("-o - prints Markdown, which --format leaves out", remedy="add md, or name a folder")
    if out == "-" and "html" in options.formats:
        raise UsageError("-o - prints Markdown only", remedy="name a folder for --format html")
    found = find_inputs(inputs, None if out == "-" else path(out))
    limits = Limits(jobs=1, page_timeout=options.speculation.page_timeout, doc_timeout=doc_timeout)
    pipeline = open_pipeline(options)
    if not limits.of_time:
        return run_documents(found, out, options, fail_on, reporting, lambda _: pipeline)
    check_system("a time limit works")

    from docparse_fast.batch.apart import Apart
    from docparse_fast.drafted import Wanted

    wanted = Wanted(for_target=pipeline.target is not None, for_figures=out != "-")
    with Apart(options, limits, wanted, lambda: INTERRUPTION.heard, quiet=not reporting.display.logs) as apart:
        pipeline = replace(pipeline, draft_pages=apart.draft_pages)
        return run_documents(found, out, options, fail_on, reporting, lambda _: pipeline, open_source=apart.open)
