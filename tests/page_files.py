"""Small PDFs and images, good and bad, made for the tests of pages."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import pymupdf
from PIL import Image, ImageDraw


def raw_pdf(page: bytes = b"/MediaBox[0 0 100 100]", count: int = 1, *more: bytes) -> bytes:
    """A one-page PDF written by hand, so that its entries can be as wrong as a test wants."""
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count %d>>" % count,
        b"<</Type/Page/Parent 2 0 R %s>>" % page,
        *more,
    )
    data, offsets = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return data + b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        table,
        len(objects) + 1,
        len(data),
    )


def pages_alike(count: int, words: str) -> bytes:
    """A PDF of many pages. Words set on each of them anew would take seconds."""
    with pymupdf.open() as page, pymupdf.open() as document:
        page.new_page().insert_text((72, 72), words)
        for _ in range(count):
            document.insert_pdf(page, final=False)
        return document.tobytes()


def image_pdf(width: int, height: int, entries: bytes, data: bytes) -> bytes:
    """A PDF whose only page is one image."""
    content = b"q 100 0 0 100 0 0 cm /I Do Q"
    return raw_pdf(
        b"/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>",
        1,
        b"<</Length %d>>\nstream\n%s\nendstream" % (len(content), content),
        b"<</Type/XObject/Subtype/Image/Width %d/Height %d%s/Length %d>>\nstream\n%s\nendstream"
        % (width, height, entries, len(data), data),
    )


def text_pdf(path: Path, *texts: str, **save: object) -> Path:
    with pymupdf.open() as document:
        for text in texts:
            document.new_page(width=300, height=200).insert_text((30, 60), text)
        document.save(path, **save)
    return path


def pdf(path: str, *texts: str, **save: object) -> str:
    """In the working folder or one below it."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    text_pdf(Path(path), *texts, **save)
    return path


def drawing(mode: str = "RGB", size: tuple[int, int] = (240, 160), paper: object = "white") -> Image.Image:
    """A page with one black bar across its upper left quarter: enough to see which way up it is."""
    image = Image.new("RGB", size, paper)
    ImageDraw.Draw(image).rectangle((10, 10, size[0] // 2, size[1] // 4), fill="black")
    return image.convert(mode)


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def is_drawing(image: Image.Image) -> bool:
    """Whether `image` shows the drawing upright: dark where its bar is, light in the three other corners."""
    width, height = image.size
    gray = image.convert("L")
    bar = gray.getpixel((width // 4, height // 8))
    corners = [gray.getpixel((x, y)) for x, y in ((width - 5, 5), (5, height - 5), (width - 5, height - 5))]
    return bar < 60 and min(corners) > 190


ROWS_AT_ONCE = 50  # are packed once and repeated


def white_png(width: int, height: int, *, bits: int = 8, color_type: int = 0, interlaced: bool = False) -> bytes:
    """A PNG of any size, written without ever holding it: rows of 0xff."""
    channels = {0: 1, 2: 3, 6: 4}[color_type]
    row = b"\xff" * ((width * bits * channels + 7) // 8)
    first, others = b"\x00" + row, (b"\x02" + bytes(len(row))) * ROWS_AT_ONCE  # each as the row above
    whole, left = divmod(height - 1, ROWS_AT_ONCE)
    last = others[: left * (len(row) + 1)]
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    flushed = [packer.compress(part) + packer.flush(zlib.Z_FULL_FLUSH) for part in (first, others, last)]
    check = zlib.adler32(first)
    for part in (*[others] * whole, last):
        check = zlib.adler32(part, check)
    data = b"".join((b"\x78\x01", flushed[0], flushed[1] * whole, flushed[2], packer.flush(), struct.pack(">I", check)))
    header = struct.pack(">IIBBBBB", width, height, bits, color_type, 0, 0, interlaced)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in ((b"IHDR", header), (b"IDAT", data), (b"IEND", b""))
    )
