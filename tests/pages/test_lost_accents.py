"""Accents that are drawn before their letters, and missing among a page's characters."""

import unicodedata

import pymupdf
import pytest

from docparse_fast.pages.accents import put_accents_back

MAP = """begincmap 1 begincodespacerange <00><ff> endcodespacerange
3 beginbfrange <01><01><0302> <02><02><D835DC60> <03><03><003D> endbfrange endcmap"""
GLYPH = b"%d 0 0 0 500 500 d1 50 0 400 400 re f"


@pytest.fixture
def page():
    """A line in a font whose first sign is a circumflex without width, its second an s, its third an equals sign."""
    file = pymupdf.open()
    made = file.new_page()
    made.insert_text((72, 72), "x", fontname="helv")
    chars, font, *glyphs = (file.get_new_xref() for _ in range(5))
    file.update_object(chars, "<<>>")
    file.update_stream(chars, MAP.encode())
    for xref, width in zip(glyphs, (0, 500, 500), strict=True):
        file.update_object(xref, "<<>>")
        file.update_stream(xref, GLYPH % width)
    drawn = " ".join(f"/g{n} {xref} 0 R" for n, xref in enumerate(glyphs))
    file.update_object(
        font,
        f"<</Type/Font/Subtype/Type3/Name/Math/FontBBox[0 0 500 500]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<<{drawn}>>"
        f"/Encoding<</Differences[1/g0/g1/g2]>>/FirstChar 1/LastChar 3/Widths[0 500 500]/ToUnicode {chars} 0 R>>",
    )
    file.xref_set_key(made.xref, "Resources", f"<</Font<</M {font} 0 R>>>>")
    file.update_stream(made.get_contents()[0], b"BT /M 12 Tf 78 700 Td <03>Tj [<01>495<02>]TJ <0302> Tj ET")
    return made


def characters(page: pymupdf.Page) -> list[dict]:
    raw = page.get_text("rawdict")["blocks"]
    return [char for block in raw for line in block["lines"] for run in line["spans"] for char in run["chars"]]


def text(chars: list[dict]) -> str:
    return "".join(char["c"] for char in chars).replace(" ", "")


def test_a_lost_accent_is_given_to_the_letter_drawn_next(page):
    left = [char for char in characters(page) if not unicodedata.combining(char["c"])]
    put_accents_back(left, page)
    assert text(left) == "=\U0001d460\u0302=\U0001d460"


def test_an_accent_that_stands_before_its_letter_is_not_given_twice(page):
    chars = characters(page)
    put_accents_back(chars, page)
    assert text(chars).count("\u0302") == 1
