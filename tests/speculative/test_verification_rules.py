"""Rules of verification on toy models of which everything is tried that they can write."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from docparse_fast.bench.reproduction.toy_models import ToyPair, distance
from docparse_fast.speculative.verification_rules import (
    BLOCKWISE,
    HIERARCHICAL,
    RULES,
    TOKENWISE,
    DrawnBlock,
    Scanned,
    _draw,
    verify_block,
)

ROUNDING = 1e-12
DRAWS = 6_000
PAIRS = [ToyPair.drawn(vocabulary, block, seed) for vocabulary, block in ((2, 1), (2, 4), (3, 3)) for seed in range(6)]


@pytest.mark.parametrize("rule", [TOKENWISE, BLOCKWISE], ids=lambda rule: rule.name)
@pytest.mark.parametrize("pair", PAIRS)
def test_an_exact_rule_writes_what_the_target_writes_alone(rule, pair):
    assert distance(pair.law_of(rule), pair.law()) < ROUNDING


def test_the_hierarchical_form_leaves_the_targets_distribution():
    assert max(distance(pair.law_of(HIERARCHICAL), pair.law()) for pair in PAIRS) > 0.01
    assert not HIERARCHICAL.exact


def test_the_hierarchical_form_with_the_place_itself_under_the_cap_is_blockwise():
    def capped(ratios):
        return [min(weight, 1.0) for weight in HIERARCHICAL.weigh(ratios)]

    rule = Scanned("capped", True, capped)
    assert all(distance(pair.law_of(rule), pair.law_of(BLOCKWISE)) < ROUNDING for pair in PAIRS)


@pytest.mark.parametrize("pair", PAIRS)
def test_blockwise_accepts_at_least_as_many_tokens(pair):
    assert pair.accepted(BLOCKWISE) >= pair.accepted(TOKENWISE) - ROUNDING


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
@pytest.mark.parametrize("pair", PAIRS[:3])
def test_the_chances_of_a_block_and_of_what_follows_sum_to_one(rule, pair):
    for _, block in pair.blocks():
        assert rule.chances(block).sum() == pytest.approx(1)
        assert rule.chances(block).min() >= 0
        for accepted in range(len(block.tokens) + 1):
            assert rule.following(block, accepted).sum() == pytest.approx(1)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_drafts_that_are_the_targets_own_are_all_accepted(rule):
    pair = ToyPair.drawn(3, 3, seed=1, close=1.0)
    assert pair.accepted(rule) == pytest.approx(3)


def test_drafts_without_chances_are_accepted_as_far_by_every_rule():
    """OCR's drafts are one text, surely: q is 1 at its tokens."""
    generator = np.random.default_rng(1)
    p = generator.dirichlet(np.ones(4), size=4)
    block = DrawnBlock((0, 2, 1), p, np.eye(4)[[0, 2, 1]])
    means = [float(rule.chances(block) @ np.arange(4)) for rule in RULES]
    prefixes = np.cumprod(p[np.arange(3), block.tokens]).sum()
    assert means == pytest.approx([prefixes] * 3)


@pytest.mark.parametrize("rule", [TOKENWISE, BLOCKWISE], ids=lambda rule: rule.name)
def test_draws_follow_the_targets_distribution(rule):
    """Chi-square over the first tokens of 6,000 blocks; 30 is beyond the 0.1 % point of 8 degrees of freedom."""
    pair, generator = ToyPair.drawn(3, 2, seed=3), np.random.default_rng(5)
    seen = Counter(_two_tokens(rule, pair, generator) for _ in range(DRAWS))
    expected = {(a, b): pair.p[()][a] * pair.p[(a,)][b] for a in range(3) for b in range(3)}
    chi_square = sum((seen[text] - DRAWS * chance) ** 2 / (DRAWS * chance) for text, chance in expected.items())
    assert chi_square < 30


def _two_tokens(rule, pair, generator):
    written = verify_block(rule, pair.draw(generator), generator)
    if len(written) == 1:
        written += (int(generator.choice(3, p=pair.p[written])),)
    return written[:2]


def test_chances_that_sum_to_less_than_one_are_drawn_by_their_shares():
    generator = np.random.default_rng(2)
    seen = Counter(_draw(np.array([0.03, 0.01]), generator) for _ in range(20_000))
    assert seen[0] == pytest.approx(15_000, abs=200)
