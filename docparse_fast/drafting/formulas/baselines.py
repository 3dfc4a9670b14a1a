"""Finds the main line of a row and the scripts beside its signs. Knows places; writes no LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from docparse_fast.drafting.formulas.atoms import Atom, largest
from docparse_fast.drafting.formulas.signs import AXIS, BIG_KINDS, Kind
from docparse_fast.drafting.measures import SCRIPT

NESTED = 0.86  # of a script's type: a script's scripts are smaller still
SET_IN = 0.3  # of a script's type: how far its sign may reach back over the one before
RAISED, LOWERED = 0.14, 0.06  # of the row's type: how far a script's baseline lies off the line's
MADE_OFF = 0.17  # of the row's type: how far a script's fraction bar lies off the axis
SCRIPT_PLACES = (-0.45, 0.1)  # of the main type: where the axes of its scripts lie
FULL = 0.97  # of the row's type: letters of fonts with large small ones seem larger than they are
CLEARLY_OFF = (0.22, 0.11)  # of the row's type: how far up or down what is hardly smaller stands off the line
ON_LINE = 0.08  # of the row's type: how far off the line a point on it seems to stand
ALIKE_OFF = 0.1  # the same of letters whose baselines are known: the smallest type's scripts are no smaller
FAR_OFF = 0.35  # of the row's type: what stands this far off the line is a script of any size


@dataclass(slots=True)
class Base:
    """A sign on the main line, with its scripts; None stands before scripts that have no sign."""

    atom: Atom | None
    over: list[Atom] = field(default_factory=list)
    under: list[Atom] = field(default_factory=list)

    def last_script(self, atom: Atom) -> list[Atom] | None:
        """The scripts that a smaller sign continues: those it stands nearest to."""
        groups = [group for group in (self.over, self.under) if group and _is_behind(atom, group)]
        return min(groups, key=lambda group: _misfit(group, atom), default=None)


def _is_behind(atom: Atom, scripts: Sequence[Atom]) -> bool:
    """Whether it is smaller than these scripts and begins behind one of them, as their own scripts do."""
    first = min(script.box.x1 for script in scripts)
    return atom.size < NESTED * largest(scripts) and atom.box.x0 > first - SET_IN * atom.size


def _misfit(scripts: Sequence[Atom], atom: Atom) -> float:
    """How far an atom stands from where a script of these scripts would, which begins where the last of them ends."""
    main = max(scripts, key=lambda script: script.size)
    aside = abs(atom.box.x0 - max(script.box.x1 for script in scripts))
    return aside + min(abs(main.axis + place * main.size - atom.axis) for place in SCRIPT_PLACES)


@dataclass(frozen=True, slots=True)
class MainLine:
    size: float
    axis: float
    exact: bool = False  # all signs that stand on it have known baselines

    @property
    def baseline(self) -> float:
        return self.axis + AXIS * self.size

    def rise(self, atom: Atom) -> int:
        """1 for a superscript, -1 for a subscript, 0 for a sign on the line."""
        if atom.kind in BIG_KINDS and atom.size > SCRIPT * self.size:
            return 0
        if atom.made or atom.is_tall_fence or atom.kind in BIG_KINDS:
            off = (self.axis - atom.axis) / self.size
            up = down = MADE_OFF if atom.size <= SCRIPT * self.size else FAR_OFF
            return 0 if abs(off) < up else 1 if off > 0 else -1
        off = (self.baseline - atom.baseline) / self.size
        if atom.size <= SCRIPT * self.size:
            return 1 if off > RAISED else -1 if off < -LOWERED else 0
        up, down = (FAR_OFF, FAR_OFF) if atom.size > FULL * self.size else CLEARLY_OFF
        if self.exact and atom.exact:
            up = down = ALIKE_OFF
        return 0 if -down < off < up or atom.kind is not Kind.LETTER else (1 if off > 0 else -1)

    def bears(self, atom: Atom) -> bool:
        """Whether a point or a comma stands on the line, whatever size it seems to have."""
        return atom.kind is Kind.PUNCTUATION and abs(self.baseline - atom.baseline) < ON_LINE * self.size


def main_line(atoms: Sequence[Atom]) -> MainLine:
    """The line that most of the largest type stands on."""
    standing = _standing(atoms)
    size = max([largest(standing), *(a.size for a in atoms if a.kind in BIG_KINDS)])
    # if nothing that stands there is of this size, a fraction's or a root's own axis
    axes = _axes(standing, SCRIPT * size) or _axes(atoms, SCRIPT * size) or sorted(a.axis for a in atoms)
    axis = max(axes, key=lambda axis: sum(abs(other - axis) < 0.1 * size for other in axes))
    return MainLine(size, axis, all(a.exact for a in standing if abs(a.axis - axis) < 0.1 * size))


def _standing(atoms: Sequence[Atom]) -> Sequence[Atom]:
    """What stands on a line of its own; all where this would be the scripts of a root or a fraction."""
    on_line = [a for a in atoms if a.kind not in BIG_KINDS]
    plain = [a for a in on_line if not (a.made or a.is_tall_fence)]
    if plain and any(a.made and a.size * SCRIPT > largest(plain) for a in atoms):
        plain = []
    return plain or on_line or atoms


def _axes(atoms: Sequence[Atom], least: float) -> list[float]:
    return sorted(a.axis for a in atoms if a.size > least)


def _with_points_told(atoms: Sequence[Atom], line: MainLine) -> list[Atom]:
    """The signs of a row in order. A prime under the axis is a comma, and no row ends in a centred dot."""
    told = [_point(",", atom, line) if atom.symbol == "\\prime" and atom.box.y0 > line.axis else atom for atom in atoms]
    if len(told) > 1 and told[-1].symbol == "\\cdot" and told[-2].symbol != "\\cdot":
        told[-1] = _point(".", told[-1], line)
    return told


def _point(sign: str, atom: Atom, line: MainLine) -> Atom:
    return Atom(atom.box, sign, line.size, line.axis, Kind.PUNCTUATION, sign)


def bases_of(atoms: Sequence[Atom]) -> list[Base]:
    """The signs of the main line from left to right, each with its scripts."""
    line = main_line(atoms)
    bases: list[Base] = []
    for atom in _with_points_told(sorted(atoms, key=lambda a: a.box.x0), line):
        last = bases[-1] if bases else None
        nested = last.last_script(atom) if last else None
        rise = line.rise(atom)
        if line.bears(atom) or (nested is None and rise == 0):
            bases.append(Base(atom))
        elif nested is not None:
            nested.append(atom)
        else:
            if last is None:
                last = Base(None)
                bases.append(last)
            (last.over if rise > 0 else last.under).append(atom)
    return bases
