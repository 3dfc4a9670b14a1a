"""Chooses the clock of a device: a CPU's own seconds, or the seconds that a GPU makes the host wait."""

from __future__ import annotations

import time
from collections.abc import Callable

import torch


def device_clock(device: torch.device) -> Callable[[], float]:
    """On a CPU the process's own seconds, because other programs share it; else wall time once the device is done."""
    if device.type == "cuda":

        def after_the_device() -> float:
            torch.cuda.synchronize(device)
            return time.perf_counter()

        return after_the_device
    return time.process_time if device.type == "cpu" else time.perf_counter
