"""Tables that go on over the end of a page: which they are, and how they become one with one head. Knows our HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docparse_fast.document import Block, Category, ParsedPage
from docparse_fast.rendering.html_table import row_widths
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read

ROW = re.compile(r"<tr\b.*?</tr>", re.DOTALL | re.IGNORECASE)
HEAD = re.compile(r"<th\b", re.IGNORECASE)
FILLED_HEAD = re.compile(r"<th\b[^>]*>\s*[^\s<]", re.IGNORECASE)
END = re.compile(r"</tbody>\s*</table>\s*$|</table>\s*$", re.IGNORECASE)
SAME_EDGE = 0.02  # of the page's width
REACHES = 0.65  # of the page's height that the first half must reach to
CONTINUED = re.compile(
    r"\b(?:cont(?:inued|’d|'d|d)?|continued from (?:the )?previous page|fortsetzung|fortgesetzt|suite"
    r"|continuación|continuação|continua(?:zione)?|vervolg|продолжение)\b\W*$",
    re.IGNORECASE,
)
REST = "table_rest"  # why a block is a table: it stands in the columns of the one on the page before
NO_WORD = re.compile(r"(?<!\W)\W++$")
NUMBER = re.compile(r"\d+(?:[.-]\d+)*")
LONGEST = 120  # characters of a line that says so


def goes_on(page: ParsedPage, before: Block, following: ParsedPage, after: Block) -> bool:
    """Whether the second table is the rest of the first: as many columns, and the same head or the same edges."""
    if before.category is not Category.TABLE or after.category is not Category.TABLE:
        return False
    ours, theirs = set(row_widths(before.text)), set(row_widths(after.text))
    if len(ours) != 1 or ours != theirs:
        return False
    if after.because == REST or (head_of(before.text) and head_of(before.text) == head_of(after.text)):
        return True
    return not _names_columns(after.text) and _meets(page, before, following, after)


def continued_label(block: Block) -> str | None:
    """What stands before `(continued)` in a line that says no more, as above the rest of a table.

    >>> continued_label(Block(Category.CAPTION, "Table 2.3: (continued)"))
    'Table 2.3'
    >>> continued_label(Block(Category.CAPTION, "Table 2.3: Sizes"))
    """
    text = " ".join(as_read(unmarked(block.text)).split())
    told = block.category in (Category.CAPTION, Category.TEXT) and len(text) <= LONGEST
    found = CONTINUED.search(text) if told else None
    return NO_WORD.sub("", text[: found.start()]) if found else None


def is_named(page: ParsedPage, label: str) -> bool:
    """Whether a caption of the page has the number that is in the label, if any is."""
    number = NUMBER.search(label)
    captions = [NUMBER.search(block.text) for block in page.blocks if block.category is Category.CAPTION]
    return number is None or any(found is not None and found[0] == number[0] for found in captions)


def _names_columns(html: str) -> bool:
    """Whether it has a head; one cell alone names a group of rows."""
    return len(FILLED_HEAD.findall(html)) > 1


def _meets(page: ParsedPage, before: Block, following: ParsedPage, after: Block) -> bool:
    if before.box is None or after.box is None or not (page.width and page.height and following.width):
        return False
    left = abs(before.box.x0 / page.width - after.box.x0 / following.width)
    right = abs(before.box.x1 / page.width - after.box.x1 / following.width)
    return max(left, right) <= SAME_EDGE and before.box.y1 >= REACHES * page.height


def head_of(html: str) -> str:
    """The first row, if it is one of headers."""
    first = ROW.search(html)
    return first[0] if first and HEAD.search(first[0]) else ""


def one_table(parts: Sequence[str]) -> str:
    """
    >>> one_table(["<table><tr><th>a</th></tr><tr><td>1</td></tr></table>",
    ...            "<table><tr><th>a</th></tr><tr><td>2</td></tr></table>"])
    '<table><tr><th>a</th></tr><tr><td>1</td></tr><tr><td>2</td></tr></table>'
    """
    first, *rest = parts
    end = END.search(first)
    if end is None or not rest:
        return "".join([first, one_table(rest)] if rest else parts)
    head, rows = head_of(first), [ROW.findall(part) for part in rest]
    added = (row for found in rows for row in found[bool(found) and found[0] == head :])
    return "".join([first[: end.start()], *added, first[end.start() :]])
