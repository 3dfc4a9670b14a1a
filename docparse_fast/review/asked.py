"""What a reader's page or a program asks to be changed on a page, as edits. Knows the JSON of it; writes no file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from docparse_fast.document import Block, Category, ParsedPage
from docparse_fast.errors import UsageError
from docparse_fast.review.table_edits import joined, of_rows, with_cells
from docparse_fast.run.edits import Edit

WORDS = ("text", "remove", "cells", "rows", "join")  # one of them at most says what the block's words become


def edits_of(page: ParsedPage, asked: Mapping[str, Any], now: Mapping[int | None, Edit]) -> list[Edit]:
    """The edits that do what is asked of one block; `now` are those that apply already. Raises UsageError.

    A block is named by its place as it was read; cells and rows are those of the table as it stands now.
    """
    if len([name for name in WORDS if name in asked]) > 1:
        raise UsageError(f"an edit says one of {', '.join(WORDS)}")
    if asked["block"] is None:
        return [Edit(page.number, None, "", _typed(asked.get("text", "")))]
    place, block = _named(page, asked["block"])
    if asked.get("was", block.text) != block.text:
        raise UsageError(f"block {place} of page {page.number} doesn't read as the edit says that it did")
    before = now.get(place, Edit(page.number, place, block.text, block.text))
    if "text" in asked and asked["text"] is None:
        return [replace(before, text=block.text, category=None, level=None, to=None)]
    if "join" not in asked:
        return [_said(replace(before, text=_words(asked, before.text)), block, asked)]
    other, below = _named(page, asked["join"])
    lower = now.get(other, Edit(page.number, other, below.text, below.text))
    if other == place or {block.category, below.category} != {Category.TABLE}:
        raise UsageError("only two tables can be joined")
    return [replace(before, text=joined(before.text, lower.text)), replace(lower, text="")]


def _named(page: ParsedPage, said: Any) -> tuple[int, Block]:
    place = int(said)
    if not 0 <= place < len(page.blocks):
        raise UsageError(f"page {page.number} has no block {place}", remedy="document.json has them, from 0")
    return place, page.blocks[place]


def _words(asked: Mapping[str, Any], standing: str) -> str:
    if asked.get("remove"):
        return ""
    if "text" in asked:
        return _typed(asked["text"])
    if "cells" in asked:
        return with_cells(standing, asked["cells"])
    return of_rows(standing, asked["rows"]) if "rows" in asked else standing


def _typed(said: Any) -> str:
    return "\n".join(str(said).splitlines()).strip()


def _said(edit: Edit, block: Block, asked: Mapping[str, Any]) -> Edit:
    """With the kind, the level and the place that are named; what is not named stays as an earlier edit says."""
    if asked.get("category") is not None:
        category = Category(asked["category"])
        edit = replace(edit, category=None if category == block.category else category)
    if asked.get("level") is not None:
        edit = replace(edit, level=None if int(asked["level"]) == block.level else int(asked["level"]))
    return edit if asked.get("to") is None else replace(edit, to=int(asked["to"]))
