"""Formula scores: how alike two formulas' normalised LaTeX is. Ours: the official figure (CDM) compares renderings.

A formula set within a line will do for one that is set apart; one that the truth does not have costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from rapidfuzz.distance import Levenshtein

from docparse_fast.bench.datasets import TruthBlock
from docparse_fast.bench.scores.latex import latex_tokens
from docparse_fast.bench.scores.pairing import pair
from docparse_fast.bench.scores.plain_text import INLINE_FORMULA
from docparse_fast.bench.scores.reading_order import Place

LEAST_ALIKE = 0.1  # below that two formulas have nothing to do with one another
SHORTEST_INLINE = 5  # letters; shorter ones are symbols in a sentence


@dataclass(frozen=True, slots=True)
class FormulaScores:
    places: dict[int, Place]  # where the truth's formulas were found
    scores: tuple[float, ...]  # one for each that counts, 0 for one that is missing


def formula_scores(truth: Sequence[TruthBlock], answer: Sequence[TruthBlock]) -> FormulaScores:
    wanted = [at for at, block in enumerate(truth) if block.kind == "formula"]
    written = list(_written(answer))
    expected, found = [truth[at].text for at in wanted], [latex for _, latex in written]
    pairs = pair(expected, found, formula_likeness, least=LEAST_ALIKE)
    return FormulaScores(
        {wanted[at]: written[to][0] for at, to in pairs.items()},
        tuple(
            100 * formula_likeness(expected[at], found[pairs[at]]) if at in pairs else 0.0
            for at, block in enumerate(wanted)
            if truth[block].counted
        ),
    )


def formula_likeness(truth: str, answer: str) -> float:
    r"""0 to 1, by tokens.

    >>> formula_likeness(r"\frac{1}{2}", r"\dfrac12"), round(formula_likeness("a+b", "a-b"), 2)
    (1.0, 0.67)
    """
    return float(Levenshtein.normalized_similarity(_tokens(truth), _tokens(answer)))


def _written(answer: Sequence[TruthBlock]) -> Iterator[tuple[Place, str]]:
    for at, block in enumerate(answer):
        if block.kind == "formula":
            yield (at, 0), block.text
        elif block.kind == "text":
            for found in INLINE_FORMULA.finditer(block.text):
                latex = found[1] or found[2]
                if len(latex) >= SHORTEST_INLINE:
                    yield (at, found.start()), latex


@cache
def _tokens(latex: str) -> tuple[str, ...]:
    return tuple(latex_tokens(latex))
