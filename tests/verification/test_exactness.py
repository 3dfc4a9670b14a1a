"""Whether an answer is the target's own, and the report if it is not."""

from __future__ import annotations

import pytest
from fake_document_target import FakeDocumentTarget
from scenes import Scene, region, verified

ANSWER = "one two three four five six seven eight"
DRAFT = ANSWER.replace("five", "fifth")
FIVE = 8  # its token, blanks counted


def checked(share: float, others: float = 0.0, **choices):
    """Tolerance accepts the draft's word where the target is unsure: only this makes a scripted answer inexact."""
    doubts = {FIVE: {"fifth": share, **({"lone": others} if others else {})}}
    scene = Scene(1, [region(0, DRAFT)], ANSWER, [ANSWER])
    (outcome,), _ = verified([scene], stages="2", check_exact=True, doubts=doubts, **choices)
    return outcome.exact, outcome.evidence.check


def test_at_tau_1_the_answer_is_the_targets_own():
    exact, record = checked(0.48)
    assert (exact, record.difference) == (True, None)
    assert record.tokens == len(ANSWER.split()) * 2  # with the blanks, and the token that ends it


def test_a_tolerated_word_is_found_with_its_place_and_margin():
    exact, record = checked(0.48, tau=0.75)
    assert exact is False
    difference = record.difference
    assert (difference.at, difference.speculative, difference.plain) == (FIVE, "fifth", "five")
    assert difference.margin == pytest.approx(0.08, abs=0.01)  # log 0.52 - log 0.48


@pytest.mark.parametrize(("dtype", "near_tie"), [("bfloat16", True), ("float32", False)])
def test_only_coarse_numbers_have_near_ties(dtype, near_tie):
    _, record = checked(0.48, tau=0.75, dtype=dtype)
    assert record.difference.near_tie is near_tie


def test_a_wide_margin_is_no_near_tie_in_coarse_numbers_either():
    _, record = checked(0.22, others=0.48, tau=0.75, dtype="bfloat16")
    assert record.difference.margin == pytest.approx(0.31, abs=0.01)  # log 0.30 - log 0.22
    assert record.difference.near_tie is False


def test_an_answer_that_ends_too_early_differs_where_it_ends():
    class Longer(FakeDocumentTarget):
        def generate(self, view, max_tokens):
            own = super().generate(view, max_tokens)[:-1]
            return (*own, *self.encode(" nine"), self.end)[:max_tokens]

    scene = Scene(1, [region(0, ANSWER)], ANSWER, [ANSWER])
    (outcome,), _ = verified([scene], stages="2", check_exact=True, kind=Longer)
    assert outcome.exact is False
    assert outcome.evidence.check.difference.at == len(ANSWER.split()) * 2 - 1


def test_an_answer_that_was_stopped_is_compared_as_far_as_it_goes():
    loop = "again and again the same words. " * 90
    (outcome,), _ = verified([Scene(1, [region(0, ANSWER)], loop)], stages="2", check_exact=True)
    assert (outcome.error.code, outcome.exact) == ("repetition", True)


def test_an_answer_that_never_began_is_not_compared():
    ticks = iter(range(10**6))
    scene = Scene(1, [region(0, ANSWER)], ANSWER)
    (outcome,), _ = verified([scene], stages="2", check_exact=True, page_timeout=0.001, clock=ticks.__next__)
    assert (outcome.error.code, outcome.exact) == ("timeout", None)
    assert outcome.evidence.check is None


def test_exactness_is_only_reported_on_request():
    (outcome,), _ = verified([Scene(1, [region(0, ANSWER)], ANSWER)], stages="2")
    assert outcome.exact is None
    assert outcome.evidence.check is None
