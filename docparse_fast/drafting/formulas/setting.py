"""Reads a formula by its geometry: parts of signs, roots, accents, fractions, limits, grids, and lines with scripts."""

from __future__ import annotations

from collections.abc import Sequence

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.atoms import Atom, Base, Parts, atoms_of, bases_of
from docparse_fast.drafting.formulas.compounds import joined_parts, joined_signs, with_words
from docparse_fast.drafting.formulas.grids import aligned, rows_of, with_grids
from docparse_fast.drafting.formulas.marks import (
    with_accents,
    with_braces,
    with_limits,
    with_notes_on_relations,
    with_roots,
    with_rules,
)
from docparse_fast.drafting.formulas.type import UNKNOWN, FormulaReading, Glyph
from docparse_fast.drafting.formulas.writing import Piece, tight, written

FLAT = 2.0  # of a rule's height: it must be this much wider to lie
STEPS = (with_words, with_roots, with_accents, with_rules, with_braces, with_limits)
DEEPEST = 12  # levels of parts within parts


def read(glyphs: Sequence[Glyph], rules: Sequence[Box]) -> FormulaReading:
    if not glyphs:
        return FormulaReading("", 0.0)
    whole, left = joined_parts(joined_signs(glyphs), rules)
    bars = [rule for rule in left if rule.width > FLAT * rule.height]
    latex = _Setter()(atoms_of(whole), bars, displayed=True)
    return FormulaReading(latex, _soundness(whole, latex))


def _soundness(glyphs: Sequence[Glyph], latex: str) -> float:
    """The share of the signs that have a name, less for fences without partners."""
    unknown = sum(glyph.symbol == UNKNOWN for glyph in glyphs)
    stray = latex.count("{}^") + latex.count("{}_")
    return max(0.0, 1.0 - (unknown + 0.5 * stray) / len(glyphs))


class _Setter:
    """Sets parts within parts. A part without rows is one line."""

    def __init__(self) -> None:
        self.depth = 0

    def __call__(self, atoms: Sequence[Atom], rules: Sequence[Box], *, displayed: bool = False) -> str:
        if not atoms:
            return ""
        if self.depth + 1 == DEEPEST:  # no formula's: the signs from left to right
            return " ".join(atom.latex for atom in sorted(atoms, key=lambda atom: atom.box.x0))
        self.depth += 1
        try:
            return self._set(atoms, rules, displayed)
        finally:
            self.depth -= 1

    def _set(self, atoms: Sequence[Atom], rules: Sequence[Box], displayed: bool) -> str:
        parts: Parts = list(atoms), list(rules)
        for step in STEPS:
            parts = step(parts, self)
        parts = with_notes_on_relations(with_grids(parts, self), self)
        rows = rows_of(parts[0])
        if len(rows) == 1:
            return self._line(rows[0])
        if displayed:
            return aligned(rows, self)
        return "\\substack{" + " \\\\ ".join(map(self._line, rows)) + "}"

    def _line(self, atoms: Sequence[Atom]) -> str:
        return written([self._piece(base) for base in bases_of(atoms)])

    def _piece(self, base: Base) -> Piece:
        return Piece(base.atom, tight(self(base.under, ())), tight(self(base.over, ())))
