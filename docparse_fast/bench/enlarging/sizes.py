"""The sizes that nano can be enlarged to. Imports no torch."""

from __future__ import annotations

from dataclasses import dataclass

from docparse_fast.bench.engine.shapes import SHAPES, Shape


@dataclass(frozen=True, slots=True)
class VisionShape:
    """A vision tower's sizes."""

    hidden: int
    depth: int
    intermediate: int
    heads: int
    deepstack: tuple[int, ...]  # blocks whose output goes to the first text layers

    @property
    def head_size(self) -> int:
        return self.hidden // self.heads


@dataclass(frozen=True, slots=True)
class ModelSize:
    text: Shape
    vision: VisionShape
    tied: bool = True  # whether the head is the embedding


def deep(layers: int) -> ModelSize:
    """Nano with silent layers after each of its own, and its own eye: the target of trials with draft models."""
    return ModelSize(Shape("qwen3_vl", layers, 256, 512, 4, 2, 64, 1024), VisionShape(128, 4, 448, 4, (1,)))


SIZES = {
    # for tests, and for trying the command: its figures mean nothing
    "tiny": ModelSize(Shape("qwen3_vl", 8, 512, 1000, 8, 2, 128, 1500), VisionShape(256, 9, 1000, 4, (1, 4, 6))),
    "deep": deep(20),
    "deep-12": deep(12),  # to which mini is what DOUBLE's draft model is to its target: a token is 0.26 of a pass
    "deep-44": deep(44),  # as TABED's: 0.06
    "0.3b": ModelSize(Shape("qwen3_vl", 16, 1024, 3072, 16, 8, 128, 32768), VisionShape(768, 12, 3072, 12, (2, 5, 8))),
    # both towers as in the public configurations of Qwen3-VL-2B and -8B
    "qwen3-vl-2b": ModelSize(SHAPES["qwen3-vl-2b"], VisionShape(1024, 24, 4096, 16, (5, 11, 17))),
    "qwen3-vl-8b": ModelSize(SHAPES["qwen3-vl-8b"], VisionShape(1152, 27, 4304, 16, (8, 16, 24)), tied=False),
}
