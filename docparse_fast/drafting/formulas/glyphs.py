"""What a formula is read from: glyphs with their places, and drawn rules. `latex_of` reads them.

A text layer knows each glyph's baseline and type size; a detector on a scan knows boxes alone. Both give the same list.
"""

from __future__ import annotations

from collections.abc import Sequence

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.printed import PART as PART
from docparse_fast.drafting.formulas.printed import UNKNOWN as UNKNOWN
from docparse_fast.drafting.formulas.printed import FormulaReading as FormulaReading
from docparse_fast.drafting.formulas.printed import Glyph as Glyph
from docparse_fast.drafting.formulas.printed import LetterStyle as LetterStyle


def latex_of(glyphs: Sequence[Glyph], rules: Sequence[Box] = ()) -> FormulaReading:
    """Reads one formula. `rules` are drawn lines: fraction bars, the tops of roots, lines over and under letters.

    >>> def at(symbol, x, y, height=7):
    ...     return Glyph(symbol, Box(x, y - height, x + 5, y))
    >>> latex_of([at("x", 0, 10, 4.5), at("2", 6, 6, 4.7)]).latex
    'x^{2}'
    """
    from docparse_fast.drafting.formulas.setting import read  # imported late: most pages have no formula

    return read(glyphs, rules)
