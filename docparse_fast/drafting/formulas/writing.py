"""Writes a line of signs and their scripts as LaTeX: letters' styles, words, blanks, stretched fences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from docparse_fast.drafting.formulas.atoms import Atom
from docparse_fast.drafting.formulas.compounds import pairs
from docparse_fast.drafting.formulas.signs import Kind
from docparse_fast.drafting.formulas.type import LetterStyle
from docparse_fast.drafting.measures import WORD_GAP
from docparse_fast.geometry import around

STYLES = {
    LetterStyle.BOLD: "mathbf",
    LetterStyle.BOLD_MATH: "boldsymbol",
    LetterStyle.CALLIGRAPHIC: "mathcal",
    LetterStyle.SCRIPT: "mathscr",
    LetterStyle.BLACKBOARD: "mathbb",
    LetterStyle.FRAKTUR: "mathfrak",
    LetterStyle.SANS: "mathsf",
    LetterStyle.MONO: "mathtt",
    LetterStyle.ROMAN: "mathrm",
    LetterStyle.TEXT_ITALIC: "mathit",
}
QUAD, QQUAD = 0.85, 1.8  # of the type's size: gaps that are written down
SPACED = frozenset({Kind.RELATION, Kind.BINARY})
COMMAND_AT_END = re.compile(r"\\[A-Za-z]+\Z")
DECIMAL = re.compile(r"(?<=\d)\. (?=\d)")
PRIME = "\\prime"
CDOT_RUN, LDOT_RUN = ["\\cdot"] * 3, ["."] * 3


@dataclass(frozen=True, slots=True)
class Piece:
    """A sign on the line (None before scripts without one) and its scripts, written already."""

    atom: Atom | None
    under: str = ""
    over: str = ""


def written(pieces: Sequence[Piece]) -> str:
    pieces = _with_dots(pieces)
    stretched = _stretched([piece.atom for piece in pieces if piece.atom is not None])
    text, n = "", 0
    while n < len(pieces):
        end = _text_end(pieces, n)
        before = pieces[n - 1] if n else None
        gap = _gap(before, pieces[n])
        if end > n:
            text = _joined(text, gap + _text(pieces[n:end], before, pieces[end] if end < len(pieces) else None))
            n = end
            continue
        text = _joined(text, gap + _sign(pieces[n], before, stretched))
        n += 1
    return DECIMAL.sub(".", text.strip())


def tight(latex: str) -> str:
    """Without the blanks that only please the eye, as in scripts.

    >>> tight("i = 1"), tight("a \\\\in A")
    ('i=1', 'a\\\\in A')
    """
    if "\\text" in latex or "\\begin" in latex:
        return latex
    return re.sub(r"(?<!\\) +(?![A-Za-z])|(?<![A-Za-z\\]) +|(?<=[^A-Za-z\\][A-Za-z]) +|(?<=^[A-Za-z]) +", "", latex)


def _gap(before: Piece | None, piece: Piece) -> str:
    """Wide white, written down only where no sign explains it."""
    if before is None or before.atom is None or piece.atom is None:
        return ""
    gap = (piece.atom.box.x0 - before.atom.box.x1) / max(before.atom.size, piece.atom.size)
    spaced = before.atom.kind in SPACED or piece.atom.kind in SPACED
    if before.under or before.over or spaced or gap < QUAD:
        return ""
    return " \\qquad " if gap > QQUAD else " \\quad "


def _sign(piece: Piece, before: Piece | None, stretched: dict[int, str]) -> str:
    atom = piece.atom
    scripts = _scripts(piece)
    if atom is None:
        return "{}" + scripts
    latex = stretched.get(id(atom), "") + letter(atom)
    unary = before is None or before.atom is None or before.atom.kind in (*SPACED, Kind.OPENING, Kind.PUNCTUATION)
    if atom.kind is Kind.RELATION or (atom.kind is Kind.BINARY and not unary):
        return f" {latex}{scripts} "
    return latex + scripts + (" " if atom.kind is Kind.PUNCTUATION else "")


def letter(atom: Atom) -> str:
    """A letter with its style; finished parts and signs as they are."""
    if atom.made or atom.symbol == "\\name":
        return atom.latex
    has_style = atom.symbol.isalpha() if atom.style is LetterStyle.ROMAN else atom.symbol.isalnum()
    if atom.symbol == "\\word" or (atom.style in STYLES and (has_style or atom.style is LetterStyle.BOLD_MATH)):
        return f"\\{STYLES[atom.style]}{{{atom.latex}}}"
    return atom.latex


def _scripts(piece: Piece) -> str:
    under = f"_{{{piece.under}}}" if piece.under else ""
    over = piece.over
    if over and not over.replace(PRIME, "").strip():
        return "'" * over.count(PRIME) + under if not under else under + "^{" + over + "}"
    return under + (f"^{{{over}}}" if over else "")


# ------------------------------------------------------------------------------------------------- text


def _text_end(pieces: Sequence[Piece], start: int) -> int:
    """Where the text ends that begins here: words of text type, full size, without scripts."""
    end = start
    while end < len(pieces) and _is_text(pieces[end]):
        end += 1
    part = pieces[start:end]
    return end if any(map(_is_word, part)) and (_is_word(part[0]) or len(part) > 1) else start


def _is_word(piece: Piece) -> bool:
    return piece.atom is not None and piece.atom.symbol == "\\word" and piece.atom.style in _TEXTS


_TEXTS = (LetterStyle.ROMAN, LetterStyle.TEXT_ITALIC)


def _is_text(piece: Piece) -> bool:
    atom = piece.atom
    if atom is None or piece.under or piece.over or atom.made:
        return False
    return _is_word(piece) or (atom.style in _TEXTS and (atom.symbol.isalpha() or atom.symbol in "-,’'"))


def _text(pieces: Sequence[Piece], before: Piece | None, after: Piece | None) -> str:
    """The words, with the blanks between them and the signs around them."""
    words = " " * (_shows_blanks(before) and _apart(before, pieces[0]))
    for piece, following in pairwise([*pieces, None]):
        assert piece is not None and piece.atom is not None
        words += piece.atom.latex + " " * _apart(piece, following)
    words += " " * (_shows_blanks(after) and _apart(pieces[-1], after))
    return f"\\text{{{words}}}"


def _shows_blanks(piece: Piece | None) -> bool:
    """Whether LaTeX puts no space of its own beside a sign."""
    return piece is not None and piece.atom is not None and piece.atom.kind not in (*SPACED, Kind.PUNCTUATION)


def _apart(before: Piece | None, piece: Piece | None) -> bool:
    if before is None or piece is None or before.atom is None or piece.atom is None:
        return False
    bare = not (before.under or before.over)
    return bare and piece.atom.box.x0 - before.atom.box.x1 > WORD_GAP * piece.atom.size


# ------------------------------------------------------------------------------------------------- fences


def _stretched(atoms: Sequence[Atom]) -> dict[int, str]:
    """`\\left` and `\\right` for pairs of tall fences."""
    found: dict[int, str] = {}
    for opening, closing in pairs(atoms):
        if opening.is_tall and closing.is_tall:
            found[id(opening)], found[id(closing)] = "\\left", "\\right"
    return found


def _with_dots(pieces: Sequence[Piece]) -> list[Piece]:
    """Three dots in a row are one sign."""
    made: list[Piece] = []
    for piece in pieces:
        made.append(piece)
        last = [p.atom.symbol if p.atom and not p.under else "" for p in made[-3:]]
        for run, sign in ((CDOT_RUN, "\\cdots"), (LDOT_RUN, "\\ldots")):
            if last == run:
                made[-3:] = [_dots(made[-3:], sign)]
    return made


def _dots(pieces: Sequence[Piece], sign: str) -> Piece:
    atoms = [piece.atom for piece in pieces if piece.atom is not None]
    box = around(atoms)
    atom = replace(atoms[0], box=box, latex=sign, symbol=sign, kind=Kind.LETTER)
    return Piece(atom, pieces[-1].under, pieces[-1].over)


def _joined(before: str, after: str) -> str:
    """Puts a blank where a command would run into the letter behind it."""
    if not before or not after:
        return before + after
    if after[0].isalpha() and COMMAND_AT_END.search(before):
        return f"{before} {after}"
    return before + after if not (before[-1] == " " and after[0] == " ") else before + after.lstrip()
