"""Identifies the setting of a cost table: a model's shape, a device and a dtype. Knows names; measures nothing."""

from __future__ import annotations

import hashlib
import platform
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers

from docparse_fast.targets.decoder.layouts import Layout

PASSES = 4  # raised whenever the cost of our passes changes, so that older tables are not used


@dataclass(frozen=True, slots=True)
class Machine:
    model: str
    device: str
    dtype: str
    fingerprint: str  # of everything that changes what a pass costs

    @staticmethod
    def of(model: Any, layout: Layout = Layout.QUICKER, *, records: bool = True) -> Machine:
        """`records`: whether passes may be replayed from recordings."""
        config = model.config.get_text_config()
        name = Path(model.config.name_or_path).name or model.config.model_type
        device = device_name(model.device)
        dtype = str(model.dtype).removeprefix("torch.")
        shape = {key: value for key, value in config.to_dict().items() if not key.startswith("_")}
        libraries = (torch.__version__, transformers.__version__)
        ways = (torch.get_num_threads(), PASSES, layout.value, records)
        told_apart = (sorted(shape.items()), device, dtype, libraries, ways)
        return Machine(name, device, dtype, hashlib.sha256(repr(told_apart).encode()).hexdigest()[:12])

    @property
    def file_name(self) -> str:
        readable = re.sub(r"[^A-Za-z0-9.]+", "-", f"{self.model}-{self.device}-{self.dtype}").strip("-")
        return f"{readable[:80]}-{self.fingerprint}.json"


def torch_installed() -> float:
    """When: what was measured before is measured again."""
    return Path(torch.__file__).stat().st_mtime


def device_name(device: torch.device) -> str:
    """A readable name: the GPU's, or the processor's with its number of working threads."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    if device.type == "cpu":
        threads = torch.get_num_threads()
        return f"{_processor()}, {threads} thread{'s' if threads != 1 else ''}"
    return device.type


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
