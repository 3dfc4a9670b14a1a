"""The letters' styles, by the names of fonts. Knows fonts of TeX and of word processors; knows no places."""

from __future__ import annotations

import re
from functools import lru_cache

from docparse_fast.document import Box, TextSpan
from docparse_fast.drafting.formulas.latex import NOT, symbol_of
from docparse_fast.drafting.formulas.printed import Glyph, LetterStyle

MATH_FONT = re.compile(
    r"CM(MI|SY|EX|BSY|MIB)|MSBM|MSAM|EUFM|EUSM|RSFS|math|symbol|MT-?(Extra|SY|MI|EX)|Euclid-?Extra|wasy|stmary"
    r"|r?(tx|px)(mi|sy|ex)|fourier-m|kp(mi|sy|ex)|-mex|BBOLD|dsrom|bbm",
    re.IGNORECASE,
)
STYLES: tuple[tuple[re.Pattern[str], LetterStyle], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), style)
    for pattern, style in (
        (r"CMMIB|math.*bold.*ital|math.*ital.*bold|txbmi|txmib|kpbmi", LetterStyle.BOLD_MATH),
        (r"rsfs|scr(ipt)?\b", LetterStyle.SCRIPT),
        (r"EU[RS]M|eusb|boondox.*cal", LetterStyle.CALLIGRAPHIC),
        (r"MSBM|BBOLD|dsrom|dsss|bbm|blackboard|[tp]xsyb|[tp]xmia?bb|boondox.*ds|-?ams[b]", LetterStyle.BLACKBOARD),
        (r"EUF[MB]|frak", LetterStyle.FRAKTUR),
        (r"CMB?SY|math-?symbols|(?:tx|px|kp|mdput|four).*sy", LetterStyle.CALLIGRAPHIC),
        (r"CMMI|mathit|math-?ital|letters|(?:tx|px|kp)mi|fourier-math", LetterStyle.MATH),
        (r"CM(TI|BXTI)|SFTI|LMRoman.*Ital", LetterStyle.TEXT_ITALIC),
        (r"CMSS|SFSS|sans|helvet|arial", LetterStyle.SANS),
        (r"CMTT|SFTT|mono|courier|typewriter", LetterStyle.MONO),
    )
)
COMBINING_WIDTH = {NOT: 0.78, "\\vec": 0.5, "\\hat": 0.5, "\\tilde": 0.5, "\\bar": 0.5, "\\dot": 0.28}
WHOLE_FENCES = frozenset("()[]{}⌊⌋⌈⌉⟨⟩")  # their parts are other characters
WIDE = {"\\hat": "\\widehat", "\\tilde": "\\widetilde"}
LARGE = re.compile(r"CMEX|[a-z]ex[ab]?\d*$|-mex|mathex|extension|MSBM", re.IGNORECASE)
WIDE_FROM = 0.6  # of the type's size: accents of this width reach over more than a letter
LOOPED_PHI = 0.58  # of the type's size: a straight phi is higher
CM_LETTERS = re.compile(r"CMMIB?(\d+)")
ROUND_EPSILON = {5: 0.63, 6: 0.56, 7: 0.507, 8: 0.47, 9: 0.455}  # a lunate epsilon is narrower; by the design's size
ROUND_EPSILON_FROM_10 = 0.435


@lru_cache(maxsize=1024)
def style_of_font(font: str, bold: bool, italic: bool) -> LetterStyle:
    """
    >>> style_of_font("CMSY10", False, True), style_of_font("Times-Italic", False, True)
    (<LetterStyle.CALLIGRAPHIC: 'calligraphic'>, <LetterStyle.MATH: 'math'>)
    """
    known = next((style for pattern, style in STYLES if pattern.search(font)), None)
    if known is not None:
        return known
    if bold:
        return LetterStyle.BOLD_MATH if italic else LetterStyle.BOLD
    return LetterStyle.MATH if italic else LetterStyle.ROMAN


def is_math_font(font: str) -> bool:
    return MATH_FONT.search(font) is not None


def glyphs_of(span: TextSpan) -> list[Glyph]:
    """The span's signs, each in its place; blanks are no signs."""
    style = style_of_font(span.font, span.bold, span.italic)
    return [_glyph(char, box, span, style) for char, box in _placed(span) if not char.isspace()]


def _placed(span: TextSpan) -> list[tuple[str, Box]]:
    if span.signs:
        return list(span.signs)
    chars = span.text.strip()
    step = span.box.width / max(1, len(chars))
    x = span.box.x0
    return [(c, Box(x + n * step, span.box.y0, x + (n + 1) * step, span.box.y1)) for n, c in enumerate(chars)]


def _glyph(char: str, box: Box, span: TextSpan, style: LetterStyle) -> Glyph:
    symbol, own = symbol_of(char)
    symbol = _told_by_shape(symbol, box, span)
    if symbol in COMBINING_WIDTH and box.width < 0.05 * span.size:
        box = Box(box.x0, box.y0, box.x0 + COMBINING_WIDTH[symbol] * span.size, box.y1)
    if symbol in WIDE and (box.width > WIDE_FROM * span.size or LARGE.search(span.font)):
        symbol = WIDE[symbol]
    if not (symbol.isalnum() or symbol in ("-", "\\prime", ",")) and own is None:
        is_bold = style is LetterStyle.BOLD_MATH and symbol.startswith("\\")
        style = LetterStyle.BOLD_MATH if is_bold else LetterStyle.MATH
    if symbol.isdigit() and style not in (LetterStyle.BOLD, LetterStyle.BLACKBOARD):
        style = LetterStyle.MATH
    return Glyph(symbol, box, span.baseline, span.size, own or style, whole=char in WHOLE_FENCES)


def _told_by_shape(symbol: str, box: Box, span: TextSpan) -> str:
    """Files mix up signs that share a name."""
    if symbol == "\\backslash" and is_math_font(span.font):
        return "\\setminus"
    if symbol in ("\\phi", "\\varphi") and span.signs:
        return "\\phi" if span.baseline - box.y0 > LOOPED_PHI * span.size else "\\varphi"
    design = CM_LETTERS.search(span.font)
    if symbol in ("\\epsilon", "\\varepsilon") and design:
        widest = ROUND_EPSILON.get(int(design[1]), ROUND_EPSILON_FROM_10)
        return "\\epsilon" if box.width < widest * span.size else "\\varepsilon"
    return symbol
