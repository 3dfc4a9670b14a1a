"""The shipped fakes enforce the protocol: whatever they accept must be possible with a real target."""

from __future__ import annotations

import math

import numpy as np
import pytest
from fake_targets import ScriptedTarget, SeededTarget

from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.prefix_tree import PrefixTree


def scripted(**settings):
    return ScriptedTarget({"page": (5, 6, 7)}, eos=(0,), **settings)


def test_a_slot_must_be_free_and_exist():
    target = scripted(slots=2)
    target.prefill({0: "page"})
    for slot in (0, 2, -1):
        with pytest.raises(ValueError, match="taken, or is none"):
            target.prefill({slot: "page"})
    target.release(0)
    assert target.prefill({0: "page"}) == {0: 5}


def test_only_a_path_of_the_tree_just_verified_can_be_committed():
    target = scripted()
    target.prefill({0: "page"})
    target.verify({0: PrefixTree.build(5, [(6, 7), (1,)], budget=4)})
    with pytest.raises(ValueError, match="no path of the tree"):
        target.commit({0: [0, 1, 3]})


def test_what_was_committed_is_the_prefix_of_the_next_verification():
    target = scripted()
    target.prefill({0: "page"})
    tree = PrefixTree.build(5, [(6,), (1,)], budget=4)
    assert target.verify({0: tree})[0].choices == [6, 7, 7]
    target.commit({0: [0, 1]})
    assert target.verify({0: PrefixTree.build(7, [], budget=1)})[0].choices == [0]


@pytest.mark.parametrize(("packed", "width"), [(False, 3), (True, 2)])
def test_passes_are_counted_at_the_width_they_cost(packed, width):
    costs = CostTable((1,), (1, 3), ((1.0, 2.0),), packed=packed)
    target = ScriptedTarget({"page": (5, 6, 7)}, eos=(0,), slots=2, costs=costs)
    target.prefill({0: "page", 1: "page"})
    target.verify({0: PrefixTree.build(5, [(6, 7)], budget=3), 1: PrefixTree.build(5, [], budget=3)})
    assert target.passes == [(2, width)]
    assert target.cost == costs.cost(2, width)


def test_a_tolerant_verification_has_each_nodes_log_probability_after_its_parent():
    target = SeededTarget(seed=1, vocabulary=9)
    target.prefill({0: "page"})
    tree = PrefixTree.build(3, [(1, 2), (4,)], budget=4)
    verification = target.verify({0: tree}, tolerant=True)[0]
    for node in range(1, 4):
        path = [tree.tokens[at] for at in tree.path(node)]
        logits = target.logits("page", tuple(path[:-1]))
        assert verification.logprobs[node] == pytest.approx(logits[path[-1]] - np.log(np.exp(logits).sum()))
    assert target.verify({0: tree})[0].logprobs is None


def test_a_doubt_leaves_the_answer_and_makes_another_token_nearly_as_good():
    target = scripted(doubts={1: {8: 0.4}})
    assert target.answer("page", 9) == (5, 6, 7, 0)
    verdict = target.verdict("page", (5,))
    assert verdict.choice_logprob == pytest.approx(math.log(0.6))
    assert verdict.logprob(8) == pytest.approx(math.log(0.4))
    assert verdict.logprob(3) == -math.inf


def test_an_answer_ends_with_the_end_or_at_its_length():
    assert scripted().answer("page", 2) == (5, 6)
    assert SeededTarget(seed=2, vocabulary=3, eos=(0, 1, 2)).answer("page", 50)[1:] == ()


def test_a_seeded_target_writes_diversely_and_depends_on_seed_view_and_prefix():
    answers = {SeededTarget(seed=seed, vocabulary=50).answer(view, 40) for seed in (1, 2) for view in ("a", "b")}
    assert len(answers) == 4
    assert all(len(set(answer)) > 15 for answer in answers)
