"""The nouns of a data set: pages, their groups, and the text that stands on them. Knows no file format."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

DatasetName = Literal["omnidocbench", "olmocr-bench", "ocean-ocr-bench", "folder"]


@dataclass(frozen=True, slots=True)
class BenchPage:
    """One page to be read: page `number` of the file at `path`."""

    id: str  # unique in its data set; with slashes where its files stand in folders
    path: Path
    number: int = 1
    group: str = ""  # the column of the paper's tables
    language: str = ""  # as the data set names it
    truth: str | None = None  # its text in reading order, as Markdown, where the data set has it


@dataclass(frozen=True, slots=True)
class Dataset:
    name: DatasetName
    folder: Path
    pages: tuple[BenchPage, ...]
    groups: tuple[str, ...] = ()  # those that occur, in the order of the paper's columns, then any others
    notes: tuple[str, ...] = ()  # what was noticed and is not wrong enough to refuse the folder
