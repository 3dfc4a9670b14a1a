"""How fast a device copies, and what a decoding step must read: the least time that a step can take. Knows torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

CPU_BYTES = 256 * 2**20  # copied at once: more than caches hold
GPU_BYTES = 2 * 2**30
ROUNDS = 8  # the quickest counts: other use of the memory can only slow it down
COPIES = 4  # a round


def copy_bandwidth(device: torch.device, clock: Callable[[], float]) -> float:
    """Bytes a second from one place in the device's memory to another, those read and those written together."""
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
    """All of the text model and its head. Of the embedding a step reads a row a token, which is nothing."""
    embedding = model.get_input_embeddings().weight
    weights = {
        id(weight): weight for part in (model.model.language_model, model.lm_head) for weight in part.parameters()
    }
    if model.lm_head.weight is not embedding:
        weights.pop(id(embedding), None)
    return sum(weight.numel() * weight.element_size() for weight in weights.values())


def entry_bytes(model: Any) -> int:
    """Keys and values of one token in all layers."""
    config = model.config.get_text_config()
    size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    numbers = 2 * config.num_hidden_layers * config.num_key_value_heads * size
    return int(numbers * model.lm_head.weight.element_size())


def bytes_a_step(model: Any, rows: int, length: int) -> int:
    """Read by a plain step over rows that hold `length` entries each. (A tree as wide as it pays reads hardly more.)"""
    return weight_bytes(model) + rows * length * entry_bytes(model)
