"""Speculative sampling with two models of our engine: one draws a block, and a rule decides how much of it stands.

For measurements of the rules: what the product does at a temperature (`decoder/sampling.py`) writes the same answer
with any drafts, and these rules don't. Knows tensors and rules; no page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from docparse_fast.speculative.draft_index import agreement
from docparse_fast.speculative.verification_rules import DrawnBlock, Probabilities, VerificationRule, verify_block
from docparse_fast.targets.decoder.judging import chain
from docparse_fast.targets.decoder.vlm import VisionLanguageTarget

SLOT = 0


class DrawnRow:
    """One model's answer as it grows: probabilities after any continuation, of which some is kept."""

    @torch.inference_mode()
    def __init__(self, decoder: VisionLanguageTarget, view: object, temperature: float) -> None:
        self._decoder = decoder
        self._temperature = temperature
        decoder.release(SLOT)
        [(_, logits)] = decoder.begin_rows({SLOT: view}, {})
        self.first = self._probabilities(logits)[0]  # of the answer's first token
        self._prompt = decoder.cache.lengths[SLOT]
        self._cached: list[int] = []

    @torch.inference_mode()
    def after(self, text: Sequence[int], block: Sequence[int] = ()) -> Probabilities:
        """(block + 1, vocabulary): of what follows the text, and each token of the block behind it."""
        tokens = [*text, *block]
        shared = min(agreement(self._cached, tokens), len(text) - 1)
        self._decoder.cache.lengths[SLOT] = self._prompt + shared
        new = chain(tokens[shared:])
        logits = self._decoder.logits({SLOT: new})
        self._decoder.commit({SLOT: range(len(new))})
        self._cached = tokens
        return self._probabilities(logits[-1 - len(block) :])

    def _probabilities(self, logits: torch.Tensor) -> Probabilities:
        found: Probabilities = (logits.double() / self._temperature).softmax(-1).cpu().numpy()
        return found


@dataclass(frozen=True, slots=True)
class DrawnAnswer:
    tokens: tuple[int, ...]
    passes: int  # of the target, after the first token


def draw_answer(
    target: DrawnRow,
    draft: DrawnRow,
    rule: VerificationRule,
    generator: np.random.Generator,
    *,
    block: int,
    longest: int,
    ends: frozenset[int],
    begun: Sequence[int] = (),
) -> DrawnAnswer:
    """An answer of at most `longest` tokens behind those that are given; without such it draws its own first one."""
    text = list(begun) or [_drawn(target.first, generator)]
    start, passes = len(begun), 0
    while len(text) - start < longest and text[-1] not in ends:
        tokens, q = _block(draft, text, min(block, longest - (len(text) - start)), generator, ends)
        p = target.after(tuple(text), tuple(tokens))
        text += verify_block(rule, DrawnBlock(tuple(tokens), p, q), generator)
        passes += 1
    written = text[start : start + longest]
    end = next((at for at, token in enumerate(written, start=1) if token in ends), len(written))
    return DrawnAnswer(tuple(written[:end]), passes)


def _block(
    draft: DrawnRow, text: Sequence[int], most: int, generator: np.random.Generator, ends: frozenset[int]
) -> tuple[list[int], Probabilities]:
    tokens: list[int] = []
    rows = []
    while len(tokens) < most and not (tokens and tokens[-1] in ends):
        rows.append(draft.after((*text, *tokens))[0])
        tokens.append(_drawn(rows[-1], generator))
    return tokens, np.stack(rows)


def _drawn(chances: Probabilities, generator: np.random.Generator) -> int:
    return int(generator.choice(len(chances), p=chances / chances.sum()))
