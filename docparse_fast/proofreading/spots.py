"""Where a block's words stand, about: on the rows of ink in its box, by the letters before them. Knows no target."""

from __future__ import annotations

from docparse_fast.document import Block, Box
from docparse_fast.proofreading.judged_words import words_in
from docparse_fast.searchable.ink_rows import FindRows, lines_of, plain_lines, visual


def word_boxes(block: Block, find_rows: FindRows) -> list[Box]:
    """One for each word of the block. In tables, programs and text from right to left it is the whole row."""
    if block.box is None or block.box.width < 1 or block.box.height < 1:
        return []
    is_running = len(plain_lines(block)) == 1
    boxes = []
    for line in lines_of(block, block.box, find_rows):
        for word in words_in(line.text):
            is_placed = is_running and visual(line.text) == line.text
            boxes.append(_part(line.box, word.start, word.stop, len(line.text)) if is_placed else line.box)
    return boxes


def _part(row: Box, start: int, stop: int, letters: int) -> Box:
    width = row.width / letters
    return Box(row.x0 + start * width, row.y0, row.x0 + stop * width, row.y1)
