"""Type: which fonts there are, and their letters as small bitmaps. Knows no layout and no text.

Letters are pasted from a cache, so that a page costs milliseconds and every letter's place is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

BULLET = "•"
LETTERS = [chr(code) for code in range(33, 127)] + [BULLET]
FONTS = Path("/usr/share/fonts/truetype")


@dataclass(frozen=True, slots=True)
class Family:
    """A typeface from a Debian package, and the sizes at which small print in it can still be read."""

    package: str
    regular: Path
    bold: Path
    body: tuple[int, ...]


LIBERATION, DEJAVU, DEJAVU_EXTRA = "fonts-liberation", "fonts-dejavu-core", "fonts-dejavu-extra"


def _family(package: str, path: str, body: tuple[int, ...]) -> Family:
    """
    >>> _family(DEJAVU, "dejavu/DejaVuSans", (12, 13)).bold.name
    'DejaVuSans-Bold.ttf'
    """
    regular = FONTS / f"{path}{'' if 'dejavu' in path else '-Regular'}.ttf"
    return Family(package, regular, FONTS / f"{path}-Bold.ttf", body)


TRAINED = {
    "Liberation Sans": _family(LIBERATION, "liberation/LiberationSans", (13, 14)),
    "Liberation Serif": _family(LIBERATION, "liberation/LiberationSerif", (14, 15)),
    "DejaVu Sans": _family(DEJAVU, "dejavu/DejaVuSans", (12, 13)),
    "DejaVu Sans Condensed": _family(DEJAVU_EXTRA, "dejavu/DejaVuSansCondensed", (13, 14)),
}
HELD_OUT = {"DejaVu Serif": _family(DEJAVU, "dejavu/DejaVuSerif", (12, 13))}
FAMILIES = TRAINED | HELD_OUT


@dataclass(frozen=True, slots=True)
class Glyph:
    bitmap: NDArray[np.uint8] | None  # None: nothing to paint
    dx: int
    dy: int
    advance: float


@dataclass(frozen=True, slots=True)
class Face:
    size: int
    ascent: int
    descent: int
    glyphs: dict[str, Glyph]

    def width(self, text: str) -> float:
        return sum(self.glyphs[letter].advance for letter in text)

    @property
    def space(self) -> float:
        return self.glyphs[" "].advance

    @property
    def middle(self) -> float:
        """How far below the top of a line the middle of its small letters lies."""
        return self.ascent - 0.33 * self.size


@cache
def face(family: str, bold: bool, size: int) -> Face:
    fonts = FAMILIES[family]
    path = fonts.bold if bold else fonts.regular
    if not path.is_file():
        raise SystemExit(f"{family} is not here ({path}): apt-get install {fonts.package}")
    font = ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)
    ascent, descent = font.getmetrics()
    return Face(size, ascent, descent, {letter: _glyph(font, letter) for letter in [*LETTERS, " "]})


def _glyph(font: ImageFont.FreeTypeFont, letter: str) -> Glyph:
    x0, y0, x1, y1 = (int(edge) for edge in font.getbbox(letter))
    advance = font.getlength(letter)
    if letter == " " or x1 <= x0 or y1 <= y0:
        return Glyph(None, 0, 0, advance)
    image = Image.new("L", (x1 - x0 + 2, y1 - y0 + 2), 0)
    ImageDraw.Draw(image).text((1 - x0, 1 - y0), letter, font=font, fill=255)
    return Glyph(np.asarray(image, dtype=np.uint8), x0 - 1, y0 - 1, advance)
