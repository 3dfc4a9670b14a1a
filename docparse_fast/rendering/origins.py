"""Who wrote each character of a block. Knows blocks and words; knows no markup language and no page.

A block's spans are parts of the target's answer in its dialect, with escapes, marks and tags that the block's text no
longer has. Letters and digits are the same in both, so the two are aligned by letters and digits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from docparse_fast.document import Block
from docparse_fast.rendering.aligning import aligned


class MarkKind(StrEnum):
    """How a character is marked. PLAIN: from a draft that nothing verified, or without a record."""

    PLAIN = ""
    ACCEPTED = "accepted"
    TOLERATED = "tolerated"
    OWN = "own"
    CORRECTED = "corrected"
    UNSUPPORTED = "unsupported"


def origins(block: Block) -> list[MarkKind]:
    """For each character of the block's text.

    >>> from docparse_fast.document import Category, Provenance
    >>> spans = (Provenance("# ab", "accepted", "embedded"), Provenance("c", "own"))
    >>> [str(kind) for kind in origins(Block(Category.TITLE, "a bc", spans=spans))]
    ['accepted', 'accepted', 'accepted', 'own']
    """
    found = [MarkKind.PLAIN] * len(block.text)
    given = [(character, _kind(span.origin, span.source)) for span in block.spans for character in span.text]
    given = [(character, kind) for character, kind in given if character.isalnum()]
    at = [place for place, character in enumerate(block.text) if character.isalnum()]
    wanted = "".join(block.text[place] for place in at)
    for place, partner in zip(at, aligned(wanted, "".join(character for character, _ in given)), strict=True):
        if partner is not None:
            found[place] = given[partner][1]
    return _with_marks(found, block.text)


def _kind(origin: str, source: str) -> MarkKind:
    """Text accepted from the target's earlier words comes from no drafter."""
    return MarkKind.OWN if origin == "accepted" and not source else MarkKind(origin)


def _with_marks(found: list[MarkKind], text: str) -> list[MarkKind]:
    """A character that is no letter takes the mark of the letter before it; at the start, of the letter after it."""
    last = next((found[place] for place, character in enumerate(text) if character.isalnum()), MarkKind.PLAIN)
    for place, character in enumerate(text):
        if character.isalnum():
            last = found[place]
        found[place] = last
    return found


def find_words(words: str, text: str, start: int = 0) -> Sequence[tuple[int, int]]:
    """Where these words follow each other in a text, whatever marks stand between them; the search begins at `start`.

    >>> find_words("isn t 1,136", "It isn-t (1,136), is it?")
    [(3, 15)]
    """
    parts = [re.escape(word) for word in words.split()]
    if not parts:
        return []
    before = r"(?<![^\W_])" if _in_words(words.strip()[0]) else ""
    after = r"(?![^\W_])" if _in_words(words.strip()[-1]) else ""
    pattern = re.compile(before + r"[\W_]*".join(parts) + after)
    found = [match.span() for match in pattern.finditer(text)]
    return [span for span in found if span[0] >= start] + [span for span in found if span[0] < start]


def _in_words(character: str) -> bool:
    """Whether its script separates words with blanks."""
    return ord(character) < 0x2E80
