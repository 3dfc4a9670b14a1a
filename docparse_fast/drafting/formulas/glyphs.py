"""The door to the reading of formulas, which loads it with the first of them: most pages have none."""

from __future__ import annotations

from collections.abc import Sequence

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.type import FormulaReading, Glyph


def latex_of(glyphs: Sequence[Glyph], rules: Sequence[Box] = ()) -> FormulaReading:
    """Reads one formula. `rules` are drawn lines: fraction bars, the tops of roots, lines over and under letters.

    >>> def at(symbol, x, y, height=7):
    ...     return Glyph(symbol, Box(x, y - height, x + 5, y))
    >>> latex_of([at("x", 0, 10, 4.5), at("2", 6, 6, 4.7)]).latex
    'x^{2}'
    """
    from docparse_fast.drafting.formulas.setting import read

    return read(glyphs, rules)
