"""A data set: its pages, their groups and their texts. Knows no file format."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

DatasetName = Literal["omnidocbench", "olmocr-bench", "ocean-ocr-bench", "folder"]


@dataclass(frozen=True, slots=True)
class BenchPage:
    """One page to be read: page `number` of the file at `path`."""

    id: str  # unique in its data set; contains slashes if its files are in folders
    path: Path
    number: int = 1
    group: str = ""  # the column of the paper's tables
    language: str = ""  # as the data set names it
    truth: str | None = None  # its text in reading order, as Markdown, if the data set has it


@dataclass(frozen=True, slots=True)
class Dataset:
    name: DatasetName
    folder: Path
    pages: tuple[BenchPage, ...]
    groups: tuple[str, ...] = ()  # the existing groups: the paper's in the order of its columns, then others
    notes: tuple[str, ...] = ()  # problems too small to refuse the folder
