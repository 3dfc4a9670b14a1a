"""Tears a page that stands, for the judge of structure to learn from: its order, or the rows and columns of a table.

What a reader does to a page when it errs: columns or rows in one, a column a row too high, rows in two,
a table as text; blocks elsewhere, columns read across, halves of the page the wrong way round.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape

from docparse_fast.document import FURNITURE, Block, Category
from docparse_fast.text.html_cells import rows_of

TABLES = 0.6  # of the copies of pages with one
STILL = 0.9  # of the steps: an order with as many is no torn one
TRIES = 4
LEVEL = 8  # pixels, within which blocks stand level
Rows = list[list[str]]


def torn(blocks: Sequence[Block], chance: random.Random) -> tuple[str, list[Block]]:
    """A torn copy, and what of it is: `table`, `order`, or nothing where neither could be torn."""
    tables = [n for n, block in enumerate(blocks) if block.category is Category.TABLE and block.box]
    if tables and chance.random() < TABLES:
        at = chance.choice(tables)
        table = _torn_table(blocks[at], chance)
        if table is not None:
            return "table", [*blocks[:at], table, *blocks[at + 1 :]]
    at_all = [n for n, block in enumerate(blocks) if block.category not in FURNITURE and block.box]
    for _ in range(TRIES if len(at_all) > TRIES else 0):
        order = chance.choice(ORDERS)([blocks[n] for n in at_all], chance)
        if _in_turn(order) < STILL * (len(order) - 1):
            moved = dict(zip(at_all, (blocks[at_all[n]] for n in order), strict=True))
            return "order", [moved.get(n, block) for n, block in enumerate(blocks)]
    return "", []


def _in_turn(order: Sequence[int]) -> int:
    """The steps of the longest run in turn."""
    ends: list[int] = []
    for n in order:
        at = bisect_left(ends, n)
        ends[at : at + 1] = [n]
    return len(ends) - 1


def _torn_table(table: Block, chance: random.Random) -> Block | None:
    rows = [list(row) for row in rows_of(table.text)]
    if len(rows) < 3 or len(rows[0]) < 2:
        return None
    tear = chance.choice([*TEARS, None])
    if tear is None:
        lines = "\n".join(" ".join(filter(None, row)) for row in rows)
        return replace(table, category=Category.TEXT, text=lines, structure=None, sums=None)
    found = tear(rows, chance)
    tags = ["th" if n == 0 and "<th" in table.text else "td" for n in range(len(found))]
    cells = ("".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) for tag, row in zip(tags, found, strict=True))
    return replace(table, text=f"<table><tr>{'</tr><tr>'.join(cells)}</tr></table>", sums=None)


def _joined(*cells: str) -> str:
    return " ".join(filter(None, cells))


def _columns_in_one(rows: Rows, chance: random.Random) -> Rows:
    at = chance.randrange(len(rows[0]) - 1)
    return [[*row[:at], _joined(*row[at : at + 2]), *row[at + 2 :]] for row in rows]


def _rows_in_one(rows: Rows, chance: random.Random) -> Rows:
    first, count = chance.randrange(1, len(rows) - 1), chance.choice([1, 1, 2, len(rows)])
    made, at = rows[:first], first
    while at < len(rows):
        both = count > 0 and at + 1 < len(rows)
        made.append([_joined(*cells) for cells in zip(*rows[at : at + 1 + both], strict=True)])
        at, count = at + 1 + both, count - 1
    return made


def _column_shifted(rows: Rows, chance: random.Random) -> Rows:
    at = chance.randrange(len(rows[0]))
    column = [row[at] for row in rows[1:]]
    column = ["", *column[:-1]] if chance.random() < 0.5 else [*column[1:], ""]
    return [rows[0], *([*row[:at], cell, *row[at + 1 :]] for row, cell in zip(rows[1:], column, strict=True))]


def _rows_in_two(rows: Rows, _: random.Random) -> Rows:
    half, rest = len(rows[0]) // 2, len(rows[0]) - len(rows[0]) // 2
    return [rows[0], *(part for row in rows[1:] for part in ([*row[:half], *rest * [""]], [*half * [""], *row[half:]]))]


def _moved(blocks: Sequence[Block], chance: random.Random) -> list[int]:
    order, count = list(range(len(blocks))), chance.randint(1, 3)
    first = chance.randrange(len(order) - count + 1)
    rest = order[:first] + order[first + count :]
    at = chance.randrange(len(rest) + 1)
    return rest[:at] + order[first : first + count] + rest[at:]


def _read_across(blocks: Sequence[Block], _: random.Random) -> list[int]:
    return sorted(range(len(blocks)), key=lambda n: (blocks[n].box.y0 // LEVEL, blocks[n].box.x0))


def _left_then_right(blocks: Sequence[Block], _: random.Random) -> list[int]:
    middle = sorted(block.box.center[0] for block in blocks)[len(blocks) // 2]
    return sorted(range(len(blocks)), key=lambda n: (blocks[n].box.center[0] >= middle, blocks[n].box.y0))


def _halves_turned(blocks: Sequence[Block], chance: random.Random) -> list[int]:
    order, half = list(range(len(blocks))), len(blocks) // 2
    first = chance.randint(1, half)
    woven = [*order[:first], *order[half : half + first], *order[first:half], *order[half + first :]]
    return woven if chance.random() < 0.5 else order[half:] + order[:half]


TEARS: tuple[Callable[[Rows, random.Random], Rows], ...] = (
    _columns_in_one,
    _rows_in_one,
    _column_shifted,
    _rows_in_two,
)
ORDERS: tuple[Callable[[Sequence[Block], random.Random], list[int]], ...] = (
    _moved,
    _read_across,
    _left_then_right,
    _halves_turned,
)
