"""Tries what this machine can do, and says what to do where it can't. Converts nothing, uses no network.

Knows packages, drafters, weights, targets and what `auto` picks; the temporary folder, memory and limits in force.
"""

from __future__ import annotations

import os
import platform
import shutil
import stat
import sys
import tempfile
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

from docparse_fast.doctor.reporting import gigabytes
from docparse_fast.drafting import open_drafter
from docparse_fast.errors import DocparseError
from docparse_fast.models import Model, all_models, verify
from docparse_fast.options import DRAFTERS, DraftOptions, RasterOptions
from docparse_fast.system.language_data import DATA, data_folders
from docparse_fast.targets import best_here, runner_here, try_runner
from docparse_fast.targets.loading.catalog import CATALOG
from docparse_fast.version import __version__

PACKAGES = ("pymupdf", "onnxruntime", "rapidocr", "numpy", "pillow", "torch", "transformers", "paddleocr")
LEAST_MEMORY = 1_500_000_000  # bytes: what a drafting process takes at its peak, with some room
LEAST_DISK = 500_000_000
SETTINGS = ("HF_HUB_OFFLINE", "HF_ENDPOINT", "HF_HOME", "HF_HUB_CACHE", "OMP_NUM_THREADS", "TMPDIR")


def examine() -> dict[str, Any]:
    """All findings, ready for JSON."""
    drafters = {name: _try_drafter(name) for name in DRAFTERS if name != "none"}
    models = {model.name: model for model in all_models()}
    found: dict[str, Any] = {
        "version": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cpus": _cpus(),
        "packages": {name: _version(name) for name in PACKAGES},
        "machine": _machine(),
        "drafters": drafters,
        "weights": {name: _weights(model) for name, model in models.items() if model.kind == "drafter"},
        "targets": {recipe.name: _target(models[recipe.name]) for recipe in CATALOG},
        "auto": _auto(),
        "limits": _limits(),
        "network": _network(),
        "languages": _languages(),
    }
    found["ready"] = drafters["auto"]["usable"] and not _spoilt(found["weights"])
    return found | {"advice": _advice(found)}


# ------------------------------------------------------------------------------------------------ finding out


def _try_drafter(name: str) -> dict[str, Any]:
    try:
        open_drafter(DraftOptions(drafter=name))
    except DocparseError as error:
        return {"usable": False, "error": {"code": error.code, "message": str(error)}}
    except Exception as error:  # a broken installation is what one runs this command for
        return {"usable": False, "error": {"code": "model_missing", "message": f"{type(error).__name__}: {error}"}}
    return {"usable": True, "error": None}


def _weights(model: Model) -> dict[str, Any]:
    verdict = verify(model)
    return {
        "here": model.here,
        "intact": verdict.intact,
        "verdict": verdict.in_words,
        "folder": str(model.folder) if model.folder else None,
        "remedy": None if verdict.intact else model.remedy,
    }


def _spoilt(weights: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Those that are not what they were when they were packed; PaddleOCR's have no record."""
    return [
        (name, state)
        for name, state in weights.items()
        if state["here"] and not state["intact"] and name != "ppstructure"
    ]


def _languages() -> dict[str, Any]:
    """Which languages the second recogniser has data for, and how to have the others."""
    found = {data: data.find() for data in DATA}
    return {
        "folders": [str(folder) for folder in data_folders()],
        "data": {
            data.name: {
                "code": data.code,
                "lang": data.language,
                "script": data.script,
                "here": folder is not None,
                "folder": str(folder) if folder else None,
                "remedy": None if folder else data.remedy,
            }
            for data, folder in found.items()
        },
    }


def _target(model: Model) -> dict[str, Any]:
    return {
        "here": model.here,
        "folder": str(model.folder) if model.folder else None,
        "hub": "" if model.source == "docparse-fast" else model.source,
        "bytes": model.bytes if model.here else None,
        "recorded": bool(model.recorded),  # `models verify` can tell whether they are whole
    }


def _auto() -> dict[str, Any]:
    best, reason = best_here()
    return {"drafter": "auto", "target": best.name if best else "none", "reason": reason}


def _machine() -> dict[str, Any]:
    runner = runner_here()
    total, free = _memory()
    return {
        "drafting_threads": min(4, os.cpu_count() or 1),
        "memory": total,
        "memory_free": free,
        "temporary": _temporary(),
        "target": (asdict(runner) if runner else None),
        "trial": _trial(),
    }


def _trial() -> dict[str, Any] | None:
    trial = try_runner()
    return None if trial is None else asdict(trial)


def _memory() -> tuple[int | None, int | None]:
    """Total and available memory: the kernel's figures or the container's limit, whichever is less."""
    try:
        lines = Path("/proc/meminfo").read_text("utf-8").splitlines()
    except OSError:
        return None, None
    sizes = {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines)}
    total, free = sizes.get("MemTotal"), sizes.get("MemAvailable")
    limit = _number_in(Path("/sys/fs/cgroup/memory.max"))
    if limit is None or total is None or free is None or limit >= total:
        return total, free
    return limit, max(0, min(free, limit - (_number_in(Path("/sys/fs/cgroup/memory.current")) or 0)))


def _number_in(path: Path) -> int | None:
    try:
        return int(path.read_text("utf-8"))
    except (OSError, ValueError):  # not there, or "max"
        return None


def _temporary() -> dict[str, Any]:
    """The temporary folder, tested by writing a file."""
    try:
        folder = tempfile.gettempdir()
        with tempfile.NamedTemporaryFile(prefix="docparse-fast-") as file:
            private = stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077 == 0
    except OSError:
        return {"folder": os.environ.get("TMPDIR", "?"), "writable": False, "private": False, "free": None}
    return {"folder": folder, "writable": True, "private": private, "free": shutil.disk_usage(folder).free}


def _limits() -> dict[str, int]:
    """Limits on any input file; the first two are options."""
    from docparse_fast.pages.images import MAX_DECODED_BYTES, MOST_FRAMES
    from docparse_fast.pages.weight import MOST_CHARACTERS, MOST_DRAWN

    options = RasterOptions()
    return {
        "pixels of a page (--max-pixels)": options.pixel_cap,
        "dots per inch (--dpi)": options.dpi,
        "bytes of a decoded image": MAX_DECODED_BYTES,
        "images in a TIFF": MOST_FRAMES,
        "bytes of a page's drawing commands": MOST_DRAWN,
        "characters of a page's text layer": MOST_CHARACTERS,
    }


def _network() -> dict[str, str]:
    asked = "only for a target that is named and not here, and by models download; with --offline never"
    return {"asked": asked, **{name: _without_secrets(os.environ[name]) for name in SETTINGS if name in os.environ}}


def _without_secrets(value: str) -> str:
    """The address without its user and password.

    >>> _without_secrets("https://me:secret@hub.example/x"), _without_secrets("1")
    ('https://hub.example/x', '1')
    """
    scheme, slashes, rest = value.rpartition("://")
    return scheme + slashes + (rest.rpartition("@")[2] if slashes else rest)


def _advice(found: dict[str, Any]) -> list[str]:
    """One line for each thing that is missing, with its remedy."""
    lines = [f"weights {name}: {state['verdict']}; {state['remedy']}" for name, state in _spoilt(found["weights"])]
    machine = found["machine"]
    if not machine["temporary"]["writable"]:
        lines.append("no temporary folder can be written to; name one in TMPDIR")
    elif machine["temporary"]["free"] < LEAST_DISK:
        lines.append(f"{machine['temporary']['folder']} is nearly full; name another folder in TMPDIR")
    if machine["memory_free"] is not None and machine["memory_free"] < LEAST_MEMORY:
        lines.append(f"less than {gigabytes(LEAST_MEMORY)} of memory is free; take a smaller --max-pixels")
    if machine["trial"] is not None and machine["trial"]["error"]:
        lines.append("no target can run on the device that auto chooses: name another with --device")
    if machine["target"] is not None and machine["target"]["unused"]:
        lines.append(machine["target"]["unused"])
    if machine["target"] is None:
        lines.append("no target can run: pip install 'docparse-fast[vlm]'")
    elif not any(state["here"] for name, state in found["targets"].items() if name != "nano"):
        lines.append("no target's weights are here: docparse-fast models download dots.ocr, or name a folder")
    return lines


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _cpus() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
