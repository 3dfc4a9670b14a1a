"""What a benchmark saw, as values and as versioned JSON: every answer, step and second. Knows no clock and no model.

Nothing derived is kept here: speed-ups are worked out from these by `figures`. What the JSON holds is described in
docs/bench.md; a later version may add keys, and changes none without a new number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from docparse_fast.bench.typed_json import read
from docparse_fast.document import Failure, PageDraft
from docparse_fast.errors import UsageError
from docparse_fast.speculative.writing import Step

FORMAT = "docparse-fast/bench"
VERSION = 1

PLAIN = "plain"  # the way that all others are compared with: our own loop, one page, no drafts

Seconds = Mapping[str, float]  # by span


@dataclass(frozen=True, slots=True)
class Steps:
    """One entry a decoding step, each as `speculative.writing.Step` has it, in columns.

    >>> steps = Steps.of([Step(1, 4, 4, 3, 0, 4), Step(1, 1, 1, 0, 0, 1)])
    >>> len(steps), steps.average_acceptance_length, steps.tokens_per_step
    (2, 1.5, 2.5)
    """

    rows: tuple[int, ...] = ()  # in the pass
    nodes: tuple[int, ...] = ()  # of this row's tree, root included
    accepted: tuple[int, ...] = ()  # draft tokens taken, tolerated ones included: a_i of Eq. 14
    tolerated: tuple[int, ...] = ()
    written: tuple[int, ...] = ()

    @staticmethod
    def of(steps: Iterable[Step]) -> Steps:
        columns = zip(*((s.rows, s.nodes, s.accepted, s.tolerated, s.written) for s in steps), strict=True)
        return Steps(*columns)

    @staticmethod
    def joined(several: Iterable[Steps]) -> Steps:
        several = list(several)
        return Steps(*(tuple(n for one in several for n in getattr(one, name)) for name in Steps.__slots__))

    def __len__(self) -> int:
        return len(self.written)

    @property
    def average_acceptance_length(self) -> float:
        """Eq. 14: draft tokens only, and a step without any counts 0."""
        return sum(self.accepted) / len(self) if len(self) else 0.0

    @property
    def tokens_per_step(self) -> float:
        return sum(self.written) / len(self) if len(self) else 0.0


@dataclass(frozen=True, slots=True)
class WayRecord:
    """What one way of decoding made of one page.

    `rounds` has the seconds of each time it ran, by span: `full` from the page image to the finished blocks (drafting
    apart), and within it `prefill` and `decode` of the page and, where the crops were read first, `stage_1` in all.
    """

    tokens: tuple[int, ...] = ()
    answer: str = ""
    markdown: str = ""  # the page as it would be written to a file
    finish: str = ""  # eos, length, repetition, deadline
    drafts: str = ""  # whose it was given, by the name in the page's drafts; empty: none
    rounds: tuple[Seconds, ...] = ()
    written: int = 0  # of the tokens in steps: not the first, which comes with the look at the page
    passes: int = 0  # decoding steps, where the next two can't tell them apart
    accepted: int = 0  # drafts' tokens
    steps: Steps = field(default_factory=Steps)
    stage_1: Steps = field(default_factory=Steps)
    steady: bool = True  # wrote the same every time
    same_as_plain: bool | None = None  # None: it reads something else, or one of them failed
    same_as_generate: bool | None = None
    first_difference: int | None = None  # from plain, in tokens from 0
    margin: float | None = None  # there: of the model's best token over this way's, in logits
    peak_bytes: int | None = None  # of the process while it ran
    device_peak_bytes: int | None = None  # of the device's memory that the process held
    error: Failure | None = None


@dataclass(frozen=True, slots=True)
class DraftRecord:
    """A page's drafts: made once, given to every way that asks for them."""

    seconds: float
    drafter: str = ""
    regions: int = 0
    draft: PageDraft | None = field(default=None, compare=False)  # for scores; not in the JSON


@dataclass(frozen=True, slots=True)
class PageRecord:
    """One page. `error` is why it could not be measured at all; then it has no ways."""

    name: str
    group: str = ""  # of the data set: its category
    width: int = 0
    height: int = 0
    blank: bool = False  # nothing was drafted of it, so no target is asked
    error: Failure | None = None
    drafts: Mapping[str, DraftRecord] = field(default_factory=dict)
    ways: Mapping[str, WayRecord] = field(default_factory=dict)
    generate_tokens: int | None = None  # of the model's own generate(), which `same_as_generate` compares with
    truth: object = field(default=None, compare=False)  # the caller's own; not in the JSON

    @property
    def measured(self) -> bool:
        """Whether plain decoding wrote it: every other way is compared with that."""
        plain = self.ways.get(PLAIN)
        return plain is not None and plain.error is None and bool(plain.rounds)


@dataclass(frozen=True, slots=True)
class TogetherRecord:
    """Several pages decoded plainly side by side, as Stage 1 decodes regions: rows of one batch."""

    pages: tuple[str, ...]
    rows: int  # side by side
    tokens: int
    rounds: tuple[Seconds, ...] = ()
    same_as_plain: int = 0  # pages
    error: Failure | None = None


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Where and how it was measured: what a reader needs to believe the figures, or to get them again."""

    target: str
    revision: str
    device: str
    dtype: str
    clock: Literal["cpu", "wall"]  # whose seconds these are
    repeats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    commit: str | None = None  # with "+" where files differ from it; None: no checkout
    platform: str = ""
    cpus: int = 0
    costs: Mapping[str, Any] = field(default_factory=dict)  # the table that trees were sized by
    interrupted: bool = False  # not every page was reached, nor every round


@dataclass(frozen=True, slots=True)
class Measurement:
    settings: RunSettings
    pages: tuple[PageRecord, ...] = ()
    together: tuple[TogetherRecord, ...] = ()

    @property
    def ways(self) -> tuple[str, ...]:
        """In the order they were given."""
        return tuple(dict.fromkeys(name for page in self.pages for name in page.ways))


# --------------------------------------------------------------------------------------------------- JSON


def to_json(measurement: Measurement, summary: Mapping[str, Any]) -> str:
    """`summary` is for readers of the file who have nothing but a JSON reader; `from_json` leaves it out."""
    found = {
        "format": FORMAT,
        "version": VERSION,
        "settings": asdict(measurement.settings),
        "summary": summary,
        "pages": [_page(page) for page in measurement.pages],
        "together": [asdict(record) for record in measurement.together],
    }
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n"


def from_json(text: str) -> Measurement:
    found = json.loads(text)
    if found.get("format") != FORMAT or found.get("version") != VERSION:
        raise UsageError(f"this is not a {FORMAT} of version {VERSION}")
    return Measurement(
        settings=read(RunSettings, found["settings"]),
        pages=read(tuple[PageRecord, ...], found["pages"]),
        together=read(tuple[TogetherRecord, ...], found["together"]),
    )


def _page(page: PageRecord) -> dict[str, Any]:
    """What stays with the caller is left out."""
    found = asdict(replace(page, truth=None, drafts={name: replace(d, draft=None) for name, d in page.drafts.items()}))
    del found["truth"]
    for draft in found["drafts"].values():
        del draft["draft"]
    return found
