"""A drafting model never changes the answer, is asked at gaps only, and costs no more than it was given."""

from __future__ import annotations

import random

import pytest
from fake_targets import FREE, ScriptedModel, ScriptedTarget, SeededTarget
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.speculative.candidates import CandidateKind, TokenDraft
from docparse_fast.speculative.costs import ALLOWED_LOSS, OPENING_CREDIT, ROW_CREDIT, CostTable
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.drafting import NO_COSTS, DraftingCosts
from docparse_fast.speculative.growing_answer import Row, TokenOrigin

EOS = 0
ANSWER = tuple(range(10, 110))
CHEAP = DraftingCosts(reading=3.0, token=0.05, further=0.01)
exact = Speculation(tau=1.0)


def decode(target, row, speculation=exact):
    [decoded] = spec_decode(target, [row], speculation)
    return decoded


def scripted(answer=ANSWER):
    return ScriptedTarget({"page": answer}, eos=(EOS,))


class Broken(ScriptedModel):
    """Raises in the method named."""

    def __init__(self, method):
        super().__init__(ANSWER)
        setattr(self, method, self._fail)

    def _fail(self, *_):
        raise RuntimeError("no more memory")


@given(data=st.data())
def test_no_model_changes_the_answer_at_tau_1(data):
    target = SeededTarget(seed=data.draw(st.integers(0, 1000)), vocabulary=12, eos=(EOS,), costs=FREE)
    answer = target.answer("page", 60)
    rng = random.Random(data.draw(st.integers(0, 1000)))
    lies = data.draw(st.sampled_from([0.0, 0.2, 1.0]))
    heard = [rng.randrange(12) if rng.random() < lies else token for token in answer]
    costs = data.draw(st.sampled_from([NO_COSTS, CHEAP]))
    model = ScriptedModel(heard, chance=data.draw(st.sampled_from([0.05, 0.5, 1.0])), costs=costs)
    drafts = [TokenDraft(tuple(t if rng.random() > 0.2 else 1 for t in answer), 0)] if data.draw(st.booleans()) else []
    assert decode(target, Row("page", drafts, max_tokens=60, drafting=model)).tokens == answer


def test_without_drafts_a_right_model_writes_a_block_in_each_step():
    decoded = decode(scripted(), Row("page", drafting=ScriptedModel(ANSWER, longest=5)))
    assert len(decoded.steps) == pytest.approx(len(ANSWER) / 6, abs=1)
    assert decoded.model.tokens == decoded.accepted[CandidateKind.MODEL] == len(ANSWER) - len(decoded.steps)


def test_a_model_is_not_asked_while_the_draft_is_right():
    model = ScriptedModel(ANSWER)
    decode(scripted(), Row("page", [TokenDraft((*ANSWER, EOS), 0)], drafting=model))
    assert not model.asked


def test_a_model_is_asked_where_the_draft_parts_from_the_answer():
    draft = (*ANSWER[:40], *range(200, 204), *ANSWER[50:], EOS)
    model = ScriptedModel(ANSWER, longest=20)
    alone = decode(scripted(), Row("page", [TokenDraft(draft, 0)]))
    decoded = decode(scripted(), Row("page", [TokenDraft(draft, 0)], drafting=model))
    assert model.asked == [41]
    assert len(decoded.steps) < len(alone.steps)


def test_a_model_stops_where_it_is_back_in_the_draft_which_goes_on_in_the_same_step():
    draft = (*ANSWER[:40], *range(200, 205), *ANSWER[45:], EOS)
    model = ScriptedModel(ANSWER, longest=20)
    decoded = decode(scripted(), Row("page", [TokenDraft(draft, 0)], drafting=model), Speculation(tau=1.0, widest=128))
    assert model.proposed == 6  # four that the draft lacks, and two that lead back
    [bridged] = [span for span in decoded.spans if span.kind is CandidateKind.MODEL]
    after = decoded.spans[decoded.spans.index(bridged) + 1]
    assert (after.origin, after.draft, after.position) == (TokenOrigin.ACCEPTED, 0, 47)
    assert after.stop > len(ANSWER)


@pytest.mark.parametrize("method", ["begin", "propose"])
def test_a_model_that_fails_is_asked_no_more_and_costs_nothing_but_its_help(method):
    decoded = decode(scripted(), Row("page", drafting=Broken(method)))
    assert decoded.tokens == (*ANSWER, EOS)
    assert decoded.model.failure == "RuntimeError: no more memory"
    assert decoded.model.proposals <= 1


def test_a_lying_model_costs_no_more_than_the_answers_credit():
    costs = DraftingCosts(reading=0.5, token=0.3, further=0.1)
    model = ScriptedModel([7] * 300, chance=1.0, costs=costs)
    target = SeededTarget(seed=3, vocabulary=4000)
    decoded = decode(target, Row("page", max_tokens=300, drafting=model))
    spent = len(model.asked) * costs.token + (model.proposed - len(model.asked)) * costs.token
    credit = OPENING_CREDIT + ROW_CREDIT + ALLOWED_LOSS * len(decoded.tokens)
    assert model.asked
    assert spent + len(decoded.steps) - len(decoded.tokens) <= credit  # its look at the view is not paid from it


def test_a_model_leaves_credit_to_verify_what_it_drafted():
    """A right model once spent all of the credit on drafting, and its tokens never reached the target."""
    steep = CostTable(rows=(1,), widths=(1, 32), costs=((1.0, 2.6),))
    target = ScriptedTarget({"page": ANSWER}, eos=(EOS,), costs=steep)
    costs = DraftingCosts(reading=0.0, token=0.17, further=0.006)
    decoded = decode(target, Row("page", drafting=ScriptedModel(ANSWER, chance=0.95, costs=costs, longest=20)))
    assert decoded.tokens == (*ANSWER, EOS)
    assert len(decoded.steps) < len(ANSWER) / 4


def test_a_model_whose_view_costs_more_than_its_help_saves_is_never_begun():
    draft = (*ANSWER[:50], 200, *ANSWER[51:], EOS)
    model = ScriptedModel(ANSWER, costs=DraftingCosts(reading=30.0, token=0.1, further=0.0))
    decode(scripted(), Row("page", [TokenDraft(draft, 0)], drafting=model))
    assert not model.asked


def test_a_model_looks_at_its_view_though_useless_drafts_have_earned_no_credit():
    costs = DraftingCosts(reading=20.0, token=0.05, further=0.0)
    rubbish = TokenDraft(tuple(range(300, 400)), 0)
    for drafts in ([], [rubbish]):
        decoded = decode(scripted(), Row("page", list(drafts), drafting=ScriptedModel(ANSWER, costs=costs, longest=20)))
        assert decoded.model.tokens > 30
        assert len(decoded.steps) < 60


def test_a_model_does_not_come_back_to_drafts_that_write_little():
    draft = (*(300 + token if at % 4 == 3 else token for at, token in enumerate(ANSWER)), EOS)
    model = ScriptedModel(ANSWER, costs=DraftingCosts(reading=0.0, token=0.05, further=0.01), longest=20)
    decode(scripted(), Row("page", [TokenDraft(draft, 0)], drafting=model))
    assert model.proposed / len(model.asked) > 10


def test_a_few_misses_at_the_start_don_t_tell_that_drafts_are_bad():
    draft = (*range(300, 302), *ANSWER[2:], EOS)
    model = ScriptedModel(ANSWER, costs=CHEAP)
    decode(scripted(), Row("page", [TokenDraft(draft, 0)], drafting=model))
    assert not model.asked


def test_a_model_stops_at_the_token_that_is_not_worth_its_pass():
    model = ScriptedModel(ANSWER, chance=0.5, costs=DraftingCosts(reading=0.0, token=0.2, further=0.0), longest=20)
    decode(scripted(), Row("page", drafting=model))
    assert model.proposed / len(model.asked) <= 3  # 0.5, 0.25, 0.125: the third is worth less than 0.2


def test_a_model_is_not_asked_where_good_drafts_leave_little_to_save():
    answer = [token + 200 if token % 20 == 0 else token for token in ANSWER]
    costs = DraftingCosts(reading=0.0, token=0.2, further=0.0)
    models = [ScriptedModel(answer, costs=costs) for _ in range(2)]
    decode(scripted(answer), Row("page", [TokenDraft((*ANSWER, EOS), 0)], drafting=models[0]))
    decode(scripted(answer), Row("page", drafting=models[1]))
    assert not models[0].asked
    assert models[1].asked


def test_a_model_that_is_never_right_is_soon_asked_no_more():
    costs = DraftingCosts(reading=0.0, token=0.05, further=0.0)
    model = ScriptedModel([7] * 300, chance=0.06, costs=costs)  # as unsure as it is wrong
    decode(SeededTarget(seed=3, vocabulary=4000), Row("page", max_tokens=300, drafting=model))
    assert 1 < len(model.asked) < 40
