"""`bench reproduce TABLE`: the paper's tables, measured with the models and data on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docparse_fast.cli.arguments import Display, begin
from docparse_fast.cli.bench_output import Files, keep_and_show, watching
from docparse_fast.cli.flags import Without
from docparse_fast.options import TargetOptions
from docparse_fast.options.declaring import one_of

EXIT_CODES = """
Exit codes: 0 the table was measured; 1 nothing could be done; 2 usage; 3 weights or data are missing (the output names
the commands that fetch them), or at tau 1 in float32 an answer differed from plain decoding's; 130 interrupted.

Without --data and --target, table7, table8 and figure3 run nano, the toy model that ships, on its samples.

dream-r7 is a figure of another paper, DREAM-R: what --alpha does to the drafts that --stages judge lets stand.
"""

TABLES = "table1 ... table8, tableA1, tableA2, figure3, dream-r7"
DRAFTERS_OF_IMAGES = ("auto", "embedded", "ppstructure")


def reproduce(
    table: Annotated[str, typer.Argument(metavar="TABLE", help=f"{TABLES}.", show_default=False)],
    where: Annotated[TargetOptions, Without("name", "draft_model", "draft_device")],
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
    from docparse_fast.bench.paper import names
    from docparse_fast.bench.reproduction import judge_sweep
    from docparse_fast.bench.reproduction.reproduce import Asked, reproduce
    from docparse_fast.bench.reproduction.reproduction_report import report, to_json

    display = Display(quiet=quiet)
    begin(display, offline=where.offline)
    one_of("TABLE", table, (*names(), judge_sweep.TABLE))
    if table == judge_sweep.TABLE:
        request = judge_sweep.SweepRequest(target, where, data, drafter, max_pages)
        with watching(display) as (_, watch):
            swept = judge_sweep.swept(request, watch)
        keep_and_show(swept.report(), swept.to_json, files, quiet=quiet)
        return 0
    asked = Asked(table, tuple(target), tuple(data), where, drafter, repeats, max_pages)
    with watching(display) as (done, watch):
        found = reproduce(asked, done, watch)
    if answers is not None:
        for session in found.sessions:
            session.export(answers)
    keep_and_show(report(found), lambda: to_json(found), files, quiet=quiet)
    return found.exit_code
