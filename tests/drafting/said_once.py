"""The invariant of a sound text layer: every word of it stands in the draft, once.

Letters are counted: where words end is another question, and lines that are broken within a word are joined. Accents
are not counted. A link's address and LaTeX's commands are ours, not the page's, except names of functions (`\\log`);
what else LaTeX names (Greek letters, signs) does not count.
"""

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from docparse_fast.document import Category, PageDraft, Region, TextLayer
from docparse_fast.drafting.formulas.signs import FUNCTIONS

TAG = re.compile(r"</?(?:table|tr|t[dh]|su[bp]|b|i|u|code|del)\b[^<>]*>")


ADDRESS = re.compile(r"(?<=\])\([^()\s]*\)")
FORMULA = re.compile(r"(?<![\\$])\$[^$]+\$")
COMMAND = re.compile(r"\\(?:begin|end)\{[a-z]+\*?\}(?:\{[lcr]+\})?|\\[A-Za-z]+")


def letters(texts: Iterable[str]) -> Counter[str]:
    read = (html.unescape(TAG.sub(" ", text)).replace("ℓ", "") for text in texts)
    return Counter(char for text in read for char in unicodedata.normalize("NFKD", text) if char.isalnum())


def lost_and_doubled(layer: TextLayer, draft: PageDraft) -> tuple[Counter[str], Counter[str]]:
    """Letters of the layer that the draft leaves out, and letters that it says more often than the layer does."""
    page = letters(line.text for line in layer.lines)
    said = letters(_said(region) for region in draft.regions)
    lost, doubled = page - said, said - page
    if any(FORMULA.search(region.text) or region.category is Category.FORMULA for region in draft.regions):
        lost = Counter({char: n for char, n in lost.items() if char.isascii()})
    return lost, doubled


def _said(region: Region) -> str:
    if region.category is Category.FORMULA:
        return COMMAND.sub(_printed, region.text)
    if region.category is Category.CODE:
        return region.text
    return ADDRESS.sub("", FORMULA.sub(lambda found: COMMAND.sub(_printed, found[0]), region.text))


def _printed(command: re.Match[str]) -> str:
    name = command[0].removeprefix("\\")
    return name if name in FUNCTIONS else ""
