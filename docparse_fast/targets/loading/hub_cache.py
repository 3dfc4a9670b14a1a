"""Where the hub's client keeps models, by its own rules. Loads nothing: every start without a target asks it."""

from __future__ import annotations

import os
from pathlib import Path


def cache_of(hub: str) -> Path:
    """
    >>> cache_of("rednote-hilab/dots.ocr").name
    'models--rednote-hilab--dots.ocr'
    """
    return _cache() / f"models--{hub.replace('/', '--')}"


def holds_models() -> bool:
    return any(_cache().glob("models--*"))


def _cache() -> Path:
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    home = Path(os.environ.get("HF_HOME") or caches / "huggingface")
    return Path(os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE") or home / "hub").expanduser()
