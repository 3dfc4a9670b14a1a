"""The results of `bench engine`, as values and as versioned JSON. Measures nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import Any

from docparse_fast.bench.engine.shapes import SIX, Shape
from docparse_fast.bench.record import WayRecord
from docparse_fast.bench.speedups import Figures, percentile
from docparse_fast.errors import UsageError
from docparse_fast.system.typed_json import read

FORMAT = "docparse-fast/bench-engine"
VERSION = 1
PLAIN, SPECULATIVE, GENERATE, LOOKUP, CHAIN = "plain", "speculative", "generate", "prompt lookup", "chain"
SLOWEST = 95  # per cent of steps that are not slower


@dataclass(frozen=True, slots=True)
class StepMs:
    mean: float
    p95: float

    @staticmethod
    def of(seconds: Sequence[float]) -> StepMs | None:
        return StepMs(1e3 * fmean(seconds), 1e3 * percentile(seconds, SLOWEST)) if seconds else None


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineLine:
    """One way with so many rows at once, compared with our own plain decoding of as many rows."""

    way: str  # plain, speculative, generate, prompt lookup, chain
    level: int | None  # tokens per step that its drafts aim at
    rows: int
    tokens: int  # that each row writes
    runs: int  # rounds
    seconds: float  # of all rows, the median run's
    spread: float  # slowest run over quickest
    same_as_plain: bool  # in every round, however many rows
    tokens_per_second: float  # of all rows, after each row's first token
    tokens_per_step: float  # written per pass of the target, one row's
    average_acceptance_length: float  # accepted draft tokens a step (Eq. 14)
    steps: int  # of one row
    vs_plain: float  # plain decoding's seconds, of as many rows by the same loop, over this way's
    efficiency: float  # vs_plain over tokens a step: the part of the saved steps that became saved time
    step_cost: float  # a step's time in plain steps: 1 over efficiency
    prefill_share: float  # of prompt and answer together, what looking at the prompt takes
    step_ms: StepMs | None = None  # known for our own loop only
    host_us_per_step: float | None = None  # the median step outside the model and the choice from its logits
    warm_host_us_per_step: float | None = (
        None  # ... with the answer read out: no pass flushes the caches; None on a GPU
    )
    host_share: float | None = None  # of a step
    of_bandwidth_limit: float | None = (
        None  # the least time of a plain step, by bytes and the measured copy, over its time
    )

    @staticmethod
    def of(
        way: str, level: int | None, rows: int, tokens: int, record: WayRecord, figures: Figures, **more: Any
    ) -> EngineLine:
        decode = [seconds["decode"] for seconds in record.rounds]
        return EngineLine(
            way=way,
            level=level,
            rows=rows,
            tokens=tokens,
            runs=len(decode),
            seconds=figures.decode_seconds,
            spread=max(decode) / min(decode),
            same_as_plain=bool(record.same_as_plain) and record.steady,
            tokens_per_second=figures.tokens / figures.decode_seconds,
            tokens_per_step=figures.tokens_per_step,
            average_acceptance_length=figures.average_acceptance_length,
            vs_plain=figures.engine_speedup,
            efficiency=figures.efficiency,
            step_cost=1 / figures.efficiency,
            **more,
        )


@dataclass(frozen=True, slots=True)
class DtypeRecord:
    """All ways in one dtype."""

    summary: Mapping[str, float | None]
    interrupted: bool
    device: str
    lines: tuple[EngineLine, ...]
    corruption: Mapping[str, float]  # error rate, by level
    copy_bytes_per_second: float
    bytes_a_plain_step: Mapping[str, int]  # by rows
    prefill_seconds: float  # of one prompt
    costs: Mapping[str, Any]

    def line(self, way: str, level: int | None = None, rows: int = 1) -> EngineLine | None:
        found = (line for line in self.lines if (line.way, line.level, line.rows) == (way, level, rows))
        return next(found, None)


@dataclass(frozen=True, slots=True)
class EngineRecord:
    """The results, the options and the machine."""

    summary: Mapping[str, float | None]  # the first dtype's
    interrupted: bool
    shape: str
    sizes: Shape
    device: str
    clock: str
    prefix: int
    tokens: int
    repeats: int
    options: Mapping[str, Any]
    minutes_taken: float
    commit: str | None
    platform: str
    versions: Mapping[str, str] = field(default_factory=dict)
    dtypes: Mapping[str, DtypeRecord] = field(default_factory=dict)

    @property
    def exact(self) -> bool:
        """Whether all ways wrote the same tokens."""
        return all(line.same_as_plain for found in self.dtypes.values() for line in found.lines)


def summary_of(lines: Sequence[EngineLine]) -> dict[str, float | None]:
    """The few figures that have goals; None for a way that was not measured."""
    by = {(line.way, line.level, line.rows): line for line in lines}
    six, chain = by.get((SPECULATIVE, SIX, 1)), by.get((CHAIN, SIX, 1))
    plain, generate = by.get((PLAIN, None, 1)), by.get((GENERATE, None, 1))
    ours = [line for line in lines if line.way == SPECULATIVE]
    return {
        "worst_vs_plain": min((line.vs_plain for line in ours if line.rows == 1), default=None),
        "worst_vs_plain_many_rows": min((line.vs_plain for line in ours if line.rows > 1), default=None),
        "tokens_per_step_at_6_tokens": six.tokens_per_step if six else None,
        "speedup_at_6_tokens": six.vs_plain if six else None,
        "efficiency_at_6_tokens": six.efficiency if six else None,
        "step_cost_at_6_tokens": six.step_cost if six else None,
        "host_us_per_step": six.host_us_per_step if six else None,
        "warm_host_us_per_step": six.warm_host_us_per_step if six else None,
        "plain_vs_hf_generate": generate.seconds / plain.seconds if generate and plain else None,
        "plain_vs_bandwidth_limit": plain.of_bandwidth_limit if plain else None,
        "speedup_vs_chain": chain.seconds / six.seconds if chain and six else None,
    }


# --------------------------------------------------------------------------------------------------- JSON


def to_json(record: EngineRecord) -> str:
    found = asdict(record)
    versions = found.pop("versions")
    return json.dumps({"format": FORMAT, "version": VERSION, **found, **versions}, indent=1) + "\n"


def from_json(text: str) -> EngineRecord:
    found = json.loads(text)
    if (found.pop("format", None), found.pop("version", None)) != (FORMAT, VERSION):
        raise UsageError(f"the file is not a {FORMAT} of version {VERSION}")
    known = {name: found.pop(name) for name in EngineRecord.__slots__ if name in found}
    return read(EngineRecord, {**known, "versions": found})
