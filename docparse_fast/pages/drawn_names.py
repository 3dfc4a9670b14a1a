"""Signs that a file calls letters, told by their shape: publishers set `µ` as a font's `m`.

`5 µm` reads as `5 mm` then, and `20 °C` as `20 1C`. A letter that hangs below the line though it has no tail is the
Greek one that every font of Greek letters has in its place; a raised `1` that is as wide as high is a degree's ring.
Such a font gets a map to Unicode.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docparse_fast.geometry import Box
from docparse_fast.pages.coded_names import Font, map_to_unicode
from docparse_fast.system.mupdf import pymupdf

GREEK = {"b": "β", "m": "µ", "r": "ρ"}  # have tails, unlike these letters; fonts disagree on what `c` or `x` stand for
TAIL = 0.15  # of the type's size, below the line
RAISED = 0.3  # of the type's size, above the line
ROUND = 0.15  # by so much a ring's width and height may differ
RING = "°"


def name_by_shape(file: pymupdf.Document, fonts: Iterable[Font]) -> bool:
    """Gives such fonts a map that says what is drawn; whether there were any."""
    found = False
    for xref in (font[0] for font in fonts if font[2] == "Type1" and font[5].endswith("Encoding")):
        codes = list(_codes(file, xref))
        if codes and file.xref_get_key(xref, "ToUnicode")[0] == "null":
            drawn = dict(_drawn(file, xref, codes))
            if drawn:
                file.xref_set_key(xref, "ToUnicode", f"{map_to_unicode(file, drawn)} 0 R")
                found = True
    return found


def _codes(file: pymupdf.Document, xref: int) -> Iterator[int]:
    """Those that have a width: what the file has of the font."""
    first, widths = file.xref_get_key(xref, "FirstChar")[1], file.xref_get_key(xref, "Widths")
    if first.isdecimal() and widths[0] == "array":
        yield from (int(first) + n for n, width in enumerate(widths[1].strip("[] ").split()) if width != "0")


def _drawn(file: pymupdf.Document, xref: int, codes: Iterable[int]) -> Iterator[tuple[int, str]]:
    program = file.extract_font(xref)[3]
    font = pymupdf.Font(fontbuffer=program) if program else None
    for code in codes:
        glyph = font.has_glyph(code) if font else 0
        sign = sign_drawn(chr(code), _ink(font, glyph)) if glyph else chr(code)
        if sign != chr(code):
            yield code, sign


def sign_drawn(char: str, ink: Box) -> str:
    """What a character is by its ink, of the type's size, from the line upwards.

    >>> sign_drawn("m", Box(0.05, -0.21, 0.53, 0.46)), sign_drawn("m", Box(0.05, 0, 0.8, 0.46))
    ('µ', 'm')
    >>> sign_drawn("1", Box(0.06, 0.43, 0.33, 0.7)), sign_drawn("1", Box(0.1, 0.3, 0.25, 0.7))
    ('°', '1')
    """
    if char in GREEK and ink.y0 < -TAIL:
        return GREEK[char]
    is_round = abs(ink.width - ink.height) <= ROUND * ink.height
    return RING if char == "1" and ink.y0 > RAISED and is_round else char


def _ink(font: pymupdf.Font, glyph: int) -> Box:
    fitz = pymupdf.mupdf
    outline = fitz.fz_outline_glyph(font.this, glyph, fitz.FzMatrix())
    box = fitz.fz_bound_path(outline, fitz.FzStrokeState(None), fitz.FzMatrix())
    return Box(box.x0, box.y0, box.x1, box.y1)
