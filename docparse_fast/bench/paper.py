"""The paper's tables and settings as data: rows and columns as printed, with their figures. Runs nothing.

The figures are in paper.json, one entry per table. A figure that is missing in our text of the paper is None, and the
table's notes name it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

from docparse_fast.options.declaring import one_of
from docparse_fast.system.typed_json import read

TAU = 0.75  # §4.3
WINDOW = 3
DRAFTER = "ppstructure"
LONGEST = 8192  # most tokens of an answer, where neither the paper nor its program names a cap
PIXELS = 11_289_600  # most of a page, where a model's processor takes no more

Unit = Literal["x", "s", "score"]
Measure = Literal["aal", "decode_speedup", "end_to_end_speedup", "draft_seconds", "score"]
RowWay = Literal["hsd", "hsd-exact", "page-only", "stage-1", "plain", "draft", "draft-model", "vispec"]


@dataclass(frozen=True, slots=True)
class PaperColumn:
    name: str
    measure: Measure
    unit: Unit
    group: str = ""  # heading above it
    part: str = ""  # category of the data set whose pages count; empty: all pages
    dataset: str = ""  # empty: the table's only one


@dataclass(frozen=True, slots=True)
class PaperRow:
    """`way` is how the model was run; `starred` rows leave out samples whose output reached the cap."""

    name: str
    model: str  # its name in our catalogue
    way: RowWay
    figures: tuple[float | None, ...]  # one per column
    parameters: str = ""
    draft_model: str = ""
    starred: bool = False
    cap: int = LONGEST  # most tokens of an answer
    pixels: int = PIXELS  # most of a page's picture; the model's processor may shrink it further


@dataclass(frozen=True, slots=True)
class PaperTable:
    key: str  # table1 ... table8, tableA1, tableA2, figure3
    title: str
    datasets: tuple[str, ...]
    columns: tuple[PaperColumn, ...]
    rows: tuple[PaperRow, ...]
    notes: tuple[str, ...] = ()

    @property
    def caps(self) -> dict[str, int]:
        """Most tokens of an answer, by model."""
        return {row.model: row.cap for row in self.rows}

    def cap_of(self, model: str) -> int:
        """All rows of a model have one cap.

        >>> [paper_table("table1").cap_of(model) for model in ("qwen3-vl-8b", "dots.ocr", "hunyuan-ocr", "nano")]
        [2048, 24000, 8192, 8192]
        """
        return self.caps.get(model, LONGEST)

    def pixels_of(self, model: str) -> int:
        """Most of a page's picture, likewise."""
        return next((row.pixels for row in self.rows if row.model == model), PIXELS)

    @property
    def label(self) -> str:
        """
        >>> paper_table("tableA1").label, paper_table("figure3").label
        ('Table A1', 'Figure 3')
        """
        kind = "figure" if self.key.startswith("figure") else "table"
        return f"{kind.capitalize()} {self.key.removeprefix(kind)}"

    @property
    def models(self) -> tuple[str, ...]:
        """The models of all rows, by their names in our catalogue."""
        return tuple(dict.fromkeys(row.model for row in self.rows))


def paper_table(key: str) -> PaperTable:
    """
    >>> table = paper_table("table8")
    >>> [(row.name, row.figures) for row in table.rows][0]
    ('Baseline', (1.0, 1.0, 1.0))
    """
    one_of("TABLE", key, names())
    return read(PaperTable, {"key": key, **_found()["tables"][key]})


def names() -> tuple[str, ...]:
    return tuple(_found()["tables"])


def citation() -> str:
    return str(_found()["paper"])


def hardware() -> str:
    """The machine that the paper's figures were measured on."""
    return str(_found()["hardware"])


@cache
def _found() -> Mapping[str, Any]:
    text = (resources.files("docparse_fast.bench") / "paper.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
