"""Finds formulas within a scan's lines of text, and sets them as LaTeX. Looks only where words look like none.

What no formula takes stays as the OCR read it. The rules of where a formula begins and ends are a text layer's
(`inline.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import inf
from statistics import mean, median

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.formulas.detection import SymbolDetector
from docparse_fast.drafting.formulas.found_symbols import Symbol, Symbols
from docparse_fast.drafting.formulas.glyphs import latex_of
from docparse_fast.drafting.formulas.inline import LEAST_SOUND, formula_runs, harmless
from docparse_fast.drafting.formulas.line_parts import DOTS, SMALL, SURE, LinePart, LinePiece, Type, parts_of, pieces_of
from docparse_fast.drafting.formulas.type import Glyph
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import ENOUGH, TELLING_LETTERS
from docparse_fast.drafting.words import PLAIN_BULLETS
from docparse_fast.geometry import around
from docparse_fast.text.markup import as_texts

SIGN = re.compile(r"[=<>≤≥±×÷∈∉∑∏∫√∂∇∞≈≠∼∪∩⊂⊆→⇒↦|^*+]|[\u0391-\u03c9\u2200-\u22ff]")
LETTER = re.compile(r"(?<![\w'’.-])[b-zB-HJ-Z](?![\w'’.-])|[A-Za-z]\([A-Za-z]\)")
WITH_DIGIT = re.compile(r"(?<![\w'’.-])(?:[A-Za-z]{1,2}\d{1,2}|\d[A-Za-z])(?![\w'’-]|\.\w)")
SOURCE = re.compile(r"\\[A-Za-z@]")  # LaTeX itself, in print
GREEK_WORD = re.compile(r"(?<![^\W\d_])(?=[^\W\d_]{6})[^\W\d_]*[\u0370-\u03ff][^\W\d_]*[\u0370-\u03ff]")
OTHER_SCRIPT = re.compile(r"[\u0590-\u08ff\u0900-\u0e7f\u1100-\u11ff\u2e80-\ufaff\uff00-\uffef]")
DEGREE = "∘"  # with its unit no formula by itself
ABOVE = 0.3  # of the type's size: what is looked at above and below a line's box
FARTHEST = 0.7  # of a line's height, from its middle to that of a sign
STRAY = ("{}^", "{}_", "\\begin", "\\substack", "\\text{")  # signs that found no place, and words
CLOSING = (".", ",", ";", ":", ")", "]", "!", "?")


@dataclass(frozen=True, slots=True)
class _Found:
    """A formula: the pieces from `start` to before `end`."""

    start: int
    end: int
    latex: str


@dataclass(frozen=True, slots=True)
class _Reading:
    text: str  # Markdown
    formulas: int


@dataclass(frozen=True, slots=True)
class _Word:
    """A part's words, a sign beside a formula, or a formula."""

    part: int
    text: str
    is_latex: bool = False


def may_hold_formula(line: Line) -> bool:
    """
    >>> def line(text):
    ...     return Line(Box(0, 0, 9, 9), text, 9, "embedded")
    >>> [may_hold_formula(line(text)) for text in ("Let x1 be", "so that n is", "I read a book", "plan B. Then")]
    [True, True, False, False]
    """
    if any(other.search(line.plain) for other in (OTHER_SCRIPT, SOURCE, GREEK_WORD)):
        return False
    return any(sign.search(line.plain) for sign in (SIGN, LETTER, WITH_DIGIT))


def with_formulas_read(
    pixels: Pixels, lines: Sequence[Line], detector: SymbolDetector, *, mathematical: bool
) -> list[Line]:
    """The lines, with the formulas within them as LaTeX. `mathematical`: the page has displayed formulas."""
    fewest = 1 if mathematical else ENOUGH
    doubtful = [n for n, line in enumerate(lines) if line.words and may_hold_formula(line)]
    if len(doubtful) < fewest:
        return list(lines)
    doubtful.sort(key=lambda n: SIGN.search(lines[n].plain) is None)  # some languages' words are single letters
    read = partial(_read, pixels, lines, detector)
    found = list(zip(doubtful, _readings([lines[n] for n in doubtful], read, mathematical), strict=False))
    made = dict(enumerate(lines))
    if sum(reading.formulas for _, reading in found) >= fewest:
        made |= {n: replace(lines[n], text=reading.text) for n, reading in found}
    return list(made.values())


def _readings(likely: Sequence[Line], read: Callable[[Line], _Reading], known: bool) -> Iterator[_Reading]:
    """Of a few where these hold none, and none is known: 30 made pages had one in their first or second with a sign."""
    yield from (first := [read(line) for line in likely[:ENOUGH]])
    if known or any(reading.formulas for reading in first):
        yield from map(read, likely[ENOUGH:])


def _read(pixels: Pixels, lines: Sequence[Line], detector: SymbolDetector, line: Line) -> _Reading:
    found = _found_around(pixels, line, detector)
    usual = _type(found.symbols)
    if usual is None:
        return _Reading(line.text, 0)
    symbols = _with_dots_told(_of_line(found.symbols, line, lines))
    parts = parts_of(line, symbols, usual.size)
    pieces = pieces_of(parts, symbols, usual)
    formulas = list(_formulas(pieces, symbols, found.rules, usual.size))
    return _Reading(_written(parts, pieces, formulas) if formulas else line.text, len(formulas))


# ----------------------------------------------------------------------------------------------- symbols


def _found_around(pixels: Pixels, line: Line, detector: SymbolDetector) -> Symbols:
    height, width = pixels.shape[:2]
    box = line.box.expanded(ABOVE * line.size).clipped(width, height)
    left, top = int(box.x0), int(box.y0)
    found = detector.find(pixels[top : round(box.y1), left : round(box.x1)], line.size)
    symbols = tuple(
        replace(symbol, box=symbol.box.shifted(left, top), baseline=symbol.baseline + top) for symbol in found.symbols
    )
    return Symbols(symbols, tuple(rule.shifted(left, top) for rule in found.rules))


def _type(symbols: Sequence[Symbol]) -> Type | None:
    """Of the line's upright letters, or of all where there are hardly any."""
    letters = [symbol for symbol in symbols if symbol.confidence > SURE and symbol.character.isalpha()]
    upright = [letter for letter in letters if letter.style != "italic"]
    telling = upright if len(upright) >= TELLING_LETTERS else letters
    if len(telling) < TELLING_LETTERS:
        return None
    return Type(median(letter.size for letter in telling), median(letter.baseline for letter in telling))


def _of_line(symbols: Sequence[Symbol], line: Line, lines: Sequence[Line]) -> list[Symbol]:
    """Those whose nearest line this is, from left to right; no bullet before its words."""
    near = [other.box for other in lines if other.box.overlap_x(line.box) > 0]
    (mark, said), *_ = line.words
    start = mark.x1 if said in PLAIN_BULLETS else -inf
    own = [symbol for symbol in symbols if symbol.box.center[0] > start and _is_nearest(line.box, symbol.box, near)]
    return sorted(own, key=lambda symbol: symbol.box.x0)


def _is_nearest(line: Box, sign: Box, lines: Sequence[Box]) -> bool:
    x, y = sign.center
    off = abs(y - line.center[1]) / line.height
    others = (abs(y - other.center[1]) / other.height for other in lines if other.x0 <= x <= other.x1)
    return off < FARTHEST and off <= min(others, default=inf)


def _with_dots_told(symbols: Sequence[Symbol]) -> list[Symbol]:
    """Full stops and centred dots look alike: what stands beside them tells them apart."""
    names = {".": ".", "\\cdot": "·"}
    return [
        replace(symbol, character=names[glyph.symbol]) if symbol.character in DOTS and glyph.symbol in names else symbol
        for symbol, (glyph, *_) in zip(symbols, _glyphs(symbols), strict=True)
    ]


def _glyphs(symbols: Sequence[Symbol]) -> list[list[Glyph]]:
    placed = iter(Symbols(tuple(symbols), ()).glyphs())
    return [[next(placed) for _ in symbol.character] for symbol in symbols]


# ---------------------------------------------------------------------------------------------- formulas


def _formulas(
    pieces: Sequence[LinePiece], symbols: Sequence[Symbol], rules: Sequence[Box], size: float
) -> Iterator[_Found]:
    glyphs = _glyphs(symbols)
    for run in formula_runs([piece.span for piece in pieces], size):
        start, end = _without_words(pieces, *run)
        spans = [piece.span for piece in pieces[start:end]]
        told = (span for before, span in pairwise([*spans[:1], *spans]) if DEGREE not in (before.text, span.text))
        if not any(span.font or span.italic or span.size < SMALL * size for span in told):  # a sign, a script
            continue
        places = [place for piece in pieces[start:end] for place in piece.places]
        sure = [symbols[place].confidence for place in places if symbols[place].character not in DOTS]
        if sure and mean(sure) > SURE and not _cuts_word(pieces, start, end):
            latex = _latex([glyph for place in places for glyph in glyphs[place]], rules)
            if latex:
                yield _Found(start, end, latex)


def _without_words(pieces: Sequence[LinePiece], start: int, end: int) -> tuple[int, int]:
    """The longest part of the run between words like `(OR`, which the OCR alone has read."""
    words = [n for n in range(start, end) if not pieces[n].places]
    before, end = max(pairwise([start - 1, *words, end]), key=lambda part: part[1] - part[0])
    return before + 1, end


def _cuts_word(pieces: Sequence[LinePiece], start: int, end: int) -> bool:
    """Whether letters or digits stand right beside the formula."""
    beside = [pieces[n] for n in (start - 1, end) if 0 <= n < len(pieces)]
    parts = {pieces[start].part, pieces[end - 1].part}
    return any(piece.part in parts and piece.span.text[:1].isalnum() for piece in beside)


def _latex(glyphs: Sequence[Glyph], rules: Sequence[Box]) -> str:
    box = around(glyphs)
    reading = latex_of(glyphs, [rule for rule in rules if box.x0 <= rule.center[0] <= box.x1])
    stray = any(mark in reading.latex for mark in STRAY)
    return harmless(reading.latex) if reading.soundness >= LEAST_SOUND and not stray else ""


# ----------------------------------------------------------------------------------------------- writing


def _written(parts: Sequence[LinePart], pieces: Sequence[LinePiece], formulas: Sequence[_Found]) -> str:
    """The line as Markdown."""
    words = list(_words(parts, pieces, formulas))
    blanks = [_blank(word, after) for word, after in pairwise([*words, words[-1]])]
    texts = as_texts([("x" if word.is_latex else word.text) + blank for word, blank in zip(words, blanks, strict=True)])
    told = zip(words, blanks, texts, strict=True)
    said = [word.text + blank if word.is_latex else text for word, blank, text in told]
    return " ".join("".join(said).split())


def _words(parts: Sequence[LinePart], pieces: Sequence[LinePiece], formulas: Sequence[_Found]) -> Iterator[_Word]:
    """A part that no formula touches as the OCR read it; of the others, what the formulas left."""
    starts = {formula.start: formula for formula in formulas}
    touched = {pieces[n].part for formula in formulas for n in range(formula.start, formula.end)}
    n = 0
    while n < len(pieces):
        part = pieces[n].part
        if n in starts:
            formula = starts[n]
            yield _Word(pieces[formula.end - 1].part, f"${formula.latex}$", is_latex=True)
            n = formula.end
        elif part in touched:
            yield _Word(part, pieces[n].span.text)
            n += 1
        else:
            yield _Word(part, parts[part].text)
            n += sum(piece.part == part for piece in pieces)


def _blank(before: _Word, after: _Word) -> str:
    return "" if before.part == after.part or (before.is_latex and after.text.startswith(CLOSING)) else " "
