"""PNGs too large to decode whole. Knows the file's chunks, and that MuPDF subsamples a PDF's images as it reads them.

A PNG's pixel data is, byte for byte, what PDF calls Flate with PNG predictors. So the data is not decoded here but
wrapped in a PDF of one page, and MuPDF renders that: 900 megapixels take 0.3 GB instead of 3.6. It holds for grey and
RGB of any depth; palettes, transparency and interlacing have no such twin.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from PIL import Image

MAX_DATA_BYTES = 200_000_000  # compressed: it is in memory twice for a moment
MAX_RAW_BYTES = 4_000_000_000  # some 6 s of CPU time
MAX_SIDE = 65_535  # MuPDF's limit

_GREY, _RGB = 0, 2
_COLORS = {_GREY: (1, b"/DeviceGray"), _RGB: (3, b"/DeviceRGB")}
_SIGNATURE_BYTES = 8
_PAGE_CONTENT = b"q %d 0 0 %d 0 0 cm /I Do Q"


@dataclass(frozen=True, slots=True)
class LargePng:
    width: int
    height: int
    bits: int
    color_type: int
    data: tuple[tuple[int, int], ...]  # where in the file the pieces of the pixel data lie, and how long they are

    def render(self, file: BinaryIO, size: tuple[int, int]) -> Image.Image:
        """The whole picture at `size`."""
        from docparse_fast.system.mupdf import pymupdf  # only here: no other image needs it

        with pymupdf.open(stream=self._as_pdf(file, size), filetype="pdf") as document:
            pixmap = document[0].get_pixmap(colorspace=pymupdf.csRGB, alpha=False)
            image = Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples_mv)
        pymupdf.TOOLS.store_shrink(100)
        return image

    def _as_pdf(self, file: BinaryIO, size: tuple[int, int]) -> bytes:
        channels, space = _COLORS[self.color_type]
        image = (
            b"/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent %d/ColorSpace%s/Filter/FlateDecode"
            b"/DecodeParms<</Predictor 15/Colors %d/BitsPerComponent %d/Columns %d>>"
        ) % (self.width, self.height, self.bits, space, channels, self.bits, self.width)
        page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>"
        return _pdf(
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            page % size,
            _stream(b"", _PAGE_CONTENT % size),
            _stream(image, b"".join(_pieces(file, self.data))),
        )


def large_png(file: BinaryIO) -> LargePng | None:
    """What `render` needs, or None if the file can't be read this way."""
    file.seek(_SIGNATURE_BYTES)
    header: tuple[int, int, int, int, int] | None = None
    data: list[tuple[int, int]] = []
    for name, start, length in _chunks(file):
        if name == b"IHDR":
            width, height, bits, color_type, _, _, interlace = struct.unpack(">IIBBBBB", file.read(13))
            header = (width, height, bits, color_type, interlace)
        elif name == b"IDAT":
            data.append((start, length))
        elif name == b"tRNS":
            return None
    if header is None or header[3] not in _COLORS or header[4]:
        return None
    png = LargePng(*header[:4], tuple(data))
    raw_bytes = png.width * png.height * png.bits * _COLORS[png.color_type][0] // 8
    data_bytes = sum(length for _, length in data)
    bounded = raw_bytes <= MAX_RAW_BYTES and data_bytes <= MAX_DATA_BYTES and max(png.width, png.height) <= MAX_SIDE
    return png if bounded else None


def _chunks(file: BinaryIO) -> Iterator[tuple[bytes, int, int]]:
    """Name, place and length of each chunk up to the end of the file."""
    while len(head := file.read(8)) == 8:
        length, name = struct.unpack(">I4s", head)
        start = file.tell()
        yield name, start, length
        file.seek(start + length + 4)  # past the checksum


def _pieces(file: BinaryIO, places: tuple[tuple[int, int], ...]) -> Iterator[bytes]:
    for start, length in places:
        file.seek(start)
        yield file.read(length)


def _stream(entries: bytes, data: bytes) -> bytes:
    return b"<<%s/Length %d>>\nstream\n%s\nendstream" % (entries, len(data), data)


def _pdf(*objects: bytes) -> bytes:
    parts, offsets, at = [b"%PDF-1.7\n"], [], 9
    for number, content in enumerate(objects, 1):
        offsets.append(at)
        parts.append(b"%d 0 obj\n%s\nendobj\n" % (number, content))
        at += len(parts[-1])
    size = len(objects) + 1
    parts.append(b"xref\n0 %d\n0000000000 65535 f \n" % size)
    parts += [b"%010d 00000 n \n" % offset for offset in offsets]
    parts.append(b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, at))
    return b"".join(parts)
