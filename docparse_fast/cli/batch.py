"""`batch`: converts a whole tree of documents; it can be stopped and continued."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from docparse_fast.batch.limits import LONGEST_PAGE, MOST_JOBS, Limits, bytes_of, check_system, default_jobs
from docparse_fast.cli.arguments import (
    DocTimeout,
    DryRun,
    Exclude,
    FailOn,
    FilesFrom,
    Include,
    Jobs,
    MaxMemory,
    Out,
    Password,
    Reporting,
    begin,
    path,
)
from docparse_fast.cli.sources import listed
from docparse_fast.cli.watching import ended, watching
from docparse_fast.errors import UsageError
from docparse_fast.options import FAIL_ON, ParseOptions
from docparse_fast.options.declaring import one_of

if TYPE_CHECKING:
    from docparse_fast.batch.processes import Engine

ENGINES = ("local", "ray")


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
    files_from: FilesFrom = None,
    dry_run: DryRun = False,
    force: Annotated[bool, typer.Option("--force", help="Convert finished documents again.")] = False,
    engine: Annotated[
        str, typer.Option(metavar="NAME", help=f"Where workers run: {' or '.join(ENGINES)}, a cluster of machines.")
    ] = "local",
    address: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="The Ray cluster; unless said, RAY_ADDRESS's or this machine alone."),
    ] = None,
    fail_on: FailOn = "partial",
) -> int:
    """Turn a folder into Markdown; go on where a run stopped.

    A second run skips finished documents, retries failed ones, and converts those again whose file, options, models or
    program version changed. A file that crashes its worker, hangs or takes too much memory fails alone: see
    --page-timeout, 600 seconds unless said, and --max-memory.
    """
    check_system("batch runs")
    one_of("--fail-on", fail_on, FAIL_ON)
    one_of("--engine", engine, ENGINES)
    if engine == "local" and address is not None:
        raise UsageError("--address names a Ray cluster", remedy="add --engine ray")
    if engine == "ray" and max_memory is not None:
        raise UsageError("--max-memory and --engine ray exclude each other: Ray watches memory itself")
    from docparse_fast.opening import usable

    options = usable(replace(options, raster=password.unlocking(options.raster)))
    begin(reporting.display, offline=options.target.offline)
    cluster = _cluster(address) if engine == "ray" else None
    limits = Limits(
        jobs=_default_jobs(cluster) if jobs is None else jobs,
        page_timeout=options.speculation.page_timeout or LONGEST_PAGE,
        doc_timeout=doc_timeout,
        max_memory=None if max_memory is None else bytes_of("--max-memory", max_memory),
    )

    from docparse_fast.batch.batch import Request, plan_only, run_batch

    only = None if files_from is None else tuple(map(path, listed(files_from)))
    request = Request(folder, out, include or (), exclude or (), force, only)
    if dry_run:
        from docparse_fast.cli.dry_run import tell

        works = {work.record.input.output: work for work in plan_only(request, options)}
        done = {output for output, work in works.items() if work.done is not None}
        inputs = [work.record.input for work in works.values()]
        return tell(inputs, str(out), options, done, lambda source: len(works[source.output].pages))
    with watching(reporting, str(out), sums_up=True) as watcher:
        run = run_batch(request, options, limits, watcher, engine=cluster)
        return ended(run, fail_on, watcher)


def _default_jobs(cluster: Engine | None) -> int:
    return default_jobs() if cluster is None else min(MOST_JOBS, max(1, cluster.places))


def _cluster(address: str | None) -> Engine:
    from docparse_fast.batch.on_ray import open_ray

    return open_ray(address)
