"""Blocked layers for a CPU give the same numbers and leave the model unchanged."""

from __future__ import annotations

import platform

import pytest
import torch
from torch.nn import Embedding, Linear, Sequential

from docparse_fast.targets.decoder.blocked import TRIED, BlockedLinear, blockable, twin

pytestmark = pytest.mark.skipif(
    platform.machine() not in TRIED or not torch.backends.mkldnn.is_available(), reason="no such layout here"
)


def _linear(size=(96, 64), *, bias=True, dtype=torch.float32):
    torch.manual_seed(1)
    return Linear(*size, bias=bias, dtype=dtype).requires_grad_(False)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("rows", [1, 2, 7, 8, 33])
@pytest.mark.parametrize(("dtype", "rtol"), [(torch.float32, 1e-5), (torch.bfloat16, 2e-2)])
def test_a_blocked_layer_gives_what_the_plain_one_gives(dtype, rtol, rows, bias):
    linear = _linear(bias=bias, dtype=dtype)
    if dtype is torch.bfloat16 and not blockable(linear):
        pytest.skip(f"this processor has no such kernel in {dtype}")
    given = torch.randn(rows, 96, dtype=dtype)
    with torch.inference_mode():
        torch.testing.assert_close(BlockedLinear(linear)(given), linear(given), rtol=rtol, atol=rtol)


def test_a_twin_shares_all_but_its_linear_layers(qwen):
    text = qwen.model.model.language_model
    other = twin(text)
    ours, theirs = dict(other.named_modules()), dict(text.named_modules())
    blocked = {name for name, part in ours.items() if isinstance(part, BlockedLinear)}
    assert blocked == {name for name, part in theirs.items() if isinstance(part, Linear)} and blocked
    kept = {id(part) for part in (*text.parameters(), *text.buffers())}
    assert {id(part) for part in (*other.parameters(), *other.buffers())} < kept
    assert other.config is text.config  # how it attends is said there, and may change


def test_the_model_itself_is_left_alone(qwen):
    model = qwen.model
    before = {name: type(part) for name, part in model.named_modules()}
    qwen_target = twin(model.model.language_model)
    assert {name: type(part) for name, part in model.named_modules()} == before
    assert qwen_target is not model.model.language_model


def test_a_module_without_blocked_layers_is_its_own_twin():
    for module in (_linear(dtype=torch.float64), Sequential(Embedding(3, 4)), Linear(4, 4, device="meta")):
        assert twin(module) is module


def test_a_layer_that_is_more_than_a_matrix_is_not_replaced():
    class Doubling(Linear):
        def forward(self, rows):
            return 2 * super().forward(rows)

    module = Sequential(Doubling(8, 8), Linear(8, 8)).requires_grad_(False)
    given = torch.randn(3, 8)
    assert isinstance(twin(module)[0], Doubling)
    torch.testing.assert_close(twin(module)(given), module(given))
