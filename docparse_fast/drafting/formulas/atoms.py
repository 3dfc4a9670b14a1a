"""The parts of a formula while it is read: single signs at first, then whatever they grow into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.printed import Glyph, LetterStyle
from docparse_fast.drafting.formulas.signs import (
    AXIS,
    BIG_KINDS,
    FENCE_DEPTH,
    FENCE_HEIGHT,
    FENCE_KINDS,
    Kind,
    extent_of,
    kind_of,
)

TALL = 1.25  # of the type's size: a fence higher than this stands on no baseline
TAIL = 0.6  # of a comma's height, under the line
OFF = 0.25  # of the type's size: a fence this far off the axis hangs from its line


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
        off = abs(glyph.box.center[1] - (glyph.baseline - AXIS * size))
        tall = kind in FENCE_KINDS and (glyph.box.height > TALL * size or off > OFF * size)
        hangs = kind in BIG_KINDS or tall
        return size, glyph.box.center[1] if hangs else glyph.baseline - AXIS * size
    extent = extent_of(glyph.symbol)
    if extent is not None and size is None:
        size = glyph.box.height / sum(extent)
    if size is None:
        return None, None
    return size, glyph.box.y1 - (extent[1] + AXIS) * size if extent else None


def _atom(
    glyph: Glyph, size: float | None, axis: float | None, known: Sequence[tuple[Box, float]], usual: float
) -> Atom:
    kind = kind_of(glyph.symbol)
    if size is None:
        size = _neighbours_size(glyph.box, known, usual)
        if kind in FENCE_KINDS and glyph.box.height < TALL * size:
            size = glyph.box.height / (FENCE_HEIGHT + FENCE_DEPTH)
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


def around(atoms: Sequence[Atom]) -> Box:
    return Box.around(atom.box for atom in atoms)


def away(side: Box, box: Box, way: int) -> float:
    """How far something stands over (-1) or under (1) a bar, a brace or a relation."""
    return side.y0 - box.y1 if way < 0 else box.y0 - side.y1


def largest(atoms: Sequence[Atom]) -> float:
    return max(atom.size for atom in atoms)


def replaced(atoms: Sequence[Atom], taken: Sequence[Atom], made: Atom) -> list[Atom]:
    """`made` in place of the atoms it is made of."""
    return [*without(atoms, taken), made]


def without(atoms: Sequence[Atom], taken: Sequence[Atom]) -> list[Atom]:
    gone = {id(atom) for atom in taken}
    return [atom for atom in atoms if id(atom) not in gone]
