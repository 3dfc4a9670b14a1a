"""Finds out which data set a folder holds, and calls its reader. Knows the readers, not their formats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from docparse_fast.bench.datasets.bench_page import Dataset, DatasetName
from docparse_fast.bench.datasets.ocean_ocr_bench import find_eval_data, load_ocean_ocr_bench
from docparse_fast.bench.datasets.olmocr_bench import find_bench_data, load_olmocr_bench
from docparse_fast.bench.datasets.omnidocbench import find_list, load_omnidocbench
from docparse_fast.bench.datasets.plain_folder import load_plain_folder
from docparse_fast.bench.datasets.published import OCEAN_OCR_BENCH, OLMOCR_BENCH, OMNIDOCBENCH, Publication
from docparse_fast.errors import InputError
from docparse_fast.pages.kinds import shown


@dataclass(frozen=True, slots=True)
class _Reader:
    publication: Publication
    find: Callable[[Path], Path | None]
    load: Callable[[Path], Dataset]


READERS: dict[DatasetName, _Reader] = {
    "omnidocbench": _Reader(OMNIDOCBENCH, find_list, load_omnidocbench),
    "olmocr-bench": _Reader(OLMOCR_BENCH, find_bench_data, load_olmocr_bench),
    "ocean-ocr-bench": _Reader(OCEAN_OCR_BENCH, find_eval_data, load_ocean_ocr_bench),
}


def load(folder: Path | str, name: DatasetName | None = None) -> Dataset:
    """The data set in a folder, or with `name` that data set in the folder or one below; else an InputError.

    >>> load("OmniDocBench", "omnidocbench").groups  # doctest: +SKIP
    ('Slides', 'Academic Papers', 'Book', 'Textbook', 'Exam Papers', 'Magazine', 'Newspaper', 'Notes', ...)
    """
    folder = Path(folder)
    if name is None:
        return _recognised(folder)
    if name == "folder":
        return load_plain_folder(_existing(folder))
    reader = READERS[name]
    return reader.load(_home(folder, reader))


def _recognised(folder: Path) -> Dataset:
    _existing(folder)
    reader = next((reader for reader in READERS.values() if reader.find(folder)), None)
    return reader.load(folder) if reader else load_plain_folder(folder)


def _existing(folder: Path) -> Path:
    if not folder.is_dir():
        names = "; ".join(f"{reader.publication.title}: `{reader.publication.fetch}`" for reader in READERS.values())
        raise InputError(
            "not_found", f"{shown(folder)} is not a folder", remedy=f"name one, or fetch a data set ({names})"
        )
    return folder


def _home(folder: Path, reader: _Reader) -> Path:
    """The folder itself, or, if it contains several data sets, the subfolder with the published name."""
    if reader.find(folder) is not None or not folder.is_dir():
        return folder
    below = [at for at in folder.iterdir() if at.name.lower() == reader.publication.folder.lower()]
    return next((at for at in below if reader.find(at) is not None), folder)
