"""Signs under letters' codes, told by their shape: a font is made whose characters are boxes."""

import pytest
from shown_codes import page_with, text_of

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


def program(glyphs: dict[str, Box]) -> bytes:
    named = {".notdef": drawing((0, 0, 1, 1))} | {name: drawing(box) for name, box in glyphs.items()}
    drawn = b"".join(f"/{key} {len(steps)} RD ".encode() + steps + b" ND\n" for key, steps in named.items())
    private = PRIVATE.encode() + f"dup /CharStrings {len(named)} dict dup begin\n".encode() + drawn + b"end end\n"
    return CLEAR.encode() + encrypted(private + b"mark currentfile closefile\n", 55665)


def written(folder, shown: str, glyphs: dict[str, Box]) -> str:
    """The text of a page with these codes of Windows', whose font draws them so."""
    codes = bytes.fromhex(shown)
    first, last = min(codes), max(codes)
    widths = " ".join("600" if code in codes else "0" for code in range(first, last + 1))
    file, drawn, made = page_with()
    described = file.get_new_xref()
    file.update_object(drawn, f"<</Length1 {len(CLEAR)}>>")
    file.update_stream(drawn, program(glyphs))
    file.update_object(described, f"<</Type/FontDescriptor/FontName/Signs/Flags 32/FontFile {drawn} 0 R>>")
    file.update_object(
        made,
        f"<</Type/Font/Subtype/Type1/BaseFont/Signs/FirstChar {first}/LastChar {last}/Widths[{widths}]"
        f"/FontDescriptor {described} 0 R/Encoding/WinAnsiEncoding>>",
    )
    return text_of(file, made, shown, folder)


@pytest.mark.parametrize(
    ("shown", "glyphs", "meant"),
    [
        ("6d", {"m": MU}, "µ"),
        ("6d", {"m": WIDE_M}, "m"),
        ("31", {"one": RING}, "°"),
        ("31", {"one": ONE}, "1"),
        ("6d96", {"m": MU, "endash": (0, 200, 500, 250)}, "µ–"),
        ("62636d72", dict.fromkeys("bcmr", MU), "βcµρ"),
    ],
    ids=["mu", "a letter", "a degree", "a figure", "a dash beside it", "Greek, one of which no code tells"],
)
def test_a_sign_is_told_from_a_letter_by_its_shape(tmp_path, shown, glyphs, meant):
    assert written(tmp_path, shown, glyphs) == meant
