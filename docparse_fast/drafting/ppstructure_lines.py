"""Which lines a block of PP-StructureV3's has, and where its paragraphs and items begin and end.

A block's box may be narrower than the lines whose text it has, and may hold lines whose text it lacks. So a line counts
as the block's by its text where the two disagree.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from docparse_fast.document import Box, Category, Region
from docparse_fast.drafting.measures import HELD

FULL = 2.0  # line heights from a block's right edge, beyond which a line ends its paragraph
ENDS = tuple(".!?:;。！？：；…")
BULLET = "•"
LAST_WITH_BLANKS = 0x2E7F
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class OcrLine:
    box: Box
    text: str
    confidence: float


def has(region: Region, line: OcrLine) -> bool:
    """
    >>> table = Region(Box(0, 0, 100, 100), Category.TABLE)
    >>> has(table, OcrLine(Box(10, 10, 50, 20), "Port", 0.9))
    False
    """
    inside = region.box.covers(line.box)
    if region.category is Category.TABLE:
        cells = _TAG.sub(" ", region.text)
        if inside <= HELD:  # its last row may reach below its box
            return inside > 0 and _squeezed(line.text) in _squeezed(cells)
        return _share(line.text, cells) >= HELD
    return inside > HELD or (inside > 0 and _squeezed(line.text).rstrip("-") in _squeezed(region.text))


def respaced(content: str, lines: Sequence[OcrLine]) -> str:
    """With a blank between words of two lines; it writes none behind a full stop.

    >>> here = Box(0, 0, 9, 9)
    >>> respaced("the record.Snow fell", [OcrLine(here, "the record.", 0.9), OcrLine(here, "Snow fell", 0.9)])
    'the record. Snow fell'
    """
    for upper, lower in pairwise(lines):
        last, first = upper.text.split()[-1], lower.text.split()[0]
        if not last.endswith("-") and not _has_no_blanks(last):
            content = content.replace(f"{last}{first}", f"{last} {first}")
    return content


def pieces(content: str, lines: Sequence[OcrLine]) -> list[tuple[str, Box]]:
    """A block's paragraphs and items with their boxes, from its lines in reading order; none where they don't agree.

    It begins a new line of text at each indentation, also within a sentence, and sometimes none at a bullet.
    """
    if not lines:
        return []
    right = max(line.box.x1 for line in lines)
    found: list[tuple[str, list[OcrLine]]] = []
    rest = list(lines)
    for text in filter(None, map(str.strip, re.split(rf"\n|(?={BULLET})", content))):
        count = _lines_of(text, rest)
        if not count:
            return []
        own, rest = rest[:count], rest[count:]
        if found and not text.startswith(BULLET) and _goes_on(found[-1], right):
            found[-1] = (_joined(found[-1][0], text), [*found[-1][1], *own])
        else:
            found.append((text, own))
    return [(text, Box.around(line.box for line in own)) for text, own in found]


def _lines_of(text: str, lines: Sequence[OcrLine]) -> int:
    """How many of the first lines make up the text."""
    wanted, count = len(_squeezed(text)), 0
    while wanted > 0 and count < len(lines):
        wanted -= len(_squeezed(lines[count].text).rstrip("-"))
        count += 1
    return count


def _goes_on(before: tuple[str, list[OcrLine]], right: float) -> bool:
    text, lines = before
    last = lines[-1].box
    return not text.endswith(ENDS) and right - last.x1 < FULL * last.height


def _joined(text: str, more: str) -> str:
    return f"{text}{more}" if _has_no_blanks(text) else f"{text} {more}"


def _has_no_blanks(text: str) -> bool:
    """Chinese or Japanese, that is."""
    return ord(text[-1]) > LAST_WITH_BLANKS


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _share(line: str, text: str) -> float:
    """Part of the line's pairs of letters that the text has somewhere; a table's cells may be read anew."""
    wanted, had = _squeezed(line), _squeezed(html.unescape(text))
    pairs = [wanted[n : n + 2] for n in range(max(1, len(wanted) - 1))]
    return sum(pair in had for pair in pairs) / len(pairs)
