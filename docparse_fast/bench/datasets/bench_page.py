"""The nouns of a data set: pages, their groups, and what is known to stand on them. Knows no file format.

What is known is a truth (Markdown, and blocks where the data set has them), or unit tests, or nothing: a page without
either can be timed, but not scored.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

DatasetName = Literal["omnidocbench", "olmocr-bench", "ocean-ocr-bench", "folder"]

BlockKind = Literal["text", "table", "formula"]


@dataclass(frozen=True, slots=True)
class TruthBlock:
    """One piece of the truth: Markdown, or a table's HTML, or a formula's LaTeX without `$`.

    What is not counted (running heads, captions, ...) may be written or left out: neither costs anything.
    """

    kind: BlockKind
    text: str
    counted: bool = True


@dataclass(frozen=True, slots=True)
class Truth:
    """What stands on a page, in reading order. `blocks` is empty where the data set has nothing but running text."""

    markdown: str
    blocks: tuple[TruthBlock, ...] = ()


# ------------------------------------------------------------------------------------------ unit tests


@dataclass(frozen=True, slots=True, kw_only=True)
class _Test:
    id: str
    group: str
    max_diffs: int = 0  # letters by which a match may be off


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceTest(_Test):
    """A text stands on the page, or, as running heads should, does not."""

    text: str
    present: bool
    case_sensitive: bool = True
    first: int | None = None  # look only at so many letters from the start, or
    last: int | None = None  # from the end


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderTest(_Test):
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTest(_Test):
    """A cell stands in a table, with these neighbours and headings; "" where any will do."""

    cell: str
    up: str = ""
    down: str = ""
    left: str = ""
    right: str = ""
    top_heading: str = ""
    left_heading: str = ""
    pipes: bool = True  # whether a pipe table will do


@dataclass(frozen=True, slots=True, kw_only=True)
class MathTest(_Test):
    latex: str
    dollars: bool = True  # whether formulas between dollar signs are looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineTest(_Test):
    """The page is not empty, does not end in a loop and has no letters that can't be on it; or is as good as blank."""

    max_length: int | None = None  # letters and digits on a page that should be blank
    max_length_without_pictures: bool = False
    max_repeats: int = 30
    foreign_letters: bool = False  # whether Chinese, Japanese and emoji can be on it


UnitTest = PresenceTest | OrderTest | TableTest | MathTest | BaselineTest


# ----------------------------------------------------------------------------------------------- pages


@dataclass(frozen=True, slots=True)
class BenchPage:
    """One page to be read: page `number` of the file at `path`."""

    id: str  # unique in its data set; with slashes where its files stand in folders
    path: Path
    number: int = 1
    group: str = ""  # the column of the paper's tables
    language: str = ""  # as the data set names it
    truth: Truth | None = None
    tests: tuple[UnitTest, ...] = ()

    @property
    def scored(self) -> bool:
        return self.truth is not None or bool(self.tests)


@dataclass(frozen=True, slots=True)
class Dataset:
    name: DatasetName
    folder: Path
    pages: tuple[BenchPage, ...]
    groups: tuple[str, ...] = ()  # those that occur, in the order of the paper's columns, then any others
    notes: tuple[str, ...] = ()  # what was noticed and is not wrong enough to refuse the folder
