"""Lines of one column into paragraphs, list items and headings-to-be, and a paragraph's lines into one text.

Knows typography (leading, indents, hyphens, list markers); does not know columns, labels or pages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line

BULLET = r"[•‣◦▪▫■□●○◆◇►▶➢➤✓✔❖∙·–—*-]"
ORDINAL = r"(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{2,5})"
MARKER = re.compile(
    rf"^(?:(?P<bullet>{BULLET})\s+|(?P<number>\d{{1,3}})[.)]\s+|(?P<other>\(?{ORDINAL}\)|[a-zA-Z]\.|\[\d{{1,3}}\])\s+"
    r"|(?P<wide>（\d{1,2}）|[①-⑳]|\d{1,2}、|\(\d{1,2}\)(?=[\u3400-\u9fff]))\s*)(?=\S)"  # Chinese needs no blank
)
ANSWER = re.compile(r"[(\[（]?[A-H][.)\]．、）]\s*\S")  # to choose from, in an examination: `A. 5 cm`, `(B) 7 cm`
TERMINAL = re.compile(r"[.!?:;。！？：；…][\"'”’」』)\]]*$")
CJK = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")
LOOSE_LEADING = 1.4  # of the usual distance between two lines, from which a paragraph ends
ONE_STEP = 1.1  # ratio within which two such distances are one
SHARED = 0.2  # of all distances, from which one is usual
SHORT_LINE = 0.12  # of the column's width missing at a line's end
INDENT = 0.8  # of the type's size


def paragraphs(lines: Sequence[Line]) -> list[list[Line]]:
    """Parts a column's lines (top to bottom) where a new paragraph, item or heading begins."""
    if not lines:
        return []
    column = Box.around(line.box for line in lines)
    leading = _usual_leading(lines)
    found = [[lines[0]]]
    for index in range(1, len(lines)):
        following = lines[index + 1] if index + 1 < len(lines) else None
        if _begins(found[-1], lines[index], following, column, leading):
            found.append([])
        found[-1].append(lines[index])
    return found


def _usual_leading(lines: Sequence[Line]) -> float:
    """The smallest step from line to line that many lines share: between paragraphs of one line it is larger."""
    steps = [below.box.center[1] - above.box.center[1] for above, below in pairwise(lines)]
    near = sorted(
        step for step, line in zip(steps, lines, strict=False) if 0.5 * line.box.height < step < 3 * line.box.height
    )
    for step in near:
        alike = [other for other in near if step <= other <= ONE_STEP * step]
        if len(alike) >= max(2, SHARED * len(near)):
            return median(alike)
    return median(near) if near else 0.0


def _begins(paragraph: list[Line], line: Line, following: Line | None, column: Box, leading: float) -> bool:
    """Whether `line` is the first of another paragraph."""
    above = paragraph[-1]
    if above.box.overlap_y(line.box) > 0.5 * min(above.box.height, line.box.height) and line.box.x0 > above.box.x1:
        return False  # in one row: a form's label and what was filled in
    step = line.box.center[1] - above.box.center[1]
    usual = leading or 1.6 * line.box.height
    if step > LOOSE_LEADING * max(usual, 0.9 * line.box.height):
        return True
    if _other_type(above, line):
        return True
    if MARKER.match(line.plain) and _stands_as_item(paragraph, line):
        return True
    ended = bool(TERMINAL.search(above.plain))
    short = above.box.x1 < column.x1 - max(SHORT_LINE * column.width, 2 * line.size)
    if ended and short and line.plain[:1].upper() == line.plain[:1] and above.box.width > 0.05 * column.width:
        return True
    indented = line.box.x0 > column.x0 + INDENT * line.size
    if indented and above.box.x0 < line.box.x0 - 0.5 * line.size and (ended or short):
        return following is None or following.box.x0 < line.box.x0 - 0.4 * line.size
    hanging = len(paragraph) > 1 and all(
        other.box.x0 > paragraph[0].box.x0 + INDENT * line.size for other in paragraph[1:]
    )
    return hanging and abs(line.box.x0 - paragraph[0].box.x0) < 0.5 * line.size


def _other_type(above: Line, line: Line) -> bool:
    """Another size or weight: a heading begins or ends. An OCR's sizes wander with a line's tall letters."""
    ratio = max(above.size, line.size) / max(1e-6, min(above.size, line.size))
    read = line.source == "text-layer"
    return ratio > (1.12 if read else 1.35) or (above.bold != line.bold and read)


def _stands_as_item(paragraph: list[Line], line: Line) -> bool:
    """A marker at a line's start is an item's if items stand there: a number may begin any line of prose."""
    first = paragraph[0]
    match = MARKER.match(line.plain)
    if match and match["bullet"] in {"•", "‣", "◦", "▪", "■", "●", "○", "◆", "►", "➢", "➤", "✓", "✔", "❖"}:
        return True
    if MARKER.match(first.plain):
        return line.box.x0 < first.box.x0 + 6 * line.size
    return bool(TERMINAL.search(paragraph[-1].plain)) or line.box.x0 > first.box.x0 + INDENT * line.size


def item_text(text: str) -> str | None:
    """A list item as Markdown writes it, or None if `text` doesn't begin with a marker.

    >>> item_text("• milk"), item_text("2) eggs"), item_text("(a) flour"), item_text("（1）糖"), item_text("3.5 kg")
    ('- milk', '2. eggs', '- (a) flour', '- （1）糖', None)
    """
    match = MARKER.match(text)
    if match is None:
        return None
    rest = text[match.end() :]
    if match["bullet"]:
        return f"- {rest}"
    if match["number"]:
        return f"{match['number']}. {rest}"
    return f"- {match['other']} {rest}" if match["other"] else f"- {match['wide']}{rest}"


def joined(texts: Sequence[str]) -> str:
    """A paragraph's lines as one: words broken at a line's end made whole, no blanks between Chinese characters.

    >>> joined(["The hier-", "archy of", "well-", "Known things"])
    'The hierarchy of well-Known things'
    >>> joined(["文档解析", "是一项任务"])
    '文档解析是一项任务'
    """
    whole = ""
    for text in texts:
        text = text.strip()
        if not whole or not text:
            whole += text
        elif whole.endswith("\u00ad"):
            whole = whole[:-1] + text
        elif re.search(r"[^\W\d_]{2}[-‐]$", whole) and text[0].isalpha():
            whole = (whole[:-1] if text[0].islower() else whole) + text
        elif CJK.match(whole[-1]) and CJK.match(text[0]):
            whole += text
        else:
            whole += " " + text
    return whole
