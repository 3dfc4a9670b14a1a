"""`bench engine`: the engine alone, on random weights of real shape."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docparse_fast.cli.arguments import check_json
from docparse_fast.errors import UsageError

if TYPE_CHECKING:
    from docparse_fast.bench.engine.run import EngineOptions

EXIT_CODES = """
Exit codes: 0 measured, and every way of decoding wrote the same; 1 nothing could be; 2 usage; 3 some way wrote
something else; 130 interrupted, what was measured until then is printed and kept.
"""


def engine(
    shape: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="tiny, 100m (default on a CPU), qwen3-vl-2b (on a GPU), qwen3-vl-8b, dots.ocr."
        ),
    ] = "",
    device: Annotated[str, typer.Option(metavar="NAME", help="auto, cpu, cuda, cuda:1.")] = "auto",
    dtypes: Annotated[
        str, typer.Option(metavar="LIST", help="bf16,fp32; on a GPU bf16 unless told otherwise.", show_default=False)
    ] = "",
    prefix: Annotated[int, typer.Option(metavar="N", help="Tokens of the prompt.")] = 1500,
    tokens: Annotated[int, typer.Option(metavar="N", help="Tokens of the answer.")] = 512,
    rows: Annotated[
        str, typer.Option(metavar="LIST", help="How many rows to decode at once; 1 is always there.")
    ] = "1,8,32",
    levels: Annotated[
        str, typer.Option(metavar="LIST", help="Tokens a step to spoil drafts for; 6 is always there.")
    ] = "1-10",
    repeats: Annotated[int, typer.Option(metavar="N", help="Rounds of all ways, whose medians count.")] = 3,
    threads: Annotated[int, typer.Option(metavar="N", help="Of the CPU.")] = 1,
    minutes: Annotated[
        float | None,
        typer.Option(metavar="N", help="Begin no round that would end after these; on a GPU 7.", show_default=False),
    ] = None,
    json_: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="All that was measured.")] = None,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")] = False,
) -> int:
    """Measure the engine on random weights of real shape: no model is fetched, no page is read."""
    from docparse_fast.bench.engine.run import EngineOptions

    options = EngineOptions(
        shape=shape,
        device=device,
        dtypes=tuple(name.strip() for name in dtypes.split(",") if name.strip()),
        prefix=prefix,
        tokens=tokens,
        rows=numbers("--rows", rows),
        levels=numbers("--levels", levels),
        repeats=repeats,
        threads=threads,
        minutes=minutes,
    )
    return exit_code(measured(options, json_, quiet=quiet))


def exit_code(record: Mapping[str, Any]) -> int:
    from docparse_fast.bench.engine.run import exact

    if record["interrupted"]:
        return 130
    return 0 if exact(record) else 3


def measured(options: EngineOptions, file: Path | None, *, quiet: bool = False) -> dict[str, Any]:
    """The record: kept in a file, and shown as a table."""
    import json

    from rich.console import Console

    from docparse_fast.bench.engine.run import run
    from docparse_fast.bench.engine.table import WIDTH, EngineTables
    from docparse_fast.outputs import write

    check_json(file)
    status = Console(stderr=True)
    with status.status("", spinner="line") as spinner:
        record = run(options, spinner.update)
    if file is not None:
        write(file, json.dumps(record, indent=1) + "\n")
    if not quiet:
        Console(width=None if sys.stdout.isatty() else WIDTH).print(EngineTables(record), highlight=False)
    return record


def numbers(option: str, text: str) -> tuple[int, ...]:
    """
    >>> numbers("--levels", "1-3,6")
    (1, 2, 3, 6)
    """
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if not first.isdigit() or not (last or first).isdigit():
            raise UsageError(f"{option} {text!r} is no list of numbers", remedy="write it as 1-4,8")
        found += range(int(first), int(last or first) + 1)
    return tuple(found)
