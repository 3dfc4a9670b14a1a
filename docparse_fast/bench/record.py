"""A benchmark's raw results, as values and as versioned JSON: every answer, step and second. Knows no clock or model.

It holds nothing derived: `figures` computes speed-ups from it. The JSON has these classes' fields; a later release may
add keys, and changes existing ones only with a new version number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from docparse_fast.document import Failure, PageDraft
from docparse_fast.errors import UsageError
from docparse_fast.speculative.growing_answer import Step
from docparse_fast.system.typed_json import read

FORMAT = "docparse-fast/bench"
VERSION = 1

PLAIN = "plain"  # all other ways are compared with it: our own loop, one page, no drafts

Seconds = Mapping[str, float]  # by span


@dataclass(frozen=True, slots=True)
class Steps:
    """The decoding steps in columns, one entry per step; the fields are those of `speculative.writing.Step`.

    >>> steps = Steps.of([Step(1, 4, 4, 3, 0, 4), Step(1, 1, 1, 0, 0, 1)])
    >>> len(steps), steps.average_acceptance_length, steps.tokens_per_step
    (2, 1.5, 2.5)
    """

    rows: tuple[int, ...] = ()  # of the pass
    nodes: tuple[int, ...] = ()  # of this row's tree, root included
    accepted: tuple[int, ...] = ()  # accepted draft tokens, tolerated ones included: a_i of Eq. 14
    tolerated: tuple[int, ...] = ()  # accepted below the model's best, as tau allows
    written: tuple[int, ...] = ()  # tokens: accepted ones and the target's own

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
        """Eq. 14: the mean number of draft tokens per step; steps without any count as 0."""
        return sum(self.accepted) / len(self) if len(self) else 0.0

    @property
    def tokens_per_step(self) -> float:
        return sum(self.written) / len(self) if len(self) else 0.0


@dataclass(frozen=True, slots=True)
class WayRecord:
    """The results of one way on one page.

    `rounds` has the seconds of each run by span: `full` from the page image to the finished blocks, without drafting,
    and within it `prefill` and `decode` of the page and, if the crops were read first, `stage_1` as a whole.
    """

    tokens: tuple[int, ...] = ()  # what was written, as ids
    answer: str = ""  # ... as text
    markdown: str = ""  # the page as a file would have it
    finish: str = ""  # eos, length, repetition, deadline
    drafts: str = ""  # name of the drafts it used, as in the page's `drafts`; empty: none
    rounds: tuple[Seconds, ...] = ()  # by span; `draft`, of a draft model, is part of `decode`
    written: int = 0  # tokens written in steps: all but the first, which comes with the prefill
    passes: int = 0  # decoding steps, for ways without `steps`
    accepted: int = 0  # draft tokens
    steps: Steps = field(default_factory=Steps)  # every step; empty where the loop is not ours
    stage_1: Steps = field(default_factory=Steps)  # its rows one after the other
    steady: bool = True  # wrote the same in every round
    same_as_plain: bool | None = None  # None: not comparable, or one of them failed
    same_as_generate: bool | None = None  # as the model's own generate()
    first_difference: int | None = None  # token where it differs from plain, counted from 0
    margin: float | None = None  # there: the model's best token over this way's, in logits
    peak_bytes: int | None = None  # of the process during the run
    device_peak_bytes: int | None = None  # of the device's memory during the run
    error: Failure | None = None  # why it failed on this page


@dataclass(frozen=True, slots=True)
class DraftRecord:
    """A page's drafts, made once for all ways that use them."""

    seconds: float
    drafter: str = ""
    regions: int = 0
    draft: PageDraft | None = field(default=None, compare=False)  # for scores; not in the JSON


@dataclass(frozen=True, slots=True)
class PageRecord:
    """One page. If it could not be measured at all, `error` says why, and it has no ways."""

    name: str  # of its file
    group: str = ""  # category in the data set
    width: int = 0  # in pixels
    height: int = 0  # in pixels
    blank: bool = False  # the drafter found nothing, so the target is not run
    error: Failure | None = None  # code and message
    drafts: Mapping[str, DraftRecord] = field(default_factory=dict)  # by name
    ways: Mapping[str, WayRecord] = field(default_factory=dict)  # by name
    generate_tokens: int | None = None  # length of generate()'s answer, for `same_as_generate`
    truth: object = field(default=None, compare=False)  # the caller's own; not in the JSON

    @property
    def measured(self) -> bool:
        """Whether plain decoding wrote it, which all other ways are compared with."""
        plain = self.ways.get(PLAIN)
        return plain is not None and plain.error is None and bool(plain.rounds)


@dataclass(frozen=True, slots=True)
class TogetherRecord:
    """Several pages decoded plainly side by side, as rows of one batch."""

    pages: tuple[str, ...]  # by name
    rows: int  # side by side
    tokens: int  # of all rows
    rounds: tuple[Seconds, ...] = ()  # of all pages
    same_as_plain: int = 0  # pages
    error: Failure | None = None  # why they could not be decoded together


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Where and how it was measured, so that a reader can judge and repeat it."""

    target: str  # a name or a folder
    revision: str  # the weights'
    device: str  # cpu or cuda
    dtype: str  # of the weights
    clock: Literal["cpu", "wall"]  # CPU seconds or wall seconds
    repeats: int  # rounds
    options: Mapping[str, Any] = field(default_factory=dict)  # by the names of the command line
    versions: Mapping[str, str] = field(default_factory=dict)  # of Python and packages
    commit: str | None = None  # ends with "+" if files were changed; None: no checkout
    platform: str = ""  # system and processor
    cpus: int = 0  # that the process may use
    costs: Mapping[str, Any] = field(default_factory=dict)  # the cost table that sized the trees
    interrupted: bool = False  # some pages or rounds are missing


@dataclass(frozen=True, slots=True)
class Measurement:
    settings: RunSettings
    pages: tuple[PageRecord, ...] = ()
    together: tuple[TogetherRecord, ...] = ()

    @property
    def ways(self) -> tuple[str, ...]:
        """The names of the ways, in the given order."""
        return tuple(dict.fromkeys(name for page in self.pages for name in page.ways))


# --------------------------------------------------------------------------------------------------- JSON


def to_json(measurement: Measurement, summary: Mapping[str, Any]) -> str:
    """The versioned JSON; `summary` has the derived figures for other programs, and `from_json` ignores it."""
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
        raise UsageError(f"the file is not a {FORMAT} of version {VERSION}")
    return Measurement(
        settings=read(RunSettings, found["settings"]),
        pages=read(tuple[PageRecord, ...], found["pages"]),
        together=read(tuple[TogetherRecord, ...], found["together"]),
    )


def _page(page: PageRecord) -> dict[str, Any]:
    """The page without the caller's own objects."""
    found = asdict(replace(page, truth=None, drafts={name: replace(d, draft=None) for name, d in page.drafts.items()}))
    del found["truth"]
    for draft in found["drafts"].values():
        del draft["draft"]
    return found
