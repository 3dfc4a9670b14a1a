"""Finds formulas within a text layer's lines, and sets them as LaTeX. Knows type and places within one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice, pairwise

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.formulas.glyphs import Glyph, latex_of
from docparse_fast.drafting.formulas.runs import OPERATORS, SMALL, formula_runs, is_strong, is_variable
from docparse_fast.drafting.formulas.type import glyphs_of

PIECES = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*|.", re.DOTALL)
NUMBER = re.compile(r"[-−]?\d+(?:[.,]\d+)*")  # whose sign or point may be mathematical: no formula
LEAST_SOUND = 0.9
FEW = 4  # mathematical words on a page
HARMLESS = ((re.compile(r"<(?=[A-Za-z/!?])"), "< "), (re.compile(r"\](?=[(:])"), "] "), (re.compile(r"\*"), "\\\\ast "))


def has_formulas(lines: Iterable[TextLine]) -> bool:
    """Whether a page has enough mathematics for a slanted letter to be a variable."""
    pairs = (pair for line in lines for pair in pairwise([*_inked(line.spans), None]))
    found = (span.signs and (is_strong(span) or _equates(span, after)) for span, after in pairs if span is not None)
    return sum(1 for _ in islice(filter(None, found), FEW)) == FEW


def _inked(spans: Sequence[TextSpan]) -> list[TextSpan]:
    return [span for span in spans if span.text.strip()]


def _equates(span: TextSpan, after: TextSpan | None) -> bool:
    """Whether a slanted letter is followed by a relation, an argument or an exponent."""
    if after is None or not is_variable(span):
        return False
    return after.text[:1] in OPERATORS or after.text[:1] == "(" or (after.size < SMALL * span.size)


def with_formulas(spans: Sequence[TextSpan], size: float, bars: Sequence[Box], *, variables: bool) -> list[TextSpan]:
    """The line's words, each formula as one word with its LaTeX. `variables`: as `has_formulas` says of the page."""
    if not any(span.signs and (is_strong(span) or (variables and is_variable(span))) for span in spans):
        return list(spans)
    pieces = [piece for span in _without_blanks(spans) for piece in _pieces(span)]
    made: list[TextSpan] = []
    at = 0
    for start, end in formula_runs(pieces, size):
        formula = _formula(pieces[start:end], bars)
        made += pieces[at:start]
        made += [formula] if formula is not None else pieces[start:end]
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
    if not glyphs:
        return None
    box = Box.around(piece.box for piece in pieces)
    reading = latex_of(glyphs, [bar for bar in bars if _lies_in(bar, glyphs)])
    if reading.soundness < LEAST_SOUND or not reading.latex:
        return None
    text = "".join(piece.text for piece in pieces)
    size = max(piece.size for piece in pieces)
    main = max(pieces, key=lambda piece: piece.size)
    number = NUMBER.fullmatch("".join(text.split())) is not None
    return replace(
        main,
        box=box,
        text="".join(text.split()) + " " * (text != text.rstrip()) if number else text,
        size=size,
        signs=(),
        latex="" if number else harmless(reading.latex),
        bold=False,
        italic=False,
        mono=False,
    )


def _lies_in(bar: Box, glyphs: Sequence[Glyph]) -> bool:
    box = Box.around(glyph.box for glyph in glyphs).expanded(0.3 * (glyphs[0].size or 1.0))
    return box.x0 <= bar.x0 and bar.x1 <= box.x1 and box.y0 <= bar.center[1] <= box.y1


def harmless(latex: str) -> str:
    """LaTeX in which Markdown sees no tag, no link and no star.

    >>> print(harmless("a<b*[c](d)"))
    a< b\\ast [c] (d)
    """
    for pattern, better in HARMLESS:
        latex = pattern.sub(better, latex)
    return latex
