"""How many rows a GPU's memory bears beside the weights."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch

from docparse_fast.targets.loading import devices

QWEN_2B = SimpleNamespace(
    num_hidden_layers=28, num_key_value_heads=8, head_dim=128, hidden_size=2048, num_attention_heads=16
)


def model_on(device: str, **more: object) -> SimpleNamespace:
    config = SimpleNamespace(get_text_config=lambda: SimpleNamespace(**vars(QWEN_2B), **more))
    return SimpleNamespace(device=torch.device(device), dtype=torch.bfloat16, config=config)


@pytest.mark.parametrize(("gigabytes", "rows"), [(80, 8), (16, 8), (8, 4), (3, 1), (0.1, 1)])
def test_a_small_gpu_reads_fewer_crops_at_once(monkeypatch, gigabytes, rows):
    """A long row of Qwen3-VL-2B takes 0.94 GB; what remains is for images and graphs."""
    monkeypatch.setattr(devices, "free_bytes", lambda device: gigabytes * 10**9)
    assert devices.rows_that_fit(model_on("cuda")) == rows


def test_a_processor_reads_as_many_as_ever(monkeypatch):
    monkeypatch.setattr(devices, "free_bytes", lambda device: 0)
    assert devices.rows_that_fit(model_on("cpu")) == devices.ROWS


def test_layers_with_a_state_need_no_room_for_a_rows_length(monkeypatch):
    monkeypatch.setattr(devices, "free_bytes", lambda device: 3 * 10**9)
    kinds = [*["linear_attention"] * 3, "full_attention"] * 7
    assert devices.rows_that_fit(model_on("cuda", layer_types=kinds)) == 6
    assert devices.rows_that_fit(model_on("cuda", layer_types=["full_attention"] * 28)) == 1
