"""Joins upright letters to words: names of functions, and text within a formula. Knows spacing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.drafting.formulas.atoms import Atom, Parts, around, replaced
from docparse_fast.drafting.formulas.marks import Setter
from docparse_fast.drafting.formulas.printed import LetterStyle
from docparse_fast.drafting.formulas.signs import FUNCTIONS, MORE_FUNCTIONS, TAKE_LIMITS, Kind

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
    runs: list[list[Atom]] = []
    for letter in letters:
        if runs and _continues(runs[-1][-1], letter, LETTER_GAP):
            runs[-1].append(letter)
        else:
            runs.append([letter])
    return [run for run in runs if any(a.symbol.isalpha() for a in run)]


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
