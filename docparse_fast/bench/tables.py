"""Figures as a table for people: headings that wrap, figures right-aligned, ours above the paper's. Knows no paper.

A line is a label, whose figures they are, and a cell a column; the label is written once for the lines that share it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

NONE = "-"  # not measured, or not printed
LOST = "?"  # printed, and not in our text of the paper
HEADING_WIDTH = 9  # letters, from which a heading goes on below
GAP = "  "
LOSS = 0.995  # what is printed as 1.00x is none


@dataclass(frozen=True, slots=True)
class Heading:
    name: str
    group: str = ""  # written above it, once for neighbours that share it


@dataclass(frozen=True, slots=True)
class Line:
    label: str
    whose: str
    cells: tuple[str, ...]


def figure(value: float | None, unit: str, none: str = NONE) -> str:
    """A figure as the paper prints it.

    >>> figure(2.4, "x"), figure(13.07, "s"), figure(86.73, "score"), figure(None, "x")
    ('2.40x', '13.07s', '86.73', '-')
    """
    if value is None:
        return none
    return f"{value:.2f}{'' if unit == 'score' else unit}"


def times(speedup: float) -> str:
    """A speed-up in rich's markup: a loss is red.

    >>> times(1.239), times(0.5)
    ('1.24x', '[red]0.50x[/red]')
    """
    return f"{speedup:.2f}x" if speedup >= LOSS else f"[red]{speedup:.2f}x[/red]"


def text_table(headings: Sequence[Heading], lines: Sequence[Line]) -> str:
    """
    >>> print(text_table([Heading("AAL"), Heading("SR_e2e")], [Line("Baseline", "ours", ("0.00x", "1.00x"))]))
                      AAL  SR_e2e
    Baseline  ours  0.00x   1.00x
    """
    names = [textwrap.wrap(heading.name, HEADING_WIDTH, break_long_words=False) for heading in headings]
    deepest = max((len(name) for name in names), default=0)
    over = [[""] * (deepest - len(name)) + name for name in names]  # headings stand on the figures
    widths = [max(map(len, [*name, *(line.cells[at] for line in lines)]), default=0) for at, name in enumerate(over)]
    labels = max((len(line.label) for line in lines), default=0)
    whose = max((len(line.whose) for line in lines), default=0)
    margin = " " * (labels + (len(GAP) + whose if whose else 0)) + GAP
    rows = [
        margin + GAP.join(name[at].rjust(width) for name, width in zip(over, widths, strict=True))
        for at in range(deepest)
    ]
    if any(heading.group for heading in headings):
        rows.insert(0, margin + _groups(headings, widths))
    before = None
    for line in lines:
        label = line.label if line.label != before else ""
        cells = GAP.join(cell.rjust(width) for cell, width in zip(line.cells, widths, strict=True))
        rows.append(label.ljust(labels) + (GAP + line.whose.ljust(whose) if whose else "") + GAP + cells)
        before = line.label
    return "\n".join(row.rstrip() for row in rows)


def _groups(headings: Sequence[Heading], widths: Sequence[int]) -> str:
    """Each group's name over its first columns, as far as they reach."""
    written = ""
    start = 0
    before = ""
    for heading, width in zip(headings, widths, strict=True):
        if heading.group and heading.group != before:
            written = written.ljust(start)[:start] + heading.group
        before = heading.group
        start += width + len(GAP)
    return written
