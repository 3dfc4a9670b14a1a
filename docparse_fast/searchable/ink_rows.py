"""A block's words on the rows of ink that they were read from. Knows text and boxes; knows no PDF.

Where a block says what its drafter's words say, each stands on its own ink, in tables and on photographs too. A
target's other words have no place: rows are found in the page's picture, and words shared out by their widths.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from docparse_fast.document import Block, Box, Category, ParsedPage
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read

FROM_THE_FILE = "text-layer"  # the drafter of pages that a reader can search already
WIDTH_OF_LETTER = 0.5  # of the height of a line, roughly
LEVEL = 0.8  # of a word's height: words of a line that bends more stand one by one
FAR_OFF = 2.0  # times as many rows as the text would need, or as few: rows that the picture doesn't show

_WIDE = re.compile(r"([\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff])")
_LINK = re.compile(r"(?<!\\)!?\[((?:\\.|[^\\\[\]])*)\]\([^()\s]*\)")
_TAG = re.compile(r"<[^<>]*>")
_OWN_TAG = re.compile(r"(?<!\\)</?(?:su[bp]|br|u|b|i|em|strong|del)\s*/?>")
_STRONG_RTL = frozenset({"R", "AL"})
_NUMBERS = frozenset({"EN", "AN", "ES", "CS", "ET"})
_LEFT_TO_RIGHT = frozenset({"L"}) | _NUMBERS

FindRows = Callable[[Box], Sequence[Box]]  # the rows of ink in a box of the page, from the top


@dataclass(frozen=True, slots=True)
class PlacedLine:
    text: str  # as `placed_lines` gives it: in the order in which it stands on the page, from the left
    box: Box


def placed_lines(page: ParsedPage, find_rows: FindRows) -> Iterator[PlacedLine]:
    """The page's text; nothing of a page whose text is in the file already."""
    drafter = page.evidence.drafter or ""
    if drafter == FROM_THE_FILE:
        return
    for block in page.blocks:
        if FROM_THE_FILE in block.sources and drafter.startswith(FROM_THE_FILE):
            continue  # the other blocks are of pictures on the page
        if block.box is not None and block.box.width >= 1 and block.box.height >= 1:
            lines = _as_they_were_read(block) or lines_of(block, block.box, find_rows)
            yield from (PlacedLine(visual(line.text), line.box) for line in lines)


def _as_they_were_read(block: Block) -> list[PlacedLine]:
    """Stretches of words side by side; none if the block doesn't say what they say."""
    text = " ".join(plain_lines(block))
    words = [PlacedLine(word, box) for box, word in block.words if box.width >= 1 and box.height >= 1]
    if _letters("".join(word.text for word in words)) != _letters(text):
        return []
    lines: list[PlacedLine] = []
    for word in words:
        last = lines[-1] if lines else None
        if last is not None and last.text.endswith("-") and last.text.split(" ")[-1] not in text:  # broken by its line
            lines[-1] = PlacedLine(last.text[:-1] + word.text, last.box)
        elif last is not None and _goes_on(last.box, word.box):
            lines[-1] = PlacedLine(f"{last.text} {word.text}", Box.around((last.box, word.box)))
        else:
            lines.append(word)
    return lines


def _letters(text: str) -> Counter[str]:
    return Counter(filter(str.isalnum, text))


def _goes_on(before: Box, after: Box) -> bool:
    height = min(before.height, after.height)
    return after.overlap_y(before) > LEVEL * height and 0 <= after.x0 - before.x1 < height


def lines_of(block: Block, box: Box, find_rows: FindRows) -> Iterator[PlacedLine]:
    """The block's lines, their text in the order in which it is read."""
    paragraphs = plain_lines(block)
    if not paragraphs:
        return
    if len(paragraphs) > 1:  # a table's rows, a program's lines
        rows = equal_rows(box, len(paragraphs))
        yield from (PlacedLine(text, row) for text, row in zip(paragraphs, rows, strict=True))
        return
    (text,) = paragraphs
    found = _likely(find_rows(box), text, box)
    parts = shared_out(text, found)
    yield from (PlacedLine(part, row) for part, row in zip(parts, found, strict=True) if part)


def plain_lines(block: Block) -> list[str]:
    """The words without marks: one line of text, or those of a table or a program.

    >>> plain_lines(Block(Category.TEXT, "so **bold** and 3 \\\\* 4"))
    ['so bold and 3 * 4']
    >>> plain_lines(Block(Category.TABLE, "<table><tr><td>a &lt;</td><td>b</td></tr><tr><td>c</td></tr></table>"))
    ['a < b', 'c']
    """
    text = block.text
    if block.category is Category.TABLE and "<" in text:
        rows = [html.unescape(_TAG.sub(" ", row)) for row in re.split(r"</tr\s*>", text, flags=re.IGNORECASE)]
        return [line for row in rows if (line := " ".join(row.split()))]
    if block.category is Category.CODE:
        return [line for row in text.splitlines() if (line := " ".join(row.split()))]
    if block.category is not Category.FORMULA:
        text = as_read(unmarked(_LINK.sub(r"\1", _OWN_TAG.sub("", text))))
    line = " ".join(text.split())
    return [line] if line else []


def equal_rows(box: Box, count: int) -> list[Box]:
    height = box.height / count
    return [Box(box.x0, box.y0 + n * height, box.x1, box.y0 + (n + 1) * height) for n in range(count)]


def _likely(rows: Sequence[Box], text: str, box: Box) -> Sequence[Box]:
    """The rows that were found, or rows of equal height where those can't be the text's."""
    letters = sum(2 if _WIDE.match(char) else 1 for char in text)
    expected = max(1.0, (letters * WIDTH_OF_LETTER * box.height / box.width) ** 0.5)
    if rows and expected / FAR_OFF <= len(rows) <= expected * FAR_OFF:
        return rows
    return equal_rows(box, round(expected))


def shared_out(text: str, rows: Sequence[Box]) -> list[str]:
    """The words of each row: as many letters as its part of all rows' width.

    >>> shared_out("one two three", [Box(0, 0, 60, 9), Box(0, 10, 50, 19)])
    ['one two', 'three']
    """
    words = re.findall(
        r"(?:(?<!\s)\s++)?\S++", _WIDE.sub("\\1\N{ZERO WIDTH SPACE}", text).replace("\N{ZERO WIDTH SPACE}", "\0 ")
    )
    total, width = sum(map(len, words)), sum(row.width for row in rows)
    shares, at, end = [""] * len(rows), 0, 0.0
    taken = 0
    for n, row in enumerate(rows):
        end += row.width
        while at < len(words) and (n == len(rows) - 1 or taken + len(words[at]) / 2 <= total * end / width):
            shares[n] += words[at]
            taken += len(words[at])
            at += 1
    return [share.replace("\0 ", "").replace("\0", "").strip() for share in shares]


def visual(text: str) -> str:
    """The line as it stands on the page, from the left: Arabic and Hebrew reversed, numbers and Latin in them not.

    >>> visual("abc"), visual("\u05d0\u05d1 12")
    ('abc', '12 \u05d1\u05d0')
    """
    kinds = [unicodedata.bidirectional(char) for char in text]
    if not _STRONG_RTL & set(kinds):
        return text
    first = next((kind for kind in kinds if kind == "L" or kind in _STRONG_RTL), "L")
    runs = _runs(text, kinds)
    shown = [part[::-1] if is_rtl else part for part, is_rtl in runs]
    return "".join(shown if first == "L" else reversed(shown))


def _runs(text: str, kinds: Sequence[str]) -> list[tuple[str, bool]]:
    """Stretches of one direction; what has none goes with both of its neighbours, or else with the line."""
    line_is_rtl = next((kind in _STRONG_RTL for kind in kinds if kind == "L" or kind in _STRONG_RTL), False)
    known = [True if kind in _STRONG_RTL else False if kind in _LEFT_TO_RIGHT else None for kind in kinds]
    after = [line_is_rtl]  # of each character, the direction of the next that has one, from the last
    for each in reversed(known):
        after.append(after[-1] if each is None else each)
    directions: list[bool] = []
    for each, following in zip(known, reversed(after[1:]), strict=True):
        before = directions[-1] if directions else line_is_rtl
        neutral = before if before == following else line_is_rtl
        directions.append(neutral if each is None else each)
    stretches = groupby(zip(text, directions, strict=True), key=itemgetter(1))
    return [("".join(char for char, _ in stretch), is_rtl) for is_rtl, stretch in stretches]
