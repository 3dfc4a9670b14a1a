"""`bench run|...`: what verification gains, measured on the user's own machine, and what it loses."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from docparse_fast.cli.arguments import Display, Inputs, Password, begin, check_json
from docparse_fast.cli.bench_engine import EXIT_CODES as ENGINE_EXIT_CODES
from docparse_fast.cli.bench_engine import engine
from docparse_fast.cli.bench_replay import EXIT_CODES as REPLAY_EXIT_CODES
from docparse_fast.cli.bench_replay import replay
from docparse_fast.cli.bench_reproduce import EXIT_CODES as REPRODUCE_EXIT_CODES
from docparse_fast.cli.bench_reproduce import reproduce
from docparse_fast.cli.bench_watching import watching
from docparse_fast.cli.flags import Command, Without, expanded
from docparse_fast.options import (
    DraftOptions,
    ParseOptions,
    RasterOptions,
    SpeculationOptions,
    TargetOptions,
    options_in,
)

if TYPE_CHECKING:
    from rich.console import Console


EXIT_CODES = """
Exit codes: 0 every page was measured; 1 none could be; 2 usage; 3 some could not, or a way failed on them, or at tau 1
in float32 an answer was not plain decoding's own; 130 interrupted.
"""

UNMEASURED = [name for name, option in options_in(SpeculationOptions).items() if not option.measured]

bench = typer.Typer(no_args_is_help=True, help="Speed, measured: plain decoding against speculative.")

Json = Annotated[
    Path | None,
    typer.Option("--json", metavar="FILE", help="Everything measured, step by step, as JSON.", show_default=False),
]


def run(
    inputs: Inputs,
    target: TargetOptions,
    drafting: DraftOptions,
    raster: RasterOptions,
    password: Password,
    speculation: Annotated[SpeculationOptions, Without(*UNMEASURED)],
    display: Display,
    baselines: Annotated[
        str,
        typer.Option(
            metavar="LIST",
            help="Beside plain decoding: hf-generate, prompt-lookup, chain, draft-model:PATH.",
            show_default=False,
        ),
    ] = "",
    repeats: Annotated[int, typer.Option(metavar="N", help="Rounds, of which the median counts.")] = 3,
    json_: Json = None,
) -> int:
    """The same pages, plain and speculative, interleaved in one run."""
    check_json(json_)
    options = ParseOptions(
        raster=password.unlocking(raster),
        drafting=drafting,
        target=target,
        speculation=speculation,
    )
    begin(display, offline=target.offline)
    from docparse_fast.bench import run as bench_run
    from docparse_fast.bench.figures import summary
    from docparse_fast.bench.record import to_json
    from docparse_fast.bench.report import show
    from docparse_fast.inputs import find_inputs
    from docparse_fast.outputs import write

    chosen = bench_run.RunOptions(
        options, tuple(name.strip() for name in baselines.split(",") if name.strip()), repeats
    )
    with watching(display) as (done, watch):
        found = bench_run.run(find_inputs(inputs, None), chosen, done, watch)
    if json_ is not None:
        write(json_, to_json(found, summary(found)))
    if display.detail != "errors":
        show(found, _console())
    return bench_run.exit_code(found)


def _console() -> Console:
    """As wide as the terminal; where there is none, as wide as the tables want."""
    from rich.console import Console

    from docparse_fast.bench.report import WIDTH

    return Console(width=None if sys.stdout.isatty() else WIDTH)


bench.command(cls=Command, epilog=EXIT_CODES)(expanded(run))
bench.command(cls=Command, epilog=REPRODUCE_EXIT_CODES)(expanded(reproduce))
bench.command(cls=Command, epilog=ENGINE_EXIT_CODES)(expanded(engine))
bench.command(cls=Command, epilog=REPLAY_EXIT_CODES)(expanded(replay))
