"""`bench engine`: measures the decoding engine alone, on random weights of a real model's shape."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from docparse_fast.bench.engine.options import EngineOptions
from docparse_fast.cli.bench_output import Files, keep_and_show
from docparse_fast.errors import UsageError

EXIT_CODES = """
Exit codes: 0 measured, and all ways of decoding gave the same text; 1 nothing was measured; 2 usage; 3 the texts
differ; 130 interrupted, finished measurements are printed and kept.
"""


def engine(
    options: EngineOptions,
    rows: Annotated[
        str, typer.Option(metavar="LIST", help="Numbers of rows decoded at once; 1 is always included.")
    ] = "1,8,32",
    levels: Annotated[
        str, typer.Option(metavar="LIST", help="Tokens per step to spoil drafts to; 6 is always included.")
    ] = "1-10",
    *,
    files: Files,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")] = False,
) -> int:
    """Measure the engine on random weights of a real model's shape; needs no model and no page."""
    options = replace(options, rows=numbers("--rows", rows), levels=numbers("--levels", levels))
    from rich.console import Console

    from docparse_fast.bench.engine.engine_report import report
    from docparse_fast.bench.engine.measuring_engine import run
    from docparse_fast.bench.engine.record import to_json

    with Console(stderr=True).status("", spinner="line") as spinner:
        record = run(options, spinner.update)
    keep_and_show(report(record), lambda: to_json(record), files, quiet=quiet)
    return 130 if record.interrupted else 0 if record.exact else 3


def numbers(option: str, text: str) -> tuple[int, ...]:
    """
    >>> numbers("--levels", "1-3,6")
    (1, 2, 3, 6)
    """
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if not first.isdigit() or not (last or first).isdigit():
            raise UsageError(f"{option} {text!r} is not a list of numbers", remedy="write it as 1-4,8")
        found += range(int(first), int(last or first) + 1)
    return tuple(found)
