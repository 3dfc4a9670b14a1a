"""The invariant of a sound text layer: every word of it stands in the draft, once.

Letters are counted: where words end is another question, and lines that are broken within a word are joined. A link's
address and LaTeX's commands are ours, not the page's; what LaTeX names (Greek letters, signs) does not count.
"""

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from docparse_fast.document import Category, PageDraft, Region, TextLayer

TAG = re.compile(r"</?(?:table|tr|t[dh]|su[bp]|b|i|u|code)\b[^<>]*>")


ADDRESS = re.compile(r"(?<=\])\([^()\s]*\)")
FORMULA = re.compile(r"(?<![\\$])\$[^$]+\$")
COMMAND = re.compile(r"\\(?:begin|end)\{[a-z]+\*?\}(?:\{[lcr]+\})?|\\[A-Za-z]+")


def letters(texts: Iterable[str]) -> Counter[str]:
    read = (html.unescape(TAG.sub(" ", text)) for text in texts)
    return Counter(char for text in read for char in unicodedata.normalize("NFKC", text) if char.isalnum())


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
        return COMMAND.sub("", region.text)
    if region.category is Category.CODE:
        return region.text
    return ADDRESS.sub("", FORMULA.sub(lambda found: COMMAND.sub("", found[0]), region.text))
