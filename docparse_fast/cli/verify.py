"""`verify`: a target checks the drafts of an earlier run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from docparse_fast.cli.arguments import FailOn, Password, Reporting, begin, path
from docparse_fast.cli.running import run_documents
from docparse_fast.cli.watching import before_progress
from docparse_fast.errors import ModelError
from docparse_fast.options import FAIL_ON, ParseOptions, SpeculationOptions, TargetOptions
from docparse_fast.options.declaring import one_of
from docparse_fast.options.recording import options_of, recorded

if TYPE_CHECKING:
    from docparse_fast.pipeline import Pipeline
    from docparse_fast.run.inputs import Input


def verify(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="Output folder of convert or batch.", show_default=False, parser=path)
    ],
    target: TargetOptions,
    speculation: SpeculationOptions,
    password: Password,
    reporting: Reporting,
    fail_on: FailOn = "partial",
) -> int:
    """Have a target check what earlier runs drafted.

    Skips documents that the target has already checked with the same options.
    """
    one_of("--fail-on", fail_on, FAIL_ON)
    begin(reporting.display, offline=target.offline)

    from docparse_fast.drafting import open_drafter
    from docparse_fast.opening import open_pipeline
    from docparse_fast.run.inputs import check_places
    from docparse_fast.run.provenance import models_used
    from docparse_fast.run.stored import StoredDrafter, stored_run

    stored = stored_run(out)
    secret = password.text()
    options = replace(options_of(stored.options, secret), target=target, speculation=speculation)
    with before_progress(reporting.display):
        pipeline = open_pipeline(options)
    if pipeline.target is None:
        raise ModelError("model_missing", f"nothing to verify with: {pipeline.why_target}", remedy="name a --target")

    def options_for(source: Input) -> ParseOptions:
        return replace(stored.options_for(source, secret), target=target, speculation=speculation)

    def pipeline_of(source: Input) -> Pipeline:
        drafting, drafts = options_for(source).drafting, stored.documents[source.output].drafts
        return replace(pipeline, drafter=StoredDrafter(drafts, lambda: open_drafter(drafting)))

    done = stored.done(recorded(target) | recorded(speculation), models_used(pipeline.target))
    found = stored.inputs
    check_places(found, out)
    return run_documents(found, str(out), options, fail_on, reporting, pipeline_of, done, options_for=options_for)
