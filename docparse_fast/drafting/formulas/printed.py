"""What a formula is read from: glyphs with their places, and drawn rules; and what comes out.

A text layer knows each glyph's baseline and type size; a detector on a scan knows boxes alone. Both give the same list.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from docparse_fast.document import Box


class LetterStyle(StrEnum):
    """How a letter is drawn. Signs and digits are `MATH` unless they are bold."""

    MATH = "math"  # slanted letters, and all signs
    ROMAN = "roman"  # upright letters: words, names of functions
    TEXT_ITALIC = "text-italic"  # slanted words, not variables
    BOLD = "bold"
    BOLD_MATH = "bold-math"  # slanted and bold
    CALLIGRAPHIC = "calligraphic"
    SCRIPT = "script"
    BLACKBOARD = "blackboard"
    FRAKTUR = "fraktur"
    SANS = "sans"
    MONO = "mono"


@dataclass(frozen=True, slots=True)
class Glyph:
    """One printed sign.

    `symbol` is LaTeX for the sign alone: `x`, `7`, `+`, `(`, `\\alpha`, `\\leq`, `\\sum`, `\\{`. Marks that belong to
    other signs have the names of their commands: `\\sqrt` is the radical sign, with or without its rule in the box;
    `\\hat`, `\\tilde`, `\\vec`, `\\dot`, `\\widehat` and so on are accents; `\\overbrace` and `\\underbrace` are braces
    that lie. Parts of one tall fence have the fence's symbol each, or `PART` where the part says nothing.
    """

    symbol: str
    box: Box  # the ink
    baseline: float | None = None  # y of the line it stands on, if known
    size: float | None = None  # of the type, in the units of the box, if known
    style: LetterStyle = LetterStyle.MATH
    whole: bool = False  # a fence that the file itself says is no part of a taller one


PART = "\\vert-part"  # a straight part of a tall fence
UNKNOWN = "\ufffd"  # a sign that is there and has no known name


@dataclass(frozen=True, slots=True)
class FormulaReading:
    latex: str  # without dollar signs
    soundness: float  # 0 to 1: how well the geometry fits what was read
