"""Decodes the page once more with the model's own generate() and compares the answers. Knows answers; no stages."""

from __future__ import annotations

from collections.abc import Sequence

from docparse_fast.evidence import Difference, Exactness
from docparse_fast.options import SpeculationOptions
from docparse_fast.speculative.decoding import Speculation
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.timing import Timer
from docparse_fast.verification.page import PageReading
from docparse_fast.verification.target import DocumentTarget

NEAR_TIE = 0.25  # of logits: bfloat16 rounds by as much; float32 never does


def check(page: PageReading, target: DocumentTarget, options: SpeculationOptions, timer: Timer) -> Exactness:
    ours = page.decoded.tokens
    longest = len(ours)  # no longer: an answer that goes on differs at the token where ours ends
    speculative_seconds = timer.seconds.get("decode", 0.0)
    plain_timer = Timer(timer.clock, timer.sync)
    row = Row(view=page.view, max_tokens=longest)
    for _ in target.decode_rows([row], Speculation(1.0, options.window), plain_timer):
        pass
    with plain_timer.span("generate"):
        plain = target.generate(page.view, longest)
    at = _first_difference(ours, plain)
    difference = None if at is None else _difference(page.view, target, ours, plain, at)
    seconds = plain_timer.seconds
    return Exactness(at is None, len(ours), speculative_seconds, seconds["decode"], seconds["generate"], difference)


def _first_difference(ours: Sequence[int], plain: Sequence[int]) -> int | None:
    if tuple(ours) == tuple(plain):
        return None
    pairs = zip(ours, plain, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(ours), len(plain)))


def _difference(view: object, target: DocumentTarget, ours: Sequence[int], plain: Sequence[int], at: int) -> Difference:
    mine, other = ours[at : at + 1], plain[at : at + 1]
    tie = target.tie_break(view, plain[:at], mine[0] if mine else target.end)
    coarse = target.identity.dtype != "float32"
    margin = None if tie is None else round(tie.margin, 4)
    return Difference(
        at, target.decode(mine), target.decode(other), margin, coarse and margin is not None and margin < NEAR_TIE
    )
