"""Keys and values of one row in a head's own layers. Knows places; no token, and nothing of the target's cache."""

from __future__ import annotations

import torch
from torch import Tensor

GROWTH = 1.5


class Entries:
    """What a head has read of a row, and behind it what it drafts, which the next pass overwrites.

    It stands where the layers of a transformers model expect a cache.
    """

    def __init__(self) -> None:
        self.length = 0  # places that stand before those of a pass
        self._layers: dict[int, tuple[Tensor, Tensor]] = {}

    def update(self, keys: Tensor, values: Tensor, layer_idx: int, *_: object, **__: object) -> tuple[Tensor, Tensor]:
        """Writes a pass's (1, heads, tokens, size); returns all up to them."""
        stop = self.length + keys.shape[2]
        kept = self._layers.get(layer_idx)
        if kept is None or kept[0].shape[2] < stop:
            self._layers[layer_idx] = kept = self._grown(kept, keys, values, int(stop * GROWTH))
        for arena, part in zip(kept, (keys, values), strict=True):
            arena[:, :, self.length : stop] = part
        return kept[0][:, :, :stop], kept[1][:, :, :stop]

    def _grown(
        self, kept: tuple[Tensor, Tensor] | None, keys: Tensor, values: Tensor, room: int
    ) -> tuple[Tensor, Tensor]:
        fresh = tuple(part.new_zeros(*part.shape[:2], room, part.shape[3]) for part in (keys, values))
        for arena, before in zip(fresh, kept or (), strict=False):
            arena[:, :, : self.length] = before[:, :, : self.length]
        return fresh[0], fresh[1]


def causal(tokens: int, before: int, device: torch.device) -> Tensor | None:
    """(1, 1, tokens, all places), whether seen; None where the kernel needs no mask."""
    if tokens == 1 or before == 0:
        return None
    return torch.ones(tokens, before + tokens, dtype=torch.bool, device=device).tril(before)[None, None]
