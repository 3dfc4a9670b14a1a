"""Symbols that were found on an image, as glyphs that the setter of formulas takes. Knows no network and no page."""

from __future__ import annotations

from dataclasses import dataclass, replace

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.latex import symbol_of
from docparse_fast.drafting.formulas.levelling import levelled
from docparse_fast.drafting.formulas.printed import UNKNOWN, Glyph, LetterStyle
from docparse_fast.drafting.formulas.sign_places import with_places

STYLES = {
    "upright": LetterStyle.ROMAN,
    "italic": LetterStyle.MATH,
    "bold": LetterStyle.BOLD,
    "calligraphic": LetterStyle.CALLIGRAPHIC,
    "blackboard": LetterStyle.BLACKBOARD,
    "fraktur": LetterStyle.FRAKTUR,
}
PRIME = "′"
PRIME_HEIGHT, PRIME_FOOT = 0.51, 0.08  # its height in type sizes; how far its baseline is below it, in its heights


@dataclass(frozen=True, slots=True)
class Symbol:
    character: str  # "fi" and its like are one
    style: str
    box: Box
    baseline: float
    size: float
    confidence: float
    style_confidence: float = 1.0

    def placed(self, scale: float) -> Symbol:
        box = self.box.scaled(scale)
        return replace(self, box=box, baseline=self.baseline * scale, size=self.size * scale)

    def glyphs(self) -> list[Glyph]:
        step = self.box.width / len(self.character)
        return [self._glyph(char, n, step) for n, char in enumerate(self.character)]

    def _glyph(self, char: str, n: int, step: float) -> Glyph:
        symbol, own = symbol_of(char)
        x = self.box.x0 + n * step
        letter = char.isalpha() and (char.isascii() or self.style == "bold")
        style = own or (STYLES[self.style] if letter else LetterStyle.MATH)
        box = Box(x, self.box.y0, x + step, self.box.y1)
        if char == PRIME:
            return Glyph(symbol, box, box.y1 + PRIME_FOOT * box.height, box.height / PRIME_HEIGHT, style)
        # of other signs, boxes tell baselines and sizes better than the network does
        return Glyph(symbol or UNKNOWN, box, style=style)


@dataclass(frozen=True, slots=True)
class Symbols:
    """What stands on an image, in its pixels."""

    symbols: tuple[Symbol, ...]
    rules: tuple[Box, ...]

    def glyphs(self) -> list[Glyph]:
        return with_places(levelled([glyph for symbol in self.symbols for glyph in symbol.glyphs()]))
