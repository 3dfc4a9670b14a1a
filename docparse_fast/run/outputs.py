"""What a run leaves behind: OUT/<path>/page-0001.md, document.md and the other formats (`WHOLE`), images/ and
OUT/run.json. A reader's corrections (`edits`) go into Markdown and chunks; document.json keeps what was read.

Knows file names; does not know how a page was read. A document's folder is emptied of what an earlier run wrote before
the first new page is written. Anything else in it is the user's: it stays, and where it has one of our names, the
document isn't converted into this folder (`files`).
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import logging
import os
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from docparse_fast.document import ParsedDocument, ParsedPage
from docparse_fast.errors import DocparseError, InputError
from docparse_fast.joining import flowing, flowing_page
from docparse_fast.options import ParseOptions
from docparse_fast.options.recording import options_of
from docparse_fast.rendering.csv_tables import csv_files, with_csv_names, without_csv_names
from docparse_fast.rendering.json import read_json, render_json
from docparse_fast.rendering.markdown import render_markdown, render_page
from docparse_fast.run.edits import FILE as EDITS_FILE
from docparse_fast.run.edits import Edits, read_edits
from docparse_fast.system.files import (
    NOTES,
    UNFINISHED,
    OwnFolder,
    as_output_error,
    encoded,
    opened_itself,
    part_of,
    write,
)

if TYPE_CHECKING:
    from PIL import Image

WHOLE = {
    "md": "document.md",
    "json": "document.json",
    "html": "document.html",
    "chunks": "chunks.jsonl",
    "map": "document.map.json",
    "docling": "document.docling.json",
    "pdf": "document.pdf",
}
PROOFREAD = "proofread.json"  # what `proofread` found; it goes when the document is converted again
RUN = "run.json"
WRITING = 60.0  # seconds that one file may take
IMAGES = "images"
TABLES = "tables"
PAGE = re.compile(r"page-\d{4,}\.md")
FIGURE = re.compile(r"page-\d{4,}-(?:figure-\d+|flattened)\.png")
TABLE = re.compile(r"page-\d{4,}-table-\d+\.csv")
PICTURE = re.compile(r"\.page-\d{4,}\.webp\.part")  # of a page, until `document.html` is written

notices = logging.getLogger("docparse_fast.notices")


class KeptPictures(ABC):
    """Names a page's pictures and keeps those that the options ask for."""

    def __init__(self, options: ParseOptions) -> None:
        self._options = options

    @abstractmethod
    def store(self, name: str, content: bytes) -> None: ...

    def keep_figure(self, page_number: int, figure_number: int | None, picture: Image.Image) -> str:
        """Stores a picture, without a number the whole page flattened; its link for the Markdown, "" if not kept."""
        if figure_number is None and not self._options.keep_flattened:
            return ""
        what = "flattened" if figure_number is None else f"figure-{figure_number}"
        name = f"{IMAGES}/page-{page_number:04d}-{what}.png"
        self.store(name, _png(picture))
        return name

    @property
    def keep_page(self) -> Callable[[int, bytes], None] | None:
        return self._keep_page if "html" in self._options.formats else None

    def _keep_page(self, page_number: int, picture: bytes) -> None:
        """Keeps the page picture in a temporary file until `document.html` is written."""
        self.store(_picture_name(page_number), picture)


class DocumentFolder(KeptPictures):
    """OUT/<path>: writes each page as soon as it is done, and the whole document at the end.

    `vouched`: files there that another record has, with their digests.
    """

    def __init__(
        self,
        folder: Path,
        options: ParseOptions,
        source: Path | None = None,
        vouched: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(options)
        self.folder = folder
        self._source = source  # the document's file, which a searchable PDF is a copy of
        self.digests: dict[str, str] = {}  # SHA-256 of every file written, by its name in the folder
        self._own = OwnFolder(folder, lambda: {**_of_earlier_versions(folder), **vouched})

    @cached_property
    def edits(self) -> Edits:
        """A reader's corrections; none, and a notice, if their file can't be read."""
        try:
            return read_edits(self.folder)
        except InputError as error:
            notices.warning("%s; no edit is applied", error.message)
            return Edits()

    def begin(self, keep: Mapping[str, str] = MappingProxyType({})) -> None:
        """Prepares the folder: removes what an earlier run wrote, except the files in `keep`, which are as they were.

        Raises UsageError where a file stands that isn't ours and has one of our names.
        """
        with as_output_error(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            self._own.clear(_names_in(self.folder), keep)
            self._tidy()

    def forget(self) -> None:
        """Removes what earlier runs wrote, and nothing that was changed since."""
        with as_output_error(self.folder):
            if self.folder.is_dir():
                self._own.forget(_names_in(self.folder))
                self._tidy()
                with suppress(OSError):
                    self.folder.rmdir()

    def _tidy(self) -> None:
        """Removes the half-written files of a killed run, and the folders of pictures and tables if they are empty."""
        for folder in (self.folder, self.folder / IMAGES, self.folder / TABLES):
            for name in _files(folder):
                if (unfinished := UNFINISHED.fullmatch(name)) and _is_our_name(unfinished[1]):
                    (folder / name).unlink()
        for name in (IMAGES, TABLES):
            with suppress(OSError):  # not there, or not ours alone
                (self.folder / name).rmdir()

    def page(self, page: ParsedPage) -> None:
        if "md" in self._options.formats:
            self.store(page_file(page.number), self._rendered(page))

    def revise(self, page: ParsedPage) -> None:
        """Writes the page's file again where it would say something else."""
        if "md" in self._options.formats:
            text, name = self._rendered(page), page_file(page.number)
            if hashlib.sha256(encoded(text)).hexdigest() != self.digests.get(name):
                self.store(name, text)

    def _rendered(self, page: ParsedPage) -> str:
        edited = flowing_page(self.edits.page(page))
        return render_page(edited, tables=self._options.tables, keep_furniture=self._options.keep_furniture)

    def store(self, name: str, content: str | bytes) -> None:
        self.digests[name] = self._own.store(name, [encoded(content) if isinstance(content, str) else content])

    def end(self, document: ParsedDocument) -> None:
        self.write_document(document)
        self.clear_aside()
        self._own.settle(self.digests)

    def write_document(self, document: ParsedDocument) -> None:
        if outdated := self.edits.outdated(document):
            of = f"{len(outdated)} of {len(self.edits.edits)} edits"
            notices.warning("%s: %s fit no block any more, and stay in the file", self.folder / EDITS_FILE, of)
        if "html" in self._options.formats:
            self._write_report(document)
        document = (
            with_csv_names(document, flowing(document))
            if "csv" in self._options.formats
            else without_csv_names(document)
        )
        edited = flowing(self.edits.document(document))
        options = self._options
        if "md" in options.formats:
            text = render_markdown(edited, tables=options.tables, keep_furniture=options.keep_furniture)
            self.store(WHOLE["md"], text)
        if "chunks" in options.formats:
            from docparse_fast.rendering.chunks import render_chunks  # imported late, as is all that few runs want

            text = render_chunks(edited, tables=options.tables, keep_furniture=options.keep_furniture)
            self.store(WHOLE["chunks"], text)
        if "map" in options.formats:
            from docparse_fast.rendering.text_map import render_map

            self.store(WHOLE["map"], render_map(edited, tables=options.tables, keep_furniture=options.keep_furniture))
        if "docling" in self._options.formats:
            from docparse_fast.rendering.docling import render_docling

            self.store(WHOLE["docling"], render_docling(edited))
        if "csv" in options.formats:
            self._write_tables(edited)
        if "json" in self._options.formats:
            self.store(WHOLE["json"], render_json(document))
        if "pdf" in self._options.formats and self._source is not None:  # last: it can fail, and the rest stays
            self._write_searchable(document, self._source)

    def _write_tables(self, document: ParsedDocument) -> None:
        files = csv_files(document)
        for name in _tables_in(self.folder):  # of before an edit
            if name not in files and self._own.is_ours(name):
                self._own.remove(name)
                self.digests.pop(name, None)
        for name, text in files.items():
            self.store(name, text)

    def _write_searchable(self, document: ParsedDocument, source: Path) -> None:
        from docparse_fast.searchable.apart import SearchableRequest, make_searchable

        name = WHOLE["pdf"]
        part = part_of(self.folder / name)
        try:
            make_searchable(SearchableRequest(source, self._options.raster, document, part))
            self.digests[name] = self._own.adopt(name, part)
        finally:
            part.unlink(missing_ok=True)

    def clear_aside(self) -> None:
        """Removes the pages' pictures and the half-written files of a killed run."""
        with as_output_error(self.folder):
            for name in _files(self.folder):
                if PICTURE.fullmatch(name) and self._own.is_ours(name):
                    self._own.remove(name)
                    self.digests.pop(name, None)
            self._tidy()

    def _write_report(self, document: ParsedDocument) -> None:
        """Writes it page by page: five hundred pictures are never in memory together."""
        from docparse_fast.rendering.html_report import render_report

        pieces = render_report(document, self._read_picture, keep_furniture=self._options.keep_furniture)
        name = WHOLE["html"]
        self.digests[name] = self._own.store(name, (encoded(piece) for piece in pieces))

    def _read_picture(self, page_number: int) -> bytes | None:
        """The picture; None if the page could not be rendered."""
        try:
            return (self.folder / _picture_name(page_number)).read_bytes()
        except FileNotFoundError:
            return None


def store_beside(folder: Path, name: str, text: str) -> None:
    """Writes one more file of ours into a document's folder."""
    OwnFolder(folder, lambda: _of_earlier_versions(folder)).store(name, [encoded(text)])


def _names_in(folder: Path) -> list[str]:
    """The files there that have one of our names, in whatever case the disk takes for the same."""
    kept = (EDITS_FILE, NOTES)  # whatever is converted
    found = [name for name in _files(folder) if _is_our_name(name.lower()) and name not in kept]
    figures = [name for name in _files(folder / IMAGES) if FIGURE.fullmatch(name.lower())]
    found = [name for name in found if _is_small(folder, name)]
    found += [f"{IMAGES}/{name}" for name in figures if _is_small(folder / IMAGES, name)]
    return found + _tables_in(folder)


def _tables_in(folder: Path) -> list[str]:
    names = [name for name in _files(folder / TABLES) if TABLE.fullmatch(name.lower())]
    return [f"{TABLES}/{name}" for name in names if _is_small(folder / TABLES, name)]


def _is_our_name(name: str) -> bool:
    patterns = (PAGE, FIGURE, TABLE, PICTURE)
    return name in (*WHOLE.values(), PROOFREAD, EDITS_FILE, NOTES) or any(each.fullmatch(name) for each in patterns)


def _is_small(folder: Path, name: str) -> bool:
    """Whether what we would write under this name in small letters would take this file's place."""
    small = folder / name.lower()
    if small.name == name:
        return True
    return os.path.lexists(small) and os.path.samestat(small.lstat(), (folder / name).lstat())


def _of_earlier_versions(folder: Path) -> dict[str, str | None]:
    """What a document.json says was written with it, where no digests were noted: whether it was changed is unknown."""
    if os.path.lexists(folder / NOTES):
        return {}
    try:
        with opened_itself(folder / WHOLE["json"], "rb") as file:
            document: ParsedDocument = read_json(file.read().decode())
        formats = options_of(document.options).formats
        names = [*(WHOLE[name] for name in formats if name in WHOLE), WHOLE["json"], PROOFREAD]
        names += [page_file(page.number) for page in document.pages]
        blocks = [block for page in document.pages for block in page.blocks]
        names += [name for block in blocks for name in (block.image, block.csv) if name]
        names += [page.flattened for page in document.pages if page.flattened]
        return dict.fromkeys(names)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, DocparseError):
        return {}


class PageFiles(KeptPictures):
    """Collects a page's pictures as a DocumentFolder does, for another process to store."""

    def __init__(self, options: ParseOptions) -> None:
        super().__init__(options)
        self.files: dict[str, bytes] = {}

    def store(self, name: str, content: bytes) -> None:
        self.files[name] = content

    def taken(self) -> dict[str, bytes]:
        """What was kept since the last time."""
        files, self.files = self.files, {}
        return files


def write_run(out: Path, run: Mapping[str, Any]) -> None:
    make_folder(out)
    write(out / RUN, json.dumps(run, ensure_ascii=False, indent=1) + "\n")


def make_folder(path: Path, *, itself: bool = False) -> None:
    """With `itself` a link to a folder is no folder."""
    with as_output_error(path):
        path.mkdir(parents=True, exist_ok=True)
        if itself and path.is_symlink():
            raise NotADirectoryError(errno.ELOOP, "it is a link")


def clear_unfinished(folder: Path, names: Container[str]) -> None:
    """Removes what a killed run left of these files; not what another run may be writing now."""
    with suppress(OSError):
        for name in _files(folder):
            unfinished = UNFINISHED.fullmatch(name)
            if unfinished and unfinished[1] in names and time.time() - (folder / name).stat().st_mtime > WRITING:
                (folder / name).unlink()


def file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def page_file(page_number: int) -> str:
    return f"page-{page_number:04d}.md"


def _png(picture: Image.Image) -> bytes:
    png = io.BytesIO()
    (picture if picture.mode in ("1", "L", "RGB") else picture.convert("RGB")).save(png, "PNG")
    return png.getvalue()


def _picture_name(page_number: int) -> str:
    return f".page-{page_number:04d}.webp.part"


def is_aside(name: str) -> bool:
    """Whether a file is temporary: a whole document has none of these."""
    return PICTURE.fullmatch(name) is not None


def is_of_page(name: str, page_number: int) -> bool:
    """Whether a file of a document's folder belongs to this page alone: its text, a figure, its picture kept aside."""
    own = (page_file(page_number), _picture_name(page_number))
    return name in own or name.startswith(f"images/page-{page_number:04d}-")


def _files(folder: Path) -> list[str]:
    """The names of what stands in the folder and is no folder itself."""
    return [path.name for path in folder.iterdir() if path.is_symlink() or not path.is_dir()] if folder.is_dir() else []
