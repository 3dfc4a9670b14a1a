"""Turns a page's decoding into blocks with evidence, a status and figures. Runs no model.

Nothing is lost if something goes wrong: whatever the target completed is kept, and for the rest of the page the drafts
stay, marked as such.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from docparse_fast.document import Block, Failure, Status, Verified, block_of
from docparse_fast.drafted import DraftedPage
from docparse_fast.evidence import PageEvidence
from docparse_fast.speculative.growing_answer import Decoded, Finish
from docparse_fast.speculative.repetition import find_loop
from docparse_fast.text.placed_words import PlacedWords
from docparse_fast.verification.agreement import compare
from docparse_fast.verification.answer_blocks import broken_off, placed, tolerated, with_missing, with_origins
from docparse_fast.verification.judged_regions import JudgedRegions
from docparse_fast.verification.page import PageReading
from docparse_fast.verification.policy import StagePlan
from docparse_fast.verification.regions import Readings
from docparse_fast.verification.row_evidence import compared, stage_evidence
from docparse_fast.verification.target import DocumentTarget

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
        with_origins(block, comparison.sources[n], target) if n in texts else block for n, block in enumerate(read)
    )
    finishes = {reading.decoded.finish for reading in readings.values()} - {Finish.EOS}
    error = FAILURES[min(finishes)] if finishes else None
    evidence = replace(
        compared(comparison, ""),
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
    nearly = tolerated(read.decoded, tokens, answer.blocks, text, target)
    blocks = [
        placed(with_origins(block, sources, target, near), of, page.regions)
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
        kept, rest = broken_off(ended, page.regions[last])
        blocks.append(kept)
    blocks = with_missing(blocks, rest, comparison, page.regions, everything=error is not None)
    evidence = replace(
        compared(comparison, answer.lost),
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


def _decoded(readings: Readings) -> list[Decoded]:
    return [reading.decoded for reading in readings.values()]


def _without_loop(decoded: Decoded) -> tuple[int, ...]:
    """The answer with its loop written once."""
    loop = find_loop(decoded.tokens) if decoded.finish is Finish.REPETITION else None
    return decoded.tokens if loop is None else decoded.tokens[: len(decoded.tokens) - loop.length + loop.period]
