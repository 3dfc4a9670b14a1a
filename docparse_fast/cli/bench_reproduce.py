"""`bench reproduce TABLE`: the paper's tables, measured with the models and data on this machine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from docparse_fast.cli.arguments import Display, begin
from docparse_fast.cli.bench_output import Files, keep_and_show, watching
from docparse_fast.cli.flags import Without
from docparse_fast.errors import UsageError
from docparse_fast.options import TargetOptions
from docparse_fast.options.declaring import one_of

EXIT_CODES = """
Exit codes: 0 the table was measured; 1 nothing could be done; 2 usage; 3 weights or data are missing (the output names
the commands that fetch them), or at tau 1 in float32 an answer differed from plain decoding's; 130 interrupted.

Without --data and --target, table7, table8 and figure3 run nano, the toy model that ships, on its samples.

tabed1, tabed3, tabed4 and tabed13 are tables of another paper, TABED, and need --draft-model: a smaller model that
drafts. So do double-figure5, double3 and double9 of a third one, DOUBLE: a store of n-grams. Their --data has more than
20 pages.

dream-r7 is a figure of another paper, DREAM-R: a judge of drafts. hsd-rules needs no model: rules of verification.
hsd-models has the same rules with a --draft-model that draws.
"""

TABLES = (
    "table1 ... table8, tableA1, tableA2, figure3, tabed1, tabed3, tabed4, tabed13, double-figure5, double3, double9, "
    "dream-r7, hsd-rules, hsd-models"
)
DRAFTERS_OF_IMAGES = ("auto", "embedded", "ppstructure")


def reproduce(
    table: Annotated[str, typer.Argument(metavar="TABLE", help=f"{TABLES}.", show_default=False)],
    where: Annotated[TargetOptions, Without("name")],
    target: Annotated[
        list[str],
        typer.Option(metavar="NAME", help="Model name or folder; all: the table's models. Repeatable."),
    ] = ["nano"],  # noqa: B006  # Typer wants a list, and copies it
    data: Annotated[
        list[Path],
        typer.Option(
            metavar="FOLDER",
            help="OmniDocBench, olmOCR-Bench, Ocean-OCR-Bench or any pages. Repeatable.",
            show_default=False,
        ),
    ] = [],  # noqa: B006
    drafter: Annotated[
        str, typer.Option(metavar="NAME", help="auto: ppstructure as in the paper if installed, else embedded.")
    ] = "auto",
    max_pages: Annotated[
        int | None, typer.Option(metavar="N", help="Most pages of one data set.", show_default=False)
    ] = None,
    repeats: Annotated[int, typer.Option(metavar="N", help="Number of rounds; the median counts.")] = 1,
    answers: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Write all answers here, for the official scoring tools.", show_default=False
        ),
    ] = None,
    *,
    files: Files,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")] = False,
) -> int:
    """Measure a table of the paper and print our figures beside the paper's."""
    one_of("--drafter", drafter, DRAFTERS_OF_IMAGES)
    from docparse_fast.bench.reproduction.report import report, to_json
    from docparse_fast.bench.reproduction.reproduce import Asked, reproduce

    display = Display(quiet=quiet)
    begin(display, offline=where.offline)
    if table == "hsd-rules":
        return _rules(files, quiet=quiet)
    if table == "dream-r7":
        return _judge(target, where, data, drafter, max_pages, files, display)
    if table == "tabed13":
        return _latency(target, where, files, quiet=quiet)
    if table == "hsd-models":
        return _rules_on_models(target, where, data, max_pages, files, display)
    if table.startswith("double"):
        return _double(table, target, where, data, max_pages, files, display)
    if where.draft_model or table.startswith("tabed"):
        return _tabed(table, target, where, data, drafter, max_pages, files, display)
    asked = Asked(table, tuple(target), tuple(data), where, drafter, repeats, max_pages)
    with watching(display) as (done, watch):
        found = reproduce(asked, done, watch)
    if answers is not None:
        for session in found.sessions:
            session.export(answers)
    keep_and_show(report(found), lambda: to_json(found), files, quiet=quiet)
    return found.exit_code


def _tabed(
    table: str,
    targets: list[str],
    where: TargetOptions,
    data: list[Path],
    drafter: str,
    max_pages: int | None,
    files: Files,
    display: Display,
) -> int:
    from docparse_fast.bench.reproduction.sources import samples
    from docparse_fast.bench.reproduction.tabed import TABLES as TABED
    from docparse_fast.bench.reproduction.tabed import open_and_run
    from docparse_fast.bench.reproduction.tabed_report import report, to_json

    one_of("TABLE with --draft-model", table, TABED)
    if len(targets) != 1 or not where.draft_model:
        raise UsageError(f"{table} needs one --target, and a --draft-model", remedy="name both")
    with watching(display) as (_, watch):
        found = open_and_run(table, data or [samples()], replace(where, name=targets[0]), drafter, max_pages, watch)
    keep_and_show(report(found), lambda: to_json(found), files, quiet=display.quiet)
    return found.exit_code


def _latency(targets: list[str], where: TargetOptions, files: Files, *, quiet: bool) -> int:
    from docparse_fast.bench.reproduction.latency import measured, report, to_json

    if len(targets) != 1 or not where.draft_model:
        raise UsageError("tabed13 needs one --target, and a --draft-model", remedy="name both")
    found = measured(replace(where, name=targets[0]))
    keep_and_show(report(found), lambda: to_json(found), files, quiet=quiet)
    return 0


def _rules_on_models(
    targets: list[str],
    where: TargetOptions,
    data: list[Path],
    max_pages: int | None,
    files: Files,
    display: Display,
) -> int:
    from docparse_fast.bench.reproduction.rules_on_models import open_and_run, report, to_json
    from docparse_fast.bench.reproduction.sources import samples

    if len(targets) != 1 or len(data) > 1 or not where.draft_model:
        raise UsageError("hsd-models needs one --target, one --data and a --draft-model", remedy="name all three")
    with watching(display) as (_, watch):
        found = open_and_run(data[0] if data else samples(), replace(where, name=targets[0]), max_pages, watch)
    keep_and_show(report(found), lambda: to_json(found), files, quiet=display.quiet)
    return 0


def _double(
    table: str,
    targets: list[str],
    where: TargetOptions,
    data: list[Path],
    max_pages: int | None,
    files: Files,
    display: Display,
) -> int:
    from docparse_fast.bench.reproduction.double import TABLES as DOUBLE
    from docparse_fast.bench.reproduction.double import open_and_run
    from docparse_fast.bench.reproduction.double_report import report, to_json

    one_of("TABLE", table, DOUBLE)
    if len(targets) != 1 or len(data) != 1 or not where.draft_model:
        raise UsageError(f"{table} needs one --target, one --data and a --draft-model", remedy="name all three")
    with watching(display) as (_, watch):
        found = open_and_run(table, data[0], replace(where, name=targets[0]), max_pages, watch)
    keep_and_show(report(found), lambda: to_json(found), files, quiet=display.quiet)
    return found.exit_code


def _rules(files: Files, *, quiet: bool) -> int:
    from docparse_fast.bench.reproduction.rules_table import measured, report, to_json

    found = measured()
    keep_and_show(report(found), lambda: to_json(found), files, quiet=quiet)
    return 0


def _judge(
    targets: list[str],
    where: TargetOptions,
    data: list[Path],
    drafter: str,
    max_pages: int | None,
    files: Files,
    display: Display,
) -> int:
    from docparse_fast.bench.reproduction.judge_sweep import open_and_sweep, report, to_json
    from docparse_fast.bench.reproduction.sources import samples

    if len(targets) != 1 or len(data) > 1:
        raise UsageError("dream-r7 is measured for one --target on one --data", remedy="name one of each")
    with watching(display) as (_, watch):
        folder = data[0] if data else samples()
        found = open_and_sweep(folder, replace(where, name=targets[0]), drafter, max_pages, watch)
    keep_and_show(report(found), lambda: to_json(found), files, quiet=display.quiet)
    return 0
