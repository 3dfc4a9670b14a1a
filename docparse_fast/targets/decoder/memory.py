"""How much of a device's memory was held at most. A CPU's is the process's own, which the system knows."""

from __future__ import annotations

import torch


def device_peak_bytes(device: torch.device) -> int | None:
    """The most since `forget_device_peak`; None where the device has no memory of its own."""
    return torch.cuda.max_memory_allocated(device) if device.type == "cuda" else None


def forget_device_peak(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
