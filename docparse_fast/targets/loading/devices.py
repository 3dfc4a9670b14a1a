"""Decides where a model runs, and whether it fits there. Knows devices, dtypes and sizes; loads nothing."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from docparse_fast.errors import ModelError
from docparse_fast.targets.decoder.memory import free_bytes
from docparse_fast.targets.loading.checkpoint import Checkpoint

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
WORKING_ROOM = 1.35  # of the weights' size: what reading pages needs besides
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


def check_room(where: Checkpoint, choice: Choice) -> None:
    needed, free = needed_bytes(where, choice), free_bytes(choice.device)
    if needed > free:
        raise ModelError(
            "device_missing",
            f"{where.name} needs about {needed / 1e9:.1f} GB and {choice.device} has {free / 1e9:.1f} GB free",
            remedy="choose a smaller --target, --dtype bfloat16, or another --device",
        )
