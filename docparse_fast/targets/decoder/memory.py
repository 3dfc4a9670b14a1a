"""A device's free memory, and the most that was in use. A CPU's memory is the machine's."""

from __future__ import annotations

import os
from pathlib import Path

import torch


def device_peak_bytes(device: torch.device) -> int | None:
    """The most since `forget_device_peak`; None if the device has no memory of its own."""
    return torch.cuda.max_memory_allocated(device) if device.type == "cuda" else None


def forget_device_peak(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)


def free_bytes(device: torch.device) -> int:
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0])
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") + _cached_bytes()


def _cached_bytes() -> int:
    """The kernel's file cache, which it would give back."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    sizes = {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines)}
    return sizes.get("Cached", 0)
