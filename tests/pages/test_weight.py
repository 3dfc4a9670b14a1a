"""Which pages may keep MuPDF busy for any time, told before they are drawn."""

import pymupdf
import pytest
from page_files import raw_pdf

from docparse_fast.pages.weight import weigh


def may_last(content: bytes, resources: bytes = b"", *more: bytes) -> bool:
    stream = b"<</Length %d>>stream\n%s\nendstream" % (len(content), content)
    data = raw_pdf(b"/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<<%s>>" % resources, 1, stream, *more)
    with pymupdf.open(stream=data) as document:
        return weigh(document[0]).may_last


LETTERS = b"/Font<</F<</Type/Font/Subtype/Type3/CharProcs<<>>/FontMatrix[1 0 0 1 0 0]/Encoding<<>>>>>>"
MASK = b"/ExtGState<</G<</SMask<</S/Luminosity/G 5 0 R>>>>>>"


@pytest.mark.parametrize(
    ("content", "resources"),
    [
        (b"/Pattern cs /P scn 0 0 9 9 re f", b""),
        (b"/S sh", b""),
        (b"BT /F 9 Tf (a) Tj ET", LETTERS),
        (b"/G gs 0 0 9 9 re f", MASK),
        (2100 * b"0 0 9 9 re f ", b""),
        (2100 * b"q 0 0 m 9 9 l 9 0 l W n Q ", b""),
        (b"0 0 m " + 60_000 * b"9 9 l 8 7 l " + b"f", b""),
        (2100 * b"(1234567890) Tj ", b""),
    ],
    ids=["a pattern", "a shading", "drawn letters", "a mask", "rectangles", "clips", "one long path", "letters"],
)
def test_a_page_that_may_last_is_told(content, resources):
    assert may_last(content, resources)


def test_a_page_of_words_pictures_and_a_ruled_table_lasts_no_time():
    assert not may_last(100 * b"BT /F 9 Tf (words) Tj ET " + 500 * b"0 0 9 9 re S " + 20 * b"q 1 0 0 1 0 0 cm /I Do Q ")
