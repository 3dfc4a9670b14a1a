"""The parts of a formula while it is read: single signs at first, then whatever they grow into; line and scripts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from statistics import median
from typing import TypeVar

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.signs import (
    AXIS,
    BIG_KINDS,
    FENCE_KINDS,
    TALL,
    Kind,
    extent_of,
    kind_of,
)
from docparse_fast.drafting.formulas.type import Glyph, LetterStyle
from docparse_fast.drafting.measures import LOWERED, RAISED, SCRIPT

TAIL = 0.6  # of a comma's height, under the line
OFF = 0.25  # of the type's size: a fence this far off the axis hangs from its line
SAME_ROW = 0.6  # of the type's size: how far the axes of one row's signs may lie apart


@dataclass(frozen=True, slots=True)
class Atom:
    """A sign or a finished part. `axis` is the height of its fraction bar or minus sign."""

    box: Box
    latex: str
    size: float
    axis: float
    kind: Kind = Kind.LETTER
    symbol: str = ""  # of a single sign
    style: LetterStyle = LetterStyle.MATH
    made: bool = False  # a finished part, such as a fraction
    exact: bool = False  # its size and its baseline are the file's own

    @property
    def baseline(self) -> float:
        return self.axis + AXIS * self.size

    @property
    def is_tall(self) -> bool:
        return self.box.height > TALL * self.size

    @property
    def is_fence(self) -> bool:
        return self.kind in FENCE_KINDS

    @property
    def is_tall_fence(self) -> bool:
        return self.is_fence and self.is_tall


Parts = tuple[list[Atom], list[Box]]  # what is left to set, and the rules that are left
Part = TypeVar("Part", Atom, Box)
Setter = Callable[[Sequence[Atom], Sequence[Box]], str]  # sets a part within parts: nothing is an empty text


def atoms_of(glyphs: Sequence[Glyph]) -> list[Atom]:
    """Sizes and baselines that are not known follow from the boxes, or from the nearest sign whose box tells."""
    measured = [_measured(glyph) for glyph in glyphs]
    sizes = [size for size, _ in measured if size is not None]
    usual = median(sizes) if sizes else max((glyph.box.height for glyph in glyphs), default=1.0)
    known = [(g.box, size) for g, (size, _) in zip(glyphs, measured, strict=True) if size is not None]
    return [_atom(glyph, size, axis, known, usual) for glyph, (size, axis) in zip(glyphs, measured, strict=True)]


def _measured(glyph: Glyph) -> tuple[float | None, float | None]:
    """The type's size and the axis, as far as this sign tells."""
    size, kind = glyph.size, kind_of(glyph.symbol)
    if glyph.baseline is not None and size is not None:
        middle, axis = glyph.box.center[1], glyph.baseline - AXIS * size
        tall = glyph.box.height > TALL * size or abs(middle - axis) > OFF * size
        return size, middle if kind in BIG_KINDS or (tall and kind in FENCE_KINDS) else axis
    extent = extent_of(glyph.symbol)
    if extent is None:
        return size, None
    size = size or glyph.box.height / sum(extent)
    return size, glyph.box.y1 - (extent[1] + AXIS) * size


def _atom(
    glyph: Glyph, size: float | None, axis: float | None, known: Sequence[tuple[Box, float]], usual: float
) -> Atom:
    kind = kind_of(glyph.symbol)
    if size is None:
        size = _neighbours_size(glyph.box, known, usual)
    if axis is None:
        axis = _foot(glyph) - AXIS * size if kind is Kind.PUNCTUATION else glyph.box.center[1]
    exact = glyph.size is not None and glyph.baseline is not None
    return Atom(glyph.box, glyph.symbol, size, axis, kind, glyph.symbol, glyph.style, exact=exact)


def _foot(glyph: Glyph) -> float:
    """Where a point or a comma, whose tail hangs, stands on its line."""
    return glyph.box.y1 - (TAIL * glyph.box.height if glyph.symbol in (",", ";") else 0.0)


def _neighbours_size(box: Box, known: Sequence[tuple[Box, float]], usual: float) -> float:
    if not known:
        return usual
    x, y = box.center
    return min(known, key=lambda each: abs(each[0].center[0] - x) + 2 * abs(each[0].center[1] - y))[1]


def away(side: Box, box: Box, way: int) -> float:
    """How far something stands over (-1) or under (1) a bar, a brace or a relation."""
    return side.y0 - box.y1 if way < 0 else box.y0 - side.y1


def of_kind(atoms: Sequence[Atom], *kinds: Kind) -> list[Atom]:
    return [atom for atom in atoms if atom.kind in kinds]


def largest(atoms: Sequence[Atom]) -> float:
    return max(atom.size for atom in atoms)


def replaced(atoms: Sequence[Atom], taken: Sequence[Atom], made: Atom) -> list[Atom]:
    """`made` in place of the atoms it is made of."""
    return [*without(atoms, taken), made]


def without(parts: Sequence[Part], taken: Sequence[Part]) -> list[Part]:
    gone = set(map(id, taken))
    return [part for part in parts if id(part) not in gone]


SET_IN = 0.3  # of a script's type: how far its sign may reach back over the one before
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
    return atom.size < SCRIPT * largest(scripts) and atom.box.x0 > first - SET_IN * atom.size


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
        small, big = atom.size <= SCRIPT * self.size, atom.kind in BIG_KINDS
        if atom.made or atom.is_tall_fence or big:
            off = (self.axis - atom.axis) / self.size
            up = down = MADE_OFF if small else FAR_OFF
        else:
            off = (self.baseline - atom.baseline) / self.size
            up, down = (RAISED, LOWERED) if small else self._room(atom)
        stands = -down < off < up or (big and not small)
        return 0 if stands else (1 if off > 0 else -1)

    def _room(self, atom: Atom) -> tuple[float, float]:
        """How far up and down a sign of the line's own size stands that is raised or lowered; only letters are."""
        if atom.kind is not Kind.LETTER:
            return inf, inf
        if self.exact and atom.exact:
            return ALIKE_OFF, ALIKE_OFF
        return (FAR_OFF, FAR_OFF) if atom.size > FULL * self.size else CLEARLY_OFF

    def bears(self, atom: Atom) -> bool:
        """Whether a point or a comma stands on the line, whatever size it seems to have."""
        return atom.kind is Kind.PUNCTUATION and abs(self.baseline - atom.baseline) < ON_LINE * self.size


def main_line(atoms: Sequence[Atom]) -> MainLine:
    """The line that most of the largest type stands on."""
    standing = _standing(atoms)
    size = max([largest(standing), *(big.size for big in of_kind(atoms, *BIG_KINDS) if not _has_beside(big, standing))])
    # if nothing that stands there is of this size, a fraction's or a root's own axis
    axes = _axes(standing, SCRIPT * size) or _axes(atoms, SCRIPT * size) or sorted(a.axis for a in atoms)
    axis = max(axes, key=lambda axis: sum(abs(other - axis) < 0.1 * size for other in axes))
    return MainLine(size, axis, all(a.exact for a in standing if abs(a.axis - axis) < 0.1 * size))


def _has_beside(big: Atom, standing: Sequence[Atom]) -> bool:
    """Whether plain signs stand level with it, not above it or below: some fonts' sums are of a larger type."""
    level = (a for a in standing if a.kind is Kind.LETTER and abs(a.axis - big.axis) < FAR_OFF * a.size)
    return any(a.box.overlap_x(big.box) <= 0 for a in level)


def _standing(atoms: Sequence[Atom]) -> Sequence[Atom]:
    """What stands on a line of its own; all where this would be the scripts of a root or a fraction."""
    on_line = without(atoms, of_kind(atoms, *BIG_KINDS))
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
