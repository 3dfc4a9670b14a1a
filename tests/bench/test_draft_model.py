"""A smaller model drafts for the target: nano itself, and a model with random weights."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch
import transformers
from PIL import Image

from docparse_fast.bench.engine.draft_model import LONGEST, check_draft_model, draft_model
from docparse_fast.bench.engine.generate import hf_generate
from docparse_fast.errors import UsageError
from docparse_fast.targets import open_target
from docparse_fast.targets.loading.document_model import DocumentModel

ROOT = Path(__file__).parents[2]
NANO = ROOT / "docparse_fast/data/nano"
TOKENS = 60


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
def nano() -> DocumentModel:
    return open_target("nano", device="cpu")


@pytest.fixture(scope="module")
def twin() -> DocumentModel:
    return open_target("nano", device="cpu")


@pytest.fixture(scope="module")
def stranger(tmp_path_factory) -> DocumentModel:
    return open_target(str(ignorant(tmp_path_factory.mktemp("weights") / "stranger")), device="cpu")


@pytest.fixture(scope="module")
def inputs(nano):
    page = Image.open(ROOT / "samples/nano/page-01.png").convert("L")
    return nano.inputs_of(nano.page_view(page.crop((0, 0, page.width, page.height // 3))))


@pytest.fixture(scope="module")
def own(nano, inputs) -> tuple[int, ...]:
    answer = hf_generate(nano.decoder.network, inputs, TOKENS, eos=nano.decoder.eos).tokens
    assert len(set(answer)) > 10
    return answer


def test_a_twins_guesses_are_all_accepted(nano, twin, inputs, own):
    found = draft_model(nano.decoder.network, inputs, TOKENS, eos=nano.decoder.eos, draft=twin.decoder)
    assert found.tokens == own
    assert found.steps <= -(-len(own) // LONGEST) + 1


def test_a_model_that_knows_nothing_changes_no_token(nano, stranger, inputs, own):
    found = draft_model(nano.decoder.network, inputs, TOKENS, eos=nano.decoder.eos, draft=stranger.decoder)
    assert found.tokens == own
    assert found.steps > len(own) / 2


def test_the_smaller_models_seconds_are_part_of_decoding(nano, twin, inputs, own):
    found = draft_model(nano.decoder.network, inputs, TOKENS, eos=nano.decoder.eos, draft=twin.decoder)
    assert 0 < found.guess_seconds < found.decode_seconds


def test_the_smaller_model_forgets_a_page_before_the_next(nano, twin, inputs, own):
    first = draft_model(nano.decoder.network, inputs, TOKENS, eos=nano.decoder.eos, draft=twin.decoder)
    again = draft_model(nano.decoder.network, inputs, TOKENS, eos=nano.decoder.eos, draft=twin.decoder)
    assert (again.tokens, again.steps) == (first.tokens, first.steps)
    assert not twin.decoder.cache.lengths


def test_a_model_with_other_tokens_is_refused(nano, tmp_path):
    folder = ignorant(tmp_path / "other")
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    vocabulary = tokenizer["model"]["vocab"]
    a, b = list(vocabulary)[300:302]
    vocabulary[a], vocabulary[b] = vocabulary[b], vocabulary[a]
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    with pytest.raises(UsageError, match="tokens differ"):
        check_draft_model(nano, open_target(str(folder), device="cpu"))


def test_a_model_that_sees_other_patches_is_refused(nano, stranger):
    config = stranger.decoder.network.config.vision_config
    config.patch_size, kept = 14, config.patch_size
    try:
        with pytest.raises(UsageError, match="patch_size is 14, not 8"):
            check_draft_model(nano, stranger)
    finally:
        config.patch_size = kept
    check_draft_model(nano, stranger)
