"""Drafts with errors, and what a target writes with them."""

from __future__ import annotations

import random
from collections.abc import Sequence

from small_models import TEXT

from docparse_fast.speculative.candidates import TokenDraft
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.growing_answer import Decoded, Row
from docparse_fast.targets.decoder.vlm import VisionLanguageTarget

EXACT = Speculation(tau=1.0, widest=24)


def corrupted(answer: Sequence[int], rate: float, seed: int) -> list[TokenDraft]:
    """Two readings of each piece of the answer, so that trees branch, and a decoy between them."""
    noise = random.Random(seed)
    drafts = []
    for region, start in enumerate(range(0, len(answer), 20)):
        readings = [list(_misread(answer[start : start + 20], rate, noise)) for _ in range(2)]
        drafts += [TokenDraft(reading, 2 * region) for reading in readings]
        drafts.append(TokenDraft([noise.choice(TEXT) for _ in range(10)], 2 * region + 1))
    return drafts


def _misread(tokens: Sequence[int], rate: float, noise: random.Random):
    for token in tokens:
        kind = noise.choice("sid") if noise.random() < rate else ""
        if kind != "d":
            yield noise.choice(TEXT) if kind == "s" else token
        if kind == "i":
            yield noise.choice(TEXT)


def decoded(target: VisionLanguageTarget, rows: list[Row]) -> list[Decoded]:
    """In the order of `rows`."""
    return sorted(spec_decode(target, rows, EXACT), key=lambda one: rows.index(one.row))
