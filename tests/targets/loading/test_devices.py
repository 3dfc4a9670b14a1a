"""Which device and dtype are chosen, why a GPU is not, and how many rows its memory bears beside the weights."""

from __future__ import annotations

import logging
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
import torch

from docparse_fast.errors import ModelError
from docparse_fast.targets import runner_here
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


@pytest.fixture
def gpu(monkeypatch):
    """One CUDA device, as far as choosing goes."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    monkeypatch.setattr(torch.cuda, "device", lambda device: nullcontext())
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation: not including_emulation)


def test_a_gpu_is_used_in_bfloat16_and_the_asked_dtype_comes_first(gpu):
    assert devices.choose("auto", "auto") == devices.Choice(torch.device("cuda"), torch.bfloat16)
    assert devices.choose("cuda:0", "float32").dtype == torch.float32


def test_a_gpu_that_only_imitates_bfloat16_computes_in_float32(gpu, monkeypatch):
    """Such as a T4 or V100: torch says that it supports bfloat16, and means with emulation."""
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation: including_emulation)
    assert devices.choose("auto", "auto") == devices.Choice(torch.device("cuda"), torch.float32)
    assert devices.choose("auto", "bfloat16").dtype == torch.bfloat16


def test_a_gpu_that_is_not_there_is_no_crash_while_weights_are_loaded(gpu):
    with pytest.raises(ModelError, match="cuda:1: this machine has 1 CUDA devices") as caught:
        devices.choose("cuda:1", "auto")
    assert (caught.value.code, caught.value.remedy) == ("device_missing", "cuda:0 is the first")


@pytest.fixture
def unused(monkeypatch, tmp_path):
    """A machine with a GPU's driver, whose GPU torch can't use."""
    (tmp_path / "version").write_text("NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.00")
    monkeypatch.setattr(devices, "DRIVER", tmp_path / "version")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)


@pytest.mark.parametrize(("cuda", "why"), [(None, "a build for CPUs"), ("13.0", "older than CUDA 13.0")])
def test_a_gpu_that_torch_cannot_use_is_named_with_the_reason(unused, monkeypatch, caplog, cuda, why):
    """Otherwise pages are read on the CPU for hours without a reason being given."""
    monkeypatch.setattr(torch.version, "cuda", cuda)
    with pytest.raises(ModelError) as caught:
        devices.choose("cuda", "auto")
    assert why in str(caught.value) and caught.value.remedy != "say --device cpu"
    with caplog.at_level(logging.WARNING, logger="docparse_fast.notices"):
        devices.notice_unused(devices.choose("auto", "auto"))
    (said,) = caplog.messages
    assert why in said and "install torch's build" in said and "\n" not in said
    assert why in runner_here().unused


def test_without_a_gpu_nothing_is_said_of_one(monkeypatch, caplog, tmp_path):
    monkeypatch.setattr(devices, "DRIVER", tmp_path / "nothing")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    devices.notice_unused(devices.choose("auto", "auto"))
    assert not caplog.messages and runner_here().unused == ""
    with pytest.raises(ModelError, match="no CUDA device here"):
        devices.choose("cuda", "auto")
