"""The surroundings of a measurement: versions, commit, machine, and the clock for its device. Measures nothing."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import docparse_fast
from docparse_fast.bench.clock import Clock
from docparse_fast.bench.record import RunSettings
from docparse_fast.run.provenance import models

if TYPE_CHECKING:
    from docparse_fast.targets.loading.document_model import DocumentModel

GIT_SECONDS = 10.0  # a hanging disk must not hang the benchmark


def clock_of(target: DocumentModel) -> Clock:
    """CPU seconds for a target on the CPU; for one on a GPU wall seconds, with the GPU synchronised."""
    from docparse_fast.targets.decoder.clocks import device_clock
    from docparse_fast.targets.decoder.memory import device_peak_bytes, forget_device_peak

    device = target.decoder.network.device
    return Clock(
        "cpu" if device.type == "cpu" else "wall",
        device_clock(device),
        partial(forget_device_peak, device),
        partial(device_peak_bytes, device),
    )


def settings_of(target: DocumentModel, clock: Clock, repeats: int, options: Mapping[str, Any]) -> RunSettings:
    """The settings to record; `options` have their names of the command line, so that a reader can repeat them."""
    identity = target.identity
    return RunSettings(
        target=identity.name,
        revision=identity.revision,
        device=identity.device,
        dtype=identity.dtype,
        clock=clock.kind,
        repeats=repeats,
        options=options,
        versions={"python": platform.python_version(), **models(target)},
        commit=commit(),
        platform=platform.platform(),
        cpus=len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1,
        costs=asdict(target.decoder.costs)
        | ({"reading": asdict(target.costs.reading)} if options.get("stages") == "auto" else {}),
    )


def commit() -> str | None:
    """The commit of this package's checkout, with + if files were changed; None without a checkout."""
    root = Path(docparse_fast.__file__).parents[1]
    if not (root / ".git").exists():
        return None
    try:
        head = _git(root, "rev-parse", "HEAD")
        changed = _git(root, "status", "--porcelain", "--untracked-files=no", "--", "docparse_fast")
    except (OSError, subprocess.SubprocessError):
        return None
    return f"{head}+" if changed else head


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True, timeout=GIT_SECONDS
    )
    return done.stdout.strip()
