"""Makes drafts of a known answer with any rate of errors. Knows token ids; no model, no page.

The answer is cut like a page into regions, with wrong drafts (decoys) in between. Tokens get the errors that OCR makes
in letters.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from docparse_fast.speculative.candidates import TokenDraft
from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.speculative.metrics import tokens_per_step
from docparse_fast.speculative.stored_answer import StoredAnswer

EXACT = Speculation(tau=1.0)
REGION = (24, 80)  # least and most tokens of a region's draft
DECOYS = 0.5  # drafts of text that is not on the page, per region
LOWEST = 8  # lowest id of substituted and inserted tokens
HALVINGS = 12  # of the interval that contains the rate


@dataclass(frozen=True, slots=True)
class Sheet:
    """An answer cut into regions, and its drafts at any error rate.

    >>> sheet = Sheet(range(100, 110), seed=1, vocabulary=1000)
    >>> drafts = sheet.drafts(0)
    >>> [draft.region for draft in drafts if list(draft.tokens) == list(range(100, 110))]  # a decoy comes first
    [1]
    """

    answer: Sequence[int]
    seed: int
    vocabulary: int

    def drafts(self, rate: float) -> list[TokenDraft]:
        """Substitutes, drops or precedes each token by another with chance `rate`; cuts and decoys don't change."""
        cuts, noise = random.Random(self.seed), random.Random(self.seed + 1)
        drafts: list[list[int]] = []
        start = 0
        while start < len(self.answer):
            if cuts.random() < DECOYS:
                drafts.append([self._token(cuts) for _ in range(cuts.randint(*REGION))])
            length = cuts.randint(*REGION)
            drafts.append(
                [out for token in self.answer[start : start + length] for out in self._read(token, rate, noise)]
            )
            start += length
        return [TokenDraft(tokens, region) for region, tokens in enumerate(drafts)]

    def _read(self, token: int, rate: float, noise: random.Random) -> list[int]:
        if noise.random() >= rate:
            return [token]
        kind = noise.choice(("substitution", "substitution", "insertion", "deletion"))
        return {"substitution": [self._token(noise)], "insertion": [self._token(noise), token], "deletion": []}[kind]

    def _token(self, source: random.Random) -> int:
        return source.randrange(LOWEST, self.vocabulary)


def stand_in(length: int, seed: int, vocabulary: int) -> list[int]:
    """A random answer for a sheet of that seed: the places of errors don't depend on the tokens.

    Its tokens come from a separate generator: from the sheet's own, they would appear in the decoys too.
    """
    return random.Random(f"stand-in {seed}").sample(range(LOWEST, vocabulary), length)


def rate_for(sheet: Sheet, wanted: float, costs: CostTable, never: frozenset[int]) -> float:
    """The error rate at which a step writes `wanted` tokens, found with the answer read out instead of the model.

    At rate 1 every token is wrong. A benchmark must report the tokens per step it reached, which may differ.
    """
    if wanted <= 1:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        rate = (low + high) / 2
        target = StoredAnswer(sheet.answer, min(never), costs)
        row = Row("page", drafts=sheet.drafts(rate), max_tokens=len(sheet.answer))
        reached = tokens_per_step(list(spec_decode(target, [row], EXACT)))
        low, high = (rate, high) if reached > wanted else (low, rate)
    return (low + high) / 2
