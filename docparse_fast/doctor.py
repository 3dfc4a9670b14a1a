"""What this machine can do, found out by trying. Knows packages, drafters and what `auto` picks; converts nothing."""

from __future__ import annotations

import os
import platform
import sys
from importlib import metadata
from typing import Any

from docparse_fast import __version__
from docparse_fast.drafting import open_drafter
from docparse_fast.errors import DocparseError
from docparse_fast.options import DRAFTERS, DraftOptions
from docparse_fast.targets import best_here
from docparse_fast.targets.catalog import CATALOG
from docparse_fast.targets.whereabouts import here

PACKAGES = ("pymupdf", "onnxruntime", "rapidocr", "numpy", "pillow", "torch", "transformers", "paddleocr")


def examine() -> dict[str, Any]:
    """Versions, drafters and targets, as JSON knows them."""
    drafters = {name: _try_drafter(name) for name in DRAFTERS if name != "none"}
    return {
        "version": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cpus": _cpus(),
        "packages": {name: _version(name) for name in PACKAGES},
        "drafters": drafters,
        "targets": _targets(),
        "auto": _auto(),
        "ready": drafters["auto"]["usable"],
    }


def report(found: dict[str, Any]) -> str:
    """The same for people."""
    targets = found["targets"].items()
    lines = [
        f"docparse-fast {found['version']}, Python {found['python']}, {found['platform']}, {found['cpus']} CPUs",
        "",
        "packages",
        *(f"  {name:<14}{version or 'not installed'}" for name, version in found["packages"].items()),
        "",
        "drafters",
        *(f"  {name:<14}{_usable(state)}" for name, state in found["drafters"].items()),
        "",
        "targets",
        *(f"  {name:<14}{'here' if state['here'] else 'not here: ' + state['hub']}" for name, state in targets),
        "",
        f"--target auto picks {found['auto']['target']}: {found['auto']['reason']}",
    ]
    return "\n".join(lines)


def _usable(state: dict[str, Any]) -> str:
    return "usable" if state["usable"] else f"{state['error']['code']}: {state['error']['message']}"


def _try_drafter(name: str) -> dict[str, Any]:
    try:
        open_drafter(DraftOptions(drafter=name))
    except DocparseError as error:
        return {"usable": False, "error": {"code": error.code, "message": str(error)}}
    except Exception as error:  # a broken installation is what one runs this command for
        return {"usable": False, "error": {"code": "model_missing", "message": f"{type(error).__name__}: {error}"}}
    return {"usable": True, "error": None}


def _targets() -> dict[str, Any]:
    at = {where.name: str(where.folder) for where in here()}
    return {
        recipe.name: {"here": recipe.name in at, "folder": at.get(recipe.name), "hub": recipe.hub} for recipe in CATALOG
    }


def _auto() -> dict[str, Any]:
    best, reason = best_here()
    return {"drafter": "auto", "target": best.name if best else "none", "reason": reason}


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _cpus() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
