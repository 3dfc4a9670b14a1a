"""Sets fractions, and lines over or under letters. Knows places; sets what stands over and under by `setter`."""

from __future__ import annotations

from collections.abc import Sequence

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.atoms import Atom, Parts, around, largest, replaced
from docparse_fast.drafting.formulas.baselines import SCRIPT, main_line
from docparse_fast.drafting.formulas.marks import Setter, with_line
from docparse_fast.drafting.formulas.signs import Kind

TWO_LINES = 0.6  # of the type's size: axes this far apart are of two lines
NEXT_LINE = 0.88  # of the type's size: in a displayed fraction the line under the bar stands lower
OFF = 0.36  # of the type's size: in a fraction within text the numerator stands nearer to the bar
NEAREST = 0.75  # of the type's size: how far from the bar a numerator may begin
CHAIN = 0.22  # of the type's size: the widest gap within a numerator or a denominator
ENDS = 0.15  # of the type's size: how far a line's ends lie from those of its letters
ON_LINE = 0.2  # of the type's size: how far apart the axes of one line of signs may lie
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
    return _is_of_next_line(bar, over, under)


def _is_of_next_line(bar: Box, over: Sequence[Atom], under: Sequence[Atom]) -> bool:
    """Whether the rule is nearer to the letters under it, and farther from those over it, than TeX sets fractions."""
    inside = [a for a in under if a.box.x0 > bar.x0 - ENDS * a.size and a.box.x1 < bar.x1 + ENDS * a.size]
    if not inside or any(a.made or a.is_tall or not a.exact for a in inside):
        return False
    size, box = largest(inside), around(inside)
    fits = abs(box.x0 - bar.x0) < ENDS * size and abs(box.x1 - bar.x1) < ENDS * size
    low = main_line(inside).baseline - bar.y1 < NEXT_LINE * size
    return fits and low and bar.y0 - main_line(over).baseline > OFF * size


def _runs_on(bar: Box, far: Sequence[Atom], atoms: Sequence[Atom], rules: Sequence[Box]) -> bool:
    box, axis = around(far), main_line(far).axis
    return any(
        not any(atom is each for each in far)
        and largest(far) <= atom.size < largest(far) / SCRIPT
        and not atom.is_tall
        and abs(atom.axis - axis) < ON_LINE * atom.size
        and max(atom.box.x0 - box.x1, box.x0 - atom.box.x1) < RUN * atom.size
        and not any(rule.overlap_x(atom.box) > 0.5 * atom.box.width for rule in rules)
        for atom in atoms
    )


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
        if gap > (CHAIN if taken else NEAREST) * size and not (taken and _holds_limits(taken, atom, gap)):
            break
        if _are_two_lines([*taken, atom]) or (taken and _is_larger(atom, taken, way)):
            break
        taken.append(atom)
    return taken


def _is_larger(atom: Atom, taken: Sequence[Atom], way: int) -> bool:
    """Whether a sign of larger type stands apart from what is right at the bar, as the next row of cases does."""
    apart = _gap(around(taken), atom.box, way) > 0 and atom.kind is not Kind.BIG
    sums = any(a.kind is Kind.BIG and a.symbol != "\\name" for a in taken)
    return apart and not sums and atom.size * SCRIPT > largest(taken)


def _are_two_lines(atoms: Sequence[Atom]) -> bool:
    """Whether the signs of the largest type stand on more than one line."""
    axes = [a.axis for a in atoms if a.size > SCRIPT * largest(atoms)]
    return bool(axes) and max(axes) - min(axes) > TWO_LINES * largest(atoms)


def _holds_limits(taken: Sequence[Atom], atom: Atom, gap: float) -> bool:
    """A sum stands a little farther from its limits than other signs from each other."""
    return (atom.kind is Kind.BIG or any(a.kind is Kind.BIG for a in taken)) and gap < 2 * CHAIN * atom.size


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
