"""Replays a kit: counts the passes that our drafts would save its models. Needs no weights and no GPU.

Drafter, dialect, alignment, tree and budget are the product's own, at tau 1 and with Stage 2 only. The target always
writes the stored answer, whatever drafts it gets.
"""

from __future__ import annotations

import json
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from docparse_fast.bench.replay.causes import Cause, Causes
from docparse_fast.bench.replay.kept_drafts import KeptDrafts
from docparse_fast.bench.replay.kit import Entry, Words, read_kit, words_of
from docparse_fast.bench.replay.stored import StoredTarget
from docparse_fast.document import PageDraft
from docparse_fast.drafted import DraftedPage
from docparse_fast.errors import UsageError
from docparse_fast.options import SpeculationOptions
from docparse_fast.speculative.metrics import average_acceptance_length
from docparse_fast.system.typed_json import read
from docparse_fast.timing import Timer
from docparse_fast.verification.page import PageReading, verify_page

FORMAT, VERSION = "docparse-fast/replay", 1
EXACT = SpeculationOptions(tau=1.0, max_new_tokens=32_000)


@dataclass(frozen=True, slots=True)
class Replayed:
    """One page's result. `cost` is the cost of all passes in plain passes, by a table assumed for a GPU."""

    name: str
    set: str
    drafter: str
    tokens: int
    steps: int
    average_acceptance_length: float
    cost: float
    same: bool  # the answer is the stored one
    host_seconds: float  # CPU seconds of all steps: aligning, building, accepting
    causes: Mapping[str, int]  # number of steps by cause
    examples: Mapping[str, Sequence[str]] = field(default_factory=dict)  # places with the text around them, by cause

    @property
    def tokens_per_step(self) -> float:
        return self.tokens / max(1, self.steps)


def replay(kit: Path, tokenizer: Path | None, drafts: KeptDrafts) -> Iterator[Replayed]:
    """Yields each page of the kit when it is done."""
    entries, words = read_kit(kit), words_of(kit, tokenizer)
    for entry in entries:
        yield replay_page(entry, *drafts.of(entry), words)


class _Paper:
    """Replaces the page's image, because a stored answer needs only its size."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.width, self.height = size


def replay_page(entry: Entry, size: tuple[int, int], draft: PageDraft, words: Words) -> Replayed:
    target = StoredTarget(entry.answer, entry.dialect, words)
    timer = Timer(time.process_time)
    page = DraftedPage(entry.page, draft, picture=_Paper(size))  # type: ignore[arg-type]
    reading = verify_page(page, {}, target, EXACT, timer)
    tokens, steps = reading.decoded.tokens, reading.decoded.steps
    causes = _causes(entry.answer, reading, words)
    return Replayed(
        entry.name,
        entry.set,
        draft.drafter,
        len(tokens),
        len(steps),
        average_acceptance_length([reading.decoded]),
        target.decoder.cost,
        tokens == (*target.answer, target.end),
        timer.seconds.get("decode", 0.0),
        {cause: len(found) for cause, found in causes.items()},
        {cause: found for cause, found in causes.items() if found},
    )


def _causes(answer: str, reading: PageReading, words: Words) -> dict[str, list[str]]:
    """The places where steps ended, by cause."""
    places = words.places(answer)
    causes = Causes(answer, (phrase.text for phrase in reading.phrases))
    found: dict[str, list[str]] = {cause: [] for cause in Cause}
    at = 0
    for step in reading.decoded.steps:
        at += step.written
        if at >= len(places):
            continue
        start, end = places[at]
        cause = Cause.NONE if step.accepted and step.accepted == step.nodes - 1 else causes.at(start, end)
        found[cause].append(f"{answer[max(0, start - 20) : start]}⟦{answer[start:end]}⟧{answer[end : end + 20]}")
    return found


# -------------------------------------------------------------------------------------------------- figures


def summary(pages: Sequence[Replayed]) -> dict[str, Any]:
    """Figures of some pages: sums over their steps, and the median and worst page."""
    each = sorted(page.tokens_per_step for page in pages)
    steps = sum(page.steps for page in pages)
    causes: Counter[str] = Counter()
    for page in pages:
        causes.update(page.causes)
    return {
        "pages": len(pages),
        "tokens": sum(page.tokens for page in pages),
        "steps": steps,
        "tokens_per_step": sum(page.tokens for page in pages) / max(1, steps),
        "median": statistics.median_high(each) if each else 0.0,
        "worst": min(each, default=0.0),
        "same": all(page.same for page in pages),
        "speedup": sum(page.tokens for page in pages) / max(1e-9, sum(page.cost for page in pages)),
        "least_speedup": min((page.tokens / max(1e-9, page.cost) for page in pages), default=0.0),
        "host_microseconds_per_step": 1e6 * sum(page.host_seconds for page in pages) / max(1, steps),
        "causes": dict(causes),
    }


def by_set(pages: Sequence[Replayed]) -> dict[str, dict[str, Any]]:
    names = dict.fromkeys(page.set for page in pages)
    return {name: summary([page for page in pages if page.set == name]) for name in names}


def to_json(pages: Sequence[Replayed], settings: Mapping[str, Any], *, examples: bool = True) -> dict[str, Any]:
    left_out = set() if examples else {"examples"}
    listed = [
        {key: value for key, value in asdict(page).items() if key not in left_out}
        | {"tokens_per_step": page.tokens_per_step}
        for page in pages
    ]
    return {
        "format": FORMAT,
        "version": VERSION,
        "settings": dict(settings),
        "summary": summary(pages),
        "sets": by_set(pages),
        "pages": listed,
    }


def from_json(text: str) -> list[Replayed]:
    """The pages that `to_json` wrote."""
    try:
        found = json.loads(text)
        if (found["format"], found["version"]) != (FORMAT, VERSION):
            raise ValueError("another format")
        return list(read(tuple[Replayed, ...], found["pages"]))
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"no figures of a replay: {error}", remedy="write them with bench replay --json") from error
