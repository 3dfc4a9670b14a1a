"""Searchable PDFs, read back with MuPDF and, where it is installed, with poppler."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pymupdf
import pytest
from PIL import Image, ImageDraw

from docparse_fast.cli import run
from docparse_fast.document import Block, Box, Category, ParsedDocument, ParsedPage
from docparse_fast.evidence import PageEvidence
from docparse_fast.options import ParseOptions, RasterOptions
from docparse_fast.run.outputs import DocumentFolder
from docparse_fast.searchable.making import write_searchable
from docparse_fast.system.files import NOTES

ROOT = Path(__file__).parents[2]
SIZE = (600, 800)
WORDS = "seven words stand here in a row"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def picture(name: str, words: str = WORDS, **options) -> Path:
    image = Image.new("L", SIZE, 255)
    ImageDraw.Draw(image).text((100, 200), words, fill=0, font_size=20)
    image.save(name, **options)
    return Path(name)


def scan(name: str, rotation: int = 0) -> Path:
    """A PDF whose page is a picture, shown turned."""
    image = picture("page.png")
    with pymupdf.open() as document:
        page = document.new_page(width=300, height=400)
        page.insert_image(page.rect, filename=image)
        page.set_rotation(rotation)
        document.save(name)
    return Path(name)


def read(text: str, number: int = 1, *, turned: int = 0, size: tuple[int, int] = SIZE, dpi: float = 144) -> ParsedPage:
    block = Block(Category.TEXT, text, Box(100, 200, 400, 220), sources=("embedded",))
    return ParsedPage(number, *size, dpi, blocks=(block,), evidence=PageEvidence(drafter="embedded", turned=turned))


def made(path: Path, *pages: ParsedPage) -> pymupdf.Document:
    write_searchable(path, RasterOptions(dpi=144), ParsedDocument(path.name, "", pages), Path("made.pdf"))
    return pymupdf.open("made.pdf")


def of_poppler(path: str = "made.pdf") -> str:
    if shutil.which("pdftotext") is None:
        pytest.skip("poppler is not installed")
    return subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True).stdout


def test_words_are_found_where_they_stand_and_nothing_is_seen():
    with made(scan("a.pdf"), read(WORDS)) as document:
        (page,) = document
        assert page.get_text("text").split() == WORDS.split()
        (first,) = page.search_for("seven")
        assert first.intersects(pymupdf.Rect(50, 100, 100, 110))
        with pymupdf.open("a.pdf") as before:
            assert page.get_pixmap().samples == before[0].get_pixmap().samples


@pytest.mark.parametrize(
    "text",
    [
        "ordinary words, and more",
        "Größe naïve façade Œuvre",
        "Съешь ещё этих мягких булок",
        "中文文字可以搜索",
        "日本語のテキスト",
        "한국어 텍스트",
        "שלום עולם טוב",
        "مرحبا بالعالم",
        "𝒳 😀 𠀋",
    ],
)
def test_every_script_can_be_searched_in_poppler(text):
    made(scan("a.pdf"), read(text)).close()
    found = of_poppler()
    marks = str.maketrans("", "", "\u202a\u202b\u202c\u200e\u200f\u2067\u2066\u2069")
    assert sorted(found.translate(marks).split()) == sorted(text.split())


def test_double_letters_are_kept_where_a_long_text_has_a_high_box():
    """Poppler takes two equal letters that nearly lie on one another for one that is printed twice."""
    words = "fully suggested assumptions running off " * 4
    block = Block(Category.CODE, f"{words}\n{words}", Box(50, 100, 550, 400), sources=("embedded",))
    page = ParsedPage(1, *SIZE, 144, blocks=(block,), evidence=PageEvidence(drafter="embedded"))
    made(scan("a.pdf"), page).close()
    assert of_poppler().split() == words.split() * 2


def test_words_of_both_directions_in_one_line_can_be_searched_in_poppler():
    """Poppler drops the blank between a Hebrew word and a Latin one in such lines, of every PDF."""
    made(scan("a.pdf"), read("ordinary שלום words 12")).close()
    found = of_poppler()
    assert all(word in found for word in ("ordinary", "שלום", "words", "12"))


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_text_lies_over_a_page_that_is_shown_turned_or_was_turned_upright(rotation, turned):
    """The first word begins at (50, 100) points of the upright page, wherever that is on the page as shown."""
    width, height = (300, 400) if (rotation + turned) % 180 == 0 else (400, 300)
    size = (width * 2, height * 2)
    with made(scan("a.pdf", rotation), read("first and last", turned=turned, size=size)) as document:
        (page,) = document
        assert page.rotation == rotation
        page.set_rotation((rotation + turned) % 360)  # upright
        (word, *_) = (pymupdf.Rect(each[:4]) * page.rotation_matrix for each in page.get_text("words"))
        assert (word.x0, word.y0) == pytest.approx((50, 100), abs=3)  # MuPDF's boxes differ with the direction


def test_pages_are_those_that_were_selected_in_their_order():
    with pymupdf.open() as document:
        for words in ("one", "two", "three"):
            document.new_page().insert_text((72, 72), words)
        document.save("a.pdf")
    pages = [ParsedPage(number, 1190, 1684, 144.0, evidence=PageEvidence(drafter="text-layer")) for number in (3, 1)]
    write_searchable(
        Path("a.pdf"), RasterOptions(pages="3,1"), ParsedDocument("a.pdf", "", tuple(pages)), Path("made.pdf")
    )
    with pymupdf.open("made.pdf") as document:
        assert [page.get_text().strip() for page in document] == ["three", "one"]


@pytest.mark.parametrize(
    ("name", "options", "most"),
    [
        ("a.jpg", {}, 1.4),
        ("a.png", {}, 2.0),
        ("a.tif", {"compression": "tiff_lzw"}, 2.0),
        ("a.bmp", {}, 0.5),
        ("a.webp", {}, 4.0),
    ],
)
def test_an_image_becomes_a_pdf_of_its_size(name, options, most):
    path = picture(name, **options)
    size = (600, 800)
    with made(path, read(WORDS, size=size, dpi=72)) as document:
        assert document[0].get_text("text").split() == WORDS.split()
        assert len(document[0].get_images(full=True)) == 1
    fixed = 4000  # the text, its font, and a PDF's own parts
    assert Path("made.pdf").stat().st_size < most * path.stat().st_size + fixed


def test_an_encrypted_document_stays_encrypted():
    with pymupdf.open() as document:
        document.new_page(width=300, height=400).insert_image((0, 0, 300, 400), filename=picture("page.png"))
        document.save("a.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="secret")
    raster = RasterOptions(dpi=144, password="secret")
    write_searchable(Path("a.pdf"), raster, ParsedDocument("a.pdf", "", (read(WORDS),)), Path("made.pdf"))
    with pymupdf.open("made.pdf") as document:
        assert document.needs_pass
        assert document.authenticate("secret")
        assert document[0].get_text("text").split() == WORDS.split()


def test_the_same_document_gives_the_same_bytes():
    digests, path = set(), scan("a.pdf")
    for _ in range(2):
        made(path, read(WORDS)).close()
        digests.add(hashlib.sha256(Path("made.pdf").read_bytes()).hexdigest())
        Path("made.pdf").unlink()
    assert len(digests) == 1


def test_a_document_that_can_not_be_copied_fails_with_a_reason_and_keeps_the_rest(tmp_path):
    Path("a.pdf").write_bytes(b"%PDF-1.7 and then nothing")
    folder = DocumentFolder(tmp_path / "out", ParseOptions(formats=("json", "pdf")), Path("a.pdf"))
    folder.begin()
    with pytest.raises(Exception, match=r"a.pdf can't be made a searchable PDF \("):
        folder.end(ParsedDocument("a.pdf", "", (read(WORDS),)))
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"document.json", NOTES}


def test_convert_and_batch_write_it_and_a_second_batch_leaves_it(workers_nearby):
    Path("in").mkdir()
    Image.open(ROOT / "samples/turned-letter.tif").rotate(270, expand=True).crop((100, 100, 1300, 600)).save("in/a.png")
    options = ["-q", "--target", "none", "--format", "json,pdf"]
    assert run(["convert", "in/a.png", "-o", "converted", *options]) == 0
    assert run(["batch", "in", "-o", "out", "--jobs", "1", *options]) == 0
    written = Path("out/a/document.pdf")
    assert written.read_bytes() == Path("converted/a/document.pdf").read_bytes()
    before = written.stat().st_mtime_ns
    assert run(["batch", "in", "-o", "out", "--jobs", "1", *options]) == 0
    assert written.stat().st_mtime_ns == before
    written.unlink()
    assert run(["batch", "in", "-o", "out", "--jobs", "1", *options]) == 0
    assert written.read_bytes() == Path("converted/a/document.pdf").read_bytes()
    assert "Ellery" in of_poppler(str(written))
    assert json.loads(Path("out/run.json").read_text())["options"]["format"] == ["json", "pdf"]
