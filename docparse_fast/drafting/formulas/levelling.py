"""Sets the letters of a word level: boxes on a scan tell each letter's size and baseline only roughly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from docparse_fast.drafting.formulas.glyphs import Glyph, LetterStyle
from docparse_fast.drafting.formulas.signs import extent_of

WORDY = frozenset({LetterStyle.ROMAN, LetterStyle.BOLD})
GAP = 0.3  # of the type's size: letters of one word are nearer
OVERLAP = 0.25  # of the type's size, by which boxes of slanting letters may overlap
OFF = 0.2  # of the type's size: how far the baselines of a word's letters seem apart
LARGER = 1.35  # how much larger a letter of the same size may seem


@dataclass(frozen=True, slots=True)
class _Letter:
    index: int
    glyph: Glyph
    size: float
    baseline: float


def levelled(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The glyphs; upright letters beside each other have one baseline and one size."""
    words: list[list[_Letter]] = []
    for letter in sorted(_letters(glyphs), key=lambda letter: letter.glyph.box.x0):
        word = next((word for word in words if _continues(word[-1], letter)), None)
        if word is None:
            words.append([letter])
        else:
            word.append(letter)
    made = list(glyphs)
    for word in words:
        if len(word) > 1:
            size, baseline = median(letter.size for letter in word), median(letter.baseline for letter in word)
            for letter in word:
                made[letter.index] = replace(letter.glyph, size=size, baseline=baseline)
    return made


def _letters(glyphs: Sequence[Glyph]) -> list[_Letter]:
    found = []
    for index, glyph in enumerate(glyphs):
        extent = extent_of(glyph.symbol) if glyph.style in WORDY and glyph.symbol.isalpha() else None
        if extent is not None:
            size = glyph.box.height / sum(extent)
            found.append(_Letter(index, glyph, size, glyph.box.y1 - extent[1] * size))
    return found


def _continues(last: _Letter, letter: _Letter) -> bool:
    gap = letter.glyph.box.x0 - last.glyph.box.x1
    near = -OVERLAP * last.size < gap < GAP * min(last.size, letter.size)
    level = abs(letter.baseline - last.baseline) < OFF * max(last.size, letter.size)
    alike = 1 / LARGER < letter.size / last.size < LARGER
    return near and level and alike and last.glyph.style is letter.glyph.style
