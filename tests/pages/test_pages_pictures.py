"""PDF pages with pictures that can't be decoded, or only in part."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import pymupdf
import pytest
from page_files import drawing, image_pdf, raw_pdf, saved

from docparse_fast.cli import run
from docparse_fast.pages import open_pages

SIZE = (240, 160)
PICTURE = drawing(size=SIZE)
JPEG = saved(PICTURE, "JPEG", quality=95)
JPX = saved(PICTURE, "JPEG2000")
FLATE = zlib.compress(PICTURE.tobytes(), 0)
RGB = b"/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/"
BILEVEL = b"/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/"
FAX = BILEVEL + b"CCITTFaxDecode/DecodeParms<</K -1/Columns 240/Rows 160>>"

SOUND = {
    "jpeg": (RGB + b"DCTDecode", JPEG),
    "jpx": (RGB + b"JPXDecode", JPX),
    "flate": (RGB + b"FlateDecode", FLATE),
}
BROKEN = {
    "jpeg, zeroed": (RGB + b"DCTDecode", bytes(len(JPEG))),
    "jpeg, cut": (RGB + b"DCTDecode", JPEG[: len(JPEG) // 2]),
    "jpeg, cut to its head": (RGB + b"DCTDecode", JPEG[:50]),
    "jpeg, headless": (RGB + b"DCTDecode", JPEG[300:]),
    "jpeg, empty": (RGB + b"DCTDecode", b""),
    "jpx, zeroed": (RGB + b"JPXDecode", bytes(len(JPX))),
    "jpx, cut": (RGB + b"JPXDecode", JPX[: len(JPX) // 2]),
    "jpx, another file": (RGB + b"JPXDecode", JPEG),
    "flate, zeroed": (RGB + b"FlateDecode", bytes(len(FLATE))),
    "flate, cut": (RGB + b"FlateDecode", FLATE[: len(FLATE) // 2]),
    "flate, headless": (RGB + b"FlateDecode", FLATE[50:]),
    "jbig2, zeroed": (BILEVEL + b"JBIG2Decode", bytes(500)),
    "jbig2, another file": (BILEVEL + b"JBIG2Decode", JPEG),
    "ccitt, zeroed": (FAX, bytes(500)),
    "ccitt, another file": (FAX, JPEG),
    "uncompressed, cut": (b"/ColorSpace/DeviceRGB/BitsPerComponent 8", bytes(200)),
}


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def scan(entries: bytes, data: bytes) -> Path:
    path = Path("scan.pdf")
    path.write_bytes(image_pdf(*SIZE, entries, data))
    return path


def converted(path: Path, *options: str) -> tuple[int, dict]:
    code = run(["convert", str(path), "-o", "out", "-q", *options])
    return code, json.loads(Path("out", path.stem, "document.json").read_text("utf-8"))


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_picture_is_reported_when_its_page_is_drawn(kind):
    with open_pages(scan(*BROKEN[kind])) as document:
        (page,) = document.pages()
        assert page.image.size
        assert document.is_cut_off(1)
        assert document.warnings(1)


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_picture_is_reported_when_only_text_is_read(kind):
    with open_pages(scan(*BROKEN[kind])) as document:
        (page,) = document.pages()
        assert page.text_layer is None or not page.text_layer.blocks
        assert document.is_cut_off(1)


@pytest.mark.parametrize("kind", SOUND)
def test_a_sound_picture_leaves_its_page_whole(kind):
    with open_pages(scan(*SOUND[kind])) as document:
        (page,) = document.pages()
        assert page.text_layer is not None
        assert page.image.size
        assert not document.is_cut_off(1)
        assert document.warnings(1) == ()


@pytest.mark.parametrize(
    ("kind", "drafter"),
    [(kind, "text-layer") for kind in ("jpx, cut", "jbig2, zeroed", "flate, headless")]
    + [(kind, "auto") for kind in ("jpeg, zeroed", "ccitt, zeroed")],
)
def test_a_scan_that_can_not_be_decoded_is_partial_and_not_blank(kind, drafter, capsys):
    code, document = converted(scan(*BROKEN[kind]), "--drafter", drafter)
    (page,) = document["pages"]
    assert code == 3
    assert (page["status"], page["error"]["code"]) == ("partial", "truncated")
    assert "truncated: scan.pdf, page 1" in capsys.readouterr().err


def test_a_blank_page_stays_blank():
    Path("blank.pdf").write_bytes(raw_pdf())
    code, document = converted(Path("blank.pdf"))
    assert (code, document["pages"][0]["status"]) == (0, "blank")


def test_a_page_with_a_broken_ornament_keeps_its_text_and_says_so():
    with pymupdf.open() as file:
        page = file.new_page(width=400, height=400)
        page.insert_text((50, 200), "All of these words are sound.")
        xref = page.insert_image((350, 350, 380, 380), stream=JPEG)
        file.update_stream(xref, bytes(len(JPEG)), compress=False)
        file.xref_set_key(xref, "Filter", "/DCTDecode")
        file.save("letter.pdf")
    code, document = converted(Path("letter.pdf"))
    (page,) = document["pages"]
    assert (code, page["status"], page["blocks"][0]["text"]) == (3, "partial", "All of these words are sound.")
    assert any("a picture on the page can't be decoded" in warning for warning in page["stats"]["warnings"])


def test_a_broken_picture_that_is_not_drawn_is_not_reported():
    """Some writers name all of a book's pictures on every page."""
    content = b"BT ET"
    entries, data = BROKEN["jpeg, zeroed"]
    Path("book.pdf").write_bytes(
        raw_pdf(
            b"/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>",
            1,
            b"<</Length %d>>\nstream\n%s\nendstream" % (len(content), content),
            b"<</Type/XObject/Subtype/Image/Width 240/Height 160%s/Length %d>>\nstream\n%s\nendstream"
            % (entries, len(data), data),
        )
    )
    with open_pages("book.pdf") as document:
        (page,) = document.pages()
        assert page.text_layer is not None
        assert not document.is_cut_off(1)
