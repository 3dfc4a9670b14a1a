"""Signs under letters' codes, told by their shape: a font is made whose characters are boxes."""

import pymupdf
import pytest

from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages

Box = tuple[int, int, int, int]  # left, bottom, right and top, in thousandths of the type's size
MU, WIDE_M, RING, ONE = (50, -210, 530, 460), (50, 0, 800, 460), (60, 430, 330, 700), (100, 300, 250, 700)
CLEAR = """%!PS-AdobeFont-1.0: Signs
/FontName /Signs def /PaintType 0 def /FontType 1 def /FontMatrix [0.001 0 0 0.001 0 0] readonly def
/Encoding StandardEncoding def /FontBBox {0 -300 1000 800} readonly def
currentfile eexec
"""
PRIVATE = "dup /Private 4 dict dup begin /RD{string currentfile exch readstring pop}def /ND{def}def /lenIV 4 def "


def encrypted(plain: bytes, key: int) -> bytes:
    """As a Type 1 font's program has it."""
    written = bytearray()
    for byte in b"\0\0\0\0" + plain:
        written.append(byte ^ key >> 8)
        key = (written[-1] + key) * 52845 + 22719 & 0xFFFF
    return bytes(written)


def number(value: int) -> bytes:
    return b"\xff" + value.to_bytes(4, "big", signed=True)


def drawing(box: Box) -> bytes:
    """The character's steps: a width, a move, the sides, the end."""
    left, bottom, right, top = box
    across, up = number(right - left), number(top - bottom)
    start = number(0) + number(1000) + b"\x0d" + number(left) + number(bottom) + b"\x15"
    sides = across + b"\x06" + up + b"\x07" + number(left - right) + b"\x06"
    return encrypted(start + sides + b"\x09\x0e", 4330)


def program(name: str, box: Box) -> bytes:
    named = {".notdef": drawing((0, 0, 1, 1)), name: drawing(box)}
    drawn = b"".join(f"/{key} {len(steps)} RD ".encode() + steps + b" ND\n" for key, steps in named.items())
    private = (
        PRIVATE.encode() + b"dup /CharStrings 2 dict dup begin\n" + drawn + b"end end\nmark currentfile closefile\n"
    )
    return CLEAR.encode() + encrypted(private + b"mark currentfile closefile\n", 55665)


def written(folder, char: str, name: str, box: Box) -> str:
    """The text of a page with a character whose font draws it so."""
    file = pymupdf.open()
    page = file.new_page()
    page.insert_text((72, 72), "x", fontname="helv")
    drawn, described, made = (file.get_new_xref() for _ in range(3))
    file.update_object(drawn, f"<</Length1 {len(CLEAR)}>>")
    file.update_stream(drawn, program(name, box))
    file.update_object(described, f"<</Type/FontDescriptor/FontName/Signs/Flags 32/FontFile {drawn} 0 R>>")
    file.update_object(
        made,
        f"<</Type/Font/Subtype/Type1/BaseFont/Signs/FirstChar {ord(char)}/LastChar {ord(char)}/Widths[600]"
        f"/FontDescriptor {described} 0 R/Encoding/WinAnsiEncoding>>",
    )
    file.xref_set_key(page.xref, "Resources", f"<</Font<</M {made} 0 R>>>>")
    file.update_stream(page.get_contents()[0], f"BT /M 12 Tf 72 700 Td ({char}) Tj ET".encode())
    file.save(folder / "page.pdf")
    with open_pages(folder / "page.pdf", RasterOptions()) as document:
        layer = next(iter(document.pages())).text_layer
        return "".join(line.text for block in layer.blocks for line in block)


@pytest.mark.parametrize(
    ("char", "name", "box", "meant"),
    [("m", "m", MU, "µ"), ("m", "m", WIDE_M, "m"), ("1", "one", RING, "°"), ("1", "one", ONE, "1")],
)
def test_a_sign_is_told_from_a_letter_by_its_shape(tmp_path, char, name, box, meant):
    assert written(tmp_path, char, name, box) == meant
