"""PDF pages through MuPDF. Knows geometry, passwords and repair; what the characters say is text_layer's business."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from docparse_fast.document import FormField, OutlineEntry, Page, PageSource, TextLayer
from docparse_fast.errors import DocparseError, InputError, PageError
from docparse_fast.options import RasterOptions
from docparse_fast.pages.drawn import cuts_between
from docparse_fast.pages.kinds import shown
from docparse_fast.pages.labels import PageLabels
from docparse_fast.pages.notes import WHOLE_DOCUMENT, Notes, one_line
from docparse_fast.pages.pictures import Pictures, tells_of_missing
from docparse_fast.pages.sizes import fitting_scale
from docparse_fast.pages.tag_circles import leave_circles_out
from docparse_fast.pages.weight import MOST_CHARACTERS, MOST_DRAWN, Weight, weigh
from docparse_fast.system.mupdf import pymupdf
from docparse_fast.work import MOST_STEPS

if TYPE_CHECKING:
    from PIL import Image

POINTS_PER_INCH = 72
STEPS_A_BYTE = 100  # of drawing commands, which the layout model goes over some four times
STEPS_A_PATH = 30_000  # it parts the page again and again, and looks at each path: 0.2 to 0.4 ms
STEPS_A_CUT = 650  # for each piece: 1,000 squares that lie scattered took it 11 seconds, 2,000 took 31
FEW = 200  # paths, however they lie
MOST_BOOKMARKS = 20_000
# JPEG 2000 and palette images are decoded at full size whatever the scale; all others are subsampled as they are read.
MAX_WHOLE_DECODED_PIXELS = 150_000_000
_PAGE_KEYS = frozenset({"Contents", "MediaBox", "Resources"})

log = logging.getLogger("docparse_fast")

# MuPDF's exceptions share no ancestor but Exception, and its Python layer adds AssertionError, TypeError and others.
_FOREIGN = Exception


class PdfReader:
    """An open PDF. A page is loaded anew for each request, so that none stays in memory."""

    def __init__(self, path: Path, options: RasterOptions, notes: Notes) -> None:
        self._name = shown(path)
        self._options = options
        self._notes = notes
        self._weighed = (0, Weight())  # the last page's number and weight
        self._fonts_seen: set[int] = set()
        _silence()
        self._file = self._open(path)
        try:
            self._unlock(options.password)
            self.page_count = self._count()
            self._labels = self._read_labels()
            self._pictures = Pictures(self._file, pymupdf.TOOLS.mupdf_warnings)
        except BaseException:
            self.close()
            raise

    def page(self, number: int) -> Page:
        with self._page_errors(number, "is broken"):
            page = self._file.load_page(number - 1)
            if not _is_page(page):
                raise ValueError("the file has something else in its place")
            leave_circles_out(page)
            rect = page.rect
            if rect.is_empty or rect.is_infinite:
                raise ValueError(f"its size is {rect.width:g} x {rect.height:g} pt")
            scale = fitting_scale(rect.width, rect.height, self._options.dpi / POINTS_PER_INCH, self._options.pixel_cap)
            pixels = (rect * pymupdf.Matrix(scale, scale)).irect
            return Page(
                number=number,
                width=max(1, pixels.width),
                height=max(1, pixels.height),
                dpi=scale * POINTS_PER_INCH,
                label=self._labels[number - 1],
                source=PageSource(
                    render=lambda: self._render(number, scale),
                    text_layer=lambda: self._text_layer(number, scale),
                    as_drawn=lambda: self._as_drawn(number),
                    drawing_steps=lambda: self._drawing_steps(number),
                ),
            )

    def bookmarks(self) -> tuple[OutlineEntry, ...]:
        try:
            found = self._file.get_toc(simple=True)
        except _FOREIGN:  # an outline is a nicety
            return ()
        return tuple(
            OutlineEntry(max(1, level), one_line(title), page) for level, title, page in found[:MOST_BOOKMARKS]
        )

    def fields(self, number: int) -> tuple[FormField, ...]:
        from docparse_fast.pages.form_fields import fields_of

        if not self._file.is_form_pdf:
            return ()
        scale = self.page(number).dpi / POINTS_PER_INCH
        with self._page_errors(number, "has a form that can't be read"):
            return tuple(fields_of(self._file.load_page(number - 1), number, scale))

    def may_last(self, number: int) -> bool:
        with self._page_errors(number, "is broken"):
            return self._weight(self._file.load_page(number - 1), number).may_last

    def close(self) -> None:
        if not self._file.is_closed:
            self._file.close()

    # -------------------------------------------------------------------------------------------- opening

    def _open(self, path: Path) -> pymupdf.Document:
        try:
            if not _is_utf8(path):  # MuPDF can't open such a name, but it can read what another has opened
                return pymupdf.open(stream=path.read_bytes(), filetype="pdf")
            return pymupdf.open(path, filetype="pdf")
        except _FOREIGN as error:  # PyMuPDF says only that it failed; MuPDF, behind it, says why
            raise self._corrupt(error.__cause__ or error) from error

    def _unlock(self, password: str | None) -> None:
        if not self._file.needs_pass:  # nor does a file that only its owner's password protects
            return
        if not password:
            raise InputError("encrypted", f"{self._name} needs a password", remedy="give it with --password")
        if not self._file.authenticate(password):
            raise InputError("encrypted", f"the password given does not open {self._name}", remedy="check it")

    def _count(self) -> int:
        try:
            count: int = self._file.page_count
        except _FOREIGN as error:
            raise self._corrupt(error) from error
        if count == 0 and self._file.is_repaired:  # nothing was left to repair
            raise self._corrupt("no pages are left in it")
        self._note(WHOLE_DOCUMENT)
        if self._file.is_repaired:
            self._notes.warn(WHOLE_DOCUMENT, "the file is damaged and was repaired; pages may be missing")
        return count

    def _read_labels(self) -> PageLabels:
        try:
            return PageLabels(self._file.get_page_labels())
        except _FOREIGN:  # a label is a nicety
            return PageLabels(())

    def _corrupt(self, reason: object) -> InputError:
        return InputError(
            "corrupt",
            f"{self._name} can't be read as a PDF ({one_line(reason) or 'no reason given'})",
            remedy="ask for another copy, or open and save it in a PDF viewer",
        )

    # ---------------------------------------------------------------------------------------- page's parts

    def _render(self, number: int, scale: float) -> Image.Image:
        from PIL import Image  # imported late: a born-digital page without figures needs no picture

        with self._page_errors(number, "can't be rendered"):
            page = self._file.load_page(number - 1)
            _refuse_unbounded_images(page)
            if self._weight(page, number).drawn > MOST_DRAWN:
                raise ValueError(f"it unpacks to more than {MOST_DRAWN // 10**6} MB of drawing commands")
            pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csRGB, alpha=False)
            image = Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples_mv)
        # MuPDF would keep up to 256 MB of decoded images, which the next page rarely wants.
        pymupdf.TOOLS.store_shrink(100)
        return image

    def _text_layer(self, number: int, scale: float) -> TextLayer | None:
        """None also where it can't be read: OCR still has the page's picture."""
        from docparse_fast.pages.text_layer import extract

        try:
            page = self._page_with_sound_names(number)
            weight = self._weight(page, number)
            if weight.characters > MOST_CHARACTERS or weight.drawn > MOST_DRAWN:
                raise ValueError("it is too large")
            layer = extract(page, scale, weight)
            self._note(number)
            with suppress(_FOREIGN):  # the text is sound, whatever the pictures are
                if self._pictures.any_broken(page):
                    self._note_missing_picture(number)
            return layer
        except MemoryError as error:
            raise PageError("out_of_memory", "its text layer is too large") from error
        except _FOREIGN as error:
            self._notes.warn(number, f"the text layer can't be read ({one_line(error) or type(error).__name__})")
            return None
        finally:
            self._note(number)

    def _as_drawn(self, number: int) -> pymupdf.Page:
        with self._page_errors(number, "is broken"):
            return self._page_with_sound_names(number)

    def _drawing_steps(self, number: int) -> int:
        with self._page_errors(number, "is broken"):
            page = self._file.load_page(number - 1)
            weight = self._weight(page, number)
            steps = STEPS_A_BYTE * weight.drawn + STEPS_A_PATH * weight.painted
            return steps + STEPS_A_CUT * cuts_between(page) if weight.painted > FEW and steps < MOST_STEPS else steps

    def _page_with_sound_names(self, number: int) -> pymupdf.Page:
        from docparse_fast.pages.coded_names import name_by_codes
        from docparse_fast.pages.drawn_names import name_by_shape
        from docparse_fast.pages.math_codes import name_math_signs
        from docparse_fast.pages.sign_names import without_wrong_maps
        from docparse_fast.pages.tex_signs import MATH_FONT

        page = self._file.load_page(number - 1)
        mended = False
        with suppress(_FOREIGN):  # signs under wrong names are no reason to lose the others
            fonts = [font for font in page.get_fonts() if font[0] and font[0] not in self._fonts_seen]
            self._fonts_seen.update(font[0] for font in fonts)
            for name in (partial(without_wrong_maps, named=MATH_FONT), name_by_codes, name_math_signs, name_by_shape):
                with suppress(_FOREIGN):
                    mended |= name(self._file, fonts)
        return self._file.load_page(number - 1) if mended else page

    def _weight(self, page: pymupdf.Page, number: int) -> Weight:
        if self._weighed[0] != number:
            self._weighed = (number, weigh(page))
            if self._file.is_repaired and not all(map(self._file.xref_is_stream, page.get_contents())):
                self._notes.cut_off.add(number)  # what was left of the file does not hold all that the page draws
        return self._weighed[1]

    @contextmanager
    def _page_errors(self, number: int, what: str) -> Iterator[None]:
        try:
            yield
        except DocparseError:
            raise
        except _FOREIGN as error:
            code = "out_of_memory" if _is_out_of_memory(error) else "render_failed"
            reason = one_line(error) or type(error).__name__
            raise PageError(code, f"it {what} ({reason})") from error
        finally:
            self._note(number)

    def _note(self, number: int) -> None:
        heard = pymupdf.TOOLS.mupdf_warnings()
        for line in heard.splitlines():
            self._notes.warn(number, line)
        if number != WHOLE_DOCUMENT and tells_of_missing(heard):
            self._note_missing_picture(number)

    def _note_missing_picture(self, number: int) -> None:
        self._notes.cut_off.add(number)
        self._notes.warn(number, "a picture on the page can't be decoded, or not to its end")


def _silence() -> None:
    """MuPDF would write to our stdout and stderr; we collect its messages instead."""
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    pymupdf.TOOLS.mupdf_warnings()  # those of an earlier file
    pymupdf.set_messages(pylogging_logger=log, pylogging_level=logging.DEBUG)  # PyMuPDF's own, which go to stdout


def _is_utf8(path: Path) -> bool:
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_out_of_memory(error: Exception) -> bool:
    return isinstance(error, MemoryError) or "malloc" in str(error)


def _is_page(page: pymupdf.Page) -> bool:
    """Whether the object is a page. MuPDF makes a blank page of any object in the page tree, such as a font."""
    if page.xref == 0:  # not an object of its own: against the rules, but content is content
        return bool(page.read_contents())
    kind = page.parent.xref_get_key(page.xref, "Type")
    return kind == ("name", "/Page") or not _PAGE_KEYS.isdisjoint(page.parent.xref_get_keys(page.xref))


def _refuse_unbounded_images(page: pymupdf.Page) -> None:
    for _, _, width, height, _, colors, _, _, stream_filter, *_ in page.get_images(full=True):
        whole = stream_filter == "JPXDecode" or colors == "Indexed"
        if whole and width * height > MAX_WHOLE_DECODED_PIXELS:
            raise ValueError(f"it holds a {width} x {height} image that can only be decoded whole")
