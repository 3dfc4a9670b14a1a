"""Tells bold fonts whose names don't call them so. Knows a layer's words and the page's picture.

Journals' fonts are named by numbers, and programs that write a page anew number them, too: their strokes tell. A page
without bold type that has its usual font in a medium weight, too, has that for bold.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

import numpy as np

from docparse_fast.document import Page, TextLayer, TextLine, TextSpan
from docparse_fast.drafting.measures import BOLD_FONT, ENOUGH, PROVING_LETTERS, TELLING_WORDS

NAMELESS = re.compile(r"\w{0,8}Adv[A-Z]{1,2}\w+|CairoFont-[\d-]+|Type3 .*|[A-Za-z]{0,2}\d*|[a-z]-\d+-\d+")

MEDIUM, REGULAR = re.compile(r"[-_, ](?:medium|md)$", re.IGNORECASE), re.compile(r"[-_, ]regular$", re.IGNORECASE)


def with_weights(layer: TextLayer, page: Page) -> TextLayer:
    """The layer, with words in such fonts bold where they are."""
    if medium := _medium_for_bold(layer):
        return _with_bold(layer, medium)
    words = _by_font(layer)
    usual = max(words, key=lambda font: len(words[font]), default="")
    nameless = [font for font in sorted(words.keys() - {usual}) if NAMELESS.fullmatch(font)]
    if not nameless or not (own := _stroke(words[usual], page)):
        return layer
    bold = {font for font in nameless if _stroke(words[font], page) > math.exp(BOLD_FONT) * own}
    return _with_bold(layer, bold)


def _medium_for_bold(layer: TextLayer) -> set[str]:
    letters = Counter[str]()
    for span in (span for line in layer.lines for span in line.spans):
        if span.bold:
            return set()
        letters[span.font] += len(span.text)
    usual = max(letters, key=letters.__getitem__, default="")
    others = (font for font in letters if MEDIUM.search(font) and not MEDIUM.search(usual))
    return {font for font in others if MEDIUM.sub("", font) == REGULAR.sub("", usual)}


def _with_bold(layer: TextLayer, bold: set[str]) -> TextLayer:
    return replace(layer, blocks=tuple(tuple(_line(line, bold) for line in block) for block in layer.blocks))


def _by_font(layer: TextLayer) -> dict[str, list[TextSpan]]:
    """The words that tell a font's weight, of fonts that aren't called bold."""
    words: dict[str, list[TextSpan]] = defaultdict(list)
    for span in (span for line in layer.lines if not (line.vertical or line.slanted) for span in line.spans):
        if _tells(span):
            words[span.font].append(span)
    return {font: spans for font, spans in words.items() if len(spans) >= ENOUGH}


def _tells(span: TextSpan) -> bool:
    usual = span.visible and not (span.bold or span.mono)
    return usual and sum(map(str.isalpha, span.text)) >= PROVING_LETTERS


def _stroke(words: Sequence[TextSpan], page: Page) -> float:
    """How wide a font's strokes are for its type, by the median of words from all over the page."""
    from docparse_fast.drafting.strokes import for_type, grey_crop  # loads OpenCV: only where a page needs it

    pixels, step = np.asarray(page.image), 1 + len(words) // TELLING_WORDS
    return median(for_type(grey_crop(pixels, word.box), word.size) for word in words[::step])


def _line(line: TextLine, bold: set[str]) -> TextLine:
    if not any(span.font in bold for span in line.spans):
        return line
    return replace(line, spans=tuple(replace(span, bold=span.bold or span.font in bold) for span in line.spans))
