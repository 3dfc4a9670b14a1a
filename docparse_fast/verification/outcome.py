"""Turns a page's decoding into blocks with evidence, a status and figures. Runs no model.

Nothing is lost if something goes wrong: whatever the target completed is kept, and for the rest of the page the drafts
stay, marked as such.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise

from docparse_fast.document import (
    FURNITURE,
    Block,
    Category,
    Failure,
    Origin,
    Provenance,
    Region,
    Status,
    Verified,
    block_of,
)
from docparse_fast.drafted import DraftedPage
from docparse_fast.evidence import CandidateCount, PageEvidence, StageEvidence
from docparse_fast.speculative import metrics
from docparse_fast.speculative.growing_answer import Decoded, Finish, TokenOrigin
from docparse_fast.speculative.repetition import find_loop
from docparse_fast.text.compared_words import word_places
from docparse_fast.text.placed_words import PlacedWords
from docparse_fast.verification.agreement import Comparison, compare, rest_of
from docparse_fast.verification.judging import JudgedRegions
from docparse_fast.verification.page import PageReading
from docparse_fast.verification.placing import character_ends, places_of
from docparse_fast.verification.policy import StagePlan
from docparse_fast.verification.regions import Readings
from docparse_fast.verification.target import DocumentTarget

TOLD_BY_LAYOUT = FURNITURE | {Category.CAPTION, Category.FOOTNOTE}  # a Markdown answer can't name these kinds
INDIVISIBLE = frozenset({Category.TABLE, Category.FORMULA, Category.CODE})  # half of one is useless

FAILURES = {
    Finish.LENGTH: Failure(
        "truncated",
        "the target's answer was cut off at --max-new-tokens or the model's own limit; drafts stand for the rest",
    ),
    Finish.REPETITION: Failure("repetition", "the target wrote in circles and was stopped; drafts stand for the rest"),
    Finish.DEADLINE: Failure("timeout", "the target ran out of time; drafts stand for the rest"),
}
EMPTY = Failure("truncated", "the target's answer is empty, though the page has text; the drafts stand")
UNREADABLE = Failure("truncated", "the target's answer is not what it should look like; drafts stand for what is lost")


@dataclass(frozen=True, slots=True)
class Outcome:
    blocks: tuple[Block, ...]
    status: Status
    verified: Verified
    error: Failure | None = None
    exact: bool | None = None
    agreed: float = 1.0  # part of the draft's words that the target wrote too
    evidence: PageEvidence = field(default_factory=PageEvidence)
    seconds: Mapping[str, float] = field(default_factory=dict)


def drafts_only(page: DraftedPage, plan: StagePlan, error: Failure) -> Outcome:
    """The outcome if the target could not read the page at all."""
    blocks = tuple(block_of(region) for region in page.regions)
    return Outcome(blocks, "partial", "none", error, agreed=0.0, evidence=PageEvidence(plan=plan.reason))


def of_regions(
    page: DraftedPage,
    plan: StagePlan,
    readings: Readings,
    target: DocumentTarget,
    judged: JudgedRegions | None = None,
) -> Outcome:
    """Stage 1 alone: the regions in the drafter's order, with the target's readings where it has them.

    Drafts that were only judged are marked, and such a page is not verified.
    """
    accepted = judged.accepted if judged is not None else {}
    texts = {n: reading.text for n, reading in readings.items() if reading.text is not None}
    read = [
        Block(region.category, texts[n], region.box, region.level, words=PlacedWords.of(region.words))
        if n in texts
        else replace(block_of(region), judged=_share(accepted, n))
        for n, region in enumerate(page.regions)
    ]
    comparison = compare(page.regions, read, range(len(read)))
    blocks = tuple(
        _with_origins(block, comparison.sources[n], target) if n in texts else block for n, block in enumerate(read)
    )
    finishes = {reading.decoded.finish for reading in readings.values()} - {Finish.EOS}
    error = FAILURES[min(finishes)] if finishes else None
    evidence = replace(
        _compared(comparison, ""),
        plan=plan.reason,
        stage_1=stage_evidence(_decoded(readings)),
        judge=judged.evidence if judged is not None else None,
    )
    verified: Verified = "region" if readings and not accepted else "none"
    return Outcome(blocks, "partial" if error else "ok", verified, error, agreed=comparison.agreed, evidence=evidence)


def of_page(
    page: DraftedPage, plan: StagePlan, readings: Readings, read: PageReading, target: DocumentTarget
) -> Outcome:
    """Both stages, or Stage 2 alone: the target's own answer, in its order."""
    tokens = _without_loop(read.decoded)
    text = target.decode(tokens)
    answer = target.dialect.parse(text, page.size)
    comparison = compare(page.regions, answer.blocks)
    nearly = _tolerated(read.decoded, tokens, answer.blocks, text, target)
    blocks = [
        _placed(_with_origins(block, sources, target, near), of, page.regions)
        for block, sources, near, of in zip(
            answer.blocks, comparison.sources, nearly, comparison.region_of, strict=True
        )
    ]
    error = FAILURES.get(read.decoded.finish) or (UNREADABLE if answer.lost else None)
    if error is None and not answer.blocks and any(map(str.isalnum, "".join(each.text for each in page.regions))):
        error = EMPTY
    rest: Sequence[Block] = ()
    if read.decoded.finish in FAILURES and blocks and (last := comparison.region_of[-1]) is not None:
        *blocks, ended = blocks
        kept, rest = _broken_off(ended, page.regions[last])
        blocks.append(kept)
    blocks = _with_missing(blocks, rest, comparison, page.regions, everything=error is not None)
    evidence = replace(
        _compared(comparison, answer.lost),
        plan=plan.reason,
        stage_1=stage_evidence(_decoded(readings)) if readings else None,
        stage_2=stage_evidence([read.decoded]),
        warnings=_warnings(read.decoded),
    )
    verified: Verified = "page" if answer.blocks or not error else "none"
    return Outcome(
        tuple(blocks), "partial" if error else "ok", verified, error, agreed=comparison.agreed, evidence=evidence
    )


def _warnings(decoded: Decoded) -> tuple[str, ...]:
    failure = decoded.model.failure if decoded.model else ""
    return (f"the draft model failed, and the target went on without it ({failure})",) if failure else ()


def _share(accepted: Mapping[int, float], region: int) -> float | None:
    return round(accepted[region], 4) if region in accepted else None


# ------------------------------------------------------------------------------------------------ numbers


def stage_evidence(rows: Sequence[Decoded]) -> StageEvidence:
    origins = {str(origin): count for origin, count in metrics.tokens_by_origin(rows).items()}
    counts = metrics.counts_by_kind(rows)
    return StageEvidence(
        rows=len(rows),
        tokens={"written": sum(len(row.tokens) for row in rows), **origins},
        target_forwards=round(metrics.passes(rows) + len(rows), 2),  # prefilling a row is one pass
        average_acceptance_length=round(metrics.average_acceptance_length(rows), 4),
        tokens_per_step=round(metrics.tokens_per_step(rows), 4),
        finish={str(finish): n for finish, n in sorted(Counter(row.finish for row in rows).items())},
        candidates={str(kind): CandidateCount(count.offered, count.accepted) for kind, count in counts.items()},
    )


def _decoded(readings: Readings) -> list[Decoded]:
    return [reading.decoded for reading in readings.values()]


def _compared(comparison: Comparison, lost: str) -> PageEvidence:
    return PageEvidence(
        agreement=round(comparison.agreed, 4),
        corrections=comparison.corrections,
        omissions=comparison.omissions,
        inventions=comparison.inventions,
        lost=lost,
    )


# ------------------------------------------------------------------------------------------------- blocks


def _with_origins(
    block: Block, sources: Sequence[str], target: DocumentTarget, tolerated: Set[int] = frozenset()
) -> Block:
    """The block with who wrote each of its words: whether a draft has it too, not whether a pass took it from there."""
    words = list(word_places(block.text))
    marks: list[tuple[Origin, str]] = [
        ("tolerated" if not tolerated.isdisjoint(range(*word)) else "accepted" if source else "own", source)
        for word, source in zip(words, sources or [""] * len(words), strict=True)
    ] or [("own", "")]
    turns = [start for (start, _), before, mark in zip(words[1:], marks, marks[1:], strict=False) if mark != before]
    stretches = pairwise([0, *turns, len(block.text)])
    spans = tuple(
        Provenance(block.text[start:end], *mark)
        for (start, end), (mark, _) in zip(stretches, groupby(marks), strict=True)
        if block.text
    )
    drafts = dict.fromkeys(span.source for span in spans if span.source)
    return replace(block, sources=(*drafts, target.identity.name), spans=spans)


def _tolerated(
    decoded: Decoded, tokens: Sequence[int], blocks: Sequence[Block], answer: str, target: DocumentTarget
) -> list[Set[int]]:
    """Of each block the letters that were only nearly the target's choice; they are the answer's, in its order."""
    spans = [span for span in decoded.spans if span.origin is TokenOrigin.TOLERATED and span.start < len(tokens)]
    if not spans:
        return [frozenset() for _ in blocks]
    cuts = [min(cut, len(tokens)) for span in spans for cut in (span.start, span.stop)]
    ends = character_ends(tokens, cuts, target.decode)
    nearly = {at for start, stop in zip(ends[::2], ends[1::2], strict=True) for at in range(start, stop)}
    found: list[Set[int]] = []
    for block, place in zip(blocks, places_of(blocks, answer), strict=True):
        written = range(place.start, place.stop) if place else ()
        letters = (at for at, character in enumerate(block.text) if character.isalnum())
        pairs = zip(letters, (at for at in written if answer[at].isalnum()), strict=False)
        found.append({letter for letter, at in pairs if at in nearly})
    return found


def _placed(block: Block, of: int | None, regions: Sequence[Region]) -> Block:
    """The block with its region's box and kind."""
    if of is None:
        return block
    region = regions[of]
    told = block.category is Category.TEXT and region.category in TOLD_BY_LAYOUT
    category = region.category if told else block.category
    return replace(block, box=block.box or region.box, category=category, words=PlacedWords.of(region.words))


def _broken_off(block: Block, region: Region) -> tuple[Block, list[Block]]:
    """The answer's last block and the rest of its draft; only the draft if the two can't be joined."""
    if block.category in INDIVISIBLE or region.category in INDIVISIBLE:
        return block_of(region), []
    rest = rest_of(region.text, block.text)
    return block, [replace(block_of(region), text=rest)] if rest else []


def _with_missing(
    blocks: list[Block], rest: Sequence[Block], comparison: Comparison, regions: Sequence[Region], *, everything: bool
) -> list[Block]:
    """Adds the rest of what was cut off, the pictures that the target doesn't write and, if its answer was cut off, the
    drafts of everything after that; each after the region before it."""
    there = {of for of in comparison.region_of if of is not None}
    pictures = [block.box for block in blocks if block.category is Category.FIGURE and block.box]
    found = list(zip(comparison.region_of, blocks, strict=True))
    found += [(comparison.region_of[-1], block) for block in rest]
    for n, region in enumerate(regions):
        if region.category is Category.FIGURE:
            missing = not any(region.box.iou(box) > 0.5 for box in pictures)
        else:
            missing = everything and bool(region.text) and n not in there
        if missing:
            before = [at for at, (of, _) in enumerate(found) if of is not None and of < n]
            found.insert(max(before) + 1 if before else 0, (n, block_of(region)))
    return [block for _, block in found]


def _without_loop(decoded: Decoded) -> tuple[int, ...]:
    """The answer with its loop written once."""
    loop = find_loop(decoded.tokens) if decoded.finish is Finish.REPETITION else None
    return decoded.tokens if loop is None else decoded.tokens[: len(decoded.tokens) - loop.length + loop.period]
