"""Finds pictures of a PDF that can't be decoded, or only in part. Knows streams; draws no page.

MuPDF draws black, white or grey for a broken picture and records a warning. A page that is only read for its text is
never drawn, so its pictures are decoded here, each once for the whole document.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from docparse_fast.system.mupdf import pymupdf

MOST_DECODED_PIXELS = 10_000_000  # of one picture; larger pictures are checked when their page is drawn
MOST_DECODED_JPX_PIXELS = 500_000  # JPEG 2000 takes thirty times as long as other formats
_THUMBNAIL = 64  # pixels; a JPEG is then decoded at an eighth of its size

_MISSING = re.compile(
    r"padding truncated image|premature end of file in jpeg"
    r"|Failed to (?:read|decode) JPX|cannot (?:decode|complete) jbig2"
)


def tells_of_missing(warnings: str) -> bool:
    """
    >>> tells_of_missing("read error; treating as end of file\\npadding truncated image"), tells_of_missing("no font")
    (True, False)
    """
    return _MISSING.search(warnings) is not None


class Pictures:
    """The pictures of an open PDF; `heard` returns MuPDF's warnings since its last call."""

    def __init__(self, file: pymupdf.Document, heard: Callable[[], str]) -> None:
        self._file = file
        self._heard = heard
        self._is_broken: dict[int, bool] = {}

    def any_broken(self, page: pymupdf.Page) -> bool:
        drawn = {(info["width"], info["height"]) for info in page.get_image_info()}
        found = page.get_images(full=True) if drawn else ()  # all that it could draw, perhaps a whole book's
        return any(
            self._broken(xref, width * height, stream_filter)
            for xref, _, width, height, _, _, _, _, stream_filter, *_ in found
            if (width, height) in drawn
        )

    def _broken(self, xref: int, pixels: int, stream_filter: str) -> bool:
        if xref not in self._is_broken:
            most = MOST_DECODED_JPX_PIXELS if stream_filter == "JPXDecode" else MOST_DECODED_PIXELS
            self._is_broken[xref] = pixels <= most and self._fails(xref)
        return self._is_broken[xref]

    def _fails(self, xref: int) -> bool:
        self._heard()
        try:
            self._decode(xref)
        except Exception:  # MuPDF's exceptions have no other common ancestor
            return True
        return tells_of_missing(self._heard())

    def _decode(self, xref: int) -> None:
        mupdf = pymupdf.mupdf
        pdf = pymupdf._as_pdf_document(self._file)
        image = mupdf.pdf_load_image(pdf, mupdf.pdf_new_indirect(pdf, xref, 0))
        size = mupdf.FzMatrix(_THUMBNAIL, 0, 0, _THUMBNAIL, 0, 0)
        mupdf.fz_get_pixmap_from_image(image, mupdf.FzIrect(0, 0, image.w(), image.h()), size)
