"""What a run leaves behind: OUT/<path>/page-0001.md, document.md and the other formats (`WHOLE`), images/ and
OUT/run.json. A reader's corrections (`edits`) go into Markdown and chunks; document.json keeps what was read.

Knows file names and that a file is either whole or not there; does not know how a page was read. Every file is written
beside its place and moved there. A document's folder is emptied of what an earlier run left in it (by the names that
are ours: anything else in it is the user's and stays) before the first new page is written.
"""

from __future__ import annotations

import hashlib
import io
import json
import logging
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docparse_fast.document import ParsedDocument, ParsedPage
from docparse_fast.edits import FILE as EDITS_FILE
from docparse_fast.edits import Edits, read_edits
from docparse_fast.errors import InputError, OutputError
from docparse_fast.joining import flowing, flowing_page
from docparse_fast.options import ParseOptions
from docparse_fast.rendering.json import render_json
from docparse_fast.rendering.markdown import render_markdown, render_page

if TYPE_CHECKING:
    from PIL import Image

WHOLE = {
    "md": "document.md",
    "json": "document.json",
    "html": "document.html",
    "chunks": "chunks.jsonl",
    "docling": "document.docling.json",
    "pdf": "document.pdf",
}
PROOFREAD = "proofread.json"  # what `proofread` found; it goes when the document is converted again
notices = logging.getLogger("docparse_fast.notices")

PAGE = re.compile(r"page-\d{4,}\.md")
FIGURE = re.compile(r"page-\d{4,}-figure-\d+\.png")
UNFINISHED = re.compile(r"\..+\.part")  # left by a run that was killed while it wrote


class DocumentFolder:
    """OUT/<path>: writes each page as soon as it is done, and the whole document at the end."""

    def __init__(self, folder: Path, options: ParseOptions, source: Path | None = None) -> None:
        self.folder = folder
        self._source = source  # the document's file, which a searchable PDF is a copy of
        self.digests: dict[str, str] = {}  # SHA-256 of every file written, by its name in the folder
        self._options = options

    @cached_property
    def edits(self) -> Edits:
        """A reader's corrections; none, and a notice, if their file can't be read."""
        try:
            return read_edits(self.folder)
        except InputError as error:
            notices.warning("%s; no edit is applied", error.message)
            return Edits()

    def begin(self, keep: Container[str] = ()) -> None:
        """Prepares the folder: removes what an earlier run left, except the files named in `keep`."""
        with _as_output_error(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            self._remove_earlier(keep)

    def forget(self) -> None:
        with _as_output_error(self.folder):
            if self.folder.is_dir():
                self._remove_earlier()
                with suppress(OSError):
                    self.folder.rmdir()

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

    def keep_figure(self, page_number: int, figure_number: int, picture: Image.Image) -> str:
        """Stores a picture and returns its link for the Markdown."""
        name, data = figure_file(page_number, figure_number, picture)
        self.store(name, data)
        return name

    @property
    def keep_page(self) -> Callable[[int, bytes], None] | None:
        return self._keep_page if "html" in self._options.formats else None

    def _keep_page(self, page_number: int, picture: bytes) -> None:
        """Keeps the page picture in a temporary file until `document.html` is written."""
        self.store(_picture_name(page_number), picture)

    def store(self, name: str, content: str | bytes) -> None:
        path = self.folder / name
        if path.parent != self.folder:
            with _as_output_error(path.parent):
                path.parent.mkdir(exist_ok=True)
        self.digests[name] = write(path, content)

    def end(self, document: ParsedDocument) -> None:
        self.write_document(document)
        self.clear_aside()

    def write_document(self, document: ParsedDocument) -> None:
        if outdated := self.edits.outdated(document):
            of = f"{len(outdated)} of {len(self.edits.edits)} edits"
            notices.warning("%s: %s fit no block any more, and stay in the file", self.folder / EDITS_FILE, of)
        if "html" in self._options.formats:
            self._write_report(document)
        edited = flowing(self.edits.document(document))
        options = self._options
        if "md" in options.formats:
            text = render_markdown(edited, tables=options.tables, keep_furniture=options.keep_furniture)
            self.store(WHOLE["md"], text)
        if "chunks" in options.formats:
            from docparse_fast.rendering.chunks import render_chunks  # imported late, as is all that few runs want

            text = render_chunks(edited, tables=options.tables, keep_furniture=options.keep_furniture)
            self.store(WHOLE["chunks"], text)
        if "docling" in self._options.formats:
            from docparse_fast.rendering.docling import render_docling

            self.store(WHOLE["docling"], render_docling(edited))
        if "json" in self._options.formats:
            self.store(WHOLE["json"], render_json(document))
        if "pdf" in self._options.formats and self._source is not None:  # last: it can fail, and the rest stays
            self._write_searchable(document, self._source)

    def _write_searchable(self, document: ParsedDocument, source: Path) -> None:
        from docparse_fast.searchable.apart import SearchableRequest, make_searchable

        path = self.folder / WHOLE["pdf"]
        part = path.with_name(f".{path.name}.part")
        try:
            make_searchable(SearchableRequest(source, self._options.raster, document, part))
            with _as_output_error(path):
                self.digests[path.name] = file_digest(part)
                part.replace(path)
        finally:
            part.unlink(missing_ok=True)

    def clear_aside(self) -> None:
        """Removes temporary pictures and the half-written files of a killed run."""
        with _as_output_error(self.folder):
            for path in _files(self.folder):
                if UNFINISHED.fullmatch(path.name):
                    path.unlink()
                    self.digests.pop(path.name, None)

    def _write_report(self, document: ParsedDocument) -> None:
        """Writes it page by page: five hundred pictures are never in memory together."""
        from docparse_fast.rendering.html_report import render_report

        pieces = render_report(document, self._read_picture, keep_furniture=self._options.keep_furniture)
        path = self.folder / WHOLE["html"]
        self.digests[path.name] = write_pieces(path, (piece.encode("utf-8", "replace") for piece in pieces))

    def _read_picture(self, page_number: int) -> bytes | None:
        """The picture; None if the page could not be rendered."""
        try:
            return (self.folder / _picture_name(page_number)).read_bytes()
        except FileNotFoundError:
            return None

    def _remove_earlier(self, keep: Container[str] = ()) -> None:
        names = (*WHOLE.values(), PROOFREAD)
        for path in _files(self.folder):
            ours = path.name in names or PAGE.fullmatch(path.name) or UNFINISHED.fullmatch(path.name)
            if ours and path.name not in keep:
                path.unlink()
        for path in _files(self.folder / "images"):
            ours = FIGURE.fullmatch(path.name) or UNFINISHED.fullmatch(path.name)
            if ours and f"images/{path.name}" not in keep:
                path.unlink()
        with suppress(OSError):  # not there, or not ours alone
            (self.folder / "images").rmdir()


class PageFiles:
    """Collects a page's pictures as a DocumentFolder does, for another process to store."""

    def __init__(self, options: ParseOptions) -> None:
        self.files: dict[str, bytes] = {}
        self._options = options

    @property
    def keep_page(self) -> Callable[[int, bytes], None] | None:
        return self._keep_page if "html" in self._options.formats else None

    def _keep_page(self, page_number: int, picture: bytes) -> None:
        self.files[_picture_name(page_number)] = picture

    def keep_figure(self, page_number: int, figure_number: int, picture: Image.Image) -> str:
        name, data = figure_file(page_number, figure_number, picture)
        self.files[name] = data
        return name

    def taken(self) -> dict[str, bytes]:
        """What was kept since the last time."""
        files, self.files = self.files, {}
        return files


def write_run(out: Path, run: Mapping[str, Any]) -> None:
    make_folder(out)
    write(out / "run.json", json.dumps(run, ensure_ascii=False, indent=1) + "\n")


def make_folder(path: Path) -> None:
    with _as_output_error(path):
        path.mkdir(parents=True, exist_ok=True)


def file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def page_file(page_number: int) -> str:
    return f"page-{page_number:04d}.md"


def figure_file(page_number: int, figure_number: int, picture: Image.Image) -> tuple[str, bytes]:
    """A picture's name in the document's folder, and its PNG bytes."""
    png = io.BytesIO()
    (picture if picture.mode in ("1", "L", "RGB") else picture.convert("RGB")).save(png, "PNG")
    return f"images/page-{page_number:04d}-figure-{figure_number}.png", png.getvalue()


def _picture_name(page_number: int) -> str:
    return f".page-{page_number:04d}.webp.part"


def is_aside(name: str) -> bool:
    """Whether a file is temporary: a whole document has none of these."""
    return UNFINISHED.fullmatch(name) is not None


def is_of_page(name: str, page_number: int) -> bool:
    """Whether a file of a document's folder belongs to this page alone: its text, a figure, its picture kept aside."""
    own = (page_file(page_number), _picture_name(page_number))
    return name in own or name.startswith(f"images/page-{page_number:04d}-figure-")


def write(path: Path, content: str | bytes) -> str:
    """Writes the file atomically and returns its SHA-256."""
    return write_pieces(path, [encoded(content) if isinstance(content, str) else content])


def encoded(text: str) -> bytes:
    """Text from a damaged file may hold half a character; that must not cost the page."""
    return text.encode("utf-8", "replace")


def write_pieces(path: Path, pieces: Iterable[bytes]) -> str:
    """As `write`, for a text that comes in pieces."""
    part = path.with_name(f".{path.name}.part")
    digest = hashlib.sha256()
    with _as_output_error(path):
        try:
            with part.open("wb") as file:
                for piece in pieces:
                    digest.update(piece)
                    file.write(piece)
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    return digest.hexdigest()


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if not path.is_dir()] if folder.is_dir() else []


@contextmanager
def _as_output_error(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(
            "write_failed",
            f"{path}: {error.strerror or error}",
            remedy="check the folder, its rights and the space left",
        ) from error
