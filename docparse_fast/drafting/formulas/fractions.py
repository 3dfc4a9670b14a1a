"""Sets fractions, and lines over or under letters. Knows places; sets what stands over and under by `setter`."""

from __future__ import annotations

from collections.abc import Sequence

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.atoms import Atom, Parts, around, largest, replaced
from docparse_fast.drafting.formulas.baselines import SCRIPT
from docparse_fast.drafting.formulas.marks import Setter, with_line

TWO_LINES = 0.6  # of the type's size: axes this far apart are of two lines
NEAREST = 0.75  # of the type's size: how far from the bar a numerator may begin
CHAIN = 0.22  # of the type's size: the widest gap within a numerator or a denominator
ON_LINE = 0.2  # of the type's size: how far apart the axes of one line of signs may lie
BESIDE = 0.2  # of the type's size: how far beyond the bar's end a sign's middle may lie


def with_rules(parts: Parts, setter: Setter) -> Parts:
    """The narrowest rules first: an inner fraction is one atom of the outer one."""
    atoms, rules = parts
    for bar in sorted(rules, key=lambda bar: bar.width):
        if not any(rule is bar for rule in rules):
            continue
        others = [rule for rule in rules if rule is not bar]
        over, under = (_side(bar, atoms, others, way) for way in (-1, 1))
        if over and under:
            atoms, rules = replaced(atoms, [*over, *under], _fraction(bar, over, under, setter)), others
        else:
            atoms, rules = with_line((atoms, rules), bar, setter)
    return atoms, rules


def _fraction(bar: Box, over: Sequence[Atom], under: Sequence[Atom], setter: Setter) -> Atom:
    both = [*over, *under]
    latex = f"\\frac{{{setter(over, ())}}}{{{setter(under, ())}}}"
    return Atom(Box.around([bar, around(both)]), latex, largest(both), bar.center[1], made=True)


def _side(bar: Box, atoms: Sequence[Atom], rules: Sequence[Box], way: int) -> list[Atom]:
    """What stands over (-1) or under (1) a bar, up to the next gap or the next bar."""
    limit = _limit(bar, atoms, rules, way)
    within = [
        a
        for a in atoms
        if bar.x0 - BESIDE * a.size <= a.box.center[0] <= bar.x1 + BESIDE * a.size
        and _beyond(bar, a.box, way, limit)
        and not (a.exact and abs(a.axis - bar.center[1]) < ON_LINE * a.size)  # it stands beside the bar
    ]
    within.sort(key=lambda a: _gap(bar, a.box, way))
    taken: list[Atom] = []
    for atom in within:
        size = atom.size
        gap = _gap(around(taken), atom.box, way) if taken else _gap(bar, atom.box, way)
        if gap > (CHAIN if taken else NEAREST) * size or _are_two_lines([*taken, atom]):
            break
        taken.append(atom)
    return taken


def _are_two_lines(atoms: Sequence[Atom]) -> bool:
    """Whether the signs of the largest type stand on more than one line."""
    axes = [a.axis for a in atoms if a.size > SCRIPT * largest(atoms)]
    return bool(axes) and max(axes) - min(axes) > TWO_LINES * largest(atoms)


def _beyond(bar: Box, box: Box, way: int, limit: float) -> bool:
    middle = box.center[1]
    return (limit < middle < bar.y0) if way < 0 else (bar.y1 < middle < limit)


def _gap(side: Box, box: Box, way: int) -> float:
    return side.y0 - box.y1 if way < 0 else box.y0 - side.y1


def _limit(bar: Box, atoms: Sequence[Atom], rules: Sequence[Box], way: int) -> float:
    """How far a bar's side reaches: to the next bar, as in `1/(a/b)`, or halfway if two lines stand between."""
    beyond = [r for r in rules if _overlap(r, bar) and _beyond(bar, r, way, way * float("inf"))]
    near = min(beyond, key=lambda r: abs(r.center[1] - bar.center[1]), default=None)
    if near is None:
        return way * float("inf")
    low, high = sorted((bar.center[1], near.center[1]))
    between = [a for a in atoms if low < a.axis < high and a.box.overlap_x(bar) > 0 and not a.is_tall]
    if _are_two_lines(between):
        return (low + high) / 2
    return near.center[1] if near.width > bar.width else way * float("inf")


def _overlap(a: Box, b: Box) -> bool:
    return a.overlap_x(b) > 0.8 * min(a.width, b.width)
