"""Parts a scan's line of text into words, numbers and signs. Knows one line: its OCR's words, and its symbols.

The OCR knows words, the symbol detector signs and places. What stands between two gaps is one part; a part that is a
word stays one piece, any other is a piece for each sign.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from docparse_fast.document import Box, TextSpan
from docparse_fast.drafting.formulas.found_symbols import Symbol
from docparse_fast.drafting.formulas.inline import MOST_VARIABLES
from docparse_fast.drafting.formulas.signs import NAMES
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import HELD, RAISED, WORD_GAP
from docparse_fast.geometry import around, runs

SURE = 0.8  # with which a letter tells whether its word is one
DOT_GAP = 0.6  # the same, between two of three dots
DOTS = frozenset(".·")
SOUND_WORD = re.compile(r"[^\W\d_\u0370-\u03ff]{2,}(?:[-‐–'’][^\W\d_]{2,})*")
LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]{3,}")
LAST_LATIN = "\u024f"
PIECES = re.compile(r"\d+(?:[.,]\d+)*|[.·]{3}|.", re.DOTALL)
OUTSIDE = "()[]{}.,;:!?'\"“”‘’«»-–—"
IN_PROSE = frozenset("()[]{}.,;:!?'\"“”‘’-–−+=<>|∣/*∗·⋅×±%&$#@°§")  # signs with which no formula begins
FENCES = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
SLANTED = 0.85  # with which a letter is slanted, where most letters are not
SMALL = 0.82  # of the line's type: a script's
MATH, SCRIPTED = "math", {"calligraphic": "CMSY", "blackboard": "MSBM", "fraktur": "EUFM"}  # as if of such a font


class Type(NamedTuple):
    """Of a line's letters that are no scripts."""

    size: float
    baseline: float


@dataclass(frozen=True, slots=True)
class LinePart:
    """What stands between two gaps: the OCR's words, and the places of its symbols among the line's."""

    box: Box
    text: str
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LinePiece:
    """A word, a number or a sign; `part` counts the line's parts."""

    part: int
    places: tuple[int, ...]  # none for a word
    span: TextSpan


def parts_of(line: Line, symbols: Sequence[Symbol], size: float) -> list[LinePart]:
    """What stands between gaps; what one word of the OCR stands on is one part."""
    parts = [LinePart(Box.around(symbols[n].box for n in run), "", tuple(run)) for run in _between_gaps(symbols, size)]
    texts = line.plain.split()
    same = len(texts) == len(line.words)
    for n, (box, text) in enumerate(line.words):
        under = [part for part in parts if part.box.overlap_x(box) > HELD * min(part.box.width, box.width)]
        whole = _together(under) if under else LinePart(box, "", ())
        parts = [part for part in parts if part not in under]
        parts.append(replace(whole, text=f"{whole.text} {texts[n] if same else text}".strip()))
    return sorted(parts, key=lambda part: part.box.x0)


def _between_gaps(symbols: Sequence[Symbol], size: float) -> list[list[int]]:

    def is_near(run: Sequence[int], n: int) -> bool:
        of_dots = symbols[n].character in DOTS and symbols[n - 1].character == symbols[n].character
        right = max(symbols[m].box.x1 for m in run)
        return symbols[n].box.x0 - right < (DOT_GAP if of_dots else WORD_GAP) * size

    return runs(range(len(symbols)), is_near)


def _together(parts: Sequence[LinePart]) -> LinePart:
    text = " ".join(part.text for part in parts if part.text)
    places = tuple(place for part in parts for place in part.places)
    return LinePart(around(parts), text, places)


# ------------------------------------------------------------------------------------------------ pieces


def pieces_of(parts: Sequence[LinePart], symbols: Sequence[Symbol], usual: Type) -> list[LinePiece]:
    """A word as it is; of anything else, each sign and number, and each name of a function."""
    return _with_arguments([piece for n, part in enumerate(parts) for piece in _pieces(n, part, symbols, usual)])


def _pieces(number: int, part: LinePart, symbols: Sequence[Symbol], usual: Type) -> list[LinePiece]:
    members = [symbols[n] for n in part.places]
    core = part.text.strip(OUTSIDE)
    italic = sum(symbol.style == "italic" for symbol in members) > 0.5 * len(members)
    if _is_word(core, members, usual) or _has_word(core, members):
        return [LinePiece(number, (), TextSpan(part.box, part.text, "", *usual, italic=italic))]
    if core in NAMES or _is_product(core, members, usual.size):
        return [LinePiece(number, part.places, TextSpan(part.box, core, "", *usual, italic=italic))]
    at, made = 0, []
    for text in PIECES.findall("".join(symbol.character[0] for symbol in members)):
        made.append(_piece(number, part.places[at : at + len(text)], symbols))
        at += len(text)
    return made


def _is_word(core: str, members: Sequence[Symbol], usual: Type) -> bool:
    """Whether the OCR's word is one: letters that stand on the line, of the line's size."""
    if not members:
        return True
    if SOUND_WORD.fullmatch(core) is None or core in NAMES:
        return False
    letters = [symbol for symbol in members if symbol.character.isalpha() and symbol.confidence > SURE]
    level = not any(_is_script(symbol, usual) for symbol in letters)
    return level and (len(core) > MOST_VARIABLES or _are_upright(letters))


def _has_word(core: str, members: Sequence[Symbol]) -> bool:
    """Whether something like `round(x` has a word in it, and not a product of variables."""
    words = [word for word in LATIN_WORD.findall(core) if word not in NAMES]
    return bool(words) and _are_upright([symbol for symbol in members if symbol.character.isalpha()])


def _is_product(core: str, members: Sequence[Symbol], size: float) -> bool:
    """Whether it is two slanted letters side by side: variables if they stand in a formula."""
    slanted = all(symbol.style == "italic" and symbol.size > SMALL * size for symbol in members)
    return slanted and core.isalpha() and len(core) == len(members) == MOST_VARIABLES


def _is_script(symbol: Symbol, usual: Type) -> bool:
    return symbol.size < SMALL * usual.size and abs(symbol.baseline - usual.baseline) > RAISED * usual.size


def _are_upright(letters: Sequence[Symbol]) -> bool:
    return sum(letter.style in ("upright", "bold") for letter in letters) >= 0.5 * len(letters)


def _piece(number: int, places: tuple[int, ...], symbols: Sequence[Symbol]) -> LinePiece:
    members = [symbols[n] for n in places]
    first, box = members[0], around(members)
    letter = first.character.isalpha()
    span = TextSpan(
        box,
        "".join(symbol.character for symbol in members),
        SCRIPTED.get(first.style, "") if letter else "" if first.character in IN_PROSE else MATH,
        first.size,
        first.baseline,
        bold=first.style == "bold",
        italic=letter and first.style == "italic" and first.style_confidence > SLANTED,
    )
    return LinePiece(number, places, replace(span, font="") if first.character.isdigit() else span)


def _with_arguments(pieces: Sequence[LinePiece]) -> list[LinePiece]:
    """Commas and dots between signs in brackets are the formula's, not the sentence's."""
    made: list[LinePiece] = []
    depth = 0
    for piece in pieces:
        text = piece.span.text if piece.places else ""
        depth = max(0, depth + FENCES.get(text, 0)) if piece.places else 0
        dots = len(text) == 3 and set(text) <= DOTS
        of_formula = depth and made and (dots or (text == "," and _is_argument(made[-1].span)))
        made.append(replace(piece, span=replace(piece.span, font=MATH)) if of_formula else piece)
    return made


def _is_argument(span: TextSpan) -> bool:
    return span.italic or not span.text.isalpha() or span.text[0] > LAST_LATIN
