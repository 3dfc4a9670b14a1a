"""Type 3 fonts as old drivers of TeX made them: a dot of the bitmap is the size, and codes are the names."""

from __future__ import annotations

from pathlib import Path

import pytest
from page_files import raw_pdf

from docparse_fast.document import TextLayer
from docparse_fast.pages import open_pages

WIDTH, HIGH, LOW = 5, 7, 4  # dots of a letter
ASCENDERS = frozenset("bdfhklt0123456789'=;\x0c")


def name_of(char: str, hexadecimal: str) -> str:
    """As Acrobat's Distiller named the characters, or as dvipdfmx does."""
    return char if char.isalnum() and hexadecimal == "#23" else f"{hexadecimal}{ord(char):02X}"


def typed(tmp_path: Path, commands: str, *, hexadecimal: str = "#23") -> TextLayer:
    """A page whose one font has blocks of ink for letters; a dot of them is its size."""
    chars = [chr(code) for code in (0x0C, *range(ord("'"), ord("z") + 1))]
    procs, widths, encoding = "", "", ""
    for char in chars:
        high = HIGH if char in ASCENDERS else LOW
        ink = f"{WIDTH} 0 0 0 {WIDTH} {high} d1 0 0 {WIDTH} {high} re f"
        procs += f"/{name_of(char, hexadecimal)} {6 + len(procs.split('R'))} 0 R"
        widths += f"{WIDTH} "
        encoding += f" {ord(char)}/{name_of(char, hexadecimal)}"
        chars[chars.index(char)] = ink
    widths = f"{WIDTH} " * (ord("z") - 0x0C + 1)
    font = (
        f"<</Type/Font/Subtype/Type3/Name/T7/FontMatrix[1 0 0 1 0 0]/FontBBox[0 0 {WIDTH} {HIGH}]"
        f"/FirstChar 12/LastChar {ord('z')}/Widths[{widths}]/CharProcs<<{procs}>>"
        f"/Encoding<</Type/Encoding/Differences[{encoding}]>>/Resources<<>>>>"
    )
    streams = [f"<</Length {len(text)}>>\nstream\n{text}\nendstream" for text in (commands, *chars)]
    page = b"/MediaBox[0 0 400 200]/Contents 5 0 R/Resources<</Font<</T7 4 0 R>>>>"
    path = tmp_path / "a.pdf"
    path.write_bytes(raw_pdf(page, 1, font.encode(), *(stream.encode("latin-1") for stream in streams)))
    with open_pages(path) as opened:
        layer = next(iter(opened.pages())).text_layer
    assert layer is not None
    return layer


def texts(layer: TextLayer) -> list[str]:
    return [line.text.rstrip() for line in layer.lines]


def test_words_of_a_font_whose_size_is_one_dot_are_whole_and_stand_in_one_line(tmp_path):
    torn = "(callbac)Tj 35.4 0 Td (k)Tj 8 0 Td [(of)-3000('objnum')-3000(=)-3000(2;)]TJ"
    assert texts(typed(tmp_path, f"BT /T7 1 Tf 30 100 Td {torn} ET")) == ["callback of 'objnum' = 2;"]


def test_the_size_of_type_is_measured_on_its_letters(tmp_path):
    layer = typed(tmp_path, "BT /T7 1 Tf 30 100 Td (hold fast)Tj ET")
    (letter,) = {span.box.height for line in layer.lines for span in line.spans}
    (size,) = {span.size for line in layer.lines for span in line.spans}
    assert 9 < size / letter * HIGH < 10.5


def test_words_far_apart_stay_in_lines_of_their_own(tmp_path):
    layer = typed(tmp_path, "BT /T7 1 Tf 30 100 Td (one)Tj 80 0 Td (two)Tj -80 -12 Td (three)Tj ET")
    assert texts(layer) == ["one", "two", "three"]


@pytest.mark.parametrize("hexadecimal", ["#23", "x", "#"])
def test_characters_that_are_named_by_their_codes_are_read(tmp_path, hexadecimal):
    layer = typed(tmp_path, "BT /T7 1 Tf 30 100 Td (\\014le1234567890;)Tj ET", hexadecimal=hexadecimal)
    assert texts(layer) == ["file1234567890;"]
