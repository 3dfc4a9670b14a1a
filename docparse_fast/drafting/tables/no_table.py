"""What no table is, though a reader proposes it: lists and chance."""

from __future__ import annotations

from collections.abc import Sequence

from docparse_fast.document import Box
from docparse_fast.drafting.blocks.line_ends import READS_ON, STOP
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import EDGE, LARGER, SEVERAL
from docparse_fast.drafting.tables.candidates import MOST_PROVEN, TableCandidate
from docparse_fast.drafting.tables.cell_evidence import off_level
from docparse_fast.drafting.tables.grid import box_of
from docparse_fast.drafting.words import MARKER, PLAIN_BULLETS

MOST_LINES_AGAIN = 200  # of a part that is read again: what is as large hardly has its columns from what stands around
MOST_OFF_LEVEL = 0.1  # of neighbours in rows: all 13 tables chosen with more on 120 papers were wrong
BULLETS = PLAIN_BULLETS | {"·"}


def is_no_table(candidate: TableCandidate, lines: Sequence[Line]) -> bool:
    told = _is_list(candidate) or _begins_in_sentence(candidate, lines) or _is_chance(candidate, lines)
    return told or _holds_its_name(candidate, lines)


def _holds_its_name(candidate: TableCandidate, lines: Sequence[Line]) -> bool:
    """Whether the line in its largest type, larger than all others, stands in a cell with another."""
    held = sorted((lines[n] for n in candidate.lines), key=lambda line: -line.size)
    if len(held) < SEVERAL or candidate.reader == "lattice" or held[0].size < LARGER * held[1].size:
        return False
    boxes = [box_of(cell) for cell in candidate.filled if box_of(cell).holds(held[0].box)]
    return held[0].is_exact and any(box.holds(line.box) for box in boxes for line in held[1:])


def _is_chance(candidate: TableCandidate, lines: Sequence[Line]) -> bool:
    """Whether what stands in its rows stands on other baselines, where the file tells them and no rules make rows."""
    held = [lines[n] for n in candidate.lines]
    drawn_or_fields = candidate.reader in ("lattice", "fields")
    told = not drawn_or_fields and len(held) <= MOST_LINES_AGAIN and all(line.baseline for line in held)
    return told and off_level(candidate.rows[:MOST_PROVEN], held) > MOST_OFF_LEVEL


def _begins_in_sentence(candidate: TableCandidate, lines: Sequence[Line]) -> bool:
    """Whether a first cell goes on with the line right above it, in small letters: columns of text side by side."""
    firsts = [box_of(cell) for cell in candidate.rows[0] if cell.text[:1].islower()] if candidate.rows else []
    if not firsts or candidate.reader == "lattice":
        return False
    others = [line for n, line in enumerate(lines) if n not in candidate.lines]
    return any(_goes_on_in(line, first) for first in firsts for line in others)


def _goes_on_in(above: Line, first: Box) -> bool:
    close = (
        0 <= first.y0 - above.box.y1 + EDGE * above.size < above.size
        and abs(first.x0 - above.box.x0) < EDGE * above.size
    )
    return close and above.box.width > READS_ON * above.size and not STOP.search(above.plain)


def _is_list(candidate: TableCandidate) -> bool:
    """Whether its first column is bullets or boxes to tick, mostly; or two columns are markers and texts."""
    first = [cell.text.strip() for cell in candidate.filled if cell.column == 0]
    if _are_bullets(first, candidate) or _are_rows_of_items(candidate):
        return True
    marked = _mostly([bool(MARKER.match(f"{text} x")) for text in first])
    return candidate.width == SEVERAL and marked


def _are_bullets(first: Sequence[str], candidate: TableCandidate) -> bool:
    """Boxes below a head of their own, in rows that all fill more than one other column, are a table's."""
    bullets = [text in BULLETS for text in first]
    full = all(len(row) > SEVERAL for row in candidate.rows)
    headed = bullets[:1] == [False] and len(candidate.rows[0]) == candidate.width and full
    return _mostly(bullets) and not headed


def _are_rows_of_items(candidate: TableCandidate) -> bool:
    """Whether most rows begin with a bullet and have another."""
    rows = [[cell.text[0] in BULLETS for cell in row] for row in candidate.rows if row]
    return _mostly([row[0] and sum(row) > 1 for row in rows])


def _mostly(told: Sequence[bool]) -> bool:
    return 2 * sum(told) > len(told)
