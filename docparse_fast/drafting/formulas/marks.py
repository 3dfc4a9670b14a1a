"""Sets roots, accents, fractions and lines, and what stands over or under sums, braces and relations.

Knows places; sets what stands inside by `setter`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.atoms import (
    SAME_ROW,
    Atom,
    MainLine,
    Parts,
    Setter,
    away,
    largest,
    main_line,
    of_kind,
    replaced,
    without,
)
from docparse_fast.drafting.formulas.signs import BIG_KINDS, DISPLAYED, WIDE_ACCENTS, Kind
from docparse_fast.drafting.formulas.writing import tight
from docparse_fast.drafting.measures import LEADING, MOSTLY, ON_LEVEL, SAME_PLACE, SCRIPT, SMALLER, WORD_GAP
from docparse_fast.geometry import around

INDEX_REACH = 0.9  # of the type's size: how far left of a root its index may begin
INDEX_SIZE = 0.8  # of the content's size
LINE_END = 0.25  # of the type's size: how far such a line may end from its letters
SAME_SIZE = 0.2  # of the accent's size: how far the letter's may differ
GAP = 0.45  # of the type's size, between a letter and its accent, and within a limit
CHAIN = 0.22  # of the type's size: the widest gap within a numerator or a denominator
BESIDE = 0.2  # of the type's size: how far beyond the bar's end a sign's middle may lie


def with_roots(parts: Parts, setter: Setter) -> Parts:
    """Inner roots first; each becomes an atom."""
    atoms, rules = parts
    for root in sorted(of_kind(atoms, Kind.RADICAL), key=lambda a: a.box.area):
        rule = _rule_of(root, rules)
        inside = _under(root, rule, atoms)
        if not inside:
            continue
        own = [rule] if rule else []
        rules = without(rules, own)
        inner = [r for r in rules if _covers(inside, r)]
        index = _index(root, atoms, inside)
        main = _line_in(inside, inner)
        degree = f"[{setter(index, ())}]" if index else ""
        latex = f"\\sqrt{degree}{{{setter(inside, inner)}}}"
        box = Box.around([root.box, *own, around(inside)])
        made = Atom(box, latex, main.size, main.axis, made=True)
        atoms = replaced(atoms, [root, *inside, *index], made)
        rules = without(rules, inner)
    return atoms, rules


def _line_in(inside: Sequence[Atom], bars: Sequence[Box]) -> MainLine:
    """The line that a root's content stands on: of what is over or under no bar, or of the bar itself."""
    free = [a for a in inside if not any(bar.overlap_x(a.box) > 0.5 * a.box.width for bar in bars)]
    if free or not bars:
        return main_line(free or inside)
    return MainLine(largest(inside), max(bars, key=lambda bar: bar.width).center[1])


def _rule_of(root: Atom, rules: Sequence[Box]) -> Box | None:
    reach = SAME_PLACE * root.size
    fits = [r for r in rules if abs(r.x0 - root.box.x1) < reach and abs(r.center[1] - root.box.y0) < reach]
    return min(fits, key=lambda r: abs(r.x0 - root.box.x1) + abs(r.y0 - root.box.y0), default=None)


def _under(root: Atom, rule: Box | None, atoms: Sequence[Atom]) -> list[Atom]:
    """What stands in the root; without a rule, what stands in the sign's own box."""
    slack = 0.15 * root.size
    if rule is None:
        return [a for a in atoms if a is not root and root.box.holds(a.box) and a.box.x0 > root.box.x0 + 2 * slack]
    room = Box(root.box.x1 - slack, rule.y0 - slack, rule.x1 + slack, root.box.y1 + slack)
    return [a for a in atoms if a is not root and room.holds(a.box) and a.box.y0 > rule.y0 - slack]


def _index(root: Atom, atoms: Sequence[Atom], inside: Sequence[Atom]) -> list[Atom]:
    size = largest(inside)
    room = Box(root.box.x0 - INDEX_REACH * size, root.box.y0 - size, root.box.x1 - 0.1 * size, root.box.center[1])
    small = [a for a in atoms if a.size < INDEX_SIZE * size and room.holds(a.box)]
    # it hangs over the root's hook, unlike a script of the sign before it
    over = [a for a in small if a.box.x1 > root.box.x0 + 0.1 * root.size]
    return [a for a in without(over, [root]) if a not in inside]


def _covers(inside: Sequence[Atom], rule: Box) -> bool:
    box = around(inside)
    return rule.center[1] < box.y1 and box.expanded(0.3 * largest(inside)).covers(rule) > 0.8


def with_line(parts: Parts, rule: Box, setter: Setter) -> Parts:
    """A line over or under letters as wide as it; another rule is left alone."""
    atoms, rules = parts
    over, under = (_beside_rule(rule, atoms, rules, way) for way in (-1, 1))
    inside, name = (under, "\\overline") if under else (over, "\\underline")
    if not inside:
        return parts
    box, size = around(inside), largest(inside)
    if max(abs(box.x0 - rule.x0), abs(box.x1 - rule.x1)) > LINE_END * size:
        return parts
    if name == "\\overline" and len(inside) == 1 and not inside[0].made:
        name = "\\bar"
    main = main_line(inside)
    made = Atom(Box.around([box, rule]), f"{name}{{{setter(inside, ())}}}", main.size, main.axis, made=True)
    return replaced(atoms, inside, made), without(rules, [rule])


def _beside_rule(rule: Box, atoms: Sequence[Atom], rules: Sequence[Box], way: int) -> list[Atom]:
    """The atoms right over (-1) or under (1) a rule, with no other rule between."""
    others = without(rules, [rule])
    inside = [a for a in atoms if rule.x0 - 0.05 * a.size <= a.box.center[0] <= rule.x1 + 0.05 * a.size]
    along = without(inside, of_kind(inside, Kind.RADICAL))

    def is_near(atom: Atom) -> bool:
        free = not any(_is_between(other, rule, atom.box) for other in others)
        return free and -0.15 * atom.size < away(rule, atom.box, way) < SAME_PLACE * atom.size

    level = _level_with(list(filter(is_near, along)), along)
    return [a for a in level if (a.box.center[1] < rule.y0) == (way < 0)]


def _level_with(near: Sequence[Atom], atoms: Sequence[Atom]) -> list[Atom]:
    """The atoms that stand on the line of those that are near."""
    if not near:
        return []
    box = around(near)
    return [a for a in atoms if a.box.overlap_y(box) > 0.3 * a.box.height]


def _is_between(other: Box, rule: Box, box: Box) -> bool:
    low, high = min(rule.center[1], box.center[1]), max(rule.center[1], box.center[1])
    return low < other.center[1] < high and other.overlap_x(box) > 0


# ---------------------------------------------------------------------------------------------- accents


def with_accents(parts: Parts, setter: Setter) -> Parts:
    atoms, rules = parts
    for accent in sorted(of_kind(atoms, Kind.ACCENT), key=lambda a: -a.box.y0):
        base = _base(accent, atoms)
        if not base:
            continue
        main = max(base, key=lambda a: a.size)
        box = Box.around([accent.box, around(base)])
        barred = accent.symbol == "\\bar" and base[0].symbol == "h" and accent.box.y1 > base[0].box.y0
        latex = "\\hbar" if barred else f"{accent.symbol}{{{setter(base, ())}}}"
        made = len(base) > 1 or base[0].made
        atoms = replaced(atoms, [accent, *base], Atom(box, latex, main.size, main.axis, main.kind, made=made))
    return atoms, rules


def _base(accent: Atom, atoms: Sequence[Atom]) -> list[Atom]:
    """The letters under an accent: one, or all that a wide one reaches over."""
    size, middle = accent.size, accent.box.center[0]
    under = [a for a in of_kind(atoms, Kind.LETTER, Kind.BIG) if _may_bear(a, accent)]
    if accent.symbol in WIDE_ACCENTS:
        wide = [a for a in under if accent.box.x0 - 0.15 * size < a.box.center[0] < accent.box.x1 + 0.15 * size]
        return sorted(wide, key=lambda a: a.box.x0)
    reach = [a for a in under if a.box.expanded(0.15 * size).overlap_x(accent.box) > 0]
    return sorted(reach, key=lambda a: abs(a.box.center[0] - middle))[:1]


def _may_bear(atom: Atom, accent: Atom) -> bool:
    """Whether a sign of the accent's size stands right under it."""
    size, gap = accent.size, atom.box.y0 - accent.box.y1
    alike = abs(atom.size - size) < SAME_SIZE * size
    return alike and -0.35 * size < gap < GAP * size and atom.box.center[1] > accent.box.center[1]


def with_rules(parts: Parts, setter: Setter) -> Parts:
    """The narrowest rules first: an inner fraction is one atom of the outer one."""
    atoms, rules = parts
    for bar in sorted(rules, key=lambda bar: bar.width):
        if not any(rule is bar for rule in rules):
            continue
        others = without(rules, [bar])
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
    limit = _reach(bar, atoms, rules, way)
    beyond = (a for a in atoms if _beyond(bar, a.box, way, limit))
    within = [a for a in beyond if bar.x0 - BESIDE * a.size <= a.box.center[0] <= bar.x1 + BESIDE * a.size]
    # what stands beside the bar is left out
    off = (a for a in within if not (a.exact and abs(a.axis - bar.center[1]) < ON_LEVEL * a.size))
    taken: list[Atom] = []
    for atom in sorted(off, key=lambda a: away(bar, a.box, way)):
        gap = away(around(taken) if taken else bar, atom.box, way)
        if gap > (CHAIN if taken else LEADING) * atom.size or _are_two_lines([*taken, atom]):
            break
        taken.append(atom)
    return taken


def _are_two_lines(atoms: Sequence[Atom]) -> bool:
    """Whether the signs of the largest type stand on more than one line."""
    axes = [a.axis for a in atoms if a.size > SCRIPT * largest(atoms)]
    return bool(axes) and max(axes) - min(axes) > SAME_ROW * largest(atoms)


def _beyond(bar: Box, box: Box, way: int, limit: float) -> bool:
    middle = box.center[1]
    return (limit < middle < bar.y0) if way < 0 else (bar.y1 < middle < limit)


def _reach(bar: Box, atoms: Sequence[Atom], rules: Sequence[Box], way: int) -> float:
    """How far a bar's side reaches: to the next bar, as in `1/(a/b)`, or halfway if two lines stand between."""
    endless = way * float("inf")
    across = (r for r in rules if r.overlap_x(bar) > MOSTLY * min(r.width, bar.width) and _beyond(bar, r, way, endless))
    near = min(across, key=lambda r: abs(r.center[1] - bar.center[1]), default=None)
    if near is None:
        return endless
    low, high = sorted((bar.center[1], near.center[1]))
    between = [a for a in atoms if low < a.axis < high and a.box.overlap_x(bar) > 0 and not a.is_tall]
    if _are_two_lines(between):
        return (low + high) / 2
    return near.center[1] if near.width > bar.width else endless


# ------------------------------------------------------------------------------------------------ limits

REACH = 0.55  # of the type's size: how far off a limit may begin
MIDDLE = 0.15  # of the type's size: how far the middle of one limit's signs lies off the sum's
OVERLAP = 0.16  # of the type's size: how far a limit may reach into the sign's height
LEVEL = 0.25  # of the type's size: how far apart baselines of one line may lie


def with_limits(parts: Parts, setter: Setter) -> Parts:
    atoms, rules = parts
    bearers = of_kind(atoms, *BIG_KINDS)
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
    near = [a for a in without(atoms, bearers) if _stands(bearer, a, way)]
    near += _on_their_line(near, atoms, bearer)
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
    box = around(_grown([atom], near, WORD_GAP))
    centred = [b for b in bearers if abs(b.box.center[0] - box.center[0]) < MIDDLE * b.size]
    return min(centred or bearers, key=lambda bearer: _distance(bearer, atom))


def _on_their_line(near: Sequence[Atom], atoms: Sequence[Atom], bearer: Atom) -> list[Atom]:
    """Small signs too far from a sum by themselves: on the line of others, such as commas."""
    small = [a for a in without(atoms, near) if a.size <= SMALLER * bearer.size]
    return [a for a in small if any(abs(a.baseline - other.baseline) < LEVEL * other.size for other in near)]


def _distance(bearer: Atom, atom: Atom) -> float:
    across = abs(bearer.box.center[0] - atom.box.center[0])
    return across + 3 * max(bearer.box.gap_y(atom.box), 0.0)


def _grown(core: Sequence[Atom], near: Sequence[Atom], gap: float = GAP) -> list[Atom]:
    taken = more = list(core)
    while more:
        box = around(taken)
        more = [a for a in without(near, taken) if box.gap_x(a.box) < gap * a.size]
        taken = [*taken, *more]
    return taken


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
    for brace in sorted(of_kind(atoms, Kind.BRACE), key=lambda a: a.box.width):
        way = -1 if brace.symbol.startswith("\\over") else 1
        inside = _beside(brace, atoms, -way, 0.0)
        note = [a for a in _beside(brace, atoms, way, GAP) if a.size <= SMALLER * brace.size]
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
    return _level_with(near, [a for a in level if away(brace.box, a.box, way) > -0.3 * size])


def with_notes_on_relations(parts: Parts, setter: Setter) -> Parts:
    """Small signs centered right over or under a relation, as over an arrow."""
    atoms, rules = parts
    for relation in [a for a in of_kind(atoms, Kind.RELATION) if not a.made]:
        over, under = (_note(relation, atoms, way) for way in (-1, 1))
        if over or under:
            latex = _noted(relation, setter(over, ()), setter(under, ()))
            box = around([relation, *over, *under])
            made = Atom(box, latex, relation.size, relation.axis, Kind.RELATION, made=True)
            atoms = replaced(atoms, [relation, *over, *under], made)
    return atoms, rules


def _noted(relation: Atom, over: str, under: str) -> str:
    latex = f"\\underset{{{under}}}{{{relation.latex}}}" if under else relation.latex
    return f"\\overset{{{over}}}{{{latex}}}" if over else latex


def _note(relation: Atom, atoms: Sequence[Atom], way: int) -> list[Atom]:
    box, size = relation.box, relation.size
    small = [a for a in atoms if a.size < SMALLER * size and -0.25 * size < away(box, a.box, way) < 0.5 * size]
    over = [a for a in small if box.x0 - 0.1 * a.size < a.box.center[0] < box.x1 + 0.1 * a.size]
    return over if over and abs(around(over).center[0] - box.center[0]) < 0.2 * size else []
