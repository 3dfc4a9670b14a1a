"""A text layer whose fonts leave letters without a meaning, completed by what an OCR reads in the same places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import Box, TableCell, TextLayer, TextLine
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import in_one_row
from docparse_fast.text.unknown_letters import completed


def completed_layer(layer: TextLayer, read: Sequence[Line]) -> TextLayer:
    blocks = tuple(tuple(_line(line, read) for line in block) for block in layer.blocks)
    tables = (replace(table, cells=tuple(_cell(cell, read) for cell in table.cells)) for table in layer.tables)
    return replace(layer, blocks=blocks, tables=tuple(tables))


def _line(line: TextLine, read: Sequence[Line]) -> TextLine:
    if line.slanted or line.vertical:
        return line
    level = _level(line.box, read)
    return replace(line, spans=tuple(replace(span, text=completed(span.text, level)) for span in line.spans))


def _cell(cell: TableCell, read: Sequence[Line]) -> TableCell:
    return replace(cell, text=completed(cell.text, _level(cell.box, read))) if cell.box else cell


def _level(box: Box, read: Sequence[Line]) -> list[str]:
    return [line.plain for line in read if in_one_row(line.box, box) and line.box.overlap_x(box) > 0]
