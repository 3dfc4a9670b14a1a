"""A rule against sequences that are written twice, along each path of a tree: generate() with the rule is the judge."""

from __future__ import annotations

import pytest
import torch
from known import TOKENS, Known, generate, known
from small_models import TEXT
from spoilt import corrupted, decoded
from transformers.generation.logits_process import NoRepeatNGramLogitsProcessor

from docparse_fast.speculative.growing_answer import Row
from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.targets.decoder.cache_names import CACHE
from docparse_fast.targets.decoder.network import follow, reading_cache
from docparse_fast.targets.decoder.passes import PaddedPasses
from docparse_fast.targets.decoder.repeats import NoRepeats
from docparse_fast.targets.decoder.sampling import Decoding

RULES = (NoRepeats(1, window=20), NoRepeats(2, window=30), NoRepeats(1))  # short ones, so that they come to bite


@pytest.fixture(scope="module")
def windowed() -> Known:
    return known("unlimited_ocr")


def ruled(model_of: Known, rule: NoRepeats, view) -> tuple[int, ...]:
    """What the model's own generate() writes under the rule."""
    model = model_of.model
    follow(model, Decoding(no_repeats=rule))
    return generate(model, view)


@pytest.mark.parametrize("rule", RULES, ids=["one in 20", "two in 30", "one in all"])
@pytest.mark.parametrize("rate", [0.0, 0.3])
def test_under_the_rule_a_row_writes_what_generate_writes_however_wrong_its_drafts(windowed, rule, rate):
    view = windowed.views[1]
    wanted = ruled(windowed, rule, view)
    assert wanted != windowed.answers[1], "the rule should change something"
    target = windowed.target(decoding=Decoding(no_repeats=rule))
    for drafts in (corrupted(wanted, rate, 1), corrupted(windowed.answers[1], rate, 2)):
        (one,) = decoded(target, [Row(view, drafts, max_tokens=TOKENS)])
        assert one.tokens == wanted


def test_rows_under_the_rule_join_and_leave_in_passes_of_fixed_shape(windowed):
    rule = NoRepeats(1, window=20)
    answers = [ruled(windowed, rule, view) for view in windowed.views]
    target = windowed.target(decoding=Decoding(no_repeats=rule))
    target._passes = PaddedPasses(target._passes.model, target.cache)
    limits = (60, 13, 41, 7, 50)
    rows = [
        Row(view, corrupted(answer, 0.2, seed), max_tokens=limit)
        for seed, (view, answer, limit) in enumerate(zip(windowed.views, answers, limits, strict=True))
    ]
    for one, answer, limit in zip(decoded(target, rows), answers, limits, strict=True):
        assert one.tokens == answer[:limit]


def test_models_without_a_window_follow_the_rule_too(qwen):
    rule = NoRepeats(1)
    wanted = ruled(qwen, rule, qwen.views[0])
    assert len(set(wanted)) == TOKENS
    target = qwen.target(decoding=Decoding(no_repeats=rule))
    (one,) = decoded(target, [Row(qwen.views[0], corrupted(wanted, 0.3, 0), max_tokens=TOKENS)])
    assert one.tokens == wanted


@pytest.mark.parametrize("size", [1, 2, 3])
def test_what_is_banned_is_what_the_librarys_processor_bans(size):
    random = torch.Generator().manual_seed(size)
    for length in (1, 2, 5, 40):
        tokens = torch.randint(0, 4, (1, length), generator=random)
        scores = NoRepeatNGramLogitsProcessor(size)(tokens, torch.zeros(1, 4))
        assert set(NoRepeats(size).banned(tokens[0].tolist())) == set(scores[0].isinf().nonzero()[:, 0].tolist())


def test_a_branch_is_ruled_by_its_own_path_alone():
    tree = PrefixTree.build(7, [[8, 9], [9, 8]], budget=5)
    banned = set(NoRepeats(2).along([8, 9, 5, 9, 8, 6], tree.tokens, tree.parents))
    after = {(tuple(tree.tokens[step] for step in tree.path(node)), token) for node, token in banned}
    assert after == {((7, 8), 9), ((7, 8), 6), ((7, 8, 9), 5), ((7, 8, 9), 8), ((7, 9), 5), ((7, 9), 8)} | {
        ((7, 9, 8), 9),
        ((7, 9, 8), 6),
    }


def test_reading_prompt_and_answer_at_once_sees_what_decoding_saw(windowed):
    """That is how near ties are told apart."""
    view, answer = windowed.views[2], windowed.answers[2]
    model = windowed.model
    for place in (1, 11, 30, 60):
        ids = torch.cat([view.inputs["input_ids"], torch.tensor([answer[:place]])], dim=1)
        more = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
        cache = reading_cache(model, len(view.ids))
        with torch.no_grad():
            read = model(**{**view.inputs, **more}, **{CACHE: cache}, use_cache=True)
        assert int(read.logits[0, -1].argmax()) == answer[place]


def test_old_tokens_outside_the_window_change_nothing(windowed):
    """Two rows that differ in an early token of the answer alone choose alike once it is out of every layer's sight."""
    view, target = windowed.views[0], windowed.target()
    layers = target.network.config.get_text_config().num_hidden_layers
    tail = [TEXT[(7 * n) % len(TEXT)] for n in range(12 * layers + 2)]
    target.prefill({0: view, 1: view})
    logits = []
    for slot, first in ((0, TEXT[1]), (1, TEXT[2])):
        chain = PrefixTree.build(first, [tail], budget=len(tail) + 1)
        with torch.inference_mode():
            logits.append(target.logits({slot: chain}))
        target.commit({slot: range(len(chain))})
    assert not torch.allclose(logits[0][1], logits[1][1], atol=1e-3)
    torch.testing.assert_close(logits[0][-1], logits[1][-1], atol=1e-5, rtol=0)
