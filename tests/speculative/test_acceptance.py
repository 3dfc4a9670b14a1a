"""The target's own choice decides; with tau < 1 a draft token that it finds nearly as good is accepted too."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.speculative.acceptance import Acceptance, accept
from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.speculative.target import Verification

TREE = PrefixTree.build(9, [(1, 2, 3), (1, 4), (5,)], budget=9)  # nodes: root, 1, 2, 3, 4, 5


@st.composite
def verified_trees(draw):
    """A tree and consistent log-probabilities at its nodes, each from one softmax."""
    candidates = draw(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=4), max_size=4))
    tree = PrefixTree.build(9, candidates, budget=12)
    logprobs_at = []
    for _ in range(len(tree)):
        logits = draw(st.lists(st.floats(-3, 3), min_size=5, max_size=5))
        total = math.log(sum(map(math.exp, logits)))
        logprobs_at.append([logit - total for logit in logits])
    choices = [max(range(5), key=logprobs.__getitem__) for logprobs in logprobs_at]
    return tree, Verification(
        choices,
        [logprobs[choice] for logprobs, choice in zip(logprobs_at, choices, strict=True)],
        [0.0, *(logprobs_at[parent][token] for token, parent in zip(tree.tokens[1:], tree.parents[1:], strict=True))],
    )


def test_the_path_follows_the_target_and_ends_with_its_own_token():
    assert accept(TREE, Verification([1, 4, 0, 0, 7, 0]), 1.0) == Acceptance([0, 1, 4], [1, 4, 7], [])


def test_a_root_without_children_gives_the_targets_own_token():
    assert accept(TREE, Verification([6, 2, 3, 0, 0, 0]), 1.0) == Acceptance([0], [6], [])


@given(verified_trees())
def test_at_tau_1_every_token_is_the_targets_choice_even_in_a_tie(verified):
    tree, verification = verified
    acceptance = accept(tree, verification, 1.0)
    assert acceptance.tokens == [verification.choices[node] for node in acceptance.path]
    assert acceptance.tolerated == []


@given(verified_trees(), st.floats(0.05, 1.0), st.floats(0.05, 1.0))
def test_lowering_tau_never_shortens_an_acceptance(verified, one, other):
    low, high = sorted((one, other))
    longer, shorter = accept(*verified, low), accept(*verified, high)
    assert longer.path[: len(shorter.path)] == shorter.path


@given(verified_trees(), st.floats(0.05, 0.99))
def test_the_path_is_one_of_the_trees_and_tolerance_keeps_equation_10(verified, tau):
    tree, verification = verified
    acceptance = accept(tree, verification, tau)
    assert acceptance.path == tree.path(acceptance.path[-1])
    assert acceptance.tokens[:-1] == [tree.tokens[node] for node in acceptance.path[1:]]
    assert acceptance.tokens[-1] == verification.choices[acceptance.path[-1]]
    for node in acceptance.path[1:]:
        parent = tree.parents[node]
        taken = tree.tokens[node] == verification.choices[parent]
        assert taken != (node in acceptance.tolerated)
        if not taken:
            assert verification.choice_logprobs[parent] / verification.logprobs[node] >= tau - 1e-9
            assert verification.logprobs[node] == max(
                verification.logprobs[sibling] for sibling in tree.children[parent].values()
            )


@pytest.mark.parametrize(("tau", "passes"), [(0.75, True), (0.76, False), (1.0, False)])
def test_tolerance_compares_the_ratio_of_logarithms_with_tau(tau, passes):
    tree = PrefixTree.build(9, [(1,), (2,)], budget=3)
    verification = Verification([3, 8, 8], [-0.75, 0.0, 0.0], [0.0, -1.0, -2.0])
    assert accept(tree, verification, tau) == (Acceptance([0, 1], [1, 8], [1]) if passes else Acceptance([0], [3], []))


def test_a_certain_target_tolerates_nothing_and_causes_no_division_by_zero():
    tree = PrefixTree.build(9, [(1,)], budget=2)
    assert accept(tree, Verification([3, 8], [0.0, 0.0], [0.0, -math.inf]), 0.5).tokens == [3]


def test_at_tau_1_an_equally_probable_token_is_not_the_choice():
    tree = PrefixTree.build(9, [(1,)], budget=2)
    assert accept(tree, Verification([3, 8], [-0.7, 0.0], [0.0, -0.7]), 1.0).tokens == [3]


def test_the_targets_choice_wins_over_a_child_with_a_higher_log_probability():
    """A child that is the choice is accepted by index, even if rounding changed its log-probability."""
    tree = PrefixTree.build(9, [(1,), (2,)], budget=3)
    verification = Verification([2, 8, 8], [-0.7, 0.0, 0.0], [0.0, -0.69, -0.71])
    assert accept(tree, verification, 0.5) == Acceptance([0, 2], [2, 8], [])
