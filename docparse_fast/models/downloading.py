"""Fetches a target's weights from a hub, and writes down what came. Knows the hub's client and an allow-list.

Only safetensors, JSON and what tokenizers are made of is fetched: no code, no pickle. The name is resolved to a commit
first and everything is taken from that commit; what the hub itself says of a file's SHA-256 is compared, and all of it
is recorded beside the files. The client goes on where an earlier try broke off.
"""

from __future__ import annotations

import fnmatch
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from docparse_fast.errors import ModelError, OutputError, UsageError, in_words
from docparse_fast.system.digests import RECORD, WeightsRecord, sha256_of, write_record
from docparse_fast.targets.loading.catalog import BY_NAME
from docparse_fast.targets.loading.checkpoint import ELSEWHERE, NEEDED, UNREACHABLE

SPARE_BYTES = 100_000_000  # left on the disk


@dataclass(frozen=True, slots=True)
class Published:
    """The files of a hub repository at one commit."""

    hub: str
    commit: str
    licence: str
    sizes: dict[str, int]  # of the files that are wanted
    sha256: dict[str, str]  # of those that the hub tells

    @property
    def bytes(self) -> int:
        return sum(self.sizes.values())


def download(
    name: str, to: Path | None = None, revision: str = "", begun: Callable[[Published], None] = lambda _: None
) -> tuple[Path, WeightsRecord]:
    """The folder of the weights and their record: `to`, or the hub's own cache, where `--target NAME` finds them.

    `begun` is called with what is about to be fetched.
    """
    hub = hub_of(name)
    published = _published(hub, revision)
    _room(published, to)
    begun(published)
    folder = _fetched(published, to, revision)
    record = _recorded(folder, published)
    try:
        write_record(folder, record)
    except OSError as error:
        raise OutputError("write_failed", f"{folder / RECORD}: {error.strerror}", remedy="check its rights") from error
    return folder, record


def hub_of(name: str) -> str:
    """The hub id of a target by name, or a hub id as it is."""
    if name in BY_NAME:
        if BY_NAME[name].hub:
            return BY_NAME[name].hub
        raise UsageError(f"{name} ships with docparse-fast", remedy="there is nothing to download")
    parts = name.split("/")
    if len(parts) == 2 and all(part and not part.startswith(".") for part in parts):
        return name
    targets = ", ".join(recipe.name for recipe in BY_NAME.values() if recipe.hub)
    raise UsageError(f"{name!r} can't be downloaded", remedy=f"name one of {targets}, or a hub id like owner/model")


def _published(hub: str, revision: str) -> Published:
    if os.environ.get("HF_HUB_OFFLINE", "").lower() in {"1", "true", "yes", "on"}:
        raise ModelError("model_missing", f"{hub} can't be fetched: HF_HUB_OFFLINE is set", remedy="unset it")
    try:
        from huggingface_hub import HfApi
    except ImportError as error:
        raise ModelError(
            "model_missing", "downloading needs the hub's client", remedy="pip install 'docparse-fast[vlm]'"
        ) from error
    try:
        info = HfApi().model_info(hub, revision=revision or None, files_metadata=True, timeout=20)
    except UNREACHABLE as error:
        raise _unreachable(hub, error) from error
    wanted = [file for file in info.siblings or () if is_wanted(file.rfilename)]
    if not any(file.rfilename.endswith(".safetensors") for file in wanted):
        raise ModelError(
            "model_missing", f"{hub} publishes no safetensors, and nothing else is loaded", remedy="choose another"
        )
    card: Any = info.card_data
    return Published(
        hub=hub,
        commit=str(info.sha),
        licence=str((card.get("license_name") or card.get("license") or "") if card else ""),
        sizes={file.rfilename: file.size or 0 for file in wanted},
        sha256={file.rfilename: file.lfs.sha256 for file in wanted if file.lfs},
    )


def is_wanted(name: str) -> bool:
    """Weights, settings and tokenizers, by name, and nothing that would be put elsewhere.

    >>> [is_wanted(name) for name in ("model.safetensors", "modeling.py", "pytorch_model.bin", "../config.json")]
    [True, False, False, False]
    >>> [is_wanted(f"{folder}/model.safetensors") for folder in ("dflash", "v1.0", "original")]
    [True, False, False]
    """
    path = PurePosixPath(name)
    outside = path.is_absolute() or ".." in path.parts or "\\" in name or any(p.startswith(".") for p in path.parts)
    if outside or path.name == RECORD or any(fnmatch.fnmatch(name, pattern) for pattern in ELSEWHERE):
        return False
    return any(fnmatch.fnmatch(name, pattern) for pattern in NEEDED)


def _room(published: Published, to: Path | None) -> None:
    from huggingface_hub.constants import HF_HUB_CACHE

    at = Path(to or HF_HUB_CACHE).expanduser().absolute()
    while not at.exists():
        at = at.parent
    free = shutil.disk_usage(at).free
    missing = published.bytes - arrived_bytes(published, to)
    if missing and free < missing + SPARE_BYTES:
        raise OutputError(
            "write_failed",
            f"{published.hub} takes {missing / 1e9:.2f} GB, {at} has {free / 1e9:.2f} GB free",
            remedy="make room, or name another folder with --to",
        )


def arrived_bytes(published: Published, to: Path | None) -> int:
    """The size of the files that an earlier try has fetched whole; they need no more room."""
    from huggingface_hub import try_to_load_from_cache

    def is_here(name: str, size: int) -> bool:
        if to is None:
            return isinstance(try_to_load_from_cache(published.hub, name, revision=published.commit), str)
        return (to / name).is_file() and (to / name).stat().st_size == size

    return sum(size for name, size in published.sizes.items() if is_here(name, size))


def _fetched(published: Published, to: Path | None, revision: str) -> Path:
    from huggingface_hub import snapshot_download

    names = [_literal(name) for name in published.sizes]
    # Into a folder, by the commit. Into the cache, by the name that was asked for, so that the cache knows it later.
    asked = published.commit if to else revision or "main"
    try:
        folder = Path(
            snapshot_download(published.hub, revision=asked, local_dir=to, allow_patterns=names, etag_timeout=20)
        )
    except UNREACHABLE as error:
        raise _unreachable(published.hub, error) from error
    if to is None and folder.name != published.commit:
        raise ModelError("model_missing", f"{published.hub} changed while it was fetched", remedy="run it again")
    return folder


def _literal(name: str) -> str:
    """A glob pattern that matches only this name."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)


def _recorded(folder: Path, published: Published) -> WeightsRecord:
    digests = {}
    for name in published.sizes:
        if not (folder / name).is_file():
            raise ModelError("model_missing", f"{published.hub}: {name} did not arrive", remedy="run it again")
        digests[name] = sha256_of(folder / name)
    damaged = [name for name, digest in published.sha256.items() if digests[name] != digest]
    if damaged:
        raise ModelError(
            "model_missing",
            f"{published.hub}: {', '.join(damaged)} in {folder} is not what the hub says it is",
            remedy="delete it and run again",
        )
    size = sum((folder / name).stat().st_size for name in digests)
    return WeightsRecord(digests, published.hub, published.commit, published.licence, size)


def _unreachable(hub: str, error: Exception) -> ModelError:
    from docparse_fast.pages.notes import one_line

    reason = in_words(error) if isinstance(error, OSError) else one_line(str(error).partition("\n")[0])
    return ModelError(
        "model_missing",
        f"{hub} can't be fetched ({reason})",
        remedy="check the network and HF_ENDPOINT, or copy the weights from a machine that has them",
    )
