"""Files to pages: `open_pages` decides the kind, selects the pages, and hands them out one at a time.

Knows files, geometry and pixels; does not know what is written on a page. Foreign exceptions are translated here to
InputError (the file can't be read), UsageError (no such page) or PageError (one page can't be read).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import NoReturn, Protocol, Self

from docparse_fast.document import FormField, OutlineEntry, Page, PageSource
from docparse_fast.errors import InputError, PageError
from docparse_fast.options import RasterOptions
from docparse_fast.pages.kinds import FileKind, kind_of, shown
from docparse_fast.pages.notes import WHOLE_DOCUMENT, Notes
from docparse_fast.pages.ranges import page_numbers
from docparse_fast.timing import Timer


class PageReader(Protocol):
    """One open file of one kind."""

    page_count: int

    def page(self, number: int) -> Page:
        """Page `number`, from 1, not yet rendered; raises PageError if even its size is unknown."""

    def bookmarks(self) -> tuple[OutlineEntry, ...]:
        """The file's own outline; empty if it has none."""

    def fields(self, number: int) -> tuple[FormField, ...]:
        """Those of the page's form; raises PageError if the page can't be read."""

    def may_last(self, number: int) -> bool:
        """Whether the page may keep native code busy for any time; raises PageError if it can't be read."""

    def close(self) -> None: ...


class OpenDocument:
    """An open file. Its pages are created by `pages()` and rendered only when their image is used.

    Use it from one thread at a time (MuPDF is not thread-safe), and only while it is open.
    """

    def __init__(self, path: Path, kind: FileKind, reader: PageReader, options: RasterOptions, notes: Notes) -> None:
        self.path = path
        self.kind = kind
        self.page_count = reader.page_count
        self.numbers = page_numbers(options.pages, reader.page_count, shown(path))[: options.max_pages]
        self._reader = reader
        self._notes = notes

    @cached_property
    def sha256(self) -> str:
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    @cached_property
    def bookmarks(self) -> tuple[OutlineEntry, ...]:
        return self._reader.bookmarks()

    def fields(self, number: int) -> tuple[FormField, ...]:
        """The fields of a page's form; none where the page is broken."""
        try:
            return self._reader.fields(number)
        except PageError:
            return ()

    def may_last(self, number: int) -> bool:
        """Whether a page may take any time to draw; a broken one fails at once."""
        try:
            return self._reader.may_last(number)
        except PageError:
            return False

    def pages(self, numbers: Iterable[int] | None = None, new_timer: Callable[[], Timer] = Timer) -> Iterator[Page]:
        """The selected pages, or the given ones, in the order they were asked for, each with a timer of its own.

        A page with broken geometry is yielded too, without a size; its `image` raises PageError. So it is marked
        like every other failure, and the pages after it still come.
        """
        for number in self.numbers if numbers is None else numbers:
            page = self._page(number)
            page.timer = new_timer()
            yield page

    def warnings(self, number: int = WHOLE_DOCUMENT) -> tuple[str, ...]:
        """Warnings about a page or the file; a page's warnings are complete once it has been rendered."""
        return self._notes.warnings(number)

    def is_cut_off(self, number: int) -> bool:
        """Whether part of the page is missing from the file; known once it has been rendered or its text layer read."""
        return number in self._notes.cut_off

    def close(self) -> None:
        self._reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _page(self, number: int) -> Page:
        try:
            return self._reader.page(number)
        except PageError as error:
            return _broken_page(number, error)


def open_pages(path: Path | str, options: RasterOptions | None = None) -> OpenDocument:
    """Open a PDF or an image for reading; use it in a `with`, or close it.

    >>> with open_pages("report.pdf", RasterOptions(pages="1-3")) as document:  # doctest: +SKIP
    ...     for page in document.pages():
    ...         print(page.number, page.width, page.height, page.image)
    """
    path, options = Path(path), options or RasterOptions()
    kind, notes = kind_of(path), Notes()
    reader = _open_reader(path, kind, options, notes)
    try:
        if reader.page_count == 0:
            raise InputError("empty", f"{shown(path)} has no pages", remedy="ask for another copy of it")
        return OpenDocument(path, kind, reader, options, notes)
    except BaseException:
        reader.close()
        raise


def _open_reader(path: Path, kind: FileKind, options: RasterOptions, notes: Notes) -> PageReader:
    # Imported when needed: PyMuPDF alone takes half a second, and an image has no use for it.
    if kind == "pdf":
        from docparse_fast.pages.pdf import PdfReader

        return PdfReader(path, options, notes)
    from docparse_fast.pages.images import ImageReader

    return ImageReader(path, kind, options, notes)


def _broken_page(number: int, error: PageError) -> Page:
    def fail() -> NoReturn:
        raise error

    return Page(number, width=0, height=0, dpi=0.0, source=PageSource(render=fail, text_layer=fail))
