"""Joins what is one sign in several pieces, as a longer arrow, and upright letters to words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.atoms import Atom, Parts, around, replaced
from docparse_fast.drafting.formulas.latex import LEFT_HOOK, MAPS, NOT, RIGHT_HOOK
from docparse_fast.drafting.formulas.marks import Setter
from docparse_fast.drafting.formulas.printed import Glyph, LetterStyle
from docparse_fast.drafting.formulas.signs import FUNCTIONS, MORE_FUNCTIONS, TAKE_LIMITS, Kind
from docparse_fast.geometry import runs

TOUCHING = {
    ("-", "\\rightarrow"): "\\longrightarrow",
    ("\\leftarrow", "-"): "\\longleftarrow",
    ("\\leftarrow", "\\rightarrow"): "\\longleftrightarrow",
    ("=", "\\Rightarrow"): "\\Longrightarrow",
    ("\\Leftarrow", "="): "\\Longleftarrow",
    ("\\Leftarrow", "\\Rightarrow"): "\\Longleftrightarrow",
    (MAPS, "\\rightarrow"): "\\mapsto",
    (MAPS, "\\longrightarrow"): "\\longmapsto",
    (LEFT_HOOK, "\\rightarrow"): "\\hookrightarrow",
    ("\\leftarrow", RIGHT_HOOK): "\\hookleftarrow",
    ("\\mapsto", "\\rightarrow"): "\\mapsto",
    ("\\hookleftarrow", "\\rightarrow"): "\\hookrightarrow",
    ("\\leftarrow", "\\hookrightarrow"): "\\hookleftarrow",
    ("|", "="): "\\models",
    ("\\|", "="): "\\models",
    (":", "="): ":=",
    ("\\int", "\\int"): "\\iint",
    ("\\iint", "\\int"): "\\iiint",
    ("\\triangleright", "\\triangleleft"): "\\bowtie",
}
WINDOW = 40  # signs: lines above and below come between two parts of one sign
AGAINST = 0.04  # of the type's size: how near two parts of one sign stand
WHITE = {"\\int": 0.2, LEFT_HOOK: 0.5, MAPS: 0.5}  # the same, of signs whose boxes are narrower than their ink
WORDY = frozenset({LetterStyle.ROMAN, LetterStyle.TEXT_ITALIC, LetterStyle.SANS, LetterStyle.MONO, LetterStyle.BOLD})
LETTER_GAP = 0.12  # of the type's size: letters this near are one word
SPLIT_NAMES = {("lim", "sup"): "limsup", ("lim", "inf"): "liminf", ("arg", "max"): "argmax", ("arg", "min"): "argmin"}
SAME_LINE = 0.05  # of the type's size
TWO_PARTS = 0.3  # of the type's size: the widest gap in `lim sup`


def with_words(parts: Parts, setter: Setter) -> Parts:
    atoms, rules = parts
    letters = sorted((a for a in atoms if _is_letter(a)), key=lambda a: (round(a.axis / (0.1 * a.size)), a.box.x0))
    for run in _joined_names(_runs(letters)):
        if len(run) > 1 or run[0].symbol in FUNCTIONS:
            atoms = replaced(atoms, run, _word(run))
    return atoms, rules


def _is_letter(atom: Atom) -> bool:
    return not atom.made and atom.style in WORDY and (atom.symbol.isalpha() or atom.symbol in ("-", "'", "’"))


def _runs(letters: Sequence[Atom]) -> list[list[Atom]]:
    found = runs(letters, lambda run, letter: _continues(run[-1], letter, LETTER_GAP))
    return [run for run in found if any(a.symbol.isalpha() for a in run)]


def _continues(last: Atom, letter: Atom, widest: float) -> bool:
    gap = letter.box.x0 - last.box.x1
    level = abs(letter.axis - last.axis) < SAME_LINE * last.size
    alike = letter.style is last.style and abs(letter.size - last.size) < SAME_LINE * last.size
    return level and alike and -0.3 * last.size < gap < widest * last.size


def _joined_names(runs: Sequence[list[Atom]]) -> list[list[Atom]]:
    """`lim sup` and its like are one name."""
    joined: list[list[Atom]] = []
    for run in runs:
        names = ("".join(a.symbol for a in joined[-1]), "".join(a.symbol for a in run)) if joined else ("", "")
        if names in SPLIT_NAMES and _continues(joined[-1][-1], run[0], TWO_PARTS):
            joined[-1] = joined[-1] + run
        else:
            joined.append(run)
    return joined


def _word(run: Sequence[Atom]) -> Atom:
    text = "".join(atom.symbol for atom in run)
    first = run[0]
    if first.style is LetterStyle.ROMAN and text in FUNCTIONS | MORE_FUNCTIONS:
        kind = Kind.BIG if text in TAKE_LIMITS else Kind.LETTER
        star = "*" * (kind is Kind.BIG)
        name = f"\\{text}" if text in FUNCTIONS else f"\\operatorname{star}{{{text}}}"
        return replace(first, box=around(run), latex=name, kind=kind, symbol="\\name")
    return replace(first, box=around(run), latex=text, symbol="\\word")


def joined_signs(glyphs: Sequence[Glyph]) -> list[Glyph]:
    joined: list[Glyph] = []
    for glyph in sorted(glyphs, key=lambda g: (g.box.x0, g.symbol not in (NOT, MAPS, LEFT_HOOK))):
        before = next((g for g in reversed(joined[-WINDOW:]) if _touch(g, glyph)), None)
        if before is None:
            joined.append(glyph)
        else:
            symbol = TOUCHING[before.symbol, glyph.symbol]
            joined[joined.index(before)] = replace(before, symbol=symbol, box=Box.around([before.box, glyph.box]))
    return joined


def _touch(before: Glyph, glyph: Glyph) -> bool:
    if (before.symbol, glyph.symbol) not in TOUCHING:
        return False
    size = glyph.size or glyph.box.height + before.box.height
    same = before.size is None or glyph.size is None or abs(before.size - glyph.size) < 0.1 * size
    level = before.box.overlap_y(glyph.box) > 0.4 * min(before.box.height, glyph.box.height)
    gap = glyph.box.x0 - before.box.x1
    room = WHITE.get(before.symbol, AGAINST)
    return same and level and gap < room * size
