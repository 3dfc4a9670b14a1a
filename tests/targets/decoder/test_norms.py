"""Norms by one kernel give what the model's own norms give, and what only looks like such a norm is left alone."""

from __future__ import annotations

import pytest
import torch
from known import Known
from torch import nn
from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5RMSNorm, Qwen3_5RMSNormGated
from transformers.models.qwen3_vl.modeling_qwen3_vl import Qwen3VLTextRMSNorm

from docparse_fast.targets.decoder.network import text_model_of
from docparse_fast.targets.decoder.norms import FusedNorm, use_fused_norms

SIZE = 48


def norm(kind: type[nn.Module], dtype: torch.dtype = torch.float32) -> nn.Module:
    """With weights as trained ones are: near one, and a few large."""
    made = kind(SIZE, eps=1e-3).to(dtype)
    made.weight.data = 1 + 0.3 * torch.randn(SIZE, generator=torch.Generator().manual_seed(1)).to(dtype)
    return made


@pytest.mark.parametrize(("dtype", "alike"), [(torch.float32, 1e-5), (torch.bfloat16, 2e-2)])
def test_a_fused_norm_gives_what_the_models_own_gives(dtype: torch.dtype, alike: float):
    made = norm(Qwen3VLTextRMSNorm, dtype)
    some = torch.randn(3, 5, SIZE, generator=torch.Generator().manual_seed(2)).to(dtype)
    before = made(some)
    assert use_fused_norms(nn.ModuleList([made])) == 1
    assert isinstance(made, FusedNorm)
    torch.testing.assert_close(made(some), before, atol=alike, rtol=alike)


@pytest.mark.parametrize("kind", [Qwen3_5RMSNorm, Qwen3_5RMSNormGated, nn.LayerNorm])
def test_norms_of_another_kind_stay_as_they_are(kind: type[nn.Module]):
    made = norm(kind)
    assert use_fused_norms(nn.ModuleList([made])) == 0
    assert type(made) is kind


def test_norms_are_fused_once(qwen: Known):
    text = text_model_of(qwen.model)
    layers = qwen.model.config.get_text_config().num_hidden_layers
    assert use_fused_norms(text) == 4 * layers + 1
    assert use_fused_norms(text) == 0


def test_with_fused_norms_the_answers_are_the_same(qwen: Known):
    target = qwen.target(slots=1)
    use_fused_norms(text_model_of(target.network))
    for view, answer in zip(qwen.views, qwen.answers, strict=True):
        assert target.prefill({0: view}) == {0: answer[0]}
        target.release(0)
