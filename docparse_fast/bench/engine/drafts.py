"""Drafts of a known answer, as good or as bad as wanted. Knows token ids; no model, no page.

They are cut as a page's regions are, with decoys among them, and what an OCR does to letters is done to tokens.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from docparse_fast.speculative.alignment import TokenDraft
from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.fakes import ScriptedTarget
from docparse_fast.speculative.metrics import tokens_per_step
from docparse_fast.speculative.writing import Row

EXACT = Speculation(tau=1.0)
REGION = (24, 80)  # tokens of a region's draft
DECOYS = 0.5  # drafts of nothing on the page, for each region
LOWEST = 8  # ids of substituted and inserted tokens, from here on
HALVINGS = 12  # of the interval that the rate lies in


@dataclass(frozen=True, slots=True)
class Sheet:
    """An answer as a page's regions cut it, and its drafts at any rate of faults.

    >>> sheet = Sheet(range(100, 110), seed=1, vocabulary=1000)
    >>> drafts = sheet.drafts(0)
    >>> [draft.region for draft in drafts if list(draft.tokens) == list(range(100, 110))]  # a decoy is before it
    [1]
    """

    answer: Sequence[int]
    seed: int
    vocabulary: int

    def drafts(self, rate: float) -> list[TokenDraft]:
        """Each token substituted, dropped or doubled up with chance `rate`; the same cuts and decoys at any rate."""
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
    """An answer without a model, for a sheet of that seed: faults lie where they lie, whatever the tokens are.

    Its tokens come from a generator of their own. Drawn from the sheet's, they would be in the decoys as well.
    """
    return random.Random(f"stand-in {seed}").sample(range(LOWEST, vocabulary), length)


def rate_for(sheet: Sheet, wanted: float, costs: CostTable, never: frozenset[int]) -> float:
    """The rate that gives so many tokens a step; found without the model, which the answer stands in for.

    At 1 every token is faulty. What is reached in the end is what a benchmark must report: it is not always `wanted`.
    """
    if wanted <= 1:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        rate = (low + high) / 2
        target = ScriptedTarget({"page": sheet.answer}, eos=never, costs=costs)
        row = Row("page", drafts=sheet.drafts(rate), max_tokens=len(sheet.answer))
        reached = tokens_per_step(list(spec_decode(target, [row], EXACT)))
        low, high = (rate, high) if reached > wanted else (low, rate)
    return (low + high) / 2
