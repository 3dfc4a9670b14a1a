"""Decides where a model runs, and whether it fits there. Knows devices, dtypes and sizes; loads nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from docparse_fast.errors import ModelError
from docparse_fast.targets.decoder.memory import free_bytes
from docparse_fast.targets.loading.checkpoint import Checkpoint

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
WORKING_ROOM = 1.35  # of the weights' size: what reading pages needs besides
ROWS = 8  # side by side in Stage 1
ROW_PLACES = 8192  # of a long row: a page's prompt and answer
ROWS_SHARE = 0.5  # of the memory that the weights leave; the rest is for images and graphs
BLOCKED_ROOM = 1.0  # ... and on a CPU at most all weights again, in the layout of its kernels


@dataclass(frozen=True, slots=True)
class Choice:
    """The device and dtype that a model will run with."""

    device: torch.device
    dtype: torch.dtype


def choose(device: str, dtype: str) -> Choice:
    """A GPU in bfloat16 if there is one, else the CPU in float32."""
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    if device.startswith("cuda") and not torch.cuda.is_available():
        raise ModelError("device_missing", f"--device {device}: no CUDA device here", remedy="say --device cpu")
    try:
        chosen = torch.device(device)
    except RuntimeError as error:
        raise ModelError("device_missing", f"--device {device} is no device", remedy="cpu, cuda or cuda:N") from error
    wanted = ("bfloat16" if chosen.type == "cuda" else "float32") if dtype == "auto" else dtype
    return Choice(chosen, DTYPES[wanted])


def needed_bytes(where: Checkpoint, choice: Choice) -> int:
    """An estimate from the size of the stored weights (16 bits a number, as targets are published)."""
    room = WORKING_ROOM + (BLOCKED_ROOM if choice.device.type == "cpu" else 0)
    return int(where.weight_bytes * (2 if choice.dtype == torch.float32 else 1) * room)


def rows_that_fit(model: Any) -> int:
    """How many rows a GPU's free memory bears side by side: each may be as long as a page, and images need room too."""
    if model.device.type != "cuda":
        return ROWS
    config = model.config.get_text_config()
    head = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    kinds = getattr(config, "layer_types", None) or ()
    keeping = kinds.count("full_attention") if "linear_attention" in kinds else config.num_hidden_layers
    place = 2 * keeping * config.num_key_value_heads * head * model.dtype.itemsize
    return max(1, min(ROWS, int(ROWS_SHARE * free_bytes(model.device) / (place * ROW_PLACES))))


def check_room(where: Checkpoint, choice: Choice) -> None:
    needed, free = needed_bytes(where, choice), free_bytes(choice.device)
    if needed > free:
        raise ModelError(
            "device_missing",
            f"{where.name} needs about {needed / 1e9:.1f} GB and {choice.device} has {free / 1e9:.1f} GB free",
            remedy="choose a smaller --target, --dtype bfloat16, or another --device",
        )
