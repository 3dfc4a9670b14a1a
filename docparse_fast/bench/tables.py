"""Shows a benchmark's paragraphs, tables and remarks on a terminal or as Markdown. Measures nothing.

show([heading, Table(columns, rows), Remarks(losses)], console)
markdown([heading, Table(columns, rows), Remarks(losses)])
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

NONE = "-"  # not measured, or not in the paper
LOST = "?"  # in the paper, but missing in our text of it
HEADING_WIDTH = 9  # letters after which a heading wraps
WIDTH = 120  # of output that does not go to a terminal
WIDEST = 10_000  # of any table
LOSS = 0.995  # 1.00x when rounded is no loss


class Loss(str):
    """A figure that is a loss: red on a terminal, bold with a word in Markdown."""


@dataclass(frozen=True, slots=True)
class Heading:
    name: str
    group: str = ""  # printed above it
    spared: bool = False  # left out on a narrow terminal and in Markdown


@dataclass(frozen=True, slots=True)
class Table:
    """A table whose first column names the row."""

    columns: tuple[Heading, ...]
    rows: tuple[tuple[str, ...], ...]
    detail: bool = False  # left out in Markdown


@dataclass(frozen=True, slots=True)
class Remarks:
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CommandLine:
    """The command that repeats the measurement; printed in Markdown only, since the user has just typed it."""

    words: str


Part = str | Table | Remarks | CommandLine


# ------------------------------------------------------------------------------------------------- cells


def figure(value: float | None, unit: str, none: str = NONE) -> str:
    """A figure as the paper prints it.

    >>> figure(2.4, "x"), figure(13.07, "s"), figure(86.73, "score"), figure(None, "x")
    ('2.40x', '13.07s', '86.73', '-')
    """
    if value is None:
        return none
    return f"{value:.2f}{'' if unit == 'score' else unit}"


def times(speedup: float, more: str = "") -> str:
    """
    >>> times(1.239), times(0.5), type(times(0.5)).__name__
    ('1.24x', '0.50x', 'Loss')
    """
    text = f"{speedup:.2f}x{more}"
    return text if speedup >= LOSS else Loss(text)


def command(name: str, inputs: str, options: Mapping[str, object], usual: Mapping[str, object]) -> CommandLine:
    """The command line with all options that differ from the defaults in `usual`.

    >>> command("bench engine", "", {"shape": "tiny", "rows": [1, 8], "threads": 1}, {"shape": "", "threads": 1})
    CommandLine(words='docparse-fast bench engine --shape tiny')
    >>> command("bench run", "in", {"together": False}, {"together": True})
    CommandLine(words='docparse-fast bench run in --no-together')
    """
    words = [f"docparse-fast {name}", inputs]
    for option, value in options.items():
        if option in usual and value is not None and _said(value) != _said(usual[option]):
            flag = option.replace("_", "-")
            words.append(f"--no-{flag}" if value is False else f"--{flag} {_said(value)}")
    return CommandLine(" ".join(word for word in words if word))


def _said(value: object) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


# ------------------------------------------------------------------------------------------------- a terminal


def show(parts: Iterable[Part], console: Console) -> None:
    """Prints the parts. On a narrow terminal a table drops its spared columns, but no others."""
    for part in parts:
        match part:
            case Table():
                table = _rich(part, part.columns)
                if _width(table) > console.width:
                    table = _rich(part, [column for column in part.columns if not column.spared])
                _wide(console, _width(table)).print(table)
            case Remarks(lines):
                for line in lines:
                    console.print(Text(line), soft_wrap=True)
            case str():
                console.print(Text(part), soft_wrap=True)


def _width(table: RichTable) -> int:
    return Console(width=WIDEST).measure(table).maximum


def _wide(console: Console, width: int) -> Console:
    return console if width <= console.width else Console(file=console.file, width=width)


def _rich(table: Table, columns: Sequence[Heading]) -> RichTable:
    made = RichTable(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    kept = [place for place, column in enumerate(table.columns) if column in columns]
    for place in kept:
        column = table.columns[place]
        name = textwrap.wrap(column.name, HEADING_WIDTH, break_long_words=False)
        head = "\n".join([*([column.group] if column.group else []), *name])
        made.add_column(Text(head), justify="right" if place else "left", no_wrap=True)
    for row in table.rows:
        made.add_row(*(Text(row[place], "red" if isinstance(row[place], Loss) else "") for place in kept))
    return made


# ------------------------------------------------------------------------------------------------- Markdown


def markdown(parts: Iterable[Part]) -> str:
    """
    >>> print(markdown([Table((Heading(""), Heading("SR", "all")), (("a|b", Loss("0.50x")),))]))
    |  | all SR |
    | --- | ---: |
    | a\\|b | **0.50x, slower** |
    """
    written = []
    for part in parts:
        match part:
            case Table(detail=False):
                written.append(_markdown_table(part))
            case Remarks(lines) if lines:
                written.append("\n".join(f"- {_escaped(line)}" for line in lines))
            case CommandLine(words):
                written.append(f"`{words}`")
            case str():
                written.append(part)
    return "\n\n".join(written)


def _markdown_table(table: Table) -> str:
    kept = [place for place, column in enumerate(table.columns) if not column.spared]
    heads = [_escaped(f"{column.group} {column.name}".strip()) for column in (table.columns[at] for at in kept)]
    rules = ["---", *["---:"] * (len(kept) - 1)]
    rows = [[_markdown_cell(row[at]) for at in kept] for row in table.rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in (heads, rules, *rows))


def _markdown_cell(cell: str) -> str:
    return f"**{_escaped(cell)}, slower**" if isinstance(cell, Loss) else _escaped(cell)


def _escaped(text: str) -> str:
    return text.replace("*", r"\*").replace("|", r"\|")
