"""What a race says: speed-ups, efficiency, shares and limits. Knows runs and seconds; runs nothing.

All is held against plain decoding by our own loop, of as many rows at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, median
from typing import Any

from docparse_fast.bench.engine.race import CHAIN, GENERATE, PLAIN, SPECULATIVE, Race, Run, Way
from docparse_fast.bench.figures import percentile
from docparse_fast.speculative.metrics import efficiency, speedup

SLOWEST = 95  # per cent of the steps are not slower
SIX = 6  # tokens a step: five drafted and accepted, and the target's own

Line = Mapping[str, Any]


def lines_of(race: Race, prefill_seconds: float, least_seconds: Mapping[int, float]) -> list[dict[str, Any]]:
    """A line a way. `least_seconds` is what memory bandwidth allows a plain step, by rows at once."""
    lines = []
    for way, runs in race.runs.items():
        plain = _median(race.runs[Way(PLAIN, None, way.rows)])
        line = _line(way, runs, plain, race.tokens_of(way.rows))
        decode, one = line["seconds"], runs[0]
        line["prefill_share"] = way.rows * prefill_seconds / (way.rows * prefill_seconds + decode)
        steps = [seconds for run in runs for seconds in run.step_seconds]
        if steps:
            line["step_ms"] = {"mean": 1e3 * fmean(steps), "p95": 1e3 * percentile(steps, SLOWEST)}
            line["host_us_per_step"] = 1e6 * race.host_seconds[way]
            if way in race.warm_host_seconds:
                line["warm_host_us_per_step"] = 1e6 * race.warm_host_seconds[way]
            line["host_share"] = race.host_seconds[way] * one.steps / decode
        if way.name in (PLAIN, GENERATE):
            line["of_bandwidth_limit"] = least_seconds[way.rows] * one.steps / decode
        lines.append(line)
    return lines


def _line(way: Way, runs: Sequence[Run], plain: float, tokens: int) -> dict[str, Any]:
    seconds, one = _median(runs), runs[0]
    gain = speedup(plain, seconds)
    every = [run.seconds for run in runs]
    return {
        "way": way.name,
        "level": way.level,
        "rows": way.rows,
        "tokens": tokens,
        "runs": len(runs),
        "seconds": seconds,
        "spread": max(every) / min(every),
        "same_as_plain": all(run.same for run in runs),
        "tokens_per_second": way.rows * (tokens - 1) / seconds,
        "tokens_per_step": one.tokens_per_step,
        "average_acceptance_length": one.average_acceptance_length,
        "steps": one.steps,
        "vs_plain": gain,
        "efficiency": efficiency(gain, one.tokens_per_step),
        "step_cost": one.tokens_per_step / gain,
        "step_ms": None,
        "host_us_per_step": None,
        "warm_host_us_per_step": None,
        "host_share": None,
        "prefill_share": None,
        "of_bandwidth_limit": None,
    }


def summary_of(lines: Sequence[Line]) -> dict[str, float | None]:
    """The few figures that goals are set for; none where it was not come to."""
    by = {Way(line["way"], line["level"], line["rows"]): line for line in lines}
    at_six, chain = by.get(Way(SPECULATIVE, SIX, 1), {}), by.get(Way(CHAIN, SIX, 1), {})
    plain, generate = by.get(Way(PLAIN, None, 1), {}), by.get(Way(GENERATE, None, 1), {})
    ours = [line for line in lines if line["way"] == SPECULATIVE]
    return {
        "worst_vs_plain": min((line["vs_plain"] for line in ours if line["rows"] == 1), default=None),
        "worst_vs_plain_many_rows": min((line["vs_plain"] for line in ours if line["rows"] > 1), default=None),
        "tokens_per_step_at_6_tokens": at_six.get("tokens_per_step"),
        "speedup_at_6_tokens": at_six.get("vs_plain"),
        "efficiency_at_6_tokens": at_six.get("efficiency"),
        "step_cost_at_6_tokens": at_six.get("step_cost"),
        "host_us_per_step": at_six.get("host_us_per_step"),
        "warm_host_us_per_step": at_six.get("warm_host_us_per_step"),
        "plain_vs_hf_generate": _over(generate, plain),
        "plain_vs_bandwidth_limit": plain.get("of_bandwidth_limit"),
        "speedup_vs_chain": _over(chain, at_six),
    }


def _over(slow: Line, fast: Line) -> float | None:
    return slow["seconds"] / fast["seconds"] if slow and fast else None


def _median(runs: Sequence[Run]) -> float:
    return median(run.seconds for run in runs)
