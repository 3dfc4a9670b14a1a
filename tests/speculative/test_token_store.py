"""A store of n-grams: what it remembers of a row, and that it never changes an answer."""

from __future__ import annotations

import random

from fake_targets import FREE, ScriptedModel, ScriptedTarget, SeededTarget
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.speculative.candidates import CandidateKind, TokenDraft
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.speculative.token_store import DEPTH, WINDOW, NGrams, TokenStore

EOS = 0


def decode(target, row):
    [decoded] = spec_decode(target, [row], Speculation(tau=1.0))
    return decoded


def test_a_longer_n_gram_decides():
    store = TokenStore()
    store.learn([1, 2, 3, 4, 9, 9, 9, 3, 5])
    assert store.after([1, 2, 3])[0][0] == 4
    assert store.after([8, 8, 3])[0][0] == 5  # only the last token is known: the latest place first


def test_a_continuation_ends_with_its_text_and_after_its_depth():
    prior = NGrams([list(range(1, 40)), [1, 2, 3]])
    assert prior.after((1, 2, 3)) == [list(range(4, 4 + DEPTH))]
    assert prior.after((37, 38)) == [[39]]
    assert prior.after((39,)) == []


def test_the_answers_own_tokens_go_before_refused_ones_and_these_before_the_prior():
    store = TokenStore(prior=NGrams([[1, 2, 30]]))
    store.refuse([1], [2, 7], 1, 20)
    store.learn([1, 2, 10])
    assert [tokens[0] for tokens in store.after([1, 2])] == [10, 20, 30]


def test_what_follows_a_refused_token_is_offered_after_its_correction():
    store = TokenStore()
    store.refuse([1, 2], [3, 99, 5, 6], agreed=1, instead=4)
    assert store.after([2, 3, 4]) == [[5, 6]]
    assert TokenStore(keep_refused=False).after([2, 3, 4]) == []


def test_a_store_for_one_side_tells_the_other_nothing():
    text = [1, 2, 3]
    for to_target in (True, False):
        store = TokenStore(to_target=to_target, to_model=not to_target)
        store.learn([*text, 4, *text])
        assert bool(store.for_target(text)) is to_target
        assert bool(store.for_model(text)) is not to_target


def test_the_targets_tree_takes_whole_windows_only():
    store = TokenStore()
    store.learn([1, 2, 3, 4, 5])
    assert store.for_target([9, 3]) == []
    assert store.for_model([9, 3]) == [4, 5]
    assert len(store.for_target([1, 2, 3])) == 1
    assert WINDOW == 3


def test_an_answer_that_repeats_itself_takes_fewer_steps_with_a_store():
    answer = tuple(range(10, 40)) * 3
    target = ScriptedTarget({"page": answer}, eos=(EOS,))
    decoded = decode(target, Row("page", store=TokenStore()))
    assert decoded.tokens == (*answer, EOS)
    assert decoded.accepted[CandidateKind.STORED] > 40
    assert len(decoded.steps) < len(decode(target, Row("page")).steps) - 40


@given(data=st.data())
def test_no_store_changes_the_answer_at_tau_1(data):
    """Full of rubbish, of lies about this very answer, beside drafts and a lying model."""
    target = SeededTarget(seed=data.draw(st.integers(0, 1000)), vocabulary=12, eos=(EOS,), costs=FREE)
    answer = target.answer("page", 60)
    rng = random.Random(data.draw(st.integers(0, 1000)))
    rubbish = [[rng.randrange(12) for _ in range(200)], [token if rng.random() < 0.8 else 1 for token in answer]]
    sides = {name: data.draw(st.booleans()) for name in ("to_target", "to_model", "keep_refused")}
    drafts = [TokenDraft(tuple(t if rng.random() > 0.2 else 1 for t in answer), 0)] if data.draw(st.booleans()) else []
    model = ScriptedModel([rng.randrange(12) for _ in answer]) if data.draw(st.booleans()) else None
    row = Row("page", drafts, max_tokens=60, drafting=model, store=TokenStore(prior=NGrams(rubbish), **sides))
    assert decode(target, row).tokens == answer


def test_a_models_refused_tokens_reach_the_store():
    answer = tuple(range(10, 60))
    heard = [*answer[:6], 99, *answer[7:]]
    store = TokenStore(to_target=False)
    decode(ScriptedTarget({"page": answer}, eos=(EOS,)), Row("page", drafting=ScriptedModel(heard), store=store))
    alone = TokenStore(to_target=False)
    alone.learn(answer[:7])
    assert store.after(answer[:7])[0][:2] == list(answer[7:9])
    assert alone.after(answer[:7]) == []
