"""A smaller model drafts in our own engine: nano itself, one with random weights, one that fails."""

from __future__ import annotations

import json
import shutil
from itertools import islice
from pathlib import Path

import pytest
import torch
import transformers
from PIL import Image

from docparse_fast.errors import UsageError
from docparse_fast.speculative.candidates import CandidateKind, TokenDraft
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.drafting import NO_COSTS
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.speculative.token_store import TokenStore
from docparse_fast.targets import open_target
from docparse_fast.targets.draft_traits import DraftTraits, check_draft_model
from docparse_fast.targets.drafting_model import ModelDrafts

ROOT = Path(__file__).parents[2]
NANO = ROOT / "docparse_fast/data/nano"
TOKENS = 50
BLOCK = 5


def ignorant(folder: Path) -> Path:
    """A smaller model of nano's family: one layer with random weights, all else nano's."""
    config = transformers.AutoConfig.from_pretrained(NANO)
    config.text_config.num_hidden_layers = 1
    torch.manual_seed(0)
    transformers.Qwen3VLForConditionalGeneration(config).save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json", "preprocessor_config.json", "generation_config.json"):
        shutil.copy(NANO / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def nano():
    return open_target("nano", device="cpu", dtype="float32")


@pytest.fixture(scope="module")
def twin():
    return open_target("nano", device="cpu", dtype="float32")


@pytest.fixture(scope="module")
def stranger(tmp_path_factory):
    return open_target(str(ignorant(tmp_path_factory.mktemp("weights") / "stranger")), device="cpu", dtype="float32")


@pytest.fixture(scope="module")
def views(nano):
    page = Image.open(ROOT / "samples/nano/page-01.png").convert("L")
    halves = (0, 0, page.width, page.height // 4), (0, page.height // 4, page.width, page.height // 2)
    return [nano.page_view(page.crop(half)) for half in halves]


@pytest.fixture(scope="module")
def answers(nano, views):
    found = [nano.generate(view, TOKENS) for view in views]
    assert len(set(found[0])) > 10
    return found


def drafts_of(model, view, **settings):
    return ModelDrafts(model.decoder, lambda: view, NO_COSTS, longest=BLOCK, **settings)


def decode(nano, view, model=None, drafts=()):
    row = Row(view, list(drafts), max_tokens=TOKENS, drafting=model)
    [decoded] = spec_decode(nano.decoder, [row], Speculation(tau=1.0))
    return decoded


def test_a_twins_tokens_are_all_accepted(nano, twin, views, answers):
    decoded = decode(nano, views[0], drafts_of(twin, views[0]))
    assert decoded.tokens == answers[0]
    assert decoded.accepted[CandidateKind.MODEL] == decoded.offered[CandidateKind.MODEL] > TOKENS / 2


def test_a_model_that_knows_nothing_changes_no_token(nano, stranger, views, answers):
    decoded = decode(nano, views[0], drafts_of(stranger, views[0]))
    assert decoded.tokens == answers[0]
    assert decoded.model.tokens


def test_a_twin_fills_the_gaps_of_a_spoilt_draft(nano, twin, views, answers):
    answer = answers[0]
    draft = TokenDraft((*answer[:20], *answer[26:]), 0)
    decoded = decode(nano, views[0], drafts_of(twin, views[0]), [draft])
    assert decoded.tokens == answer
    assert decoded.model.proposals
    assert len(decoded.steps) < len(decode(nano, views[0], drafts=[draft]).steps)


def test_a_page_after_another_is_drafted_as_if_it_were_alone(nano, twin, views):
    alone = decode(nano, views[1], drafts_of(twin, views[1]))
    decode(nano, views[0], drafts_of(twin, views[0]))
    after = decode(nano, views[1], drafts_of(twin, views[1]))
    assert (after.tokens, after.steps, after.model) == (alone.tokens, alone.steps, alone.model)


def test_a_model_forgets_what_was_refused(twin, views, answers):
    answer = list(answers[0])
    fresh, used = drafts_of(twin, views[0]), drafts_of(twin, views[0])
    fresh.begin(None)
    wanted = list(islice(fresh.propose(answer[:12]), BLOCK))
    used.begin(None)
    list(islice(used.propose([*answer[:5], answer[20]]), BLOCK))  # a wrong token, and what follows from it
    found = list(islice(used.propose(answer[:12]), BLOCK))
    assert [each.token for each in found] == [each.token for each in wanted]
    assert [each.chance for each in found] == pytest.approx([each.chance for each in wanted], abs=1e-4)


def store_of(*stretches):
    """What was refused before, as corrected in its first token."""
    store = TokenStore()
    for tokens in stretches:
        store.refuse([], tokens, 0, tokens[0])
    return store


def test_a_model_that_reads_a_store_drafts_the_same_tokens_in_fewer_passes(twin, views, answers):
    answer = list(answers[0])
    spoilt = [*answer[:14], answer[20], *answer[15:]]  # its pass must end at the wrong token
    found = []
    for store in (None, store_of(spoilt)):
        model = drafts_of(twin, views[0])
        model.begin(store)
        found.append([list(islice(model.propose(answer[:size]), 20)) for size in (8, 30)])
    for ours, theirs in zip(found[1], found[0], strict=True):
        assert [each.token for each in ours] == [each.token for each in theirs]
        assert [each.chance for each in ours] == pytest.approx([each.chance for each in theirs], abs=1e-4)
        assert sum(bool(each.read) for each in ours) < 7 < 20 == sum(bool(each.read) for each in theirs)


def test_a_proposal_takes_no_more_passes_than_it_may(twin, views, answers):
    answer = list(answers[0])
    model = drafts_of(twin, views[0], passes=2)
    model.begin(store_of(answer))
    found = list(model.propose(answer[:8]))
    assert sum(bool(each.read) for each in found) == 2
    assert len(found) > 10


def test_a_store_of_rubbish_changes_no_token(nano, twin, views, answers):
    rubbish = store_of([token ^ 1 for token in answers[0]], answers[0][::-1])
    row = Row(views[0], max_tokens=TOKENS, drafting=drafts_of(twin, views[0]), store=rubbish)
    [decoded] = spec_decode(nano.decoder, [row], Speculation(tau=1.0))
    assert decoded.tokens == answers[0]


class Dead(ModelDrafts):
    def begin(self, store):
        raise RuntimeError("no more memory")


MODELS = {
    "none": lambda *_: None,
    "right": lambda twin, _, view, __: drafts_of(twin, view),
    "lying": lambda _, stranger, view, __: drafts_of(stranger, view),
    "dead": lambda twin, _, view, __: Dead(twin.decoder, lambda: view, NO_COSTS),
    "of another page": lambda twin, _, __, other: drafts_of(twin, other),
}


DRAFTS = ["none", "spoilt", "of another page"]
# each model with each of the drafts, and with a store or without; each of the drafts with both
PAIRS = [(model, drafts, (m + d) % 2 == 1) for m, model in enumerate(MODELS) for d, drafts in enumerate(DRAFTS)]


@pytest.mark.parametrize(("drafting", "drafts", "is_full"), PAIRS)
def test_every_pair_writes_the_targets_own_answer(nano, twin, stranger, views, answers, drafting, drafts, is_full):
    short = TOKENS // 3
    answer = answers[0][:short]
    texts = {"none": [], "spoilt": [(*answer[:8], *answer[12:])], "of another page": [answers[1]]}[drafts]

    def decoded():
        store = store_of([token ^ 1 for token in answer], answer[::-1]) if is_full else None
        model = MODELS[drafting](twin, stranger, *views)
        row = Row(views[0], [TokenDraft(text, 0) for text in texts], max_tokens=short, drafting=model, store=store)
        [found] = spec_decode(nano.decoder, [row], Speculation(tau=1.0))
        return found

    once, again = decoded(), decoded()
    assert once.tokens == answer
    assert (once.tokens, once.steps, once.spans, once.model) == (again.tokens, again.steps, again.spans, again.model)


def test_a_page_with_a_store_is_the_same_after_another_page(nano, twin, views):
    def page(view):
        row = Row(view, max_tokens=TOKENS, drafting=drafts_of(twin, view), store=TokenStore())
        [decoded] = spec_decode(nano.decoder, [row], Speculation(tau=1.0))
        return decoded

    alone = page(views[1])
    page(views[0])
    after = page(views[1])
    assert (after.tokens, after.steps, after.model) == (alone.tokens, alone.steps, alone.model)


def test_a_model_with_other_tokens_is_refused(nano, tmp_path):
    folder = ignorant(tmp_path / "other")
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    vocabulary = tokenizer["model"]["vocab"]
    a, b = list(vocabulary)[300:302]
    vocabulary[a], vocabulary[b] = vocabulary[b], vocabulary[a]
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    with pytest.raises(UsageError, match="its tokens differ"):
        check_draft_model(DraftTraits.of(nano), DraftTraits.of(open_target(str(folder), device="cpu")))


def test_a_model_that_sees_other_patches_is_refused(nano, stranger):
    config = stranger.decoder.network.config.vision_config
    config.patch_size, kept = 14, config.patch_size
    try:
        with pytest.raises(UsageError, match="its patch_size is 14, not 8"):
            check_draft_model(DraftTraits.of(nano), DraftTraits.of(stranger))
    finally:
        config.patch_size = kept
    check_draft_model(DraftTraits.of(nano), DraftTraits.of(stranger))
