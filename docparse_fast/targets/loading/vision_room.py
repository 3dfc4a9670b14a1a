"""Refuses an image whose attention would not fit into the device's memory. Knows sizes; reads no image.

torch has several attention kernels and chooses by device, dtype and head size. All but one keep only what a block of
tokens needs; the plain one, "math", writes every pair of patches: tens of gigabytes for a page at full size.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch.nn.attention import SDPBackend

from docparse_fast.errors import PageError
from docparse_fast.targets.decoder.memory import free_bytes

COPIES = 2  # of all pairs at once: before and after the softmax
ASKED = 128  # tokens in the call that torch is asked about: the choice doesn't depend on their number
GRID = "image_grid_thw"  # an image's patches, of models that look at any size
SIZES = "image_sizes"  # its pixels, of Pixtral's towers, which mask one image's patches from another's


def check_vision_room(model: Any, inputs: Mapping[str, Any]) -> None:
    """Raises PageError if this image needs more memory than is free."""
    needed = pairs_bytes(model, inputs)
    if needed and needed > (free := free_bytes(model.device)):
        raise PageError(
            "out_of_memory",
            f"looking at a page of so many patches takes {needed / 1e9:.0f} GB with torch's math attention, the only "
            f"kernel for this model in {str(model.dtype).removeprefix('torch.')} on {model.device}; "
            f"{free / 1e9:.0f} GB are free",
            remedy="--max-pixels 1000000, another --dtype, or a torch with flash attention for this device",
        )


def pairs_bytes(model: Any, inputs: Mapping[str, Any]) -> int:
    """What all pairs of an image's patches take; 0 if torch has a kernel that doesn't keep them."""
    vision = getattr(model.config, "vision_config", None)
    heads = getattr(vision, "num_heads", None) or getattr(vision, "num_attention_heads", None)
    width = getattr(vision, "embed_dim", None) or getattr(vision, "hidden_size", None)  # Qwen2-VL's is the text's size
    patches = _patches(vision, inputs)
    if not patches or not heads or not width or not _is_math(model, heads, width // heads, masked=GRID not in inputs):
        return 0
    return int(COPIES * heads * patches**2 * model.dtype.itemsize)


def _patches(vision: Any, inputs: Mapping[str, Any]) -> int:
    """Of the largest image; 0 for models that look at pictures of one size."""
    if GRID in inputs:
        return int(torch.as_tensor(inputs[GRID]).prod(-1).max())
    if SIZES in inputs:
        return int((torch.as_tensor(inputs[SIZES]) // vision.patch_size).prod(-1).max())
    return 0


def _is_math(model: Any, heads: int, size: int, *, masked: bool) -> bool:
    one = torch.empty(1, heads, ASKED, size, device=model.device, dtype=model.dtype)
    mask = torch.zeros(1, 1, ASKED, ASKED, device=model.device, dtype=model.dtype) if masked else None
    return bool(SDPBackend(torch._fused_sdp_choice(one, one, one, mask)) == SDPBackend.MATH)
