"""`bench gpu-day`: on a rented machine, everything that wants a GPU, and one report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docparse_fast.errors import UsageError

EXIT_CODES = """
Exit codes: 0 no part failed; 1 some part did, and the report says how; 2 usage; 130 interrupted, what is done is kept.
"""


def gpu_day(
    out: Annotated[Path, typer.Option("-o", "--out", metavar="OUT", help="Folder of the report.")] = Path("gpu-day"),
    device: Annotated[str, typer.Option(metavar="NAME", help="cuda, cuda:1, or cpu for a trial.")] = "cuda",
    small: Annotated[
        bool, typer.Option("--small", help="Sizes that a CPU does in minutes; the figures mean nothing.")
    ] = False,
    minutes: Annotated[
        float | None,
        typer.Option(metavar="N", help="Time for all parts: 30 unless said; small, 600.", show_default=False),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Pages for the paper's rows, if not nano's samples.", show_default=False),
    ] = None,
    only: Annotated[str, typer.Option(metavar="LIST", help="Some parts, with commas.", show_default=False)] = "",
    plant: Annotated[
        str,
        typer.Option(metavar="PART:KIND", help="Make a part (or all) fail: raise, crash or hang.", show_default=False),
    ] = "",
) -> int:
    """Run everything that wants a GPU; needs the wheel with [vlm], and writes a report to paste."""
    from docparse_fast.bench.gpu_day.asked import GpuDay
    from docparse_fast.bench.gpu_day.day import run_day
    from docparse_fast.bench.gpu_day.day_report import machine, where, write_report

    if data is not None and not data.is_dir():
        raise UsageError(f"{data} is no folder", remedy="name a folder of pages")
    names = tuple(name.strip() for name in only.split(",") if name.strip())
    asked = GpuDay(out.absolute(), device, small, minutes, data and data.absolute(), names, plant)
    here = machine()
    well = run_day(
        asked,
        lambda outcomes, seconds: write_report(asked, here, outcomes, seconds),
        lambda line: print(line, flush=True),
    )
    print(where(out))
    return 0 if well else 1
