"""`bench engine`: measures the engine on random weights of real shape. Knows options and records.

The model's answers are known in advance. Drafts are spoilt until they give the wanted tokens per step, and every way of
decoding must write the same tokens. Prefill is not timed. Seconds are the process's own on a CPU (other work on the
machine does not count) and wall seconds on a GPU; all ways run in turn, and medians count. docs/bench.md describes the
record.
"""

from __future__ import annotations

import platform
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from importlib import metadata
from math import inf
from pathlib import Path

from docparse_fast.bench.engine.options import EngineOptions
from docparse_fast.bench.engine.race import ClockKind, Race
from docparse_fast.bench.engine.record import (
    GENERATE,
    PLAIN,
    DtypeRecord,
    EngineLine,
    EngineRecord,
    StepMs,
    summary_of,
)
from docparse_fast.bench.engine.shapes import SHAPES
from docparse_fast.bench.speedups import Figures
from docparse_fast.bench.surroundings import commit
from docparse_fast.errors import ModelError
from docparse_fast.targets import let_waiting_threads_sleep
from docparse_fast.version import __version__


def run(options: EngineOptions, say: Callable[[str], None] = lambda what: None) -> EngineRecord:
    """Calls `say` with the current activity. If interrupted, returns what was measured until then."""
    start = time.monotonic()
    let_waiting_threads_sleep()
    try:
        from docparse_fast.bench.engine.planted import use_threads
        from docparse_fast.targets.loading.devices import choose
    except ImportError as error:
        raise ModelError(
            "model_missing",
            f"the engine needs torch and transformers ({error.name} is missing)",
            remedy="pip install 'docparse-fast[vlm]'",
        ) from error
    on_cpu = choose(options.device, "auto").device.type == "cpu"
    options = options.chosen(on_cpu)
    use_threads(options.threads)
    kind: ClockKind = "cpu" if on_cpu else "wall"
    dtypes: dict[str, DtypeRecord] = {}
    with tempfile.TemporaryDirectory() as costs:  # measured anew, so that the record depends on no earlier run
        for number, dtype in enumerate(options.dtypes, start=1):
            until = inf if options.minutes is None else start + 60 * options.minutes * number / len(options.dtypes)
            try:
                dtypes[dtype] = _measured(dtype, kind, options, Path(costs), until, partial(_say_at, say, dtype))
            except KeyboardInterrupt:
                if not dtypes:
                    raise
                break
            if dtypes[dtype].interrupted:
                break
    found = list(dtypes.values())
    return EngineRecord(
        summary=found[0].summary,
        interrupted=found[-1].interrupted or len(found) < len(options.dtypes),
        shape=options.shape,
        sizes=SHAPES[options.shape],
        device=found[0].device,
        clock=kind,
        prefix=options.prefix,
        tokens=options.tokens,
        repeats=options.repeats,
        options=asdict(options),
        minutes_taken=(time.monotonic() - start) / 60,
        commit=commit(),
        platform=platform.platform(),
        versions=_versions(),
        dtypes=dtypes,
    )


def _say_at(say: Callable[[str], None], dtype: str, what: str) -> None:
    say(f"{dtype}: {what}")


def _measured(
    dtype: str, kind: ClockKind, options: EngineOptions, costs_folder: Path, until: float, say: Callable[[str], None]
) -> DtypeRecord:
    """Measures one dtype. Most rows first: this allocates their memory once and invalidates no captured graph."""
    from docparse_fast.bench.engine.planted import RandomModel

    say("making the model")
    shape, slots = SHAPES[options.shape], max(options.rows)
    planted = RandomModel(shape, options.device, dtype, prefix=options.prefix, slots=slots, costs_folder=costs_folder)
    say("costs of a pass, bandwidth, prefill")
    race = Race(planted, kind, options.tokens, options.levels, say)
    bandwidth = planted.copy_bandwidth()
    prefill = min(planted.prefill_seconds() for _ in range(2))
    begin = time.monotonic()
    try:
        for number, rows in enumerate(reversed(options.rows), start=1):
            share = begin + (until - begin) * number / len(options.rows)
            race.run(rows, options.repeats if rows == 1 else max(1, options.repeats - 1), share)
        bandwidth = max(bandwidth, planted.copy_bandwidth())  # other memory traffic can only slow it down
        interrupted = False
    except KeyboardInterrupt:
        if not race.attempts:
            raise
        interrupted = True
    steps = {rows: planted.bytes_a_step(rows, race.tokens_of(rows)) for rows in options.rows}
    lines = [line for rows in race.ways for line in _lines(race, rows, prefill, steps[rows] / bandwidth)]
    return DtypeRecord(
        summary=summary_of(lines),
        interrupted=interrupted,
        device=planted.device,
        lines=tuple(lines),
        corruption={str(level): rate for level, rate in race.rates.items()},
        copy_bytes_per_second=bandwidth,
        bytes_a_plain_step={str(rows): read for rows, read in steps.items()},
        prefill_seconds=prefill,
        costs=asdict(planted.target.costs),
    )


def _lines(race: Race, rows: int, prefill: float, least: float) -> Iterator[EngineLine]:
    """A line per way. `least` is a plain step's least seconds by memory bandwidth."""
    page = race.record(rows)
    for way in race.ways[rows]:
        key, record, figures = (rows, way.name), page.ways[way.name], Figures.of(page, way.name)
        decode = figures.decode_seconds
        laps = [written.step_seconds for written in race.attempts[key].written]
        steps = len(laps[0]) + 1 if laps[0] else record.passes // rows
        host, warm = race.host_seconds.get(key), race.warm_host_seconds.get(key)
        yield EngineLine.of(
            way.kind,
            way.level,
            rows,
            race.tokens_of(rows),
            record,
            figures,
            steps=steps,
            prefill_share=rows * prefill / (rows * prefill + decode),
            step_ms=StepMs.of([seconds for run in laps for seconds in run]),
            host_us_per_step=host and 1e6 * host,
            warm_host_us_per_step=warm and 1e6 * warm,
            host_share=host and host * steps / decode,
            of_bandwidth_limit=least * steps / decode if way.kind in (PLAIN, GENERATE) else None,
        )


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version(), "docparse-fast": __version__}
    for name in ("torch", "transformers", "numpy"):
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found
