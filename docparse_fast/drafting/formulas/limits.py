"""Sets sums and their like with limits, braces with notes, and signs over relations. Knows places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.atoms import Atom, Parts, around, away, main_line, replaced, without
from docparse_fast.drafting.formulas.marks import Setter
from docparse_fast.drafting.formulas.signs import BIG_KINDS, DISPLAYED, Kind
from docparse_fast.drafting.formulas.writing import tight
from docparse_fast.drafting.measures import SAME_PLACE, SMALLER

REACH = 0.55  # of the type's size: how far off a limit may begin
NEIGHBOUR = 0.45  # of the type's size: the widest gap within a limit
TOUCHING = 0.15  # the same, where another limit may stand beside it
MIDDLE = 0.15  # of the type's size: how far the middle of one limit's signs lies off the sum's
OVERLAP = 0.16  # of the type's size: how far a limit may reach into the sign's height
LEVEL = 0.25  # of the type's size: how far apart baselines of one line may lie


def with_limits(parts: Parts, setter: Setter) -> Parts:
    atoms, rules = parts
    bearers = [atom for atom in atoms if atom.kind in BIG_KINDS]
    for bearer in sorted(bearers, key=lambda a: (-a.size, a.box.x0)):
        if any(atom is bearer for atom in atoms):  # it is in no other's limit
            alike = [other for other in bearers if other.size > SMALLER * bearer.size]
            atoms = _with_limits(bearer, alike, atoms, setter)
    return atoms, rules


def _with_limits(bearer: Atom, bearers: Sequence[Atom], atoms: list[Atom], setter: Setter) -> list[Atom]:
    over = _limit(bearer, bearers, atoms, -1)
    under = _limit(bearer, bearers, atoms, 1)
    if not over and not under:
        return atoms
    latex = bearer.latex + _script("_", under, setter) + _script("^", over, setter)
    made = replace(bearer, latex=latex, box=Box.around([bearer.box, around([*over, *under])]), made=True, symbol="")
    return replaced(atoms, [bearer, *over, *under], made)


def _script(sign: str, atoms: Sequence[Atom], setter: Setter) -> str:
    return f"{sign}{{{tight(setter(atoms, ()))}}}" if atoms else ""


def _limit(bearer: Atom, bearers: Sequence[Atom], atoms: Sequence[Atom], way: int) -> list[Atom]:
    """Small signs over (-1) or under (1) a sum, that are nearer to it than to any other, and centered on it."""
    middle = bearer.box.center[0]
    near = [a for a in atoms if not any(a is other for other in bearers) and _stands(bearer, a, way)]
    near += _level_with(near, atoms, bearer)
    near = [a for a in near if _owner(a, near, bearers) is bearer]
    core = [a for a in near if a.box.x0 - SAME_PLACE * a.size < middle < a.box.x1 + SAME_PLACE * a.size]
    if not core:
        return []
    taken = _grown(core, near)
    off = abs(around(taken).center[0] - middle)
    room = SAME_PLACE * bearer.size if bearer.kind is Kind.BIG else 0.1 * bearer.size
    return taken if off < room else []


def _owner(atom: Atom, near: Sequence[Atom], bearers: Sequence[Atom]) -> Atom:
    """The sum that a small sign belongs to: the one on which the signs that touch it are centered, or the nearest."""
    box = around(_grown([atom], near, TOUCHING))
    centred = [b for b in bearers if abs(b.box.center[0] - box.center[0]) < MIDDLE * b.size]
    return min(centred or bearers, key=lambda bearer: _distance(bearer, atom))


def _level_with(near: Sequence[Atom], atoms: Sequence[Atom], bearer: Atom) -> list[Atom]:
    """Small signs too far from a sum by themselves: on the line of others, such as commas."""
    known = {id(atom) for atom in near}
    small = [a for a in atoms if id(a) not in known and a.size <= SMALLER * bearer.size]
    return [a for a in small if any(abs(a.baseline - other.baseline) < LEVEL * other.size for other in near)]


def _distance(bearer: Atom, atom: Atom) -> float:
    across = abs(bearer.box.center[0] - atom.box.center[0])
    return across + 3 * max(bearer.box.gap_y(atom.box), 0.0)


def _grown(core: Sequence[Atom], near: Sequence[Atom], gap: float = NEIGHBOUR) -> list[Atom]:
    taken = list(core)
    rest = [a for a in near if a not in core]
    while True:
        box = around(taken)
        more = [a for a in rest if box.gap_x(a.box) < gap * a.size]
        if not more:
            return taken
        taken += more
        rest = [a for a in rest if a not in more]


def _stands(bearer: Atom, atom: Atom, way: int) -> bool:
    size = max(bearer.size, bearer.box.height / DISPLAYED)
    if atom.size > SMALLER * size:
        return False
    slack, reach = OVERLAP * size, REACH * size
    if way < 0:
        return bearer.box.y0 - reach < atom.box.y1 < bearer.box.y0 + slack
    return bearer.box.y1 - slack < atom.box.y0 < bearer.box.y1 + reach


# ----------------------------------------------------------------------------------- over other things


def with_braces(parts: Parts, setter: Setter) -> Parts:
    """`\\overbrace` and `\\underbrace`, each with the note on its far side."""
    atoms, rules = parts
    for brace in sorted((a for a in atoms if a.kind is Kind.BRACE), key=lambda a: a.box.width):
        way = -1 if brace.symbol.startswith("\\over") else 1
        inside = _beside(brace, atoms, -way, 0.0)
        note = [a for a in _beside(brace, atoms, way, NEIGHBOUR) if a.size <= SMALLER * brace.size]
        if not inside:
            continue
        sign = "^" if way < 0 else "_"
        latex = f"{brace.symbol}{{{setter(inside, ())}}}" + (f"{sign}{{{setter(note, ())}}}" if note else "")
        main = main_line(inside)
        made = Atom(around([brace, *inside, *note]), latex, main.size, main.axis, made=True)
        atoms = replaced(atoms, [brace, *inside, *note], made)
    return atoms, rules


def _beside(brace: Atom, atoms: Sequence[Atom], way: int, more: float) -> list[Atom]:
    """What stands over (-1) or under (1) a brace."""
    size = brace.size
    left, right = brace.box.x0 - (0.15 + more) * size, brace.box.x1 + (0.15 + more) * size
    level = [a for a in without(atoms, [brace]) if left < a.box.center[0] < right]
    near = [a for a in level if -0.2 * size < away(brace.box, a.box, way) < 0.9 * size]
    if not near:
        return []
    box = around(near)
    beside = (a for a in level if away(brace.box, a.box, way) > -0.3 * size)
    return [a for a in beside if a.box.overlap_y(box) > 0.3 * a.box.height]


def with_notes_on_relations(parts: Parts, setter: Setter) -> Parts:
    """Small signs centered right over or under a relation, as over an arrow."""
    atoms, rules = parts
    relations = [a for a in atoms if a.kind is Kind.RELATION and not a.made]
    for relation in relations:
        over, under = (_note(relation, atoms, way) for way in (-1, 1))
        if over or under:
            latex = _noted(relation, setter(over, ()) if over else "", setter(under, ()) if under else "")
            box = around([relation, *over, *under])
            made = Atom(box, latex, relation.size, relation.axis, Kind.RELATION, made=True)
            atoms = replaced(atoms, [relation, *over, *under], made)
    return atoms, rules


def _noted(relation: Atom, over: str, under: str) -> str:
    arrow = {"\\rightarrow": "\\xrightarrow", "\\to": "\\xrightarrow", "\\leftarrow": "\\xleftarrow"}
    if over and relation.symbol in arrow and relation.box.width > 1.2 * relation.size:
        return arrow[relation.symbol] + (f"[{under}]" if under else "") + f"{{{over}}}"
    latex = f"\\underset{{{under}}}{{{relation.latex}}}" if under else relation.latex
    return f"\\overset{{{over}}}{{{latex}}}" if over else latex


def _note(relation: Atom, atoms: Sequence[Atom], way: int) -> list[Atom]:
    box, size = relation.box, relation.size
    small = [a for a in atoms if a.size < SMALLER * size and -0.25 * size < away(box, a.box, way) < 0.5 * size]
    over = [a for a in small if box.x0 - 0.1 * a.size < a.box.center[0] < box.x1 + 0.1 * a.size]
    return over if over and abs(around(over).center[0] - box.center[0]) < 0.2 * size else []
