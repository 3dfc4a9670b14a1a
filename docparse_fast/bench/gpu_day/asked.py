"""What was asked of a day on a GPU, and the parts that there are. Knows names and times; runs nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from docparse_fast.errors import UsageError

MINUTES = 30.0  # for all parts together
SLOWER = 20  # times as long a small run may take: on a busy processor a limit is there for what hangs
FAILURES = ("raise", "crash", "hang")


@dataclass(frozen=True, slots=True)
class DayPart:
    name: str  # of the function in day_parts.py
    seconds: float
    what: str


PARTS = (
    DayPart("trial", 60, "one pass and one capture of a small model; attention kernel; cold start"),
    DayPart("gpu_tests", 160, "the tests that need a GPU: every architecture read and captured, in two dtypes"),
    DayPart("captures", 150, "every bucket captured, and compared with the plain pass"),
    DayPart("identity", 100, "nano in bfloat16: speculative, plain and generate() write the same"),
    DayPart("convert", 90, "nano's pages in float32 as a user converts them, drafted in processes: each exact"),
    DayPart("hybrids", 60, "layers that keep a state: written with drafts what generate() writes; cost of passes"),
    DayPart("cost_tables", 150, "what passes of each shape cost"),
    DayPart("engine_2b", 180, "the engine at the shape of Qwen3-VL-2B"),
    DayPart("engine_8b", 200, "the engine at the shape of Qwen3-VL-8B"),
    DayPart("engine_dots", 180, "the engine at the shape of dots.ocr"),
    DayPart("enlarged", 210, "nano at a real size, end to end"),
    DayPart("memory", 80, "memory of long rows, of many rows, and after it ran out"),
    DayPart("paper", 180, "two rows of the paper, where weights are here"),
)


@dataclass(frozen=True, slots=True)
class GpuDay:
    out: Path = Path("gpu-day")
    device: str = "cuda"
    small: bool = False
    minutes: float | None = None
    data: Path | None = None  # pages for the paper's rows; else nano's
    only: tuple[str, ...] = ()
    plant: str = ""  # PART:KIND, a failure on purpose

    def __post_init__(self) -> None:
        known = [part.name for part in PARTS]
        part, _, kind = self.plant.partition(":")
        unknown = [name for name in (*self.only, *([part] if part not in ("", "all") else [])) if name not in known]
        if unknown:
            raise UsageError(f"no part is called {', '.join(unknown)}", remedy=f"there are {', '.join(known)}")
        if part and kind not in FAILURES:
            raise UsageError(f"--plant {self.plant} names no failure", remedy=f"write PART:{'|'.join(FAILURES)}")

    @property
    def parts(self) -> list[DayPart]:
        return [part for part in PARTS if not self.only or part.name in self.only]

    @property
    def slower(self) -> int:
        return SLOWER if self.small else 1

    @property
    def seconds(self) -> float:
        return 60 * (self.minutes if self.minutes is not None else MINUTES * self.slower)


@dataclass(frozen=True, slots=True)
class Given:
    """What a part is given."""

    asked: GpuDay
    part: str
    seconds: float

    @property
    def folder(self) -> Path:
        return self.asked.out / self.part

    @property
    def device(self) -> str:
        return self.asked.device

    @property
    def small(self) -> bool:
        return self.asked.small
