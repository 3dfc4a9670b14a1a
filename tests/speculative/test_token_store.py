"""A store of n-grams: what it remembers of a row, and that it never changes an answer."""

from __future__ import annotations

import random

from fake_targets import FREE, ScriptedModel, ScriptedTarget, SeededTarget
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.speculative.candidates import TokenDraft
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.speculative.token_store import DEPTH, NGrams, TokenStore

EOS = 0


def decode(target, row):
    [decoded] = spec_decode(target, [row], Speculation(tau=1.0))
    return decoded


def test_a_longer_n_gram_decides():
    store = TokenStore()
    store.learn([1, 2, 3, 4, 9, 9, 9, 3, 5])
    assert store.after([1, 2, 3])[0] == 4
    assert store.after([8, 8, 3])[0] == 5  # only the last token is known: the latest place


def test_a_continuation_ends_with_its_text_and_after_its_depth():
    grams = NGrams()
    grams.add_apart(range(1, 40))
    assert grams.after((1, 2, 3)) == list(range(4, 4 + DEPTH))
    assert grams.after((37, 38)) == [39]
    assert grams.after((39,)) == []


def test_the_answers_own_tokens_go_before_refused_ones():
    store = TokenStore()
    store.refuse([1], [2, 7], 1, 20)
    assert store.after([1, 2]) == [20]
    store.learn([1, 2, 10])
    assert store.after([1, 2]) == [10]


def test_what_follows_a_refused_token_is_offered_after_its_correction():
    store = TokenStore()
    store.refuse([1, 2], [3, 99, 5, 6], agreed=1, instead=4)
    assert store.after([2, 3, 4]) == [5, 6]


@given(data=st.data())
def test_no_store_changes_the_answer_at_tau_1(data):
    """Full of rubbish, of lies about this very answer, beside drafts and a lying model."""
    target = SeededTarget(seed=data.draw(st.integers(0, 1000)), vocabulary=12, eos=(EOS,), costs=FREE)
    answer = target.answer("page", 60)
    rng = random.Random(data.draw(st.integers(0, 1000)))
    store = TokenStore()
    for rubbish in ([rng.randrange(12) for _ in range(200)], [t if rng.random() < 0.8 else 1 for t in answer]):
        store.refuse([], rubbish, 0, rubbish[0])
    drafts = [TokenDraft(tuple(t if rng.random() > 0.2 else 1 for t in answer), 0)] if data.draw(st.booleans()) else []
    model = ScriptedModel([rng.randrange(12) for _ in answer])
    assert decode(target, Row("page", drafts, max_tokens=60, drafting=model, store=store)).tokens == answer


def test_a_models_refused_tokens_reach_the_store():
    answer = tuple(range(10, 60))
    heard = [*answer[:6], 99, *answer[7:]]
    store = TokenStore()
    decode(ScriptedTarget({"page": answer}, eos=(EOS,)), Row("page", drafting=ScriptedModel(heard), store=store))
    alone = TokenStore()
    alone.learn(answer[:7])
    assert store.after(answer[:7])[:2] == list(answer[7:9])
    assert alone.after(answer[:7]) == []
