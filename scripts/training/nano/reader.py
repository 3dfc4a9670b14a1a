"""A sample as arrays: what nano is shown, and what it should answer. Knows no model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from pages import Sample
from tokens import Tokens

PATCH, MERGE = 8, 2


@dataclass(frozen=True, slots=True)
class Lesson:
    patches: NDArray[np.uint8]  # (patches, PATCH * PATCH), four of a cell together
    grid: tuple[int, int, int]
    answer: list[int]

    @property
    def cells(self) -> int:
        return len(self.patches) // MERGE**2


def lesson(sample: Sample, tokens: Tokens) -> Lesson:
    height, width = sample.image.shape
    cell = PATCH * MERGE
    patches = sample.image.reshape(height // cell, MERGE, PATCH, width // cell, MERGE, PATCH)
    return Lesson(
        patches.transpose(0, 3, 1, 4, 2, 5).reshape(-1, PATCH * PATCH),
        (1, height // PATCH, width // PATCH),
        [*tokens.encode(sample.text), tokens.end],
    )


def pixel_values(patches: NDArray[np.uint8]) -> torch.Tensor:
    """What the image processor makes of a grey page: -1 to 1, the same in three colours and two frames."""
    values = torch.from_numpy(np.ascontiguousarray(patches)).float() / 127.5 - 1
    return values[:, None, None, :].expand(-1, 3, 2, -1).reshape(len(values), -1)
