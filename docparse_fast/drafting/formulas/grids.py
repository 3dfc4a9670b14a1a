"""Sets what stands in rows: matrices, cases, binomials, aligned lines. Knows places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from math import inf

from docparse_fast.drafting.formulas.atoms import SAME_ROW, Atom, Parts, Setter, largest, replaced, without
from docparse_fast.drafting.formulas.compounds import pairs
from docparse_fast.drafting.formulas.signs import BIG_KINDS, DISPLAYED, PARTNERS, Kind
from docparse_fast.drafting.measures import SAME_PLACE
from docparse_fast.geometry import around, runs

ROW_GAP = 0.02  # of the type's size: white between two rows
TWO_ROWS = 0.9  # of the type's size: axes this far apart are of two rows
COLUMN_GAP = 0.65  # of the type's size: white between two columns
FULL = 0.8  # of the largest type: what stands on a row's line
ENVIRONMENTS = {"(": "pmatrix", "[": "bmatrix", "\\{": "Bmatrix", "|": "vmatrix", "\\|": "Vmatrix"}


def rows_of(atoms: Sequence[Atom]) -> list[list[Atom]]:
    """Parts with white between them; a part without a full-sized sign belongs to its neighbour."""
    letters = [a for a in atoms if a.kind not in BIG_KINDS]  # some fonts' sums are larger
    size = largest(letters or atoms)
    from_above = sorted(atoms, key=lambda a: a.box.y0)
    rows = runs(from_above, lambda row, atom: atom.box.y0 < around(row).y1 + ROW_GAP * size)
    return [part for row in _sound_rows(rows, size) for part in _split(row, size)]


def _sound_rows(rows: Sequence[list[Atom]], size: float) -> list[list[Atom]]:
    """Rows stand apart by their axes; small signs alone are no row."""
    sound: list[list[Atom]] = []
    waiting: list[Atom] = []
    for row in rows:
        full = _axes(row, size)
        before = _axes(sound[-1], size) if sound else []
        if not full and not sound:
            waiting += row
        elif sound and (not full or not before or min(full) - max(before) < SAME_ROW * size):
            sound[-1] += row
        else:
            sound.append(waiting + row)
            waiting = []
    return sound or [waiting]


def _axes(row: Sequence[Atom], size: float) -> list[float]:
    full = (a for a in row if a.size >= FULL * size)
    return [a.axis for a in full if not a.is_tall_fence]


def _split(row: list[Atom], size: float) -> list[list[Atom]]:
    """Rows that touch, as of letters with scripts, told apart by the lines they stand on."""
    axes = sorted(_axes(row, size))
    lines = [(a, b) for a, b in pairwise(axes) if b - a > TWO_ROWS * size]
    fences = [a.box for a in row if a.is_tall_fence]
    if not lines or any(box.y0 < a and b < box.y1 for a, b in lines for box in fences):
        return [row]
    levels = [(a + b) / 2 for a, b in lines]
    found: list[list[Atom]] = [[] for _ in range(len(levels) + 1)]
    for atom in row:
        found[sum(atom.axis > level for level in levels)].append(atom)
    return found if all(len(part) > 1 for part in found) else [row]


# ---------------------------------------------------------------------------------------------- matrices


def with_grids(parts: Parts, setter: Setter) -> Parts:
    """Fences around several rows, inner ones first; a brace that nothing closes begins cases."""
    atoms, rules = parts
    for fences in sorted(pairs(atoms), key=lambda pair: pair[1].box.x0 - pair[0].box.x0):
        atoms = _with_grid(atoms, fences, _between(*fences, atoms), partial(_matrix, *fences), setter)
    braces = without([a for a in atoms if a.symbol == "\\{" and a.is_tall], [a for pair in pairs(atoms) for a in pair])
    for brace in sorted(braces, key=lambda a: -a.box.x0):
        atoms = _with_grid(atoms, [brace], _behind(brace, atoms), _cases, setter)
    return atoms, rules


def _with_grid(
    atoms: list[Atom],
    fences: Sequence[Atom],
    inside: Sequence[Atom],
    write: Callable[[Sequence[Sequence[str]]], str],
    setter: Setter,
) -> list[Atom]:
    """The fences and what stands in several rows beside them as one part, which is written of the rows' cells."""
    fence = fences[0].box
    rows = rows_of(inside) if inside and fence.height > DISPLAYED * largest(inside) else []
    if len(rows) < 2:
        return atoms
    latex = write([[setter(cell, ()) for cell in row] for row in columns_of(rows)])
    taken = [*fences, *inside]
    return replaced(atoms, taken, Atom(around(taken), latex, largest(inside), fence.center[1], made=True))


def _between(opening: Atom, closing: Atom, atoms: Sequence[Atom]) -> list[Atom]:
    slack = 0.3 * opening.size
    left, right = opening.box.x1 - slack, closing.box.x0 + slack
    top, bottom = opening.box.y0 - slack, opening.box.y1 + slack
    within = [a for a in atoms if left < a.box.center[0] < right and top < a.box.center[1] < bottom]
    return without(within, (opening, closing))


def _behind(brace: Atom, atoms: Sequence[Atom]) -> list[Atom]:
    right = [a for a in without(atoms, [brace]) if a.box.x0 >= brace.box.x1 - 0.3 * brace.size]
    return [a for a in right if brace.box.y0 < a.box.center[1] < brace.box.y1]


def _matrix(opening: Atom, closing: Atom, cells: Sequence[Sequence[str]]) -> str:
    if len(cells) == 2 and len(cells[0]) == 1 and (opening.symbol, closing.symbol) == ("(", ")"):
        return f"\\binom{{{cells[0][0]}}}{{{cells[1][0]}}}"
    body, name = _body(cells), ENVIRONMENTS.get(opening.symbol)
    if name is not None and PARTNERS[opening.symbol] == closing.symbol:
        return f"\\begin{{{name}}} {body} \\end{{{name}}}"
    return f"\\left{opening.symbol} \\begin{{matrix}} {body} \\end{{matrix}} \\right{closing.symbol}"


def _cases(cells: Sequence[Sequence[str]]) -> str:
    return f"\\begin{{cases}} {_body(cells)} \\end{{cases}}"


def _body(cells: Sequence[Sequence[str]]) -> str:
    return " \\\\ ".join(" & ".join(row) for row in cells)


def columns_of(rows: Sequence[Sequence[Atom]]) -> list[list[list[Atom]]]:
    """Each row's cells; columns stand apart by white that no row interrupts."""
    atoms = sorted((a for row in rows for a in row), key=lambda a: a.box.x0)
    gap = COLUMN_GAP * largest(atoms)
    columns = runs(atoms, lambda column, atom: atom.box.x0 - around(column).x1 <= gap)
    starts = [column[0].box.x0 - gap / 2 for column in columns[1:]]
    within = list(pairwise([-inf, *starts, inf]))
    return [[[a for a in row if start <= a.box.center[0] < end] for start, end in within] for row in rows]


# --------------------------------------------------------------------------------------------- aligned lines


def aligned(rows: Sequence[Sequence[Atom]], setter: Setter) -> str:
    """Lines of one formula, aligned at a relation if they have one at the same place."""
    place = _common_place(rows)
    if place is None:
        return "\\begin{gathered} " + " \\\\ ".join(setter(row, ()) for row in rows) + " \\end{gathered}"
    lines = [_aligned_line(row, place, setter) for row in rows]
    return "\\begin{aligned} " + " \\\\ ".join(lines) + " \\end{aligned}"


def _aligned_line(row: Sequence[Atom], place: float, setter: Setter) -> str:
    """The row before and behind the place; one that runs across it without a relation stands before it."""
    across = around(row).x0 < place and not _has_at(row, place, largest(row))
    left = [a for a in row if across or a.box.center[0] < place]
    right = [a for a in row if a not in left]
    return f"{setter(left, ())} & {setter(right, ())}".strip()


def _common_place(rows: Sequence[Sequence[Atom]]) -> float | None:
    size = largest([a for row in rows for a in row])
    first = [a.box.x0 for row in rows for a in row if a.kind is Kind.RELATION]
    counted = [(sum(_has_at(row, x, size) for row in rows), -x) for x in first]
    best, place = max(counted, default=(0, 0.0))
    return -place - 0.05 * size if best >= 2 else None


def _has_at(row: Sequence[Atom], x: float, size: float) -> bool:
    return any(a.kind is Kind.RELATION and abs(a.box.x0 - x) < SAME_PLACE * size for a in row)
