"""Figures are computed from finished rows alone."""

from __future__ import annotations

import pytest
from fake_targets import ScriptedTarget

from docparse_fast.speculative.candidates import CandidateKind, TokenDraft
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.growing_answer import Decoded, Finish, Row, Step, TokenOrigin, TokenSpan
from docparse_fast.speculative.metrics import (
    KindCount,
    average_acceptance_length,
    counts_by_kind,
    passes,
    tokens_by_origin,
    tokens_per_step,
)


def finished(steps, spans=(), offered=None, accepted=None):
    return Decoded(Row("page"), (1,), Finish.EOS, tuple(spans), tuple(steps), offered or {}, accepted or {})


def test_acceptance_length_counts_draft_tokens_and_empty_steps_as_none():
    rows = [finished([Step(1, 8, 8, 5, 0, 6), Step(1, 1, 1, 0, 0, 1)]), finished([Step(1, 8, 8, 1, 1, 2)])]
    assert average_acceptance_length(rows) == pytest.approx(2.0)
    assert tokens_per_step(rows) == pytest.approx(3.0)


def test_plain_decoding_accepts_none_and_writes_one_token_a_step():
    target = ScriptedTarget({"page": (5, 6, 7)}, eos=(0,))
    rows = list(spec_decode(target, [Row("page")], Speculation(tau=1.0)))
    assert (average_acceptance_length(rows), tokens_per_step(rows), passes(rows)) == (0.0, 1.0, 3.0)


def test_rows_that_took_no_step_have_no_rate():
    assert average_acceptance_length([]) == tokens_per_step([finished([])]) == 0.0


def test_a_pass_over_several_rows_is_one_pass():
    target = ScriptedTarget({view: (view + 1,) * 9 for view in range(3)}, eos=(0,), slots=3)
    rows = list(spec_decode(target, [Row(view) for view in range(3)], Speculation(tau=1.0)))
    assert passes(rows) == pytest.approx(len(target.passes))


def test_tokens_by_origin_add_up_to_the_tokens_written():
    spans = [
        TokenSpan(0, 1, TokenOrigin.OWN),
        TokenSpan(1, 6, TokenOrigin.ACCEPTED, CandidateKind.WINDOW, 0, 1),
        TokenSpan(6, 8, TokenOrigin.TOLERATED),
    ]
    counts = tokens_by_origin([finished([], spans), finished([], spans)])
    assert counts == {TokenOrigin.OWN: 2, TokenOrigin.ACCEPTED: 10, TokenOrigin.TOLERATED: 4}


def test_kinds_are_counted_over_all_rows_and_left_out_if_never_offered():
    rows = [
        finished([], offered={CandidateKind.WINDOW: 8, CandidateKind.OWN: 2}, accepted={CandidateKind.WINDOW: 5}),
        finished([], offered={CandidateKind.WINDOW: 2}, accepted={CandidateKind.WINDOW: 1}),
    ]
    assert counts_by_kind(rows) == {CandidateKind.WINDOW: KindCount(10, 6), CandidateKind.OWN: KindCount(2, 0)}


def test_an_accepted_token_counts_for_its_own_kind():
    answer = tuple(range(1, 40))
    target = ScriptedTarget({"page": answer}, eos=(0,))
    row = Row("page", [TokenDraft(answer[:20], 0), TokenDraft(answer[20:], 1)])
    counts = counts_by_kind(spec_decode(target, [row], Speculation(tau=1.0)))
    assert counts == {CandidateKind.WINDOW: KindCount(38, 38)}
