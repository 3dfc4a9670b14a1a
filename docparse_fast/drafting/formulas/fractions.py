"""Sets fractions, and lines over or under letters. Knows places; sets what stands over and under by `setter`."""

from __future__ import annotations

from collections.abc import Sequence

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.atoms import Atom, Parts, around, largest, replaced
from docparse_fast.drafting.formulas.marks import Setter, with_line
from docparse_fast.drafting.formulas.signs import Kind

NEAREST = 0.75  # of the type's size: how far from the bar a numerator may begin
CHAIN = 0.22  # of the type's size: the widest gap within a numerator or a denominator
ENDS = 0.15  # of the type's size: how far a line's ends lie from those of its letters
RUN = 0.35  # of the type's size: the widest gap in a line of signs
BESIDE = 0.2  # of the type's size: how far beyond the bar's end a sign's middle may lie


def with_rules(parts: Parts, setter: Setter) -> Parts:
    """The narrowest rules first: an inner fraction is one atom of the outer one."""
    atoms, rules = parts
    for bar in sorted(rules, key=lambda bar: bar.width):
        if not any(rule is bar for rule in rules):
            continue
        others = [rule for rule in rules if rule is not bar]
        over, under = (_side(bar, atoms, others, way) for way in (-1, 1))
        if over and under and not _is_line(bar, over, under, atoms, others):
            atoms, rules = replaced(atoms, [*over, *under], _fraction(bar, over, under, setter)), others
        else:
            atoms, rules = with_line((atoms, rules), bar, setter)
    return atoms, rules


def _fraction(bar: Box, over: Sequence[Atom], under: Sequence[Atom], setter: Setter) -> Atom:
    both = [*over, *under]
    latex = f"\\frac{{{setter(over, ())}}}{{{setter(under, ())}}}"
    return Atom(Box.around([bar, around(both)]), latex, largest(both), bar.center[1], made=True)


def _is_line(
    bar: Box, over: Sequence[Atom], under: Sequence[Atom], atoms: Sequence[Atom], rules: Sequence[Box]
) -> bool:
    """Whether one side is close and as wide as the rule, and the other part of a longer line of signs."""
    for near, far in ((under, over), (over, under)):
        box, size = around(near), largest(near)
        fits = abs(box.x0 - bar.x0) < ENDS * size and abs(box.x1 - bar.x1) < ENDS * size
        if fits and _runs_on(bar, far, atoms, rules):
            return True
    return False


def _runs_on(bar: Box, far: Sequence[Atom], atoms: Sequence[Atom], rules: Sequence[Box]) -> bool:
    box = around(far)
    return any(
        not any(atom is each for each in far)
        and atom.size >= largest(far)
        and not atom.is_tall
        and atom.box.overlap_y(box) > 0.5 * atom.box.height
        and max(atom.box.x0 - box.x1, box.x0 - atom.box.x1) < RUN * atom.size
        and not any(rule.overlap_x(atom.box) > 0.5 * atom.box.width for rule in rules)
        for atom in atoms
    )


def _side(bar: Box, atoms: Sequence[Atom], rules: Sequence[Box], way: int) -> list[Atom]:
    """What stands over (-1) or under (1) a bar, up to the next gap or the next bar."""
    limit = _next_bar(bar, rules, way)
    within = [
        a
        for a in atoms
        if bar.x0 - BESIDE * a.size <= a.box.center[0] <= bar.x1 + BESIDE * a.size and _beyond(bar, a.box, way, limit)
    ]
    within.sort(key=lambda a: _gap(bar, a.box, way))
    taken: list[Atom] = []
    for atom in within:
        size = atom.size
        gap = _gap(around(taken), atom.box, way) if taken else _gap(bar, atom.box, way)
        if gap > (CHAIN if taken else NEAREST) * size and not (taken and _holds_limits(taken, atom, gap)):
            break
        taken.append(atom)
    return taken


def _holds_limits(taken: Sequence[Atom], atom: Atom, gap: float) -> bool:
    """A sum stands a little farther from its limits than other signs from each other."""
    return (atom.kind is Kind.BIG or any(a.kind is Kind.BIG for a in taken)) and gap < 2 * CHAIN * atom.size


def _beyond(bar: Box, box: Box, way: int, limit: float) -> bool:
    middle = box.center[1]
    return (limit < middle < bar.y0) if way < 0 else (bar.y1 < middle < limit)


def _gap(side: Box, box: Box, way: int) -> float:
    return side.y0 - box.y1 if way < 0 else box.y0 - side.y1


def _next_bar(bar: Box, rules: Sequence[Box], way: int) -> float:
    """Where the next wider bar on this side lies, as in `1/(a/b)`."""
    wide = [r for r in rules if r.overlap_x(bar) > 0.8 * bar.width and r.width > bar.width]
    if way < 0:
        return max((r.y1 for r in wide if r.y1 <= bar.y0), default=float("-inf"))
    return min((r.y0 for r in wide if r.y0 >= bar.y1), default=float("inf"))
