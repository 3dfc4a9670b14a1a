"""The invariant of a sound text layer: every word of it stands in the draft, once.

Letters are counted: where words end is another question, and lines that are broken within a word are joined.
"""

import html
import re
from collections import Counter
from collections.abc import Iterable

from docparse_fast.document import PageDraft, TextLayer

TAG = re.compile(r"<[^<>]*>")


def letters(texts: Iterable[str]) -> Counter[str]:
    return Counter(char for text in texts for char in html.unescape(TAG.sub(" ", text)) if char.isalnum())


def lost_and_doubled(layer: TextLayer, draft: PageDraft) -> tuple[Counter[str], Counter[str]]:
    """Letters of the layer that the draft leaves out, and letters that it says more often than the layer does."""
    page = letters(line.text for line in layer.lines)
    said = letters(region.text for region in draft.regions)
    return page - said, said - page
