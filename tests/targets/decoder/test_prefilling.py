"""Short rows are read together, and get what they would get alone."""

from __future__ import annotations

import pytest
import torch
from known import needs_images
from PIL import Image

from docparse_fast.document import Category
from docparse_fast.targets import open_target
from docparse_fast.targets.decoder.prefilling import SHORT, Prefill

pytestmark = needs_images
SIZES = ((200, 40), (120, 80), (200, 40), (64, 32))
NOISE = 1e-4  # of sums in another order


@pytest.fixture(scope="module")
def nano():
    return open_target("nano", device="cpu")


@pytest.fixture(scope="module")
def crops(nano):
    page = Image.open("samples/nano/page-01.png").convert("RGB")
    views = [nano.region_view(page.crop((0, 0, *size)), Category.TEXT) for size in SIZES]
    return [dict(view.inputs) for view in views]


def passes(nano, rows) -> tuple[list, int]:
    """What was prefilled, and in how many passes of the model."""
    calls = []
    hook = nano.decoder.network.model.register_forward_pre_hook(lambda *_: calls.append(1))
    try:
        with torch.inference_mode():
            return list(Prefill(nano.decoder.network).rows(rows)), len(calls)
    finally:
        hook.remove()


def test_short_rows_take_one_pass_and_are_as_alone(nano, crops):
    together, count = passes(nano, crops)
    assert count == 1
    for row, inputs in zip(together, crops, strict=True):
        (alone,), _ = passes(nano, [inputs])
        assert row.delta == alone.delta
        torch.testing.assert_close(row.logits, alone.logits, atol=NOISE, rtol=0)
        for layer, other in zip(row.layers, alone.layers, strict=True):
            torch.testing.assert_close(layer.keys, other.keys, atol=NOISE, rtol=0)
            torch.testing.assert_close(layer.values, other.values, atol=NOISE, rtol=0)


def test_a_page_is_read_alone(nano, crops):
    page = dict(nano.page_view(Image.open("samples/nano/page-01.png").convert("RGB")).inputs)
    assert page["input_ids"].shape[1] > SHORT
    rows, count = passes(nano, [crops[0], page, crops[1]])
    assert (len(rows), count) == (3, 3)
