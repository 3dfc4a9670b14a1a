"""A chosen table as a region, its cells written with the text layer's marks. Knows cells and type; chooses nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import Category, Draft, Region, TableCell
from docparse_fast.drafting.born_digital.cell_marks import with_marks
from docparse_fast.drafting.born_digital.emphasis import Style, usual_style
from docparse_fast.drafting.born_digital.sheet import Mirror, inked
from docparse_fast.drafting.born_digital.text_lines import SOURCE
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.choosing import ChosenTable
from docparse_fast.drafting.tables.heads import SetAndDrawn, with_whole_texts
from docparse_fast.drafting.tables.table_html import table_html
from docparse_fast.text.placed_words import in_boxes


def table_region(chosen: ChosenTable, looks: SetAndDrawn, *, right: bool) -> Region:
    """The table as it was chosen, and what else it may be; a page read from the right has its columns from there."""
    usual = usual_style(looks.spans)
    read = [_as_html(each, looks, usual, right=right) for each in (chosen.candidate, *chosen.rivals)]
    drafts = [Draft(text, SOURCE) for text in dict.fromkeys(read)]
    cells = sorted(chosen.candidate.cells, key=lambda cell: (cell.row, -cell.column if right else cell.column))
    words = in_boxes(inked(looks.spans), [cell.box for cell in cells if cell.box is not None])
    quality = round(min(1.0, chosen.quality), 4)
    return Region(chosen.candidate.box, Category.TABLE, tuple(drafts), words=words, structure=quality)


def seen_from(table: TableCandidate, mirror: Mirror, *, right: bool) -> TableCandidate:
    """As it stands on the page: columns of a mirrored page are counted from its left, like those of all readers."""
    cells = [replace(cell, box=cell.box and mirror(cell.box)) for cell in table.cells]
    return replace(table, box=mirror(table.box), cells=tuple(_from_the_right(cells) if right else cells))


def _as_html(candidate: TableCandidate, looks: SetAndDrawn, usual: Style, *, right: bool) -> str:
    cells = _from_the_right(candidate.cells) if right else candidate.cells
    whole = with_whole_texts(candidate.box, cells, looks)
    return table_html(with_marks(candidate.box, whole, looks.spans, usual))


def _from_the_right(cells: Sequence[TableCell]) -> list[TableCell]:
    """A table's cells, its first column the one at the right."""
    width = max((cell.column + cell.columns for cell in cells), default=0)
    return [replace(cell, column=width - cell.column - cell.columns) for cell in cells]
