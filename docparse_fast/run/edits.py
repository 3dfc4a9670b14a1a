"""A reader's corrections of a document, applied wherever its Markdown and its chunks are written.

They stand in OUT/<path>/edits.json, which no run removes. An edit names a page, a block and the words it replaces:
where the block has other words by now, the edit doesn't apply, and stays in the file. Knows parsed pages; writes no
file.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from docparse_fast.document import EDITED, NOT_MARKDOWN, Block, Category, ParsedDocument, ParsedPage
from docparse_fast.errors import InputError, in_words

FORMAT = "docparse-fast/edits"
VERSION = 1
FILE = "edits.json"

_PARAGRAPHS = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class Edit:
    page: int
    block: int | None  # its place on the page, from 0; None: the reader's own, at the page's end
    was: str
    text: str  # empty: the block goes
    category: Category | None = None  # None: as it was
    level: int | None = None
    to: int | None = None  # it moves to before the block at this place, counted as read; None: it stays


@dataclass(frozen=True, slots=True)
class Edits:
    """All of a document's. `checked`: digests of the pages that a reader called right, by page number."""

    edits: tuple[Edit, ...] = ()
    checked: Mapping[int, str] = field(default_factory=dict)

    def with_edit(self, page: ParsedPage, edit: Edit) -> Edits:
        """The new edit takes the place of the one that applies to its block; one that changes nothing is dropped.

        An earlier edit's place may be another block's by now, so places alone don't tell which to replace.
        """
        replaced = self.of_page(page).get(edit.block)
        others = tuple(each for each in self.edits if each is not replaced)
        changes = edit.text != edit.was or any(each is not None for each in (edit.category, edit.level, edit.to))
        return replace(self, edits=(*others, edit) if changes else others)

    def with_check(self, page: ParsedPage, *, right: bool) -> Edits:
        others = {number: digest for number, digest in self.checked.items() if number != page.number}
        return replace(self, checked=others | ({page.number: digest_of(page)} if right else {}))

    def is_checked(self, page: ParsedPage) -> bool:
        """Whether a reader called the page right, and it reads as it did then."""
        return self.checked.get(page.number) == digest_of(page)

    def of_page(self, page: ParsedPage) -> dict[int | None, Edit]:
        """Those that apply, by the place of the block that has their words."""
        found: dict[int | None, Edit] = {}
        for edit in (each for each in self.edits if each.page == page.number):
            if edit.block is None:
                found[None] = edit
                continue
            places = [n for n, block in enumerate(page.blocks) if block.text == edit.was and n not in found]
            if places:
                found[min(places, key=lambda n: abs(n - (edit.block or 0)))] = edit
        return found

    def page(self, page: ParsedPage) -> ParsedPage:
        """The page as the reader wants it."""
        found = self.of_page(page)
        if not found:
            return page
        blocks = [part for n in order_of(found, len(page.blocks)) for part in _edited(page.blocks[n], found.get(n))]
        if None in found:
            blocks += _edited(Block(Category.TEXT, ""), found[None])
        return replace(page, blocks=tuple(blocks))

    def document(self, document: ParsedDocument) -> ParsedDocument:
        if not self.edits:
            return document
        pages = [self.page(page) for page in document.pages]
        return replace(document, pages=tuple(_without_loose_ends(document.pages, pages)))

    def outdated(self, document: ParsedDocument) -> list[Edit]:
        """Those that apply nowhere any more."""
        applied = [edit for page in document.pages for edit in self.of_page(page).values()]
        return [edit for edit in self.edits if edit not in applied]


def order_of(found: Mapping[int | None, Edit], count: int) -> list[int]:
    """The places of a page's blocks in the order in which the reader wants them.

    >>> order_of({3: Edit(1, 3, "d", "d", to=1)}, 5)
    [0, 3, 1, 2, 4]
    """
    moved = {n: edit.to for n, edit in found.items() if n is not None and edit.to is not None}
    return sorted(range(count), key=lambda n: (moved[n], 0, n) if n in moved else (n, 1, n))


def _edited(block: Block, edit: Edit | None) -> list[Block]:
    if edit is None:
        return [block]
    category = edit.category or block.category
    made = replace(
        block,
        category=category,
        text=edit.text,
        level=block.level if edit.level is None else edit.level,
        sources=(*block.sources, EDITED),
        spans=(),
        confidence=None,
        score=None,
    )
    if not edit.text:
        return [replace(made, category=Category.TEXT, image=None, goes_on=False, continues=False)]
    return [made] if category in NOT_MARKDOWN else _paragraphs(made)


def _paragraphs(block: Block) -> list[Block]:
    """A block for each paragraph; what joins the block to other pages stays at its ends."""
    texts = [text for text in _PARAGRAPHS.split(block.text) if text.strip()]
    last = len(texts) - 1
    return [
        replace(
            block,
            text=text,
            image=block.image if n == 0 else None,
            continues=block.continues and n == 0,
            goes_on=block.goes_on and n == last,
        )
        for n, text in enumerate(texts)
    ]


def _without_loose_ends(before: Sequence[ParsedPage], after: Sequence[ParsedPage]) -> Iterable[ParsedPage]:
    """Nothing continues a block that the reader took away."""
    ends = False
    for old, new in zip(before, after, strict=True):
        blocks = tuple(replace(block, continues=False) for block in new.blocks) if ends else new.blocks
        yield replace(new, blocks=blocks)
        ends = old.goes_on and not new.goes_on


def digest_of(page: ParsedPage) -> str:
    """Of what was read on the page."""
    said = json.dumps([[block.category, block.text] for block in page.blocks])
    return hashlib.sha256(said.encode()).hexdigest()[:16]


# --------------------------------------------------------------------------------------------------- the file


def read_edits(folder: Path) -> Edits:
    """Those in the document's folder, if there are any; raises InputError if the file can't be understood."""
    path = folder / FILE
    try:
        found = json.loads(path.read_text("utf-8"))
        if found["format"] != FORMAT or found["version"] != VERSION:
            raise ValueError("another format")
        checked = {int(number): str(digest) for number, digest in found["checked"].items()}
        return Edits(tuple(map(_read, found["edits"])), checked)
    except FileNotFoundError:
        return Edits()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            "corrupt", f"{path} can't be read ({in_words(error)})", remedy="mend it, or move it away"
        ) from error


def _read(found: Mapping[str, Any]) -> Edit:
    category, block, level, to = (found.get(name) for name in ("category", "block", "level", "to"))
    return Edit(
        page=int(found["page"]),
        block=None if block is None else int(block),
        was=str(found["was"]),
        text=str(found["text"]),
        category=None if category is None else Category(category),
        level=None if level is None else int(level),
        to=None if to is None else int(to),
    )


def as_json(edits: Edits) -> str:
    """The text of the file: an edit a line, so that a difference between two versions is easy to read."""
    lines = ",\n".join(
        " " + json.dumps({name: value for name, value in asdict(edit).items() if _is_said(name, value)})
        for edit in sorted(edits.edits, key=lambda edit: (edit.page, edit.block is None, edit.block or 0))
    )
    head = f'{{"format": "{FORMAT}", "version": {VERSION},\n'
    checked = json.dumps({str(number): edits.checked[number] for number in sorted(edits.checked)})
    return f'{head}"checked": {checked},\n"edits": [\n{lines}\n]}}\n'


def _is_said(name: str, value: object) -> bool:
    return value is not None or name == "block"
