"""Correct: whatever the drafts, the answer is the target's own. Useful: good drafts save steps. Never dear: bad ones cost little."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.speculative.alignment import Kind, TokenDraft
from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.fakes import FREE, ScriptedTarget, SeededTarget
from docparse_fast.speculative.writing import Decoded, Finish, Origin, Row
from docparse_fast.timing import Timer

EOS = 0
# bf16 and fp32 on two CPU cores, as measured in the first trial; a GPU as a roofline has it
CPU = CostTable(
    (1, 8), (1, 2, 4, 8, 16, 32, 64), ((1, 1.02, 1.08, 1.2, 1.7, 2.4, 3.8), (1.4, 1.7, 2.4, 3.7, 6.5, 11, 21))
)
CPU_FP32 = CostTable((1,), (1, 2, 4, 8, 16, 32, 64), ((1, 1.75, 1.75, 2.1, 2.8, 4.25, 7.2),))
GPU = CostTable((1, 8), (1, 2, 64), ((1, 1.02, 1.1), (1.05, 1.08, 1.4)))

exact = Speculation(tau=1.0)


def drafts(*tokens, region=None):
    return [TokenDraft(tuple(draft), number if region is None else region) for number, draft in enumerate(tokens)]


def spoilt(tokens, rate, rng, vocabulary=50):
    """`tokens` with substitutions, insertions and deletions, a third of `rate` each."""
    out = []
    for token in tokens:
        chance = rng.random() / rate if rate else 1
        if chance < 1 / 3:
            out.append(rng.randrange(1, vocabulary))
        elif chance < 2 / 3:
            out += [token, rng.randrange(1, vocabulary)]
        elif chance >= 1:
            out.append(token)
    return out


def decode(target, row, speculation=exact) -> Decoded:
    [decoded] = spec_decode(target, [row], speculation)
    return decoded


@st.composite
def draft_sets(draw, answer, vocabulary):
    """Pieces of the answer, spoilt and shuffled, and some nonsense."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    rate = draw(st.sampled_from([0.0, 0.05, 0.2, 0.6]))
    size = draw(st.integers(1, 30))
    pieces = [spoilt(answer[at : at + size], rate, rng, vocabulary) for at in range(0, len(answer), size)]
    pieces += [[rng.randrange(vocabulary) for _ in range(rng.randrange(20))] for _ in range(draw(st.integers(0, 3)))]
    if draw(st.booleans()):
        rng.shuffle(pieces)
    regions = draw(st.integers(1, 8))
    return [TokenDraft(tuple(piece), number // regions) for number, piece in enumerate(pieces)]


@given(data=st.data())
def test_at_tau_1_the_answer_is_the_targets_own(data):
    vocabulary = data.draw(st.sampled_from([4, 12, 50]))
    costs = data.draw(st.sampled_from([FREE, CPU, CPU_FP32, GPU]))
    target = SeededTarget(
        seed=data.draw(st.integers(0, 1000)),
        vocabulary=vocabulary,
        slots=data.draw(st.integers(1, 3)),
        eos=data.draw(st.sampled_from([(), (EOS,), (EOS, 3)])),
        costs=costs,
    )
    rows = []
    for view in range(data.draw(st.integers(1, 4))):
        longest = data.draw(st.integers(1, 60))
        answer = target.answer(view, 60)
        row = Row(view, data.draw(draft_sets(answer, vocabulary)), max_tokens=longest)
        row.separators = data.draw(st.sampled_from([(), ((1,),), ((1, 2), (3,))]))
        row.grammar = data.draw(st.sampled_from([(), ((1, 2, 3),)]))
        rows.append(row)
    speculation = Speculation(
        tau=1.0, window=data.draw(st.integers(1, 4)), widest=data.draw(st.sampled_from([1, 2, 5, 64]))
    )
    for decoded in spec_decode(target, rows, speculation):
        assert decoded.tokens == target.answer(decoded.row.view, decoded.row.max_tokens)
