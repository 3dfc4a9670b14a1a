"""Image files as pages. Knows formats, frames, orientation and resolution; how pixels become RGB is pixels.py's part.

Every image of a TIFF is a page, except previews and masks. An animated GIF, WebP or PNG and a photo that holds several
pictures have one page: the first.

A picture of which the end is missing is read as far as it goes, and the page says so (`is_cut_off`): on a scan the
upper half is worth having. Only where nothing at all can be read does the page fail.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from PIL import (
    BmpImagePlugin,
    GifImagePlugin,
    Image,
    ImageFile,
    JpegImagePlugin,
    PngImagePlugin,
    TiffImagePlugin,
    WebPImagePlugin,
)

from docparse_fast.document import FormField, OutlineEntry, Page, PageSource
from docparse_fast.errors import DocparseError, InputError, PageError
from docparse_fast.options import RasterOptions
from docparse_fast.pages.image_headers import (
    TURNED,
    as_stored,
    channels_of_scan_before,
    is_preview_or_mask,
    is_white_low,
    orientation_of,
    plausible_dpi,
    reading_on,
    resolution_of,
    silence_libtiff,
    without_pixel_limit,
)
from docparse_fast.pages.kinds import FileKind, shown
from docparse_fast.pages.large_png import LargePng, large_png
from docparse_fast.pages.notes import WHOLE_DOCUMENT, Notes, one_line
from docparse_fast.pages.pixels import has_content, rgb_page
from docparse_fast.pages.sizes import scaled_size

# The plugins are called by themselves: Image.open would guess the format again, and hold every image to a global
# pixel limit, where MAX_DECODED_BYTES goes by what is really needed. TIFF's plugin asks for that limit by itself.
_PLUGINS: dict[FileKind, type[ImageFile.ImageFile]] = {
    "png": PngImagePlugin.PngImageFile,
    "jpeg": JpegImagePlugin.JpegImageFile,
    "tiff": TiffImagePlugin.TiffImageFile,
    "webp": WebPImagePlugin.WebPImageFile,
    "bmp": BmpImagePlugin.BmpImageFile,
    "gif": GifImagePlugin.GifImageFile,
}

MAX_DECODED_BYTES = 600_000_000  # an A0 scan at 300 dpi in colour takes 558 MB
KEPT_BYTES = 64_000_000  # a decoded TIFF page smaller than this stays until the next one is read

_BYTES_PER_PIXEL = {"1": 1, "L": 1, "P": 1, "I;16": 2, "I;16B": 2, "I;16L": 2, "LA": 4}  # as Pillow stores them
_COPIES: dict[FileKind, int] = {"webp": 3, "gif": 2}  # held at once while decoding
_JPEG_SHRINK = 8  # the most that libjpeg can leave out while decoding

MOST_FRAMES = 10_000  # a chain of images can be made to lead on and on, and Pillow's time grows with its square
_SQUARE_ENOUGH = 1.1  # faxes have 204 x 98 or 204 x 196 dpi

_FOREIGN = Exception  # Pillow's plugins raise whatever their parsing ran into


@dataclass(frozen=True, slots=True)
class _Frame:
    """One image of the file: its place, and its size when upright with square pixels."""

    index: int
    width: float
    height: float
    dpi: float
    orientation: int = 1  # as EXIF counts them
    error: str = ""  # why it can't be a page


class ImageReader:
    def __init__(self, path: Path, kind: FileKind, options: RasterOptions, notes: Notes) -> None:
        self._path = path
        self._kind = kind
        self._options = options
        self._notes = notes
        if kind == "tiff":
            silence_libtiff()
        self._file: BinaryIO = path.open("rb")
        self._opened: ImageFile.ImageFile | None = None
        self._first_scan_channels = 0  # of a JPEG
        self._large_png: LargePng | None = None  # set where the image must not be decoded whole
        try:
            self._frames = self._read_frames()
        except BaseException:
            self.close()
            raise
        self.page_count = len(self._frames)

    def page(self, number: int) -> Page:
        frame = self._frames[number - 1]
        if frame.error:
            raise PageError("render_failed", f"it can't be read ({frame.error})")
        width, height = scaled_size(frame.width, frame.height, self._options.pixel_cap)
        return Page(
            number=number,
            width=width,
            height=height,
            dpi=frame.dpi * width / frame.width,
            source=PageSource(render=lambda: self._render(number, (width, height)), text_layer=lambda: None),
        )

    def bookmarks(self) -> tuple[OutlineEntry, ...]:
        return ()

    def fields(self, number: int) -> tuple[FormField, ...]:
        return ()

    def may_last(self, number: int) -> bool:
        return False  # how many pixels there are is known

    def close(self) -> None:
        self._opened = None
        self._file.close()

    # -------------------------------------------------------------------------------------------- opening

    def _read_frames(self) -> list[_Frame]:
        """The file's images. If the only image is broken, the file is broken."""
        with self._file_errors():
            image = self._open()
            frames = list(self._walk(image)) if self._kind == "tiff" else [self._frame(image, 0)]
        if len(frames) == 1 and frames[0].error:
            raise InputError("too_large", f"{shown(self._path)} {frames[0].error}", remedy="scale it down first")
        return frames

    def _walk(self, image: ImageFile.ImageFile) -> Iterator[_Frame]:
        for index in range(MOST_FRAMES):
            try:
                image.seek(index)
                if not is_preview_or_mask(image):
                    yield self._frame(image, index)
            except EOFError:
                return
            except _FOREIGN as error:  # the chain of images is broken here
                self._notes.warn(WHOLE_DOCUMENT, f"image {index + 1} and those after it can't be read ({error})")
                return
        raise InputError("too_large", f"{shown(self._path)} holds {MOST_FRAMES:,} images or more", remedy="split it")

    def _frame(self, image: ImageFile.ImageFile, index: int) -> _Frame:
        width, height = float(image.width), float(image.height)
        if width < 1 or height < 1:
            raise ValueError(f"it is {image.width} x {image.height} pixels")
        dpi_x, dpi_y = resolution_of(image)
        if dpi_x > dpi_y * _SQUARE_ENOUGH:
            height *= dpi_x / dpi_y
        elif dpi_y > dpi_x * _SQUARE_ENOUGH:
            width *= dpi_y / dpi_x
        orientation = orientation_of(image)
        if orientation in TURNED:
            width, height = height, width
        error = "" if self._is_bounded(image) else f"is {image.width} x {image.height} pixels, too many to decode"
        return _Frame(index, width, height, plausible_dpi(max(dpi_x, dpi_y), max(width, height)), orientation, error)

    def _is_bounded(self, image: ImageFile.ImageFile) -> bool:
        if self._decoded_bytes(image) <= MAX_DECODED_BYTES:
            return True
        if self._kind == "png":
            self._large_png = large_png(self._file)
        return self._large_png is not None

    def _decoded_bytes(self, image: ImageFile.ImageFile) -> int:
        """The peak memory of decoding, estimated from the header."""
        pixels = image.width * image.height
        size = pixels * _BYTES_PER_PIXEL.get(image.mode, 4) * _COPIES.get(self._kind, 1)
        if self._kind != "jpeg":
            return size
        # Of a JPEG in several scans all coefficients, two bytes each, are held until the last one.
        coefficients = pixels * len(image.getbands()) * 2 if self._has_several_scans(image) else 0
        return size // _JPEG_SHRINK**2 + coefficients

    def _has_several_scans(self, image: ImageFile.ImageFile) -> bool:
        if image.info.get("progressive"):
            return True
        return self._first_scan_channels < len(image.getbands())

    def _open(self) -> ImageFile.ImageFile:
        if self._opened is None:
            self._file.seek(0)
            self._opened = _PLUGINS[self._kind](self._file)
            if self._kind == "jpeg":
                self._first_scan_channels = channels_of_scan_before(self._file)
        return self._opened

    @contextmanager
    def _file_errors(self) -> Iterator[None]:
        try:
            with self._heard_warnings(WHOLE_DOCUMENT):
                yield
        except DocparseError:
            raise
        except _FOREIGN as error:
            raise InputError(
                "corrupt",
                f"{shown(self._path)} can't be read as {self._kind.upper()} ({_reason(error)})",
                remedy="copy it again, or open and save it in an image editor",
            ) from error

    # ------------------------------------------------------------------------------------------- rendering

    def _render(self, number: int, size: tuple[int, int]) -> Image.Image:
        frame = self._frames[number - 1]
        try:
            with self._heard_warnings(number):
                image, missing = self._loaded(frame, size)
                page = rgb_page(image, size, frame.orientation, is_white_low(image), incomplete=bool(missing))
                if missing:
                    self._note_cut_off(number, page, missing)
                return page
        except DocparseError:
            raise
        except _FOREIGN as error:
            code = "out_of_memory" if isinstance(error, MemoryError) else "render_failed"
            raise PageError(code, f"it can't be decoded ({_reason(error)})") from error
        finally:
            self._forget_large()

    def _loaded(self, frame: _Frame, size: tuple[int, int]) -> tuple[Image.Image, str]:
        """The image, decoded as far as possible, and the reason if it is incomplete."""
        if self._large_png is not None:
            return self._large_png.render(self._file, as_stored(size, frame.orientation)), ""
        try:
            image = self._seek(frame, size)
            with without_pixel_limit():
                image.load()
            return image, ""
        except _FOREIGN as error:
            missing = _reason(error)
        # Not inside the except: the error's traceback would keep the first image in memory beside the second.
        self._opened = None
        image = self._seek(frame, size)
        with reading_on(), without_pixel_limit():
            image.load()
        return image, missing

    def _note_cut_off(self, number: int, page: Image.Image, missing: str) -> None:
        if not has_content(page):
            raise ValueError(missing)
        self._notes.cut_off.add(number)
        self._notes.warn(number, f"a part of the image is missing from the file ({missing})")

    def _seek(self, frame: _Frame, size: tuple[int, int]) -> ImageFile.ImageFile:
        image = self._open()
        if frame.index or self._kind == "tiff":
            image.seek(frame.index)
        image.draft(
            image.mode, as_stored(size, frame.orientation)
        )  # JPEG alone can: it decodes only so much as is wanted
        return image

    def _forget_large(self) -> None:
        """Only a TIFF has more pages; they are found faster while the file stays open."""
        image = self._opened
        if image is not None and (self.page_count == 1 or self._decoded_bytes(image) > KEPT_BYTES):
            self._opened = None

    @contextmanager
    def _heard_warnings(self, number: int) -> Iterator[None]:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            yield
        for warning in heard:
            self._notes.warn(number, str(warning.message))


def _reason(error: Exception) -> str:
    return one_line(error) or type(error).__name__
