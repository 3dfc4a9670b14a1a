"""mini, a draft model made of nano: what it is shown, and what it drafts before any training."""

from __future__ import annotations

import random
import sys
from itertools import islice
from pathlib import Path

import pytest
import torch
from PIL import Image

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "training" / "nano"))  # the scripts are no package

import mini  # noqa: E402
from distil import Course  # noqa: E402
from tokens import Tokens  # noqa: E402

from docparse_fast.speculative.decoding import Speculation, spec_decode  # noqa: E402
from docparse_fast.speculative.drafting import NO_COSTS  # noqa: E402
from docparse_fast.speculative.ensemble import ByError  # noqa: E402
from docparse_fast.speculative.growing_answer import Row  # noqa: E402
from docparse_fast.targets import open_target  # noqa: E402
from docparse_fast.targets.drafting_model import ModelDrafts, SmallerModel  # noqa: E402
from docparse_fast.targets.page_inputs import pooled_cells, pooled_grid, with_pooled_cells  # noqa: E402

NANO = ROOT / "docparse_fast" / "data" / "nano"
TOKENS = 60


@pytest.fixture(scope="module")
def cut(tmp_path_factory):
    """nano's first layers, untrained, through the ordinary loading code."""
    folder = tmp_path_factory.mktemp("models") / "cut"
    Course(Tokens(NANO / "tokenizer.json"), NANO, 1.0).export(folder)
    return open_target(str(folder), device="cpu", dtype="float32")


@pytest.fixture(scope="module")
def nano():
    return open_target("nano", device="cpu", dtype="float32")


@pytest.fixture(scope="module")
def page():
    whole = Image.open(ROOT / "samples/nano/page-02.png").convert("RGB")
    return whole.crop((0, 0, whole.width, 112))  # an odd number of cells


def test_nanos_first_layers_draft_for_it(nano, cut, page):
    smaller = SmallerModel(nano, cut)
    model = ModelDrafts(cut.decoder, lambda: [cut.page_view(page)], NO_COSTS, longest=5)
    [decoded] = spec_decode(
        nano.decoder, [Row(nano.page_view(page), max_tokens=TOKENS, drafting=model)], Speculation(1.0)
    )
    assert smaller.draft is cut
    assert decoded.tokens == nano.generate(nano.page_view(page), TOKENS)
    assert len(decoded.steps) < len(decoded.tokens) * 2 / 3


def test_pooled_cells_are_means_of_two_by_two_and_odd_edges_keep_their_own():
    cells = torch.arange(9.0)[:, None]
    assert pooled_cells(cells, (3, 3)).flatten().tolist() == [2.0, 3.5, 6.5, 8.0]
    assert pooled_grid((3, 3)) == (2, 2)


def test_a_page_is_pooled_in_its_prompt_as_in_its_features(nano, page):
    view = nano.page_view(page)
    found = with_pooled_cells(view, nano.decoder.network)
    down, across = pooled_grid(tuple(int(side) // 2 for side in view.inputs["image_grid_thw"][0, 1:]))
    kept = found.inputs["mm_encoder_outputs"]["image"]
    assert found.inputs["image_grid_thw"].tolist() == [[1, 2 * down, 2 * across]]
    assert int(found.inputs["mm_token_type_ids"].sum()) == down * across == len(kept.pooler_output[0])
    assert [len(one) for [one] in kept.deepstack_features] == [down * across]


def test_an_ocr_text_is_misread_alike_for_one_seed_and_keeps_its_markup():
    text = "# A heading\n\n<table><tr><td>12</td></tr></table>"
    texts = [mini.misread(text, random.Random(seed)) for seed in (*range(20), 0)]
    assert texts[0] == texts[20]
    assert len(set(texts)) > 5
    assert all(each.count("<") <= text.count("<") for each in texts)


def test_an_ensemble_is_shown_a_page_in_four_ways(nano, cut, page):
    drafts = SmallerModel(nano, cut).ensemble(page, "A heading", ("M", "T", "C", "P"), ByError(4), longest=5)
    drafts.begin(None)
    assert len(set(cut.decoder.cache.lengths.values())) == 4
    assert len(list(islice(drafts.propose([5]), 3))) == 3
