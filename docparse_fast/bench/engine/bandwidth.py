"""Measures memory bandwidth and counts the bytes a decoding step must read: together a step's least time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

CPU_BYTES = 256 * 2**20  # copied at once: larger than any cache
GPU_BYTES = 2 * 2**30
ROUNDS = 8  # the fastest counts: other memory traffic can only slow it down
COPIES = 4  # per round


def copy_bandwidth(device: torch.device, clock: Callable[[], float]) -> float:
    """Bytes per second, read and written together, of a copy within the device's memory."""
    size = CPU_BYTES if device.type == "cpu" else GPU_BYTES
    source = torch.ones(size, dtype=torch.uint8, device=device)
    copy = torch.zeros_like(source)
    quickest = float("inf")
    for _ in range(ROUNDS):
        start = clock()
        for _ in range(COPIES):
            copy.copy_(source)
        quickest = min(quickest, clock() - start)
    return COPIES * 2 * size / quickest


def weight_bytes(model: Any) -> int:
    """Bytes of the text model and its head. The embedding is left out: a step reads only one row of it per token."""
    embedding = model.get_input_embeddings().weight
    weights = {
        id(weight): weight for part in (model.model.language_model, model.lm_head) for weight in part.parameters()
    }
    if model.lm_head.weight is not embedding:
        weights.pop(id(embedding), None)
    return sum(weight.numel() * weight.element_size() for weight in weights.values())


def entry_bytes(model: Any) -> int:
    """Bytes of one token's keys and values in all layers."""
    config = model.config.get_text_config()
    size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    numbers = 2 * config.num_hidden_layers * config.num_key_value_heads * size
    return int(numbers * model.lm_head.weight.element_size())


def bytes_a_step(model: Any, rows: int, length: int) -> int:
    """Bytes that a plain step reads, for rows of `length` entries each. (A tree of useful width reads hardly more.)"""
    return weight_bytes(model) + rows * length * entry_bytes(model)
