"""Writes documents as models write them, for `bench replay`. Knows habits of writing; knows no drafts of ours.

Each page of the kit has the whole truth, in one model's habits: how it marks headings, words in bold, items, tables,
code and notes, and what it leaves out. No model wrote these answers: they have no mistakes and no letters of their own.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import cycle
from pathlib import Path

import pymupdf
from material import Block, Document, Run, Runs
from styles import STYLES

Rows = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Habits:
    """How one model writes. `marks` are what it puts around words by their style."""

    name: str
    dialect: str  # in which drafts are offered to it
    table: Callable[[Rows], str]
    headings: tuple[str, str, str] = ("# ", "## ", "### ")
    marks: tuple[tuple[str, str], ...] = ()
    item: str = "- "
    fence: tuple[str, str] = ("```\n", "\n```")
    note: str = "{}"  # the mark in the text
    around: tuple[str, str] = ("", "")


def _html(rows: Rows) -> str:
    """All cells alike, on one line."""
    width = max(map(len, rows))
    spans = (f' colspan="{width}"' if len(row) < width else "" for row in rows)
    cells = ("".join(f"<td{span}>{escape(cell)}</td>" for cell in row) for span, row in zip(spans, rows, strict=True))
    return '<table border="1">' + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"


def _by_rows(rows: Rows) -> str:
    """A line a row."""
    return _html(rows).replace(' border="1"', "").replace("<tr>", "\n<tr>").replace("</table>", "\n</table>")


def _tight(rows: Rows) -> str:
    """Pipes without blanks; what is spanned is left out."""
    width = max(map(len, rows))
    lines = ["|" + "|".join(row) + "|" for row in rows if len(row) == width]
    return "\n".join([lines[0], "|" + "---|" * width, *lines[1:]])


def _indented(rows: Rows) -> str:
    """A head of its own, a line a cell."""
    width = max(map(len, rows))
    heads = 1 if len(rows[0]) == width else 2
    lines = ["<table>"]
    for part, tag, of_part in (("thead", "th", rows[:heads]), ("tbody", "td", rows[heads:])):
        lines.append(f"  <{part}>")
        for row in of_part:
            span = f' colspan="{width}"' if len(row) < width else ""
            lines += ["    <tr>", *(f"      <{tag}{span}>{escape(cell)}</{tag}>" for cell in row), "    </tr>"]
        lines.append(f"  </{part}>")
    return "\n".join([*lines, "</table>"])


def _padded(rows: Rows) -> str:
    """Pipes under each other; a spanned head has empty cells beside it."""
    width = max(map(len, rows))
    filled = [[*row, *[""] * (width - len(row))] for row in rows]
    widths = [max(3, *(len(row[n]) for row in filled)) for n in range(width)]
    lines = [
        "| " + " | ".join(cell.ljust(wide) for cell, wide in zip(row, widths, strict=True)) + " |" for row in filled
    ]
    return "\n".join([lines[0], "|" + "|".join("-" * (wide + 2) for wide in widths) + "|", *lines[1:]])


HABITS = (
    Habits("plain", "glm-ocr", _html, ("## ", "## ", "## "), fence=("", ""), note="$ ^{{{}}} $"),
    Habits("tidy", "olmocr-2", _padded, marks=(("bold", "**"), ("italic", "*")), note="[^{}]"),
    Habits(
        "talkative",
        "qwen3-vl",
        _indented,
        ("# **", "## **", "### **"),
        marks=(("bold", "**"), ("italic", "*"), ("code", "`")),
        item="*   ",
        fence=("```python\n", "\n```"),
        note="<sup>{}</sup>",
        around=("```markdown\n", "\n```"),
    ),
    Habits("sober", "qwen3-vl", _by_rows, ("## ", "### ", "#### "), item="• ", fence=("", ""), note="({})"),
    Habits(
        "terse",
        "hunyuan-ocr",
        _tight,
        marks=(("bold", "__"), ("italic", "_")),
        item="* ",
        fence=("````\n", "\n````"),
        note="\\(^{{{}}}\\)",
    ),
)


def make_kit(pdfs: Path, kit: Path) -> None:
    """Every PDF of one page with its answer, habits by turns."""
    (kit / "answers").mkdir(parents=True, exist_ok=True)
    (kit / "inputs").mkdir(exist_ok=True)
    pages = []
    habits = cycle(HABITS)
    for pdf in sorted(pdfs.glob("*.pdf")):
        with pymupdf.open(pdf) as opened:
            if len(opened) > 1:
                continue
        way = next(habits)
        text = answer(read_document(pdf.with_suffix(".json")), way, numbered=_is_numbered(pdf))
        shutil.copy(pdf, kit / "inputs" / pdf.name)
        (kit / "answers" / f"{pdf.stem}.txt").write_text(text, encoding="utf-8")
        pages.append(
            {
                "id": f"{way.name}/{pdf.stem}",
                "input": f"inputs/{pdf.name}",
                "answer": f"answers/{pdf.stem}.txt",
                "dialect": way.dialect,
                "model": f"none: the document's own text, in the habits called {way.name}",
            }
        )
    (kit / "pages.json").write_text(json.dumps(pages, indent=1, ensure_ascii=False), encoding="utf-8")


def _is_numbered(pdf: Path) -> bool:
    """Whether its producer numbered the headings."""
    return any(style.numbered for style in STYLES if style.name == pdf.stem.split("-")[1])


def answer(document: Document, habits: Habits, *, numbered: bool) -> str:
    return "\n\n".join(_Answer(habits, numbered).blocks(document)).join(habits.around)


class _Answer:
    def __init__(self, habits: Habits, numbered: bool) -> None:
        self.habits = habits
        self.numbered = numbered
        self.counts = [0, 0, 0]  # of headings, by level
        self.notes: list[str] = []

    def blocks(self, document: Document) -> Iterator[str]:
        items: list[str] = []
        for block in document.blocks:
            if block.kind == "item":
                items.append(self._item(block, len(items)))
                continue
            if items:
                yield "\n".join(items)
                items = []
            yield getattr(self, f"_{block.kind}")(block)
        if items:
            yield "\n".join(items)
        for number, note in enumerate(self.notes, 1):
            yield f"{self.habits.note.format(number)} {note}"

    def _item(self, block: Block, above: int) -> str:
        marker = f"{above + 1}. " if block.ordered else self.habits.item
        return "    " * (block.level - 1) + marker + self._runs(block.runs)

    def _heading(self, block: Block) -> str:
        before = self.habits.headings[block.level - 1]
        self.counts[block.level - 1 :] = [self.counts[block.level - 1] + 1, *[0] * (3 - block.level)]
        number = ".".join(map(str, self.counts[1 : block.level])) + " " if self.numbered and block.level > 1 else ""
        return before + number + self._runs(block.runs) + before.lstrip("# ")

    def _paragraph(self, block: Block) -> str:
        return self._runs(block.runs)

    def _figure(self, block: Block) -> str:
        return self._runs(block.runs)

    def _code(self, block: Block) -> str:
        return "\n".join(block.lines).join(self.habits.fence)

    def _table(self, block: Block) -> str:
        return self.habits.table([["".join(run.text for run in cell) for cell in row] for row in block.rows])

    def _runs(self, runs: Runs) -> str:
        return "".join(map(self._run, runs)).strip()

    def _run(self, run: Run) -> str:
        if run.style == "note":
            self.notes.append(run.aside)
            return self.habits.note.format(len(self.notes))
        mark = dict(self.habits.marks).get(run.style, "")
        return f"{mark}{run.text}{mark}"


def read_document(path: Path) -> Document:
    """What `make` stored of a document."""
    fields = json.loads(path.read_text(encoding="utf-8"))
    return Document(fields["language"], tuple(map(_block, fields["blocks"])), fields["running_head"])


def _block(fields: dict) -> Block:
    rows = tuple(tuple(map(_as_runs, row)) for row in fields["rows"])
    known = {"runs": _as_runs(fields["runs"]), "rows": rows}
    return Block(**{**fields, **known, "lines": tuple(fields["lines"]), "sizes": tuple(fields["sizes"])})


def _as_runs(runs: list[dict[str, str]]) -> Runs:
    return tuple(Run(**run) for run in runs)
