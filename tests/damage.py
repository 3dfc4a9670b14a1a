"""Makes damaged PDFs and images from whole ones, at random from a seed. Knows file formats; runs nothing.

There are two kinds of changes: to any bytes, and to a format's parts (a PDF's objects, a PNG's chunks, a TIFF's tags, a
JPEG's segments). The second kind keeps the rest of the file valid, so that a reader reaches the damage.
"""

from __future__ import annotations

import io
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pymupdf
from PIL import Image

MOST_BYTES = 2_000_000  # per case
TOKENS = (
    *(b"obj", b"endobj", b"stream", b"endstream", b"xref", b"trailer", b"startxref", b"%%EOF", b"R", b"null"),
    *(b"<<", b">>", b"[", b"]", b"(", b")", b"<", b"/", b"BT", b"ET", b"q", b"Q", b"cm", b"Do", b"Tj", b"BI", b"ID"),
    *(b"/FlateDecode", b"/LZWDecode", b"/DCTDecode", b"/JPXDecode", b"/JBIG2Decode", b"/CCITTFaxDecode", b"/Crypt"),
    *(b"/Kids", b"/Parent", b"/Count", b"/Length", b"/Pages", b"/Page", b"/Encrypt", b"/ObjStm", b"/Prev", b"/OC"),
    *(b"\xff\xd8", b"\xff\xda", b"\xff\xc2", b"IHDR", b"IDAT", b"PLTE", b"iCCP", b"fcTL", b"II*\0", b"MM\0*", b"RIFF"),
    *(b"\0" * 8, b"\xff" * 8, b"\x80", b"\x7f\xff\xff\xff", b"%s%n", b"../../", b"\n"),
)
NUMBERS = (0, 1, -1, 2, 7, 255, 256, 65_535, 65_536, 2**31 - 1, -(2**31), 2**32, 2**63, 10**30, 0.5, -1e-9, 1e300)


def seeds(folder: Path) -> dict[str, bytes]:
    """Whole files to start from: the PDFs in `folder`, also unpacked, and the images, also in every other format."""
    found: dict[str, bytes] = {}
    for path in sorted(folder.iterdir()):
        if path.suffix == ".pdf":
            found[path.name] = path.read_bytes()
            with pymupdf.open(path) as document:
                found[f"unpacked {path.name}"] = document.tobytes(garbage=3, expand=255, use_objstms=0)
        elif path.suffix in (".tif", ".png"):
            found[path.name] = path.read_bytes()
            with Image.open(path) as image:
                found |= {f"{path.name} as {name}": data for name, data in _in_every_format(image)}
    return found


def mutated(random: Random, whole: dict[str, bytes]) -> tuple[str, bytes]:
    """A damaged file, after the names of its seed and changes."""
    name = random.choice(sorted(whole))
    data, told = whole[name], [name]
    for _ in range(random.choice((1, 1, 1, 2, 3, 5))):
        family = _CHANGES[_kind(data)] if random.random() < 0.6 else _ON_BYTES
        change = random.choice(family)
        told.append(change.__name__.strip("_"))
        data = change(random, data, whole) or data
    return ", ".join(told), data[:MOST_BYTES]


def _kind(data: bytes) -> str:
    for kind, start in (("png", b"\x89PNG"), ("jpeg", b"\xff\xd8"), ("tiff", b"II*\0"), ("pdf", b"%PDF")):
        if data.startswith(start):
            return kind
    return ""


def _in_every_format(image: Image.Image) -> Iterator[tuple[str, bytes]]:
    small = image.convert("RGB")
    small.thumbnail((400, 400))
    grey = small.convert("L")
    frames = [grey, grey.rotate(90, expand=True), grey]
    for name, picture, settings in (
        ("png", small, {}),
        ("palette.png", small.convert("P"), {"transparency": 3}),
        ("deep.png", grey.convert("I;16"), {}),
        ("jpg", small, {"quality": 40}),
        ("progressive.jpg", small, {"progressive": True}),
        ("cmyk.jpg", small.convert("CMYK"), {}),
        ("webp", small, {"quality": 40}),
        ("bmp", small, {}),
        ("gif", frames[0], {"save_all": True, "append_images": frames[1:]}),
        ("tif", frames[0], {"save_all": True, "append_images": frames[1:], "compression": "tiff_lzw"}),
        ("fax.tif", grey.convert("1"), {"compression": "group4"}),
    ):
        stream = io.BytesIO()
        kind = {"jpg": "JPEG", "tif": "TIFF"}.get(name.rpartition(".")[2], name.rpartition(".")[2].upper())
        picture.save(stream, kind, **settings)
        yield name, stream.getvalue()


# -------------------------------------------------------------------------------------------------- bytes


def _flip(random: Random, data: bytes, whole: dict[str, bytes]) -> bytes:
    broken = bytearray(data)
    for _ in range(random.choice((1, 2, 8, 64))):
        if broken:
            broken[random.randrange(len(broken))] ^= 1 << random.randrange(8)
    return bytes(broken)


def _cut_off(random: Random, data: bytes, whole: dict[str, bytes]) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def _take_out(random: Random, data: bytes, whole: dict[str, bytes]) -> bytes:
    start, length = _span(random, data)
    return data[:start] + data[start + length :]


def _repeat(random: Random, data: bytes, whole: dict[str, bytes]) -> bytes:
    start, length = _span(random, data)
    return data[:start] + data[start : start + length] * random.choice((2, 3, 50)) + data[start + length :]


def _splice(random: Random, data: bytes, whole: dict[str, bytes]) -> bytes:
    other = whole[random.choice(sorted(whole))]
    start, length = _span(random, data)
    from_, taken = _span(random, other)
    return data[:start] + other[from_ : from_ + taken] + data[start + length :]


def _token(random: Random, data: bytes, whole: dict[str, bytes]) -> bytes:
    start, length = _span(random, data)
    gap = 0 if random.random() < 0.5 else min(length, 8)
    return data[:start] + random.choice(TOKENS) + data[start + gap :]


def _extreme_bytes(random: Random, data: bytes, whole: dict[str, bytes]) -> bytes:
    """Sets a field in the first kilobyte, where headers are, to its largest or smallest value."""
    size = random.choice((1, 2, 4))
    start = random.randrange(max(1, min(len(data), random.choice((64, 1024)))))
    return data[:start] + random.choice((b"\0", b"\xff", b"\x7f", b"\x80")) * size + data[start + size :]


def _span(random: Random, data: bytes) -> tuple[int, int]:
    start = random.randrange(len(data) + 1)
    return start, random.choice((1, 2, 4, 16, 100, 1000, 20_000))


# ---------------------------------------------------------------------------------------------------- PDF

_OBJECT = re.compile(rb"(?:^|(?<=[\r\n]))(\d+) 0 obj\b(.*?)\bendobj", re.DOTALL)
_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\n?endstream", re.DOTALL)
_ENTRY = re.compile(rb"(/[A-Za-z0-9]+)\s*(/[A-Za-z0-9]+|\[[^\[\]]*\]|-?[\d.]+(?: 0 R)?|\([^()]*\)|true|false|null)")
_REFERENCE = re.compile(rb"\b\d+ 0 R\b")
_NUMBER = re.compile(rb"(?<![\w#])-?\d+(?:\.\d+)?\b")
Objects = dict[int, bytes]


def _value(random: Random, objects: Objects) -> bytes:
    """Any value that a key may have."""
    deep = random.choice((10, 200, 5_000, 100_000))
    return random.choice(
        (
            b"%r" % random.choice(NUMBERS),
            b"%d 0 R" % random.choice(sorted(objects)),
            b"%d 0 R" % random.choice((0, 99_999, 2**31)),
            b"[" * deep + b"]" * deep,
            b"<</A" * deep + b" 1" + b">>" * deep,
            b"[" + b"0 " * random.choice((0, 3, 50_000)) + b"]",
            b"(" + b"\\(x" * random.choice((0, 9, 5_000)) + b")",
            b"/" + b"N" * random.choice((0, 1, 127, 70_000)),
            b"[-1e9 -1e9 1e9 1e9]",
            b"[0 0 0 0]",
            b"null",
            b"<FEFF" + b"D800" * 9 + b">",
            random.choice(TOKENS),
        )
    )


def _change_entry(random: Random, objects: Objects) -> None:
    number = random.choice(sorted(objects))
    if entries := list(_ENTRY.finditer(objects[number])):
        chosen = random.choice(entries)
        objects[number] = _put(objects[number], chosen.span(2), _value(random, objects))


def _add_entry(random: Random, objects: Objects) -> None:
    number = random.choice(sorted(objects))
    keys = (b"/Kids", b"/Parent", b"/Count", b"/Type", b"/Filter", b"/Rotate", b"/MediaBox", b"/CropBox", b"/UserUnit")
    keys += (b"/Resources", b"/Contents", b"/Annots", b"/Group", b"/SMask", b"/DecodeParms", b"/Width", b"/Length")
    keys += (b"/PageLabels", b"/OCProperties", b"/AcroForm", b"/Names", b"/Extends", b"/ToUnicode", b"/Encoding")
    entry = random.choice(keys) + b" " + _value(random, objects)
    objects[number] = objects[number].replace(b"<<", b"<<" + entry, 1)


def _turn_reference(random: Random, objects: Objects) -> None:
    """Redirects a reference, often into a loop: a page that is its own parent, a form that draws itself."""
    number = random.choice(sorted(objects))
    if found := list(_REFERENCE.finditer(objects[number])):
        to = number if random.random() < 0.4 else random.choice(sorted(objects))
        objects[number] = _put(objects[number], random.choice(found).span(), b"%d 0 R" % to)


def _extreme_number(random: Random, objects: Objects) -> None:
    number = random.choice(sorted(objects))
    if found := list(_NUMBER.finditer(objects[number])):
        extreme = b"%r" % random.choice(NUMBERS)
        objects[number] = _put(objects[number], random.choice(found).span(), extreme)


def _swap_objects(random: Random, objects: Objects) -> None:
    one, other = random.choice(sorted(objects)), random.choice(sorted(objects))
    objects[one], objects[other] = objects[other], objects[one]


def _drop_object(random: Random, objects: Objects) -> None:
    if len(objects) > 1:
        del objects[random.choice(sorted(objects))]


def _change_content(random: Random, objects: Objects) -> None:
    """Repeats or shuffles a content stream's operators, or changes their numbers."""
    streams = [number for number, content in objects.items() if _STREAM.search(content)]
    if not streams:
        return
    number = random.choice(streams)
    body = _STREAM.search(objects[number])
    assert body is not None
    lines = body[1].split(b"\n")
    at = random.randrange(len(lines))
    lines[at] = random.choice(
        (
            lines[at] * random.choice((0, 2, 500)),
            random.choice(lines),
            b"q " * random.choice((1, 5_000)),
            _NUMBER.sub(lambda _: b"%r" % random.choice(NUMBERS), lines[at]),
            b"BI /W 60000 /H 60000 /BPC 8 /CS /RGB ID " + lines[at],
            b"0 0 99999 99999 re W n " + lines[at],
            random.choice(TOKENS),
        )
    )
    objects[number] = _put(objects[number], body.span(1), b"\n".join(lines))


def _bomb_stream(random: Random, objects: Objects) -> None:
    """A small stream that unpacks to many bytes, or that is packed several times."""
    number = random.choice(sorted(objects))
    data, times = b"0 0 m 9 9 l S\n" * random.choice((1, 100_000, 2_000_000)), random.choice((1, 2, 3))
    for _ in range(times):
        data = zlib.compress(data)
    filters = b"/FlateDecode " * (times + random.choice((0, 0, 200)))
    objects[number] = b"\n<</Filter[%s]/Length %d>>\nstream\n%s\nendstream\n" % (filters, len(data), data)


def _on_objects(change: Callable[[Random, Objects], None]) -> Callable[[Random, bytes, dict[str, bytes]], bytes]:
    def changed(random: Random, data: bytes, whole: dict[str, bytes]) -> bytes:
        objects = {int(found[1]): found[2] for found in _OBJECT.finditer(data)}
        if not objects:
            return data
        for _ in range(random.choice((1, 1, 2, 6))):
            change(random, objects)
        return _pdf(objects, data)

    changed.__name__ = change.__name__
    return changed


def _pdf(objects: Objects, like: bytes) -> bytes:
    """A PDF of these objects, with a correct table of their places."""
    out = io.BytesIO()
    out.write(b"%PDF-1.7\n")
    places = {}
    for number, content in objects.items():
        places[number] = out.tell()
        out.write(b"%d 0 obj%sendobj\n" % (number, content))
    start, size = out.tell(), max(objects) + 1
    out.write(b"xref\n0 1\n0000000000 65535 f \n")
    out.writelines(b"%d 1\n%010d 00000 n \n" % (number, place) for number, place in places.items())
    root = re.search(rb"/Root\s*(\d+ 0 R)", like)
    out.write(b"trailer\n<</Size %d/Root %s>>\n" % (size, root[1] if root else b"1 0 R"))
    out.write(b"startxref\n%d\n%%%%EOF\n" % start)
    return out.getvalue()


def _put(data: bytes, span: tuple[int, int], value: bytes) -> bytes:
    return data[: span[0]] + value + data[span[1] :]


# ------------------------------------------------------------------------------------------------- images


def _png_chunk(random: Random, data: bytes, whole: dict[str, bytes]) -> bytes:
    """Changes one chunk and corrects its checksum, because Pillow stops at a wrong one."""
    chunks, at = [], 8
    while at + 8 <= len(data):
        length, name = struct.unpack(">I4s", data[at : at + 8])
        chunks.append((name, data[at + 8 : at + 8 + length]))
        at += length + 12
    if not chunks:
        return data
    place = 0 if random.random() < 0.4 else random.randrange(len(chunks))
    name, content = chunks[place]
    action = random.randrange(5)
    if action == 0:
        content = _flip(random, content, whole)
    elif action == 1:
        content = _extreme_bytes(random, content, whole)
    elif action == 2:
        names = (b"PLTE", b"tRNS", b"iCCP", b"zTXt", b"eXIf", b"acTL", b"fcTL", b"gAMA", b"IEND", b"IHDR", b"pHYs")
        name = random.choice(names)
    elif action == 3:
        packed = zlib.compress(bytes(random.choice((10_000, 30_000_000))), 9)
        chunks.insert(place, (random.choice((b"zTXt", b"iCCP", b"IDAT")), b"k\0\0" + packed))
    else:
        chunks.insert(place, chunks[random.randrange(len(chunks))])
    if action < 3:
        chunks[place] = (name, content)
    return data[:8] + b"".join(
        struct.pack(">I4s", len(content), name) + content + struct.pack(">I", zlib.crc32(name + content))
        for name, content in chunks
    )


def _tiff_tag(random: Random, data: bytes, whole: dict[str, bytes]) -> bytes:
    """Changes one entry of the first directory: its tag, type, count or value."""
    if len(data) < 8:
        return data
    start = int.from_bytes(data[4:8], "little")
    count = int.from_bytes(data[start : start + 2], "little")
    if not 0 < count < 100 or start + 2 + 12 * count + 4 > len(data):
        return data
    at = start + 2 + 12 * random.randrange(count)
    if random.random() < 0.15:  # the next directory: this one again, or anywhere
        at, offset, size = start + 2 + 12 * count, 0, 4
        return data[:at] + random.choice((start, random.randrange(len(data)))).to_bytes(4, "little") + data[at + 4 :]
    offset, size = random.choice(((0, 2), (2, 2), (4, 4), (8, 4), (8, 4)))
    value = random.choice((0, 1, 2, 5, 7, 8, 16, 255, 257, 32_773, 60_000, 2**31, 2**32 - 1)) % 2 ** (8 * size)
    return data[: at + offset] + value.to_bytes(size, "little") + data[at + offset + size :]


def _jpeg_segment(random: Random, data: bytes, whole: dict[str, bytes]) -> bytes:
    """Changes a byte or a field in a marker's segment."""
    markers = [found.start() for found in re.finditer(rb"\xff[\xc0-\xc4\xda-\xdd\xe0-\xef]", data)]
    if not markers:
        return data
    at = random.choice(markers) + random.randrange(1, 20)
    return data[:at] + random.choice((b"\0", b"\xff", b"\x01", b"\x11", b"\xff\xff", b"\0\0")) + data[at + 1 :]


_ON_BYTES = (_flip, _flip, _cut_off, _take_out, _repeat, _splice, _token, _extreme_bytes)
_CHANGES: dict[str, tuple[Callable[[Random, bytes, dict[str, bytes]], bytes], ...]] = {
    "pdf": tuple(
        map(
            _on_objects,
            (
                _change_entry,
                _add_entry,
                _turn_reference,
                _extreme_number,
                _swap_objects,
                _drop_object,
                _change_content,
                _bomb_stream,
            ),
        )
    ),
    "png": (_png_chunk,),
    "tiff": (_tiff_tag,),
    "jpeg": (_jpeg_segment,),
    "": _ON_BYTES,
}
