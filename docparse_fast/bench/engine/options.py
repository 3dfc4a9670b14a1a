"""The options of `bench engine`. Knows shapes; measures nothing."""

from __future__ import annotations

from dataclasses import dataclass

from docparse_fast.bench.engine.shapes import SHAPES, SIX
from docparse_fast.errors import UsageError
from docparse_fast.options.declaring import check, one_of, option, within

DTYPES = ("bf16", "fp32")
LONGEST = 32000  # positions of a prompt and its answer
GPU_MINUTES = 7.0  # default time limit on a GPU; a CPU has none
ON_CPU, ON_GPU = "100m", "qwen3-vl-2b"  # default shapes


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """What to measure. Empty defaults depend on the device: a small shape and both dtypes on a CPU, a real on a GPU."""

    shape: str = option("", "NAME", "tiny, 100m (default on a CPU), qwen3-vl-2b (on a GPU), qwen3-vl-8b, dots.ocr.")
    device: str = option("auto", "NAME", "auto, cpu, cuda, cuda:1.")
    dtypes: tuple[str, ...] = option((), "LIST", "bf16,fp32; default on a GPU: bf16.", among=DTYPES)
    prefix: int = option(1500, "N", "Length of the prompt in tokens.", bounds=(2, LONGEST))
    tokens: int = option(512, "N", "Length of the answer in tokens.")
    rows: tuple[int, ...] = (1, 8, 32)
    levels: tuple[int, ...] = tuple(range(1, 11))
    repeats: int = option(3, "N", "Number of rounds; the median counts.", bounds=(1, 1000))
    threads: int = option(1, "N", "Number of CPU threads.", bounds=(1, 4096))
    minutes: float | None = option(
        None, "N", "Time limit: no round starts that would exceed it. GPU: 7.", bounds=(0, 1e6)
    )

    def __post_init__(self) -> None:
        check(self)
        if self.shape:
            one_of("--shape", self.shape, SHAPES)
        within("--tokens", self.tokens, 16, LONGEST - self.prefix)
        for rows in self.rows:
            within("--rows", rows, 1, 256)
        for level in self.levels:
            within("--levels", level, 1, 64)

    def chosen(self, on_cpu: bool) -> EngineOptions:
        """The options with all defaults filled in."""
        shape = self.shape or (ON_CPU if on_cpu else ON_GPU)
        if self.tokens > SHAPES[shape].vocabulary - 10:
            raise UsageError(f"--tokens {self.tokens}: an answer of {shape} would repeat itself")
        return EngineOptions(
            shape,
            self.device,
            self.dtypes or (DTYPES if on_cpu else DTYPES[:1]),
            self.prefix,
            self.tokens,
            tuple(sorted({1, *self.rows})),
            tuple(sorted({SIX, *self.levels})),
            self.repeats,
            self.threads,
            self.minutes if self.minutes is not None or on_cpu else GPU_MINUTES,
        )
