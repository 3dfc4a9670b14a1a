"""What targets say of texts that they did not write, and how the texts share a target's slots."""

from __future__ import annotations

import math

import pytest
from fake_targets import ScriptedTarget, SeededTarget

from docparse_fast.speculative.judged_tokens import judge_texts

END = 0


def test_what_the_target_would_write_is_certain_and_anything_else_is_not():
    target = ScriptedTarget({"page": (5, 6, 7)}, eos=(END,))
    (found,) = judge_texts(target, [("page", (5, 9, 7, END))])
    assert [judgement.share for judgement in found] == [1.0, 0.0, 1.0, 1.0]
    assert found[1].other == 6


def test_a_share_weighs_a_token_against_the_best_other_one():
    target = ScriptedTarget({"page": (5, 6)}, eos=(END,), doubts={1: {8: 0.25, 9: 0.15}})
    right, wrong = judge_texts(target, [("page", (5, 6)), ("page", (5, 8))])
    assert right[1] == pytest.approx((0.6 / 0.85, 8))
    assert wrong[1] == pytest.approx((0.25 / 0.85, 6))


def test_more_texts_than_slots_are_judged_in_order():
    target = SeededTarget(seed=1, vocabulary=9, slots=2)
    asked = [(f"page {n}", tuple(range(n, n + 3))) for n in range(5)]
    alone = [next(judge_texts(target, [one])) for one in asked]
    assert list(judge_texts(target, asked)) == alone


def test_no_share_is_outside_its_bounds():
    target = SeededTarget(seed=2, vocabulary=5)
    (found,) = judge_texts(target, [("page", (0, 1, 2, 3, 4, 0, 1))])
    assert all(0 <= share <= 1 and not math.isnan(share) for share, _ in found)
