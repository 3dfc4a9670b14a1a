"""Finds formulas within lines, and sets those of a text layer as LaTeX. Knows type and places within one line.

A formula is a run of mathematical signs with the digits, fences and names that belong to them. Words, footnote marks,
bullets and units stay text, and so does a sign that stands alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import IntEnum
from itertools import chain, islice, pairwise

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.formulas.glyphs import latex_of
from docparse_fast.drafting.formulas.signs import BIG_KINDS, FUNCTIONS, MORE_FUNCTIONS, Kind, kind_of
from docparse_fast.drafting.formulas.type import Glyph, glyphs_of, is_math_font
from docparse_fast.drafting.lines import largest_type, printed, text_in
from docparse_fast.drafting.measures import SCRIPT
from docparse_fast.drafting.words import LONGEST_MARKER, MARKER
from docparse_fast.geometry import around
from docparse_fast.text.characters import CJK

PIECES = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*|.", re.DOTALL)
NUMBER = re.compile(r"[-−]?\d+(?:[.,]\d+)*")  # whose sign or point may be mathematical: no formula
LEAST_SOUND = 0.9
FEW = 4  # mathematical words on a page
HARMLESS = ((re.compile(r"<(?=[A-Za-z/!?])"), "< "), (re.compile(r"\](?=[(:])"), "] "), (re.compile(r"\*"), "\\\\ast "))
NEVER = frozenset("_•†‡§¶©®™✓✗■□▪●○★☆◆")  # marks of lists and notes
OPERATORS = frozenset("+-−=<>±×·/|*:∈≤≥≠≈→∗⋅∼≡⊂⊆∪∩")
HOLDING = OPERATORS | FUNCTIONS
PUNCTUATION = frozenset(",.;:!?")
OPERATING = BIG_KINDS | {Kind.BINARY, Kind.RELATION}
NABLAS = frozenset("∇∂")  # signs that work on what follows, as letters do
OPENS, CLOSES = frozenset("([{"), frozenset(")]}")
DOTS = frozenset("·⋅∙")  # between two of a product; at an end they part words of a line
NEVER_FIRST, NEVER_LAST = PUNCTUATION | CLOSES | DOTS | {"/"}, OPENS | DOTS | {"/"}
WORD_GAP = 0.24  # of the type's size: wider than between a sign and its argument
SCRIPT_GAP = 0.3  # the same, behind a script
LETTER_GAP = 0.19  # the same, beside an upright letter, which may be a word: wider than a formula's thin space
MOST_VARIABLES = 2  # italic letters in a row that may be a product
MOST_LETTERS = 2  # Greek letters in one word; more are Greek text


class Role(IntEnum):
    WORD = 0
    MAY_JOIN = 1  # belongs to a formula beside it
    OPERATOR = 2  # the same, and holds what stands on its other side
    FORMULA = 3


def is_strong(span: TextSpan) -> bool:
    text = span.text.strip()
    if not _may_be_signs(span):
        return False
    known = all("\U0001d400" <= char <= "\U0001d7ff" or "\u0391" <= char <= "\u03d6" for char in text)
    return is_math_font(span.font) or (known and len(text) <= MOST_LETTERS)


def _may_be_signs(span: TextSpan) -> bool:
    return bool(span.text.strip()) and not span.mono and NEVER.isdisjoint(span.text)


def is_variable(span: TextSpan) -> bool:
    text = span.text.strip()
    return span.italic and len(text) == 1 and text.isalpha() and not span.mono


def _kinds(pieces: Sequence[TextSpan], size: float) -> list[Role]:
    slanted = sum(len(p.text.strip()) for p in pieces if p.italic and not is_math_font(p.font))
    letters = sum(len(p.text.strip()) for p in pieces)
    most = slanted > 0.5 * letters
    return [_kind(p, size, in_italics=most) for p in pieces]


def _kind(piece: TextSpan, size: float, *, in_italics: bool) -> Role:
    text = piece.text.strip()
    if not _may_be_signs(piece) or CJK.search(text):
        return Role.WORD
    strong = is_strong(piece)
    if text in HOLDING or (strong and OPERATING.issuperset(_signs_in(piece))):
        return Role.OPERATOR
    if strong:
        return Role.FORMULA
    if not text.isalpha() or text in MORE_FUNCTIONS or piece.size < SCRIPT * size:
        return Role.MAY_JOIN
    return _kind_of_letters(piece, text, in_italics=in_italics)


def _kind_of_letters(piece: TextSpan, text: str, *, in_italics: bool) -> Role:
    if in_italics:
        return Role.MAY_JOIN if len(text) == 1 and piece.bold else Role.WORD
    if is_variable(piece):
        return Role.FORMULA
    return Role.MAY_JOIN if len(text) <= (MOST_VARIABLES if piece.italic else 1) else Role.WORD


# ------------------------------------------------------------------------------------------------- runs


def _signs_in(piece: TextSpan) -> list[Kind]:
    return [kind_of(glyph.symbol) for glyph in glyphs_of(piece)]


def formula_runs(pieces: Sequence[TextSpan], size: float) -> list[tuple[int, int]]:
    """Where formulas begin and end among words, numbers and signs. `size`: of the line's type."""
    kinds = _kinds(pieces, size)
    runs: list[tuple[int, int]] = []
    n = marked = _marker(pieces)
    begins = [
        kind is Role.FORMULA or (kind is Role.OPERATOR and is_strong(p)) for kind, p in zip(kinds, pieces, strict=True)
    ]
    while n < len(pieces):
        if not begins[n]:
            n += 1
            continue
        low = runs[-1][1] if runs else marked
        start, end = _grown(pieces, kinds, n, low, size)
        start, end = _trimmed(pieces, start, end)
        end -= _ends_in_hyphen(pieces, start, end, size)
        run = pieces[start:end]
        if any(begins[start:end]) and (_are_stacked(run) or _is_worth(run, kinds[start:end])):
            runs.append((start, end))
        n = max(end, n + 1)
    return runs


def _marker(pieces: Sequence[TextSpan]) -> int:
    """How many pieces are the upright marker of an item: `A.` or `(1)`."""
    said = ""
    for n, piece in enumerate(pieces[:LONGEST_MARKER], start=1):
        if is_strong(piece) or piece.italic:
            break
        said += piece.text
        if MARKER.match(said.strip() + " x"):
            return n
    return 0


def _grown(pieces: Sequence[TextSpan], kinds: Sequence[Role], n: int, low: int, size: float) -> tuple[int, int]:
    start, end = n, n + 1
    while start > low and _belongs(pieces, kinds, start - 1, start, size):
        start -= 1
    while end < len(pieces) and (
        _belongs(pieces, kinds, end, end - 1, size) or _in_fences(pieces[start:end], pieces[end])
    ):
        end += 1
    return start, end


def _belongs(pieces: Sequence[TextSpan], kinds: Sequence[Role], new: int, member: int, size: float) -> bool:
    """Whether a piece next to a formula's last one is part of it."""
    kind = kinds[new]
    if kind is Role.WORD:
        return False
    near = not _apart(pieces, new, member, size) or _comma(pieces[member])
    if kind is Role.FORMULA:
        return near or kinds[member] is not Role.MAY_JOIN
    if Role.OPERATOR in (kind, kinds[member]):
        return True
    if _comma(pieces[new]):
        small = largest_type((pieces[new], pieces[member])) < SCRIPT * size
        before = new < member and pieces[new].text.strip() != "."  # a full stop ends a sentence, or an abbreviation
        return before or small
    return near


def _in_fences(members: Sequence[TextSpan], piece: TextSpan) -> bool:
    """A comma between arguments."""
    return piece.text.strip() in (",", ".") and _balance(text_in(members)) > 0


def _comma(piece: TextSpan) -> bool:
    return piece.text.strip() in PUNCTUATION


def _apart(pieces: Sequence[TextSpan], a: int, b: int, size: float) -> bool:
    first, second = (pieces[a], pieces[b]) if a < b else (pieces[b], pieces[a])
    if first.size < SCRIPT * size:
        widest = SCRIPT_GAP
    else:
        widest = LETTER_GAP if _is_upright_letter(first) or _is_upright_letter(second) else WORD_GAP
    return second.box.x0 - first.box.x1 > widest * size


def _is_upright_letter(piece: TextSpan) -> bool:
    text = piece.text.strip()
    upright = not (piece.italic or piece.bold or is_math_font(piece.font))
    return upright and len(text) == 1 and text.isalpha() and text.isascii()


def _trimmed(pieces: Sequence[TextSpan], start: int, end: int) -> tuple[int, int]:
    """Without the sentence's own signs at the ends: commas, and fences whose partner is outside."""
    while end > start:
        first, last = pieces[start].text.strip(), pieces[end - 1].text.strip()
        text = text_in(pieces[start:end])
        if _is_sentences(pieces[start:end]):
            end -= 1
        elif first in NEVER_FIRST:
            start += 1
        elif last in NEVER_LAST:
            end -= 1
        elif (first in OPENS and _balance(text) > 0) or _is_outer(pieces[start:end]):
            start += 1
        elif last in CLOSES and _balance(text) < 0:
            end -= 1
        else:
            break
    return start, end


def _is_sentences(pieces: Sequence[TextSpan]) -> bool:
    """Whether the last sign is no formula's: a unit, as in `1 sec`, since functions have arguments, or a full stop."""
    last = pieces[-1].text.strip()
    if last in FUNCTIONS:
        return len(pieces) > 1
    return last in PUNCTUATION


def _ends_in_hyphen(pieces: Sequence[TextSpan], start: int, end: int, size: float) -> bool:
    """Whether the last sign joins the formula to the word behind it, as in `n-dimensional` and `4.2 ~Class()`."""
    last = pieces[end - 1] if end > start + 1 else None
    if last is None or last.text.strip() not in ("-", "−", "–", "∼", "~") or end == len(pieces):
        return False
    return pieces[end].text.strip()[:1].isalpha() and pieces[end].box.x0 - last.box.x1 < WORD_GAP * size


def _balance(text: str) -> int:
    return sum(text.count(char) for char in OPENS) - sum(text.count(char) for char in CLOSES)


def _is_outer(pieces: Sequence[TextSpan]) -> bool:
    """A parenthesis around a whole formula is the sentence's, as in `(x = 1)`; this drops its first sign."""
    if len(pieces) < 3 or pieces[0].text.strip() != "(" or is_math_font(pieces[0].font):
        return False
    depth = 0
    for n, piece in enumerate(pieces):
        depth += (piece.text.strip() == "(") - (piece.text.strip() == ")")
        if depth == 0:
            inner = any(p.text.strip() in PUNCTUATION and is_math_font(p.font) for p in pieces)
            return n == len(pieces) - 1 and not inner
    return False


def _is_worth(pieces: Sequence[TextSpan], kinds: Sequence[Role]) -> bool:
    """A variable, or an operator with something to work on; not a sign alone."""
    texts = [piece.text.strip() for piece in pieces]
    told = list(zip(texts, kinds, strict=True))
    if any(kind is Role.FORMULA and any(map(str.isalpha, text)) for text, kind in told):
        return True
    if len(pieces) == 1 or not NABLAS.isdisjoint(texts):
        return len(pieces) > 1
    has_sign = Role.OPERATOR in kinds or not set(chain.from_iterable(map(_signs_in, pieces))) <= {Kind.LETTER}
    return has_sign and any(map(str.isalnum, "".join(texts)))


def _are_stacked(pieces: Sequence[TextSpan]) -> bool:
    """Whether one stands over another, as in a fraction."""
    return any(a.box.overlap_x(b.box) > min(a.box.width, b.box.width) / 2 for a, b in pairwise(pieces))


def has_formulas(lines: Iterable[TextLine]) -> bool:
    """Whether a page has enough mathematics for a slanted letter to be a variable."""
    pairs = (pair for line in lines for pair in pairwise([*printed(line.spans), None]))
    found = (span.signs and (is_strong(span) or _equates(span, after)) for span, after in pairs if span is not None)
    return sum(1 for _ in islice(filter(None, found), FEW)) == FEW


def _equates(span: TextSpan, after: TextSpan | None) -> bool:
    """Whether a slanted letter is followed by a relation, an argument or an exponent."""
    if after is None or not is_variable(span):
        return False
    return after.text[:1] in OPERATORS or after.text[:1] == "(" or (after.size < SCRIPT * span.size)


def with_formulas(spans: Sequence[TextSpan], size: float, bars: Sequence[Box], *, variables: bool) -> list[TextSpan]:
    """The line's words, each formula as one word with its LaTeX. `variables`: as `has_formulas` says of the page."""
    if not any(span.signs and (is_strong(span) or (variables and is_variable(span))) for span in spans):
        return list(spans)
    pieces = [piece for span in _without_blanks(spans) for piece in _pieces(span)]
    made: list[TextSpan] = []
    at = 0
    for start, end in formula_runs(pieces, size):
        if formula := _formula(pieces[start:end], bars):
            made += [*pieces[at:start], formula]
            at = end
    made += pieces[at:]
    return made if len(made) != len(pieces) or any(span.latex for span in made) else list(spans)


def _without_blanks(spans: Sequence[TextSpan]) -> list[TextSpan]:
    """Blanks as the ends of the words before them."""
    made: list[TextSpan] = []
    for span in spans:
        if made and not span.text.strip():
            made[-1] = replace(made[-1], text=made[-1].text.rstrip() + " ")
        else:
            made.append(span)
    return made


def _pieces(span: TextSpan) -> list[TextSpan]:
    """Words, numbers and signs apart; a formula may end in the middle of what the file sets as one word."""
    text = span.text.rstrip()
    parts = PIECES.findall(text)
    if len(parts) < 2 or len(span.signs) != len(text) or not span.signs:
        return [span]
    made, at = [], 0
    for part in parts:
        signs = span.signs[at : at + len(part)]
        at += len(part)
        box = Box(signs[0][1].x0, span.box.y0, signs[-1][1].x1, span.box.y1)
        made.append(replace(span, text=part, box=box, signs=signs))
    made[-1] = replace(made[-1], text=made[-1].text + span.text[len(text) :])
    return made


# --------------------------------------------------------------------------------------------- setting


def _formula(pieces: Sequence[TextSpan], bars: Sequence[Box]) -> TextSpan | None:
    glyphs = [glyph for piece in pieces for glyph in glyphs_of(piece)]
    box = around(pieces)
    reading = latex_of(glyphs, [bar for bar in bars if _lies_in(bar, glyphs)])
    if reading.soundness < LEAST_SOUND or not reading.latex:
        return None
    text = text_in(pieces)
    tight = "".join(text.split())
    number = NUMBER.fullmatch(tight) is not None and not _are_stacked(pieces)
    return replace(
        max(pieces, key=lambda piece: piece.size),
        box=box,
        text=tight + " " * (text != text.rstrip()) if number else text,
        signs=(),
        latex="" if number else harmless(reading.latex),
        bold=False,
        italic=False,
        mono=False,
    )


def _lies_in(bar: Box, glyphs: Sequence[Glyph]) -> bool:
    box = around(glyphs).expanded(0.3 * (glyphs[0].size or 1.0))
    return box.x0 <= bar.x0 and bar.x1 <= box.x1 and box.y0 <= bar.center[1] <= box.y1


def harmless(latex: str) -> str:
    """LaTeX in which Markdown sees no tag, no link and no star.

    >>> print(harmless("a<b*[c](d)"))
    a< b\\ast [c] (d)
    """
    for pattern, better in HARMLESS:
        latex = pattern.sub(better, latex)
    return latex
