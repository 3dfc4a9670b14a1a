"""Code on scans, told by its font of one width."""

import numpy as np
import pymupdf
import pytest

from docparse_fast.document import Category
from docparse_fast.drafting.scans.ocr import Ocr
from docparse_fast.drafting.scans.printed_code import printed_code

PROSE = [
    "The window is moved over the answer one step at a time, and what was",
    "found once is kept for the rest of the page. Most of the work is done",
    "by the first of these rules, which is why it comes before the others.",
]
CODE = [
    "def window(tokens, width):",
    "    for start in range(width):",
    "        yield tokens[start:]",
    "print(window([1], 2))",
]
LETTER = [
    "Dear Sir,",
    "We have looked into your letter of May 3, and are glad to say",
    "that the goods were sent to you on Monday. We hope they reach",
    "you soon, and remain yours faithfully,",
    "Brown and Sons",
]


@pytest.fixture(scope="module")
def ocr():
    return Ocr()


def found(ocr, *parts):
    """The text of the code found on a page of paragraphs, each a font and its lines."""
    with pymupdf.open() as document:
        page = document.new_page(width=500, height=420)
        y = 50.0
        for font, lines in parts:
            for line in lines:
                page.insert_text((50, y), line, fontname=font, fontsize=11)
                y += 14
            y += 14
        pixmap = page.get_pixmap(dpi=150)
        image = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 3)
    regions, rest = printed_code(ocr.read(image).lines, image.shape[0])
    assert all(region.category is Category.CODE for region in regions)
    return [region.text for region in regions], [line.plain for line in rest]


def test_code_between_paragraphs_keeps_its_rows_and_its_indents(ocr):
    code, rest = found(ocr, ("tiro", PROSE), ("cour", CODE), ("tiro", PROSE))
    assert [text.replace(", ", ",") for text in code] == ["\n".join(CODE).replace(", ", ",")]
    assert len(rest) == 6


@pytest.mark.parametrize("font", ["tiro", "helv"])
def test_prose_is_no_code(ocr, font):
    assert found(ocr, (font, PROSE), (font, CODE[:1]), (font, PROSE))[0] == []


def test_a_typewritten_letter_is_no_code(ocr):
    assert found(ocr, ("cour", LETTER), ("cour", LETTER))[0] == []
