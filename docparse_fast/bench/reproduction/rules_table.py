"""Block efficiency of the verification rules, by trying everything that toy models can write; theirs beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from docparse_fast.bench.reproduction.toy_models import ToyPair, distance
from docparse_fast.bench.tables import NONE, Heading, Part, Table
from docparse_fast.speculative.verification_rules import RULES

FORMAT = "docparse-fast/verification-rules"
TABLE = "hsd-rules"
PAIRS = 20
SIZES = ((2, 2), (2, 5), (3, 4))  # vocabulary, tokens of a block
ROUNDING = 1e-12
CLOSE = 0.7  # of q that is p itself, in the closer pairs
THEIRS: Mapping[str, tuple[str, str, str]] = {  # GSM8K at 14B, HumanEval at 32B, CNN/DM at 14B
    "tokenwise": ("5.99", "4.89", "2.39"),
    "blockwise": ("6.13", "5.15", "2.50"),
    "hierarchical": ("6.30", "5.49", "2.59"),
}
TITLE = (
    "Lossless hierarchical speculative decoding: block efficiency of the verification rules.\n"
    f"Ours are {PAIRS} pairs of random toy models of 2 or 3 tokens, of which everything is tried that they can write;\n"
    "theirs are Qwen2.5 of 14 and 32 billion weights with one of half a billion. Compare the order, not the figures."
)
NOTES = (
    "Block efficiency: tokens written for each pass of the target, its own included. Distance: total variation\n"
    "between what is written with the rule and what the target writes alone, the most over all pairs; 0 is exact.\n"
    "hierarchical: capped over the tokens before a place, as the text has it. With the place itself under the cap, as\n"
    "in the text's example, it is blockwise. So in one pass there is nothing above blockwise here without leaving the\n"
    "target's distribution. Our text of the paper is a summary; its appendix may define another rule."
)


@dataclass(frozen=True, slots=True)
class RuleFigures:
    rule: str
    exact: bool
    efficiency: Mapping[str, float]  # by the models
    distance: float


@dataclass(frozen=True, slots=True)
class RulesTried:
    rules: Sequence[RuleFigures]


def measured(_: object = None) -> RulesTried:
    figures = []
    for rule in RULES:
        efficiency, far = {}, 0.0
        for close in (0.0, CLOSE):
            for vocabulary, block in SIZES:
                pairs = [ToyPair.drawn(vocabulary, block, seed, close) for seed in range(PAIRS)]
                efficiency[_name(vocabulary, block, close)] = 1 + fmean(pair.accepted(rule) for pair in pairs)
                far = max(far, *(distance(pair.law(), pair.law_of(rule)) for pair in pairs))
        figures.append(RuleFigures(rule.name, rule.exact, efficiency, far))
    return RulesTried(figures)


def _name(vocabulary: int, block: int, close: float) -> str:
    return f"{vocabulary} tokens, {block} drafted{', close' if close else ''}"


def report(found: RulesTried) -> Iterable[Part]:
    figures = found.rules
    columns = [Heading(""), *(Heading(name, "ours") for name in figures[0].efficiency), Heading("distance", "ours")]
    columns += [Heading(name, "theirs") for name in ("GSM8K", "HumanEval", "CNN/DM")]
    yield TITLE
    yield Table(
        tuple(columns),
        tuple(
            (
                each.rule,
                *(f"{value:.3f}" for value in each.efficiency.values()),
                "0" if each.distance < ROUNDING else f"{each.distance:.3f}",
                *THEIRS.get(each.rule, (NONE,) * 3),
            )
            for each in figures
        ),
    )
    yield NOTES
