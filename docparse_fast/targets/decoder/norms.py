"""The norms of a text model, each by one kernel instead of eight. Knows modules; no pass and no model by name.

On a GPU a pass over a few tokens is the launching of many kernels that each take a microsecond. transformers writes a
norm in eight of them; on an H200 they took 15 µs where torch's own takes 3, 113 times in each pass of Qwen3-VL-2B.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import Module
from torch.nn.functional import rms_norm

ALIKE = 0.02  # by how much, of the largest number, two norms in bfloat16 differ that round once and twice


class FusedNorm(Module):
    """Norms as the layer does that it was made of."""

    def forward(self, hidden_states: Tensor) -> Tensor:
        layer: Any = self
        return rms_norm(hidden_states, layer.weight.shape, layer.weight, _epsilon(layer))


def use_fused_norms(language_model: Module) -> int:
    """Makes this text model's norms fused ones, if that gives the same numbers; says how many. Parts are shared."""
    found = [part for part in language_model.modules() if _is_plain(part)]
    for part in found:
        kind = type(part)
        part.__class__ = type(kind.__name__, (FusedNorm, kind), {})
    return len(found)


def _is_plain(part: Module) -> bool:
    """Whether it is a norm by the root of the mean square. Tried, since others (1 + weight, gates) look alike."""
    weight = getattr(part, "weight", None)
    if isinstance(part, FusedNorm) or _epsilon(part) is None or not isinstance(weight, Tensor) or weight.dim() != 1:
        return False
    with torch.inference_mode():
        some = torch.linspace(-1, 3, len(weight), device=weight.device, dtype=weight.dtype)[None]
        try:
            known = part(some)
        except TypeError:  # it wants a gate too
            return False
        fused = rms_norm(some, weight.shape, weight, _epsilon(part))
        alike = (known - fused).abs().max() <= ALIKE * known.abs().max()
        return known.dtype == fused.dtype and bool(known.any() and alike)


def _epsilon(part: Module) -> float | None:
    found = getattr(part, "variance_epsilon", getattr(part, "eps", None))
    return found if isinstance(found, float) else None
