"""Builds a random model of real shape whose answers are known in advance. Knows sizes; decodes nothing."""

from __future__ import annotations

from typing import Any

import torch
import transformers

from docparse_fast.bench.engine.shapes import Shape
from docparse_fast.targets.models.dots_ocr import DotsOcrConfig, DotsOcrForConditionalGeneration

NEVER = 0  # the only id that no answer contains
POSITIONS = 32768
SEED = 20260


def planted_model(shape: Shape, device: torch.device, dtype: torch.dtype, seed: int = SEED) -> Any:
    """Random weights whose greedy answer is one cycle through the whole vocabulary except NEVER.

    The head's row for a token's successor is the token's own embedding, which the residual stream still carries at the
    end. So the answer never repeats itself, and its margins are so wide that rounding to bf16 changes nothing.
    """
    torch.manual_seed(seed)
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)  # drawn in the final dtype: a large model need not fit twice
    try:
        with device:
            model = (_qwen3_vl if shape.family == "qwen3_vl" else _dots_ocr)(shape).eval()
            with torch.no_grad():
                embedding = model.get_input_embeddings().weight.normal_()
                cycle = 1 + torch.randperm(shape.vocabulary - 1)
                model.lm_head.weight[cycle.roll(-1)] = embedding[cycle]
                model.lm_head.weight[NEVER] = 0
    finally:
        torch.set_default_dtype(before)
    return model.requires_grad_(False)


def _qwen3_vl(shape: Shape) -> Any:
    half = shape.head_size // 2
    rope = {
        "rope_type": "default",
        "rope_theta": 5e6,
        "mrope_section": [half - 2 * (half // 3), half // 3, half // 3],
        "mrope_interleaved": True,
    }
    vision = {
        "depth": 1,
        "hidden_size": 32,
        "intermediate_size": 32,
        "num_heads": 2,
        "num_position_embeddings": 16,
        "out_hidden_size": shape.hidden,
        "deepstack_visual_indexes": [0],
    }
    text = {**_text(shape), "head_dim": shape.head_size, "rope_parameters": rope}
    config = transformers.Qwen3VLConfig(text_config=text, vision_config=vision, tie_word_embeddings=False)
    return transformers.Qwen3VLForConditionalGeneration(config)


def _dots_ocr(shape: Shape) -> Any:
    if shape.head_size * shape.heads != shape.hidden:
        raise ValueError(f"in a Qwen2 text model the heads make up the hidden size: {shape}")
    vision = {
        "embed_dim": 32,
        "hidden_size": shape.hidden,
        "intermediate_size": 32,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
    }
    config = DotsOcrConfig(**_text(shape), vision_config=vision, use_sliding_window=False, tie_word_embeddings=False)
    return DotsOcrForConditionalGeneration(config)


def _text(shape: Shape) -> dict[str, Any]:
    return {
        "hidden_size": shape.hidden,
        "intermediate_size": shape.intermediate,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.key_heads,
        "vocab_size": shape.vocabulary,
        "max_position_embeddings": POSITIONS,
        "pad_token_id": NEVER,
        "eos_token_id": NEVER,
        "bos_token_id": None,
    }
