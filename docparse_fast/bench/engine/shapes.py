"""The sizes of the text models for `bench engine`, without weights. Imports no torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SIX = 6  # tokens per step with goals: five accepted draft tokens and the target's own


@dataclass(frozen=True, slots=True)
class Shape:
    """A text model's sizes, from its public configuration."""

    family: Literal["qwen3_vl", "dots_ocr"]  # whose code runs it
    layers: int
    hidden: int
    intermediate: int
    heads: int
    key_heads: int
    head_size: int
    vocabulary: int


SHAPES = {
    "tiny": Shape("qwen3_vl", 2, 64, 96, 4, 2, 16, 2048),  # only for trying the command: its figures mean nothing
    "100m": Shape("qwen3_vl", 12, 768, 2048, 12, 4, 64, 32000),  # small enough for a CPU
    "qwen3-vl-2b": Shape("qwen3_vl", 28, 2048, 6144, 16, 8, 128, 151936),
    "qwen3-vl-8b": Shape("qwen3_vl", 36, 4096, 12288, 32, 8, 128, 151936),
    "dots.ocr": Shape("dots_ocr", 28, 1536, 8960, 12, 2, 128, 151936),
}
