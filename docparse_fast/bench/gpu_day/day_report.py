"""What a day on a GPU found, as JSON and as a page of Markdown to paste. Knows outcomes; runs no part."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

from docparse_fast.bench.gpu_day.asked import GpuDay
from docparse_fast.bench.gpu_day.day import PartOutcome
from docparse_fast.bench.surroundings import commit
from docparse_fast.system.files import write
from docparse_fast.version import __version__

PACKAGES = ("torch", "transformers", "numpy", "pymupdf", "onnxruntime")
ASKED_SECONDS = 20.0
LONGEST = 400  # letters of a value; report.json has it whole


def machine() -> dict[str, Any]:
    """Found without torch, which may be what fails."""
    return {
        "docparse-fast": __version__,
        "commit": commit(),
        "gpu": _gpus(),
        "processors": os.cpu_count(),
        "platform": platform.platform(),
        "python": platform.python_version(),
        **{name: _version(name) for name in PACKAGES},
    }


def write_report(asked: GpuDay, found_here: Mapping[str, Any], outcomes: Sequence[PartOutcome], seconds: float) -> None:
    record = {
        "format": "docparse-fast/gpu-day",
        "version": 2,
        "device": asked.device,
        "small": asked.small,
        "machine": dict(found_here),
        "seconds": round(seconds, 1),
        "parts": [asdict(outcome) for outcome in outcomes],
    }
    write(asked.out / "report.json", json.dumps(record, indent=1))
    write(asked.out / "report.md", as_markdown(record))


def as_markdown(record: Mapping[str, Any]) -> str:
    small = ", small: its figures mean nothing" if record["small"] else ""
    lines = [f"# A day on a GPU: {record['device']}{small}", "", in_words(record["machine"])]
    lines += ["", f"{record['seconds']:.0f} s in all.", "", "| part | what | status | seconds | why |"]
    lines.append("| --- | --- | --- | ---: | --- |")
    for part in record["parts"]:
        cells = (part["name"], part["what"], part["status"], f"{part['seconds']:.0f}", part["reason"])
        lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
    for part in record["parts"]:
        if part["found"]:
            lines += ["", f"## {part['name']}", ""]
            lines += [f"- {name}: {in_words(value)[:LONGEST]}" for name, value in part["found"].items()]
        if part["said"]:
            lines += ["", f"## {part['name']}: what it said last", "", "```", *part["said"], "```"]
    return "\n".join(lines) + "\n"


def in_words(value: Any) -> str:
    """
    >>> in_words({"ms": 1.23456, "same": {"pages": 6, "of": 6}, "why not": None, "costs": [1.0, 1.25]})
    'ms 1.235, same (pages 6, of 6), why not –, costs 1 1.25'
    """
    if isinstance(value, Mapping):
        inner = ((name, in_words(one), isinstance(one, Mapping)) for name, one in value.items())
        return ", ".join(f"{name} ({text})" if nested else f"{name} {text}" for name, text, nested in inner)
    if isinstance(value, list | tuple):
        parts = [in_words(one) for one in value]
        return (" / " if any(isinstance(one, list | tuple | Mapping) for one in value) else " ").join(parts)
    if isinstance(value, float):
        return f"{value:.4g}"
    return "–" if value is None else str(value)


def _gpus() -> str:
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return "no nvidia-smi"
    asked = [tool, "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader"]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, timeout=ASKED_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        return f"nvidia-smi fails: {error}"
    return "; ".join(done.stdout.split("\n")).strip("; ")


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def where(folder: Path) -> str:
    return f"written: {folder / 'report.md'}, to paste; {folder / 'report.json'} has all of it"
