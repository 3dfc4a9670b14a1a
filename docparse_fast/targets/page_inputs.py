"""A page shown to a model otherwise: without its image, with a text in its place, with its cells pooled. Knows tensors.

The inputs of TABED's drafts: M is the page as it is, T has no image, C has what an OCR read, P the mean of each two by
two cells. A page is prepared for M, and the others are made of that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Literal, Self

import torch
from torch import Tensor
from torch.nn.functional import avg_pool2d

from docparse_fast.targets.decoder.vlm import View

Sight = Literal["M", "T", "C", "P"]
POOLED = 2  # cells a side


def with_text(view: View, image_token: int, text: Sequence[int]) -> View:
    """The view with `text` in the place of the image."""
    ids = view.ids.tolist()
    first, cells = ids.index(image_token), ids.count(image_token)
    return _view([*ids[:first], *text, *ids[first + cells :]], image_token, {}, view.seed)


@torch.inference_mode()
def with_pooled_cells(view: View, network: Any) -> View:
    """The view with a quarter of its visual tokens."""
    grid = view.inputs["image_grid_thw"]
    seen = network.model.get_image_features(
        view.inputs["pixel_values"].to(network.device), grid.to(network.device), return_dict=True
    )
    merge = network.config.vision_config.spatial_merge_size
    down, across = (int(side) // merge for side in grid[0, 1:])
    pooled = SeenImage(
        pooled_cells(seen.pooler_output[0], (down, across)),
        [pooled_cells(one[0], (down, across)) for one in seen.deepstack_features],
    )
    size = torch.tensor([[1, *(merge * side for side in pooled_grid((down, across)))]])
    image_token = network.config.image_token_id
    ids = view.ids.tolist()
    first, cells = ids.index(image_token), ids.count(image_token)
    fewer = [image_token] * len(pooled.first)
    inputs: dict[str, Any] = {"image_grid_thw": size, "mm_encoder_outputs": pooled}
    return _view([*ids[:first], *fewer, *ids[first + cells :]], image_token, inputs, view.seed)


def _view(ids: list[int], image_token: int, more: Mapping[str, Any], seed: int) -> View:
    tokens = torch.tensor([ids])
    masks = {"attention_mask": torch.ones_like(tokens), "mm_token_type_ids": (tokens == image_token).int()}
    return View({"input_ids": tokens, **masks, **more}, seed)


def pooled_cells(features: Tensor, grid: tuple[int, int]) -> Tensor:  # (cells, hidden)
    """The mean of each two by two cells; odd edges keep their own."""
    cells = features.T.reshape(1, -1, *grid)
    means = avg_pool2d(cells, POOLED, ceil_mode=True, count_include_pad=False)
    return means.flatten(2)[0].T


def pooled_grid(grid: tuple[int, int]) -> tuple[int, int]:
    return -(-grid[0] // POOLED), -(-grid[1] // POOLED)


@dataclass(frozen=True, slots=True)
class SeenImage(Mapping[str, Any]):
    """What a vision tower said of an image, as the model's own forward takes it instead of pixels."""

    first: Tensor  # (cells, hidden), at the first text layer
    later: Sequence[Tensor]  # at each of the next ones

    def to(self, device: torch.device) -> Self:
        return type(self)(self.first.to(device), [one.to(device) for one in self.later])

    def __getitem__(self, name: str) -> Any:
        if name != "image":
            raise KeyError(name)
        return SimpleNamespace(pooler_output=[self.first], deepstack_features=[[one] for one in self.later])

    def __iter__(self) -> Any:
        return iter(("image",))

    def __len__(self) -> int:
        return 1
