"""What stands behind a page: who drafted it, what each stage did, where draft and answer differ, whether it is exact.

Knows values and the keys of `stats` in document.json (docs/keys.md); decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from docparse_fast.geometry import Box
from docparse_fast.system.typed_json import read

HARDLY_ANY = 0.2  # share of words that are likely right: of held-out pages below it, at most 1 word in 100 was
FEWEST_WORDS = 5  # of such a reading; fewer are a logo


@dataclass(frozen=True, slots=True)
class CandidateCount:
    offered: int  # tree nodes
    accepted: int  # of those


@dataclass(frozen=True, slots=True)
class StageEvidence:
    """What one stage's rows wrote and took."""

    rows: int = 0
    tokens: Mapping[str, int] = field(default_factory=dict)  # written, and of those by origin
    target_forwards: float = 0.0
    average_acceptance_length: float = 0.0
    tokens_per_step: float = 0.0
    finish: Mapping[str, int] = field(default_factory=dict)  # rows by why they ended
    candidates: Mapping[str, CandidateCount] = field(default_factory=dict)  # by kind


@dataclass(frozen=True, slots=True)
class Correction:
    drafted: str
    target: str
    box: Box | None


@dataclass(frozen=True, slots=True)
class Omission:
    text: str  # drafted, and nowhere in the answer
    box: Box


@dataclass(frozen=True, slots=True)
class Invention:
    block: int
    text: str  # written by the target, and in no draft


@dataclass(frozen=True, slots=True)
class Certainty:
    """What is to be expected of a line, a block or a page that was read."""

    words: float  # that stand there
    right: float  # of those, read right

    @property
    def is_rubbish(self) -> bool:
        """Whether hardly a word is likely right."""
        return self.words >= FEWEST_WORDS and self.share < HARDLY_ANY

    @property
    def share(self) -> float:
        return self.right / self.words if self.words else 0.0

    def __add__(self, other: Certainty) -> Certainty:
        return Certainty(self.words + other.words, self.right + other.right)


def summed(certainties: Iterable[Certainty | None]) -> Certainty | None:
    """None where nothing is known."""
    known = [each for each in certainties if each is not None]
    return sum(known[1:], known[0]) if known else None


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something a reader should look at. A run counts doubts by kind."""

    kind: str
    message: str
    block: int | None = None  # of the page's, from 0


@dataclass(frozen=True, slots=True)
class JudgeEvidence:
    """What a judge made of a page's drafts; those that it accepted were not read."""

    alpha: float
    judged: int  # regions
    accepted: int


@dataclass(frozen=True, slots=True)
class Difference:
    at: int  # of the answer's tokens, from 0
    speculative: str
    plain: str
    margin: float | None  # of the model's best token over ours, in logits; None if the target doesn't tell
    near_tie: bool


@dataclass(frozen=True, slots=True)
class Exactness:
    """The answer beside the model's own."""

    exact: bool
    tokens: int  # compared
    speculative_seconds: float  # of decoding, prefill apart
    plain_seconds: float  # of our own loop without drafts, prefill apart
    generate_seconds: float  # of the model's own generate(), prefill and all
    difference: Difference | None = None


@dataclass(frozen=True, slots=True)
class PageEvidence:
    """None where it does not apply: no drafter came to an end, no target looked, nothing was compared.

    >>> PageEvidence.from_json(PageEvidence(warnings=("dark",)).as_json())
    PageEvidence(drafter=None, reason='', turned=0, flattened=False, warnings=('dark',), doubts=(), \
plan=None, stage_1=None, stage_2=None, agreement=None, \
corrections=(), omissions=(), inventions=(), lost='', check=None, judge=None)
    """

    drafter: str | None = None
    reason: str = ""  # why this drafter
    turned: int = 0  # degrees
    flattened: bool = False  # a photograph, before it was read
    warnings: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()  # their messages are among the warnings
    plan: str | None = None  # which stages, and why
    stage_1: StageEvidence | None = None
    stage_2: StageEvidence | None = None
    agreement: float | None = None  # part of the draft's words that the target wrote as well
    corrections: tuple[Correction, ...] = ()
    omissions: tuple[Omission, ...] = ()
    inventions: tuple[Invention, ...] = ()
    lost: str = ""  # of the answer, what could not be read as blocks
    check: Exactness | None = None
    judge: JudgeEvidence | None = None

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self.drafter is not None:
            found |= {"drafter": self.drafter, "reason": self.reason, "turned": self.turned}
        found |= {"flattened": True} if self.flattened else {}
        found["warnings"] = list(self.warnings)
        found |= {"doubts": [asdict(each) for each in self.doubts]} if self.doubts else {}
        found |= {"plan": self.plan} if self.plan is not None else {}
        stages = {"judge": self.judge, "stage_1": self.stage_1, "stage_2": self.stage_2}
        found |= {name: asdict(stage) for name, stage in stages.items() if stage is not None}
        if self.agreement is not None:
            found |= {
                "agreement": self.agreement,
                "corrections": [asdict(each) for each in self.corrections],
                "omissions": [asdict(each) for each in self.omissions],
                "inventions": [asdict(each) for each in self.inventions],
                "lost": self.lost,
            }
        return found | ({"check_exact": asdict(self.check)} if self.check is not None else {})

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> PageEvidence:
        return read(cls, {**found, "check": found.get("check_exact")})
