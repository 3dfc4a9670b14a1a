"""The documents of an output folder, for a reader to look at and to correct. Knows files; knows no server.

A document is read from its document.json; pictures are rendered from the input, if it is still where it was. Edits are
kept in the document's edits.json, and its Markdown and chunks are written anew with each.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from docparse_fast.document import FURNITURE, ParsedDocument, ParsedPage
from docparse_fast.errors import InputError, UsageError
from docparse_fast.options import ParseOptions
from docparse_fast.options.recording import options_of
from docparse_fast.proofreading.kept import doubts_of_page, read_kept
from docparse_fast.proofreading.proofreader import DoubtfulWord
from docparse_fast.rendering.html_blocks import MarkedBlock, element
from docparse_fast.review.asked import edits_of
from docparse_fast.review.concerns import Concern, concerns_of, urgency
from docparse_fast.review.kept import keep_in_journal
from docparse_fast.review.pictures import picture_of
from docparse_fast.run.edits import FILE, Edit, Edits, as_json, order_of, read_edits
from docparse_fast.run.outputs import TABLES, WHOLE, DocumentFolder, page_file
from docparse_fast.run.stored import documents_below, read_document, source_of
from docparse_fast.system.files import write
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read

EXCERPT = 80  # characters of a block in the list of pages
DOCUMENTS_IN_MEMORY = 4
REWRITTEN = ("md", "chunks", "map", "docling", "csv")  # the formats that edits go into


@dataclass(frozen=True, slots=True)
class Shown:
    """A page in the list."""

    document: int
    number: int
    urgency: tuple[int, bool, bool, float]
    concerns: tuple[Concern, ...]
    excerpts: Mapping[int, str]  # of the blocks to look at
    checked: bool


@dataclass(slots=True)
class Shelf:
    """All documents below OUT. Use it from one thread at a time."""

    out: Path
    password: str | None = None
    names: list[str] = field(default_factory=list)  # the documents' folders below OUT
    sources: list[str] = field(default_factory=list)  # their inputs, as they were named
    pages: list[Shown] = field(default_factory=list)
    saved: int = 0  # edits, in this session

    def __post_init__(self) -> None:
        for file in documents_below(self.out):
            self._add(file)
        self.pages.sort(key=lambda page: page.urgency, reverse=True)

    def _add(self, file: Path) -> None:
        document, edits, kept = read_document(file), read_edits(file.parent), read_kept(file.parent)
        number = len(self.names)
        self.names.append(file.parent.relative_to(self.out).as_posix())
        self.sources.append(document.source)
        self.pages += [_shown(number, page, edits, doubts_of_page(kept, page)) for page in document.pages]

    # --------------------------------------------------------------------------------------------- showing

    def queue(self) -> dict[str, Any]:
        return {
            "documents": [
                {"name": name, "source": source} for name, source in zip(self.names, self.sources, strict=True)
            ],
            "pages": [_page_in_list(page) for page in self.pages],
        }

    def page(self, document: int, number: int) -> dict[str, Any]:
        page, edits = self._page(document, number), self._edits(document)
        found = edits.of_page(page)
        concerns: dict[int | None, list[str]] = {}
        for concern in concerns_of(page, doubts_of_page(read_kept(self.out / self.names[document]), page)):
            concerns.setdefault(concern.block, []).append(concern.why)
        return {
            "document": document,
            "page": number,
            "label": page.label,
            "width": page.width,
            "height": page.height,
            "status": page.status,
            "checked": edits.is_checked(page),
            "why": concerns.get(None, []),
            "order": order_of(found, len(page.blocks)),
            "own": found[None].text if None in found else "",
            "blocks": [_block(page, n, found.get(n), concerns.get(n, [])) for n in range(len(page.blocks))],
        }

    def picture(self, document: int, number: int) -> bytes:
        """The page as it looked to the drafter, as WebP; raises InputError if its file is gone or has changed."""
        page, parsed = self._page(document, number), self._document(document)
        raster = self._options(parsed).raster
        return picture_of(source_of(parsed, "review"), raster, page)

    # --------------------------------------------------------------------------------------------- changing

    def edit(self, document: int, number: int, asked: Mapping[str, Any]) -> None:
        page = self._page(document, number)
        edits = self._changed(page, self._edits(document), asked)
        self._save(document, [page], edits)
        self.saved += 1

    def apply(self, changes: Mapping[int, Sequence[tuple[int, Mapping[str, Any]]]]) -> None:
        """Many at once, by document, each with its page's number; all are understood before anything is written."""
        made = {document: self._changed_all(document, asked) for document, asked in changes.items()}
        for document, edits in made.items():
            numbers = sorted({number for number, _ in changes[document]})
            self._save(document, [self._page(document, number) for number in numbers], edits)
            self.saved += len(changes[document])

    def _changed_all(self, document: int, changes: Sequence[tuple[int, Mapping[str, Any]]]) -> Edits:
        edits = self._edits(document)
        for number, asked in changes:
            try:
                edits = self._changed(self._page(document, number), edits, asked)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                said = json.dumps(asked, ensure_ascii=False)[:EXCERPT]
                raise UsageError(f"an edit makes no sense: {said}", remedy="docs/review.md says what one is") from error
        return edits

    @staticmethod
    def _changed(page: ParsedPage, edits: Edits, asked: Mapping[str, Any]) -> Edits:
        if "checked" in asked:
            edits = edits.with_check(page, right=bool(asked["checked"]))
            if "block" not in asked:
                return edits
        for edit in edits_of(page, asked, edits.of_page(page)):
            edits = edits.with_edit(page, edit)
        return edits

    def check(self, document: int, number: int, *, right: bool) -> None:
        page = self._page(document, number)
        self._save(document, [page], self._edits(document).with_check(page, right=right))
        self.pages = [
            replace(each, checked=right) if (each.document, each.number) == (document, number) else each
            for each in self.pages
        ]

    def _save(self, document: int, pages: Sequence[ParsedPage], edits: Edits) -> None:
        """Edits first: what was typed is safe before anything is rendered from it."""
        folder, parsed = self.out / self.names[document], self._document(document)
        before = read_edits(folder)
        write(folder / FILE, as_json(edits))
        if edits.edits == before.edits:
            return
        formats = tuple(name for name in REWRITTEN if (folder / (WHOLE.get(name) or TABLES)).exists())
        output = DocumentFolder(folder, replace(self._options(parsed), formats=formats))
        for page in pages:
            if (folder / page_file(page.number)).exists():
                output.page(page)
        output.write_document(parsed)
        keep_in_journal(self.out, self.names[document], output.digests)

    # ---------------------------------------------------------------------------------------------- finding

    def _document(self, document: int) -> ParsedDocument:
        if not 0 <= document < len(self.names):
            raise UsageError(f"there is no document {document}")
        file = self.out / self.names[document] / WHOLE["json"]
        try:
            return _cached(file, file.stat().st_mtime_ns)
        except OSError as error:
            raise InputError("not_found", f"{file} is gone", remedy="call review again") from error

    def _page(self, document: int, number: int) -> ParsedPage:
        for page in self._document(document).pages:
            if page.number == number:
                return page
        raise UsageError(f"{self.names[document]} has no page {number}")

    def _edits(self, document: int) -> Edits:
        return read_edits(self.out / self.names[document])

    def _options(self, document: ParsedDocument) -> ParseOptions:
        return options_of(document.options, self.password)


@lru_cache(DOCUMENTS_IN_MEMORY)
def _cached(file: Path, changed: int) -> ParsedDocument:
    return read_document(file)


def _shown(document: int, page: ParsedPage, edits: Edits, doubts: Sequence[DoubtfulWord]) -> Shown:
    concerns = concerns_of(page, doubts)
    places = [concern.block for concern in concerns if concern.block is not None and concern.block < len(page.blocks)]
    excerpts = {n: as_read(unmarked(" ".join(page.blocks[n].text.split())))[:EXCERPT] for n in places}
    return Shown(document, page.number, urgency(page, len(doubts)), tuple(concerns), excerpts, edits.is_checked(page))


def _page_in_list(page: Shown) -> dict[str, Any]:
    return {
        "document": page.document,
        "page": page.number,
        "checked": page.checked,
        "why": [concern.why for concern in page.concerns if concern.block is None],
        "looks": [{"block": n, "text": text} for n, text in page.excerpts.items()],
    }


def _block(page: ParsedPage, n: int, edit: Edit | None, why: list[str]) -> dict[str, Any]:
    block = page.blocks[n]
    now = block if edit is None else replace(block, text=edit.text, spans=(), category=edit.category or block.category)
    now = now if edit is None or edit.level is None else replace(now, level=edit.level)
    tag = element(now)
    box = None if block.box is None else block.box.clipped(page.width, page.height)
    return {
        "box": None if box is None else [box.x0, box.y0, box.x1, box.y1],
        "category": now.category,
        "level": now.level,
        "text": now.text,
        "read": block.text,
        "html": f"<{tag}>{MarkedBlock(now).html()}</{tag.split()[0]}>" if now.text.strip() else "",
        "edited": edit is not None,
        "confidence": block.confidence,
        "to": None if edit is None else edit.to,
        "left_out": now.category in FURNITURE,
        "why": why,
    }
