"""What a hostile file or folder must not be able to do: fill the memory, run for hours, reach out, or reach elsewhere.

Each bomb is opened in a process of its own, whose address space and CPU time are limited and whose peak is measured.
More bombs, of single pictures, are in tests/pages/test_pages_bombs.py.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import pymupdf
import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits and measures processes the Linux way")

MOST_MEGABYTES = 400
PATIENCE = 60  # CPU seconds: it measures nothing, what hangs is ended
CHILD = f"""
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
resource.setrlimit(resource.RLIMIT_CPU, ({PATIENCE}, {PATIENCE}))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
from docparse_fast.cli import run
code = run(["convert", sys.argv[1], "-o", sys.argv[2], "-q", "--target", "none", *sys.argv[3:]])
peak = open("/proc/self/status").read().partition("VmHWM:")[2]
print(json.dumps([code, int(peak.split()[0]) // 1024]))
"""


@pytest.fixture
def convert(tmp_path):
    def call(data: bytes, *options: str) -> tuple[int, list[dict]]:
        path = tmp_path / "bomb"
        path.write_bytes(data)
        environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-c", CHILD, path, tmp_path / "out", *options]
        child = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
        assert child.returncode == 0, child.stderr
        code, megabytes = json.loads(child.stdout)
        assert megabytes < MOST_MEGABYTES
        assert all(line.startswith("docparse-fast: error: ") for line in child.stderr.splitlines())
        document = tmp_path / "out" / "bomb" / "document.json"
        return code, json.loads(document.read_text())["pages"] if document.is_file() else child.stderr

    return call


def pdf(*objects: bytes) -> bytes:
    """Catalogue and page tree, then the page (object 3) and whatever it needs."""
    objects = (b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>", *objects)
    data, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    tail = b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, len(data))
    return data + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + tail


def page(resources: bytes = b"") -> bytes:
    return b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<<%s>>>>" % resources


def stream(content: bytes, entries: bytes = b"", packed: int = 0) -> bytes:
    for _ in range(packed):
        content = zlib.compress(content, 9)
    filters = b"/Filter[%s]" % (b"/FlateDecode" * packed) if packed else b""
    return b"<<%s%s/Length %d>>\nstream\n%s\nendstream" % (entries, filters, len(content), content)


FORM = b"/Type/XObject/Subtype/Form/BBox[0 0 100 100]"
STROKE = b"0 0 m 9 9 l S\n"
FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"


def test_commands_that_unpack_to_hundreds_of_megabytes_are_not_unpacked(convert):
    code, pages = convert(pdf(page(), stream(b" " * 210_000_000, packed=2)))
    assert (code, pages[0]["error"]["code"]) == (1, "render_failed")
    assert "200 MB of drawing commands" in pages[0]["error"]["message"]


def test_a_form_of_sixteen_million_strokes_is_not_listed(convert):
    """544 kB of PDF; MuPDF ran out of memory over its paths and took the process with it."""
    form = stream(STROKE * 16_000_000, FORM, packed=1)
    code, pages = convert(pdf(page(b"/XObject<</F 5 0 R>>"), stream(b"/F Do"), form))
    assert (code, pages[0]["status"]) == (1, "failed")


def test_forms_that_call_forms_ten_times_each_are_not_drawn(convert):
    calls = [stream(b"/F Do " * 10, FORM + b"/Resources<</XObject<</F %d 0 R>>>>" % (6 + n)) for n in range(9)]
    nested = pdf(page(b"/XObject<</F 5 0 R>>"), stream(b"/F Do"), *calls, stream(STROKE, FORM))
    code, pages = convert(nested)
    assert (code, pages[0]["error"]["code"]) == (1, "render_failed")


def test_an_annotation_may_not_draw_what_a_page_may_not(convert):
    calls = [stream(b"/F Do " * 10, FORM + b"/Resources<</XObject<</F %d 0 R>>>>" % (6 + n)) for n in range(9)]
    stamp = b"/Annots[<</Type/Annot/Subtype/Stamp/Rect[0 0 100 100]/F 4/AP<</N 5 0 R>>>>]"
    annotated = page().replace(b"/Contents", stamp + b"/Contents")
    code, pages = convert(pdf(annotated, stream(b""), *calls, stream(STROKE, FORM)))
    assert (code, pages[0]["error"]["code"]) == (1, "render_failed")


def test_a_form_that_draws_itself_is_drawn_once(convert):
    form = stream(STROKE + b"/F Do", FORM + b"/Resources<</XObject<</F 5 0 R>>>>")
    code, _ = convert(pdf(page(b"/XObject<</F 5 0 R>>"), stream(b"/F Do"), form))
    assert code == 0


def test_eight_million_characters_are_no_text_layer(convert):
    """33 kB of PDF took 43 CPU seconds and 830 MB."""
    words = b"BT /H 1 Tf 10 10 Td\n" + (b"(" + b"abcdefgh" * 10 + b")Tj 0 0.0001 Td\n") * 100_000 + b"ET"
    code, pages = convert(pdf(page(b"/Font<</H 5 0 R>>"), stream(words, packed=1), FONT), "--ocr", "never")
    assert code == 0
    assert any("text layer can't be read (it is too large)" in warning for warning in pages[0]["stats"]["warnings"])


def test_a_page_tree_that_claims_two_thousand_million_pages_is_corrupt(convert):
    lie = pdf(page(), stream(b"")).replace(b"/Count 1", b"/Count 2000000000")
    code, said = convert(lie)
    assert code == 1
    assert "corrupt" in said


@pytest.mark.parametrize("depth", [1_000, 1_000_000])
def test_objects_nested_without_end_are_an_error_or_a_page(convert, depth):
    deep = b"[" * depth + b"]" * depth
    code, _ = convert(
        pdf(page().replace(b"/MediaBox", b"/Odd " + deep + b"/MediaBox"), stream(STROKE)), "--ocr", "never"
    )
    assert code in (0, 1)


def test_a_tiff_of_a_hundred_thousand_images_is_too_large(convert):
    """Each one pixel: the chain of them alone took more than a minute to walk."""
    tags = [(256, 4, 1), (257, 4, 1), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 0), (277, 3, 1), (279, 4, 1)]
    entries = struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHII", tag, kind, 1, v) for tag, kind, v in tags)
    size = len(entries) + 4
    chain = (entries + struct.pack("<I", 8 + size * (n + 1)) for n in range(100_000))
    code, said = convert(b"II*\0\x08\0\0\0" + b"".join(chain))
    assert code == 1
    assert "too_large: " in said
    assert "holds 10,000 images or more; split it" in said


def test_a_comment_in_a_png_that_unpacks_to_fifty_megabytes_is_refused(convert):
    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0))
    comment = chunk(b"zTXt", b"k\0\0" + zlib.compress(bytes(50_000_000), 9))
    pixels = chunk(b"IDAT", zlib.compress(bytes(9 * 8)))
    code, said = convert(b"\x89PNG\r\n\x1a\n" + header + comment + pixels + chunk(b"IEND", b""))
    assert (code, "corrupt" in said) == (1, True)


def archive() -> bytes:
    path = Path("archive.zip")
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("%PDF-1.7 1 0 obj", "a name at the very front")
        file.writestr("../../outside.png", "x")
    return path.read_bytes()


@pytest.mark.parametrize(
    "make",
    [
        lambda: b"<svg xmlns='http://www.w3.org/2000/svg'><!-- %PDF-1.7 1 0 obj --><image href='/etc/passwd'/></svg>",
        lambda: b"<html><!-- %PDF-1.7 1 0 obj --><img src='http://127.0.0.1/x'></html>",
        archive,
    ],
    ids=["svg", "html", "archive"],
)
def test_what_only_says_it_is_a_pdf_is_opened_as_nothing_else(convert, make, tmp_path, monkeypatch):
    """MuPDF reads SVG, HTML and archives too, and those may name files and addresses."""
    monkeypatch.chdir(tmp_path)
    code, said = convert(make())
    assert (code, "corrupt" in said) == (1, True)


def test_links_that_do_something_and_markup_in_the_text_are_words(tmp_path):
    with pymupdf.open() as document:
        sheet = document.new_page(width=500, height=300)
        for y, words, uri in (
            (60, "<script>alert(1)</script> and <img src=x onerror=alert(2)>", ""),
            (120, "press here please", "javascript:location=name"),
            (180, "or here instead", "file:///etc/passwd"),
            (240, "this one is fine", "https://example.org/a"),
        ):
            sheet.insert_text((30, y), words)
            if uri:
                area = pymupdf.Rect(25, y - 15, 300, y + 5)
                sheet.insert_link({"kind": pymupdf.LINK_URI, "from": area, "uri": uri})
        document.save(tmp_path / "a.pdf")
    from docparse_fast import parse

    text = parse(tmp_path / "a.pdf").markdown()
    assert "<script>" not in text.replace("\\<script>", "")
    assert "<img" not in text.replace("\\<img", "")
    assert "javascript:" not in text
    assert "file:" not in text
    assert "[this one is fine](https://example.org/a)" in text
