"""What an image file says of itself: resolution, orientation, previews. Sets Pillow's global switches."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from types import ModuleType
from typing import BinaryIO

from PIL import (
    Image,
    ImageFile,
    TiffImagePlugin,
    _imaging,
)

from docparse_fast.pages.pixels import DEEP_MODES

_LONGEST_SCAN_HEADER = 16  # bytes of a JPEG, with four channels
_ORIENTATION_TAG = 0x0112
TURNED = frozenset({5, 6, 7, 8})  # orientations that swap width and height
_PREVIEW_OR_MASK = 0b101  # TIFF's NewSubfileType: bit 0 a smaller copy, bit 2 a transparency mask
_SUBFILE_TAG = 254
_PHOTOMETRIC_TAG, _WHITE_IS_ZERO = 262, 0
_LONGEST_PAPER = 11.69  # inches, A4: what an image is taken for that doesn't say
_PLAUSIBLE_DPI = (50, 2400)
_PLAUSIBLE_INCHES = (1, 60)  # of the long side: a photo "at 72 dpi" would be a poster


def silence_libtiff() -> None:
    """libtiff writes to stderr itself; Pillow reports the failure anyway and has no switch for it."""
    library = ctypes.CDLL(_imaging.__file__)
    for name in ("TIFFSetErrorHandler", "TIFFSetWarningHandler"):
        setter = getattr(library, name, None)  # a Pillow built with libtiff inside doesn't show it
        if setter is not None:
            setter.argtypes, setter.restype = [ctypes.c_void_p], ctypes.c_void_p
            setter(None)


def reading_on() -> AbstractContextManager[None]:
    """Lets Pillow keep the rows it has when a file ends early; Pillow only has a global setting for this."""
    return _set_meanwhile(ImageFile, "LOAD_TRUNCATED_IMAGES", True)


def without_pixel_limit() -> AbstractContextManager[None]:
    """Lifts Pillow's limit, which is global too."""
    return _set_meanwhile(Image, "MAX_IMAGE_PIXELS", None)


@contextmanager
def _set_meanwhile(module: ModuleType, name: str, value: bool | None) -> Iterator[None]:
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)


def is_preview_or_mask(image: ImageFile.ImageFile) -> bool:
    tags = image.tag_v2 if isinstance(image, TiffImagePlugin.TiffImageFile) else {}
    return bool(tags.get(_SUBFILE_TAG, 0) & _PREVIEW_OR_MASK)


def orientation_of(image: ImageFile.ImageFile) -> int:
    if isinstance(image, TiffImagePlugin.TiffImageFile):
        return 1  # Pillow turns TIFFs by itself, their size included
    # PNG's own getexif would decode the whole image to look behind it.
    orientation = Image.Image.getexif(image).get(_ORIENTATION_TAG, 1)
    return orientation if orientation in range(1, 9) else 1


def channels_of_scan_before(file: BinaryIO) -> int:
    """The number of channels in the JPEG scan whose header the file position is behind; Pillow stops reading there."""
    end = file.tell()
    file.seek(max(0, end - _LONGEST_SCAN_HEADER))
    header = file.read(min(end, _LONGEST_SCAN_HEADER)).rpartition(b"\xff\xda")[2]
    return header[2] if len(header) > 2 else 0  # behind two bytes of length


def as_stored(size: tuple[int, int], orientation: int) -> tuple[int, int]:
    return size[::-1] if orientation in TURNED else size


def is_white_low(image: Image.Image) -> bool:
    """Pillow inverts WhiteIsZero only for up to 8 bits."""
    tags = image.tag_v2 if isinstance(image, TiffImagePlugin.TiffImageFile) else {}
    return image.mode in DEEP_MODES and tags.get(_PHOTOMETRIC_TAG) == _WHITE_IS_ZERO


def resolution_of(image: ImageFile.ImageFile) -> tuple[float, float]:
    """Dots an inch across and down; 0, 0 if the file gives none or absurd ones."""
    try:
        across, down = (float(value) for value in image.info.get("dpi", (0, 0)))
    except (TypeError, ValueError, ZeroDivisionError):
        return 0.0, 0.0
    low, high = _PLAUSIBLE_DPI
    return (across, down) if low <= across <= high and low <= down <= high else (0.0, 0.0)


def plausible_dpi(dpi: float, long_side: float) -> float:
    low, high = _PLAUSIBLE_INCHES
    if dpi and low <= long_side / dpi <= high:
        return dpi
    return max(72.0, long_side / _LONGEST_PAPER)
