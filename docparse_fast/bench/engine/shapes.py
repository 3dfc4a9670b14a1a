"""The sizes of text models that answers are measured with, none of their weights. Knows numbers; imports no torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SIX = 6  # tokens a step: five drafted and accepted, and the target's own; what goals are set for


@dataclass(frozen=True, slots=True)
class Shape:
    """A text model's sizes, as its public configuration gives them."""

    family: Literal["qwen3_vl", "dots_ocr"]  # whose code runs it
    layers: int
    hidden: int
    intermediate: int
    heads: int
    key_heads: int
    head_size: int
    vocabulary: int


SHAPES = {
    "tiny": Shape("qwen3_vl", 2, 64, 96, 4, 2, 16, 2048),  # for trying the command itself: its figures mean nothing
    "100m": Shape("qwen3_vl", 12, 768, 2048, 12, 4, 64, 32000),  # what a CPU decodes at a reader's pace
    "qwen3-vl-2b": Shape("qwen3_vl", 28, 2048, 6144, 16, 8, 128, 151936),
    "qwen3-vl-8b": Shape("qwen3_vl", 36, 4096, 12288, 32, 8, 128, 151936),
    "dots.ocr": Shape("dots_ocr", 28, 1536, 8960, 12, 2, 128, 151936),
}
