"""Finds headings among paragraphs, and their levels. Knows sizes, weights and numbering; sees one page only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import mean

from docparse_fast.document import HEADINGS, Category
from docparse_fast.drafting.blocks.drafted_block import DraftedBlock
from docparse_fast.drafting.lines import Line, plain_of
from docparse_fast.drafting.measures import HEADING_ROWS, INDENT, Measures, in_one_row, of_one_type
from docparse_fast.drafting.words import DATE, NUMBERED_HEAD, ORDINAL_HEAD, PART_OF_SECTION
from docparse_fast.geometry import runs
from docparse_fast.text.mail import holds_mail

LONGEST = 200  # characters
SMALLEST, SMALLEST_SECTION = 0.9, 0.8  # of the text's type: bold words, and those with a section's number
LONGEST_BOLD = 120  # where bold type alone says what it is
CLOSE = 0.7  # of a line's height between a term and what explains it
LARGER, LARGER_READ = 1.15, 1.35  # than the body, from which size alone makes a heading
TITLE_SIZE = 1.55  # than the body
TO_FILL_IN = "____"


def looks_like_heading(lines: Sequence[Line], body: float) -> bool:
    """Decides without a layout model: a heading is short, not a sentence, and larger than the text, or bold."""
    text = plain_of(lines)
    if lines[0].mono or not re.search(r"[^\W\d_]{2}", text) or _is_too_long(lines, text) or _says_otherwise(text):
        return False
    larger = size(lines) > (LARGER if lines[0].is_exact else LARGER_READ) * body
    return larger or (all(line.bold for line in lines) and _may_be_bold_heading(text, size(lines), body))


def _is_too_long(lines: Sequence[Line], text: str) -> bool:
    if NUMBERED_HEAD.match(text) and all(line.bold for line in lines):
        return rows(lines) > HEADING_ROWS + 1
    return rows(lines) > HEADING_ROWS or len(text) > LONGEST


def _says_otherwise(text: str) -> bool:
    return text.rstrip().endswith((";", "-")) or says_it_is_none(text) or holds_mail(text)


def _may_be_bold_heading(text: str, own: float, body: float) -> bool:
    if len(text) >= LONGEST_BOLD:
        return False
    if PART_OF_SECTION.match(text):
        return own > SMALLEST_SECTION * body
    return own > SMALLEST * body and not text.rstrip().endswith((".", ":"))


def is_numbered(lines: Sequence[Line]) -> bool:
    """Whether bold words behind a list's number, as `1. Introduction`, may be a heading: none of a list's items is."""
    text = plain_of(lines)
    return (
        ORDINAL_HEAD.match(text) is not None
        and all(line.bold and not line.mono for line in lines)
        and not text.rstrip().endswith((".", ":", ";", ","))
    )


def explained_below(lines: Sequence[Line], below: Sequence[Line]) -> bool:
    """Whether a bold line is a term, not a heading: the words right below are all indented and explain it."""
    last = lines[-1]
    if size(lines) > LARGER * below[0].size:
        return False
    close = below[0].box.y0 - last.box.y1 < CLOSE * last.box.height
    return close and min(line.box.x0 for line in below) > lines[0].box.x0 + INDENT * last.size


def rows(lines: Sequence[Line]) -> int:
    """The number of rows: lines at the same height count once."""
    return 1 + sum(not in_one_row(a.box, b.box) for a, b in pairwise(lines))


def says_it_is_none(text: str) -> bool:
    """Whether this looks like a heading and is none: a letter's date, `Dear Ms Okafor,`, a share, a blank to fill in.

    >>> [says_it_is_none(text) for text in ("14 March 2026", "Dear Ms Okafor,", "Signed: ______", "77.8%", "2026")]
    [True, True, True, True, False]
    """
    share = text.strip(" 0123456789.,") == "%"
    return share or text.rstrip().endswith(",") or TO_FILL_IN in text or DATE.fullmatch(text.strip()) is not None


def size(lines: Sequence[Line]) -> float:
    return mean(line.letter_size or line.size for line in lines)


def known_size(lines: Sequence[Line]) -> float:
    """0 where only a detector's boxes tell it: they are as high as they happen to be."""
    return size(lines) if all(line.letter_size or line.is_exact for line in lines) else 0.0


def levels(headings: Sequence[Sequence[Line]], titles: Sequence[bool], body: float) -> list[int]:
    """A level from 1 for each heading: the title has 1, the others follow their numbering or else their size.

    `titles[i]` is true if a label names heading i as the page's title.
    """
    sizes = [size(lines) for lines in headings]
    numbers = [NUMBERED_HEAD.match(plain_of(lines)) for lines in headings]
    is_title = list(titles)
    if titles and not numbers[0] and sizes[0] > TITLE_SIZE * body and sizes[0] >= max(sizes):
        is_title[0] = True
    others = sorted((mine for mine, title in zip(sizes, is_title, strict=True) if not title), reverse=True)
    steps = [step[0] for step in runs(others, lambda step, mine: of_one_type(step[0], mine))]

    def level(number: re.Match[str] | None, mine: float) -> int:
        if number:
            return 2 + number["number"].count(".")
        return min(4, 2 + next(i for i, step in enumerate(steps) if of_one_type(step, mine)))

    told = zip(is_title, numbers, sizes, strict=True)
    return [1 if title else level(number, mine) for title, number, mine in told]


def with_levels(made: Sequence[DraftedBlock], measures: Measures) -> list[DraftedBlock]:
    """Gives each heading its level, by comparing all of the page's headings."""
    at = [n for n, block in enumerate(made) if block.category in HEADINGS and block.lines]
    told = levels([made[n].lines for n in at], [made[n].category is Category.TITLE for n in at], measures.body)
    found = list(made)
    for n, level in zip(at, told, strict=True):
        category = Category.TITLE if level == 1 else Category.SECTION_HEADER
        type_size = round(known_size(made[n].lines), 2)
        found[n] = replace(made[n], region=replace(made[n].region, category=category, level=level, type_size=type_size))
    return found
