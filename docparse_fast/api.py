"""The Python interface: `parse`, `Parser`, and the document that they return."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from docparse_fast.document import Block, Box, Category, FormField, ParsedDocument, ParsedPage
from docparse_fast.drafted import cropped
from docparse_fast.errors import DocparseError, InputError, PageError, UsageError, renamed
from docparse_fast.joining import flowing, whole
from docparse_fast.opening import open_pipeline, with_makers_pixels
from docparse_fast.options import ParseOptions, RasterOptions
from docparse_fast.options.recording import options_of
from docparse_fast.pages import OpenDocument, open_pages
from docparse_fast.rendering.json import render_json
from docparse_fast.rendering.markdown import render_markdown
from docparse_fast.run.provenance import parsed_document
from docparse_fast.sums.table_sums import TableSums, table_sums
from docparse_fast.text.html_cells import GridCell, grid_of, rows_of

if TYPE_CHECKING:
    from PIL import Image

    from docparse_fast.pipeline import Pipeline
    from docparse_fast.run.outputs import DocumentFolder

Readable = str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes]


@dataclass(frozen=True, slots=True)
class Progress:
    """A page is done: the page, how many are, and how many there are."""

    page: ParsedPage
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Original:
    """What a document is read from: a file, or the bytes of one."""

    name: str
    path: Path | None
    data: bytes = field(default=b"", repr=False)
    raster: RasterOptions = field(default_factory=RasterOptions)

    @contextmanager
    def file(self) -> Iterator[Path]:
        """A file for as long as it is needed: formats are read from their ends."""
        if self.path is not None:
            yield self.path
            return
        with tempfile.TemporaryDirectory(prefix="docparse-fast-", ignore_cleanup_errors=True) as folder:
            path = Path(folder) / "document"
            path.write_bytes(self.data)
            try:
                yield path
            except DocparseError as error:
                raise renamed(error, str(path), self.name) from error

    @contextmanager
    def opened(self, *, selected: bool = True) -> Iterator[OpenDocument]:
        """With the pages that were selected, or with all: a file that has changed may not have them."""
        raster = self.raster if selected else replace(self.raster, pages=None, max_pages=None)
        with self.file() as path, open_pages(path, raster) as document:
            yield document


@dataclass(frozen=True, slots=True)
class DocumentTable:
    """A table on a page. `rows` are lists of cells' texts; a cell that spans others has its text in the first."""

    page: int
    html: str
    box: Box | None = None
    sums: TableSums | None = None  # those that it holds, and the cells at which one breaks; None if it holds none

    @property
    def cells(self) -> list[GridCell]:
        """The cells, with the rows and columns that they span."""
        return grid_of(self.html)

    @property
    def rows(self) -> list[list[str]]:
        """
        >>> DocumentTable(1, '<table><tr><td colspan="2">a</td></tr><tr><td>b</td><td>c</td></tr></table>').rows
        [['a', ''], ['b', 'c']]
        """
        return rows_of(self.html)


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture on a page; `text` is what was read in it."""

    page: int
    box: Box
    text: str = ""
    _document: Document | None = field(default=None, repr=False, compare=False)

    def picture(self) -> Image.Image:
        """Cut out of its page, which is rendered again."""
        if self._document is None:
            raise UsageError("this figure belongs to no document that can be rendered")
        return cropped(self._document.picture(self.page), self.box)


@dataclass(frozen=True, slots=True)
class Document(ParsedDocument):
    """A parsed document that can write itself.

    >>> from docparse_fast.document import Block, Category, ParsedPage
    >>> page = ParsedPage(1, blocks=(Block(Category.TEXT, "Hello."),))
    >>> Document("a.pdf", "", (page,)).markdown()
    '<!-- page 1 -->\\n\\nHello.\\n'
    """

    _original: Original | None = field(default=None, repr=False, compare=False)

    def markdown(self) -> str:
        """All pages as one Markdown text; tables and furniture are written as the options say."""
        return render_markdown(flowing(self), tables=self._tables, keep_furniture=self._keeps_furniture)

    def json(self) -> str:
        """The whole document with boxes and sources, as in `document.json`."""
        return render_json(self)

    def html(self) -> str:
        """The report, as in `document.html`: each page's picture beside what was read on it."""
        from docparse_fast.rendering.html_report import render_report

        with self._opened() as source:
            pieces = render_report(self, partial(self._shown, source), keep_furniture=self._keeps_furniture)
            return "".join(pieces)

    def map(self) -> dict[str, Any]:
        """Where each stretch of `markdown()` stands on its pages, as in `document.map.json`."""
        from docparse_fast.rendering.text_map import render_map

        return dict(json.loads(render_map(flowing(self), tables=self._tables, keep_furniture=self._keeps_furniture)))

    def chunks(self) -> list[dict[str, Any]]:
        """Its sections for search, as in `chunks.jsonl`: each with its headings, its text and its places."""
        from docparse_fast.rendering.chunks import render_chunks

        lines = render_chunks(flowing(self), tables=self._tables, keep_furniture=self._keeps_furniture)
        return [json.loads(line) for line in lines.splitlines()]

    @property
    def tables(self) -> tuple[DocumentTable, ...]:
        """All tables in order; one that goes on over a page's end is one table, on the page where it began."""
        pages = zip(self.pages, flowing(self).pages, strict=True)
        blocks = ((page, *both) for page, joined in pages for both in zip(page.blocks, joined.blocks, strict=True))
        return tuple(
            DocumentTable(
                page.number,
                whole.text,
                whole.box,
                first.sums if whole.text == first.text else table_sums(rows_of(whole.text)),
            )
            for page, first, whole in blocks
            if whole.category is Category.TABLE and whole.text
        )

    @property
    def figures(self) -> tuple[Figure, ...]:
        found = self._blocks_of(Category.FIGURE, self)
        return tuple(Figure(page.number, block.box, block.text, self) for page, block in found if block.box)

    @property
    def fields(self) -> tuple[FormField, ...]:
        """The fields of a PDF's form on these pages, filled in or not; none of a picture's."""
        turned = {page.number: page.evidence.turned for page in self.pages}
        with self._opened() as source:
            found = [field for number in turned for field in source.fields(number)]
        return tuple(replace(field, box=None) if turned[field.page] else field for field in found)

    def picture(self, page: int) -> Image.Image:
        """A page as it was read, upright: what boxes are measured on. The page is rendered again."""
        with self._opened() as source:
            return self._upright(source, page)

    def save(self, folder: str | os.PathLike[str], formats: Sequence[str] | None = None) -> Path:
        """Writes what `convert` writes for a document into the folder, which is returned; `formats` as --format."""
        from docparse_fast.run.outputs import DocumentFolder

        options = self._options if formats is None else replace(self._options, formats=tuple(formats))
        with self._opened() as source:
            output = DocumentFolder(Path(folder), options, source.path)
            output.begin()
            pages = [self._kept(page, source, output) for page in self.pages]
            saved = ParsedDocument(**{each.name: getattr(self, each.name) for each in fields(ParsedDocument)})
            for page in pages:
                output.page(page)
            output.end(replace(saved, pages=tuple(pages)))
        return Path(folder)

    # ------------------------------------------------------------------------------------------------ within

    def _kept(self, page: ParsedPage, source: OpenDocument, output: DocumentFolder) -> ParsedPage:
        """The page with its figures stored, and its picture where one is wanted."""
        figures = [block for block in page.blocks if block.category is Category.FIGURE and block.box is not None]
        if page.status == "failed" or not (figures or output.keep_page):
            return page
        picture = self._upright(source, page.number)
        if output.keep_page is not None:
            from docparse_fast.rendering.picture import page_picture

            output.keep_page(page.number, page_picture(picture))
        links = {
            id(block): output.keep_figure(page.number, number, cropped(picture, block.box))
            for number, block in enumerate(figures, 1)
            if block.box is not None
        }
        blocks = (replace(block, image=links[id(block)]) if id(block) in links else block for block in page.blocks)
        return replace(page, blocks=tuple(blocks))

    def _shown(self, source: OpenDocument, number: int) -> bytes | None:
        """The page's picture as a file; None if it can't be rendered."""
        from docparse_fast.rendering.picture import page_picture

        with suppress(PageError):
            return page_picture(self._upright(source, number))
        return None

    def _upright(self, source: OpenDocument, number: int) -> Image.Image:
        turned = {page.number: page.evidence.turned for page in self.pages}
        if number not in turned:
            raise UsageError(f"page {number} of {self.source} was not read", remedy="see its pages' numbers")
        (drawn,) = source.pages([number])
        image = drawn.image
        return image.rotate(-turned[number], expand=True) if turned[number] else image

    @staticmethod
    def _blocks_of(category: Category, document: ParsedDocument) -> list[tuple[ParsedPage, Block]]:
        return [(page, block) for page in document.pages for block in page.blocks if block.category is category]

    @property
    def _options(self) -> ParseOptions:
        return replace(options_of(self.options), raster=self._known_original.raster)

    @property
    def _tables(self) -> str:
        return str(self.options.get("tables", "html"))

    @property
    def _keeps_furniture(self) -> bool:
        return bool(self.options.get("keep_furniture", False))

    @property
    def _known_original(self) -> Original:
        if self._original is None:
            raise UsageError("this document was not parsed here, so its pages can't be rendered")
        return self._original

    @contextmanager
    def _opened(self) -> Iterator[OpenDocument]:
        with self._known_original.opened(selected=False) as document:
            if document.sha256 != self.sha256:
                raise InputError("not_found", f"{self.source} has changed since", remedy="parse it again")
            yield document


class Parser:
    """Reads many documents with the same options; models are loaded once, when the first is read.

    >>> parser = Parser(ParseOptions(tables="pipe"))
    >>> parser.parse("a.pdf").markdown()                                                    # doctest: +SKIP
    """

    def __init__(self, options: ParseOptions | None = None) -> None:
        if not isinstance(options, ParseOptions | None):
            raise UsageError(f"{str(options)[:40]} is no ParseOptions", remedy='give ParseOptions(tables="pipe")')
        self.options = with_makers_pixels(options or ParseOptions())

    @cached_property
    def _pipeline(self) -> Pipeline:
        return open_pipeline(self.options)

    def parse(
        self, source: Readable, *, name: str | None = None, progress: Callable[[Progress], None] | None = None
    ) -> Document:
        """A document. `name` is what it is called where bytes or an open file have no name of their own."""
        original = self._original(source, name)
        with original.opened() as document:
            pages = []
            for page in self._pipeline.pages(document):
                pages.append(page)
                if progress is not None:
                    progress(Progress(page, len(pages), len(document.numbers)))
            read = parsed_document(document, original.name, tuple(pages), self.options, self._pipeline.target)
            parsed = whole(read, document.bookmarks)
        values = {each.name: getattr(parsed, each.name) for each in fields(parsed)}
        return Document(**values, _original=original)

    def pages(self, source: Readable) -> Iterator[ParsedPage]:
        """The pages one by one, as soon as each is read: before what only the whole document shows is put right."""
        with self._original(source, None).opened() as document:
            yield from self._pipeline.pages(document)

    def _original(self, source: Readable, name: str | None) -> Original:
        raster = self.options.raster
        if isinstance(source, str | os.PathLike):
            path = os.fspath(source)
            return Original(name or str(path), Path(path), raster=raster)
        if isinstance(source, bytes | bytearray | memoryview):
            return Original(name or "-", None, bytes(source), raster)
        if not hasattr(source, "read"):
            raise UsageError(f"{str(source)[:40]} is no document", remedy="give a path, bytes or an open file")
        data = source.read()
        if not isinstance(data, bytes):
            raise UsageError("the file is open as text", remedy='open it with "rb"')
        given = getattr(source, "name", None)
        return Original(name or (given if isinstance(given, str) else "-"), None, data, raster)


def parse(
    source: Readable,
    options: ParseOptions | None = None,
    *,
    name: str | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Document:
    return Parser(options).parse(source, name=name, progress=progress)
