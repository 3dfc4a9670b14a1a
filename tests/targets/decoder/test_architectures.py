"""Every architecture writes through our decoder, token for token, what its own generate() writes."""

from __future__ import annotations

import pytest
from known import TOKENS, Known, generate, known
from spoilt import corrupted, decoded

from docparse_fast.speculative.growing_answer import Finish, Row
from docparse_fast.speculative.metrics import tokens_per_step
from docparse_fast.targets.decoder.passes import PaddedPasses


def test_the_greedy_answers_are_diverse_enough_to_prove_anything(any_known: Known):
    for answer in any_known.answers:
        assert len(set(answer)) >= 25, f"{any_known.name} writes in circles"
    assert len({answer[:8] for answer in any_known.answers}) == len(any_known.answers)


@pytest.mark.parametrize("rate", [0.0, 0.3])
def test_one_row_writes_what_generate_writes_however_wrong_its_drafts(any_known: Known, rate: float):
    target = any_known.target(slots=1)
    for seed, (view, answer) in enumerate(zip(any_known.views[:2], any_known.answers, strict=False)):
        (one,) = decoded(target, [Row(view, corrupted(answer, rate, seed), max_tokens=TOKENS)])
        assert one.tokens == answer
        if rate == 0.0:
            assert tokens_per_step([one]) > 5, "true drafts must save steps, though a decoy after each costs a window"


def test_rows_join_and_leave_without_changing_other_rows(any_known: Known):
    target = any_known.target(slots=3)
    limits = (64, 13, 41, 7, 50)
    rows = [
        Row(view, corrupted(answer, 0.2, seed), max_tokens=limit)
        for seed, (view, answer, limit) in enumerate(zip(any_known.views, any_known.answers, limits, strict=True))
    ]
    for one, answer, limit in zip(decoded(target, rows), any_known.answers, limits, strict=True):
        assert one.tokens == answer[:limit]
        assert one.finish is Finish.LENGTH


def test_rows_without_drafts_are_plain_decoding(any_known: Known):
    rows = [Row(view, max_tokens=24) for view in any_known.views[:3]]
    assert [one.tokens for one in decoded(any_known.target(), rows)] == [
        answer[:24] for answer in any_known.answers[:3]
    ]


@pytest.mark.parametrize("drafted", [True, False], ids=["with drafts", "plainly"])
def test_passes_of_fixed_shape_write_the_same_in_whatever_order_slots_are_taken_again(any_known: Known, drafted: bool):
    target = any_known.target(slots=3)
    target._passes = PaddedPasses(target._passes.model, target.cache)
    limits = (13, 40, 40, 29, 40)
    rows = [
        Row(view, corrupted(answer, 0.2, seed) if drafted else [], max_tokens=limit)
        for seed, (view, answer, limit) in enumerate(zip(any_known.views, any_known.answers, limits, strict=True))
    ]
    answers = [answer[:limit] for answer, limit in zip(any_known.answers, limits, strict=True)]
    assert [one.tokens for one in decoded(target, rows)] == answers


def test_an_end_inside_an_accepted_path_ends_the_answer(any_known: Known):
    view, answer = any_known.views[1], any_known.answers[1]
    place = next(place for place in range(30, TOKENS) if answer[place] not in answer[:place])
    end = answer[place]
    expected = generate(any_known.model, view, eos_token_id=end)
    (one,) = decoded(
        any_known.target(eos=frozenset({end, 1})), [Row(view, corrupted(answer, 0.0, 1), max_tokens=TOKENS)]
    )
    assert one.tokens == expected == answer[: place + 1]
    assert one.finish is Finish.EOS
    assert one.steps[-1].accepted > 1, "the end should have come within a path"


def test_qwen2_vl_has_other_eyes_and_writes_what_its_generate_writes():
    qwen = known("qwen2_vl")
    rows = [Row(view, corrupted(qwen.answers[n], 0.2, n), max_tokens=40) for n, view in enumerate(qwen.views[:2])]
    assert [one.tokens for one in decoded(qwen.target(slots=2), rows)] == [answer[:40] for answer in qwen.answers[:2]]
