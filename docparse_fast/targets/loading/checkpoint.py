"""Finds a target's weights on this machine, and decides whether they may be loaded. Knows folders; loads nothing.

A target is named as in the catalogue, by a hub id, or by a folder. Only safetensors count as weights, because pickles
can run code. The network is used only for a model that isn't here, and never if that is forbidden.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from docparse_fast.errors import ModelError, UsageError
from docparse_fast.options.declaring import one_of
from docparse_fast.system.digests import RECORD, record_in
from docparse_fast.targets.loading.catalog import BY_NAME, CATALOG, Recipe, recipe_of
from docparse_fast.targets.loading.hub_cache import cache_of
from docparse_fast.targets.loading.unsupported import refuse_config, refuse_name, refuse_quantized

NEEDED = ("*.safetensors", "*.json", "*.txt", "*.jinja", "*.model")
ELSEWHERE = ("[!d]*/*", "d[!f]*/*")  # what stands in folders, such as an older release, but for `dflash/`: a head
UNREACHABLE = Exception  # the hub's client raises its own exceptions, its HTTP library's, and those of its parser
BY_CLASS = {"lightonocr": "lighton_ocr", "unlimitedocr": "unlimited_ocr"}  # how a class's name begins
NAME_KEY = "docparse_fast_target"  # in config.json: the name of the folder's target in the catalogue

_HOST = re.compile(r"[\w.-]+:\d+(?:/|$)")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    folder: Path
    recipe: Recipe
    name: str  # as it is recorded
    revision: str

    @property
    def weight_bytes(self) -> int:
        return sum(path.stat().st_size for path in self.folder.glob("*.safetensors"))


OTHERS = "name one of them, a hub id (OWNER/MODEL), a folder with its path (./MODEL) or a server (http://HOST:PORT/v1)"


def find(name: str, *, offline: bool = False) -> Checkpoint:
    """Finds a target by name, hub id or folder; its ModelError says what is missing and how to get it."""
    if name not in BY_NAME and Path(name).is_dir():  # a folder ./dots.ocr may be a clone of that model's program
        return _of_folder(Path(name))
    if _HOST.match(name):
        raise UsageError(f"--target {name!r} is no model", remedy=f"write a server as http://{name.split('/')[0]}/v1")
    if not name.startswith((".", "/", "~")):
        refuse_name(name)
    if name == "nano":
        return _of_folder(Path(str(resources.files("docparse_fast") / "data" / "nano")), name="nano")
    if name in BY_NAME:
        hub = BY_NAME[name].hub
    elif "/" in name and not name.startswith((".", "/", "~")):
        hub = name
    elif "/" in name or os.sep in name:
        raise ModelError("model_missing", f"--target {name}: there is no such folder", remedy="check the path")
    else:
        one_of("--target", name, ("auto", "none", *BY_NAME), remedy=OTHERS)
        raise UsageError(f"--target {name!r} is no target")
    return _of_folder(_from_hub(hub, name, offline=offline), name=name)


def here() -> list[Checkpoint]:
    """The catalogue's targets that are on this machine, best first."""
    found = []
    for recipe in CATALOG:
        try:
            found.append(find(recipe.name, offline=True))
        except ModelError:
            continue
    return found


def _of_folder(folder: Path, name: str = "") -> Checkpoint:
    config = _config(folder)
    recipe = recipe_of(_kind_of(config), name or str(config.get(NAME_KEY, folder.name)))
    refuse_quantized(str(folder), config)
    if recipe is None:
        refuse_config(str(folder), config)
        raise ModelError(
            "model_missing",
            f"{folder} is a {config.get('model_type')!r}, which no dialect here knows",
            remedy=f"known are {', '.join(sorted({known.model_type for known in CATALOG}))}",
        )
    if recipe.is_general:
        refuse_name(name or folder.name)  # a fine-tune with prompts of its own
    if not any(folder.glob("*.safetensors")):
        raise ModelError(
            "model_missing", f"{folder} holds no safetensors, and nothing else is loaded", remedy="convert its weights"
        )
    return Checkpoint(folder, recipe, name or folder.name, _revision(folder))


def _kind_of(config: dict[str, Any]) -> str:
    """The architecture. Some are published under another type than the library's, but with a class of their own."""
    for published in map(str.lower, map(str, config.get("architectures") or ())):
        for start, kind in BY_CLASS.items():
            if published.startswith(start):
                return kind
    return str(config.get("model_type", ""))


def _config(folder: Path) -> dict[str, Any]:
    try:
        config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(
            "model_missing", f"{folder} has no readable config.json", remedy="name the folder of a whole checkpoint"
        ) from error
    return config


def _from_hub(hub: str, name: str, *, offline: bool) -> Path:
    offline = offline or os.environ.get("HF_HUB_OFFLINE", "").lower() in {"1", "true", "yes", "on"}
    if offline and not cache_of(hub).is_dir():
        raise _missing(hub, name, offline=True)  # without importing the hub's client, which takes 0.3 s
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        raise ModelError(
            "model_missing", "targets need torch and transformers", remedy="pip install 'docparse-fast[vlm]'"
        ) from error
    try:
        return Path(snapshot_download(hub, allow_patterns=list(NEEDED), local_files_only=True))
    except UNREACHABLE:
        pass  # not here
    if not offline:
        try:
            wanted, others = list(NEEDED), list(ELSEWHERE)
            return Path(snapshot_download(hub, allow_patterns=wanted, ignore_patterns=others, etag_timeout=10))
        except UNREACHABLE:
            pass  # one message for all the ways in which a network fails
    raise _missing(hub, name, offline=offline)


def _missing(hub: str, name: str, *, offline: bool) -> ModelError:
    return ModelError(
        "model_missing",
        f"--target {name}: {hub} is not on this machine" + (", and the network is off limits" if offline else ""),
        remedy=f"where there is a network, run `docparse-fast models download {name} --to FOLDER`; "
        "then copy the folder here and name it",
    )


def _revision(folder: Path) -> str:
    """The hub's commit, or a fingerprint of a local folder's files."""
    if folder.parent.name == "snapshots":
        return folder.name
    record = record_in(folder)
    if record is not None and record.revision and _weighs(folder, record.files) == record.bytes:
        return record.revision
    digest = hashlib.sha256()
    for path in sorted((*folder.glob("*.json"), *folder.glob("*.safetensors"))):
        if path.name == RECORD:
            continue
        digest.update(f"{path.name} {path.stat().st_size} ".encode())
        with path.open("rb") as file:
            digest.update(file.read(1 << 20))  # a safetensors' header, and the start of its data
    return f"local-{digest.hexdigest()[:16]}"


def _weighs(folder: Path, names: Iterable[str]) -> int:
    """Size in bytes, which shows truncated and swapped files; `models verify` reads all the data."""
    return sum(path.stat().st_size for path in map(folder.joinpath, names) if path.is_file())
