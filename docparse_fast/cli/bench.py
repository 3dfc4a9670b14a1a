"""`bench run|...`: measures on the user's own machine what speculative decoding gains and what it loses."""

from __future__ import annotations

from typing import Annotated

import typer

from docparse_fast.cli.arguments import Display, InputPaths, Password, begin
from docparse_fast.cli.bench_engine import EXIT_CODES as ENGINE_EXIT_CODES
from docparse_fast.cli.bench_engine import engine
from docparse_fast.cli.bench_enlarge import EXIT_CODES as ENLARGE_EXIT_CODES
from docparse_fast.cli.bench_enlarge import enlarge
from docparse_fast.cli.bench_gpu_day import EXIT_CODES as GPU_DAY_EXIT_CODES
from docparse_fast.cli.bench_gpu_day import gpu_day
from docparse_fast.cli.bench_output import Files, keep_and_show, watching
from docparse_fast.cli.bench_replay import EXIT_CODES as REPLAY_EXIT_CODES
from docparse_fast.cli.bench_replay import replay
from docparse_fast.cli.bench_reproduce import EXIT_CODES as REPRODUCE_EXIT_CODES
from docparse_fast.cli.bench_reproduce import reproduce
from docparse_fast.cli.flags import Command, Without, expanded
from docparse_fast.errors import UsageError
from docparse_fast.options import DraftOptions, ParseOptions, RasterOptions, SpeculationOptions, TargetOptions
from docparse_fast.options.declaring import options_in

EXIT_CODES = """
Exit codes: 0 every page was measured; 1 no page was; 2 usage; 3 some pages were not, or a way of decoding failed on
them, or at tau 1 in float32 an answer differed from plain decoding's; 130 interrupted.
"""

UNMEASURED = [name for name, option in options_in(SpeculationOptions).items() if not option.measured]

bench = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Measure speed: speculative decoding against plain.",
)


def run(
    inputs: InputPaths,
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
            help="More baselines: draft-model:PATH, hf-generate, prompt-lookup, chain.",
            show_default=False,
        ),
    ] = "",
    repeats: Annotated[int, typer.Option(metavar="N", help="Number of rounds; the median counts.")] = 3,
    together: Annotated[
        bool, typer.Option("--together/--no-together", help="Also decode pages plainly side by side.")
    ] = True,
    *,
    files: Files,
) -> int:
    """Decode the same pages plainly and speculatively, interleaved in one run."""
    asked = ParseOptions(
        raster=password.unlocking(raster),
        drafting=drafting,
        target=target,
        speculation=speculation,
    )
    if speculation.judges:
        raise UsageError("--stages judge doesn't read the page", remedy="bench reproduce dream-r measures it")
    begin(display, offline=target.offline)
    from docparse_fast.bench import run as bench_run
    from docparse_fast.bench.record import to_json
    from docparse_fast.bench.report import report
    from docparse_fast.bench.speedups import summary
    from docparse_fast.opening import with_makers_pixels
    from docparse_fast.run.inputs import find_inputs

    options = with_makers_pixels(asked)

    chosen = bench_run.RunOptions(
        options, tuple(name.strip() for name in baselines.split(",") if name.strip()), repeats, together
    )
    with watching(display) as (done, watch):
        found = bench_run.run(find_inputs(inputs, None), chosen, done, watch)
    keep_and_show(report(found), lambda: to_json(found, summary(found)), files, quiet=display.detail == "errors")
    return bench_run.exit_code(found)


bench.command(cls=Command, epilog=EXIT_CODES)(expanded(run))
bench.command(cls=Command, epilog=REPRODUCE_EXIT_CODES)(expanded(reproduce))
bench.command(cls=Command, epilog=ENGINE_EXIT_CODES)(expanded(engine))
bench.command(cls=Command, epilog=REPLAY_EXIT_CODES)(expanded(replay))
bench.command(cls=Command, epilog=ENLARGE_EXIT_CODES)(expanded(enlarge))
bench.command("gpu-day", cls=Command, epilog=GPU_DAY_EXIT_CODES)(expanded(gpu_day))
