"""Decides where a model runs, and whether it fits there. Knows devices, dtypes and sizes; loads nothing."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
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
DRIVER = Path("/proc/driver/nvidia/version")  # is there if a machine has an NVIDIA GPU and its driver
BLOCKED_ROOM = 1.0  # ... and on a CPU at most all weights again, in the layout of its kernels


log = logging.getLogger("docparse_fast.notices")


@dataclass(frozen=True, slots=True)
class Choice:
    """The device and dtype that a model will run with."""

    device: torch.device
    dtype: torch.dtype


def choose(device: str, dtype: str) -> Choice:
    """A GPU if there is one, in bfloat16 if it computes so by itself; else the CPU in float32."""
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    if device.startswith("cuda") and not torch.cuda.is_available():
        why, remedy = why_unused() or ("no CUDA device here", "say --device cpu")
        raise ModelError("device_missing", f"--device {device}: {why}", remedy=remedy)
    try:
        chosen = torch.device(device)
    except RuntimeError as error:
        raise ModelError("device_missing", f"--device {device} is no device", remedy="cpu, cuda or cuda:N") from error
    _refuse_number(device, chosen)
    return Choice(chosen, _dtype_of(chosen) if dtype == "auto" else DTYPES[dtype])


def _refuse_number(device: str, chosen: torch.device) -> None:
    if chosen.type == "cuda" and (chosen.index or 0) >= torch.cuda.device_count():
        raise ModelError(
            "device_missing",
            f"--device {device}: this machine has {torch.cuda.device_count()} CUDA devices",
            remedy="cuda:0 is the first",
        )


def _dtype_of(device: torch.device) -> torch.dtype:
    """Before Ampere, GPUs only imitate bfloat16, slowly or not in every operation."""
    if device.type != "cuda":
        return torch.float32
    with torch.cuda.device(device):
        return torch.bfloat16 if torch.cuda.is_bf16_supported(including_emulation=False) else torch.float32


def why_unused() -> tuple[str, str] | None:
    """Why torch can't use this machine's GPU, and what to do; None if there is no GPU, or it is used."""
    if torch.cuda.is_available() or not DRIVER.is_file():
        return None
    if torch.version.cuda is None:
        return (
            f"this machine's GPU can't be used by torch {torch.__version__}, a build for CPUs",
            "install torch's build for your CUDA: pytorch.org, Get started",
        )
    return (
        f"this machine's GPU can't be used by torch {torch.__version__}: its driver may be older than CUDA "
        f"{torch.version.cuda}, or CUDA_VISIBLE_DEVICES may hide it",
        "see nvidia-smi; update the driver, or install torch's build for an older CUDA",
    )


def notice_unused(choice: Choice) -> None:
    """Says once, where a target runs on a CPU beside a GPU, why it does: it may take hours instead of minutes."""
    found = why_unused() if choice.device.type == "cpu" else None
    if found is not None:
        log.warning("%s; %s", *found)


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
