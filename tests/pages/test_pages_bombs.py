"""Small files that unpack to gigabytes: each in a process of its own, whose memory the test measures and limits."""

from __future__ import annotations

import json
import subprocess
import sys
import zlib

import pymupdf
import pytest
from page_files import drawing, image_pdf, raw_pdf, saved, white_png
from PIL import Image

from docparse_fast.errors import PageError
from docparse_fast.pages import open_pages

MEGABYTE = 1 << 20
MOST_MEGABYTES = 600  # of the process at its peak; the whole product has 1.2 GB
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits and measures memory the Linux way")

ADDRESS_SPACE = 3000 * MEGABYTE  # a child that runs wild must not take the machine with it
NEAR_EMPTY = 200  # pixels' brightness

CHILD = f"""
import json, resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_AS, ({ADDRESS_SPACE}, {ADDRESS_SPACE}))
resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
from docparse_fast.errors import DocparseError
from docparse_fast.pages import open_pages

result = {{"sizes": [], "errors": []}}
try:
    with open_pages(sys.argv[1]) as document:
        for page in document.pages():
            try:
                result["sizes"].append(page.image.size)
                result["brightness"] = page.image.convert("L").resize((1, 1)).getpixel((0, 0))
            except DocparseError as error:
                result["errors"].append(error.code)
except DocparseError as error:
    result["errors"].append(error.code)
peak = Path("/proc/self/status").read_text().partition("VmHWM:")[2]  # ru_maxrss would be the parent's, at its fork
result["megabytes"] = int(peak.split()[0]) // 1024
print(json.dumps(result))
"""


def read_in_a_child(tmp_path, data: bytes, most: int = MOST_MEGABYTES) -> dict:
    path = tmp_path / "bomb"
    path.write_bytes(data)
    child = subprocess.run([sys.executable, "-c", CHILD, path], capture_output=True, text=True, timeout=300)
    assert child.returncode == 0, child.stderr
    assert child.stderr == ""
    result = json.loads(child.stdout)
    assert result["megabytes"] < most
    return result


@pytest.mark.parametrize(("side", "bits", "color_type"), [(30_000, 1, 0), (14_000, 8, 0), (11_000, 8, 2)])
def test_a_png_of_hundreds_of_megapixels_is_read_at_the_size_wanted(tmp_path, side, bits, color_type):
    result = read_in_a_child(tmp_path, white_png(side, side, bits=bits, color_type=color_type))
    assert result["sizes"] == [[2449, 2449]]
    assert result["brightness"] == 255


@pytest.mark.parametrize("odd", [{"color_type": 6}, {"interlaced": True}])
def test_a_png_that_can_only_be_decoded_whole_is_too_large(tmp_path, odd):
    side = 30_000 if "interlaced" in odd else 20_000
    assert read_in_a_child(tmp_path, white_png(side, side, **odd))["errors"] == ["too_large"]


def test_a_long_thin_png_is_read(tmp_path):
    assert read_in_a_child(tmp_path, white_png(3, 900_000))["sizes"] == [[1, 20_000]]


def test_a_plan_scanned_black_and_white_at_600_dpi_is_read(tmp_path):
    """Pillow's limit of 179 megapixels made it a page that can't be decoded."""
    plan = saved(Image.new("1", (14_400, 12_600), 1), "TIFF", compression="group4")
    assert read_in_a_child(tmp_path, plan)["sizes"] == [[2618, 2291]]


@pytest.mark.parametrize("kind", ["TIFF", "BMP", "GIF"])
def test_an_image_whose_header_claims_too_much_is_too_large(tmp_path, kind):
    data = bytearray(saved(drawing("L"), kind))
    places = {"BMP": (18, 22, 4), "GIF": (6, 8, 2)}
    if kind == "TIFF":
        start = int.from_bytes(data[4:8], "little") + 2
        places["TIFF"] = (start + 8, start + 20, 4)  # the values of the first two tags, width and length
    width_at, height_at, size = places[kind]
    for at in (width_at, height_at):
        data[at : at + size] = (60_000).to_bytes(size, "little")
    assert read_in_a_child(tmp_path, bytes(data))["errors"] == ["too_large"]


def test_a_jpeg_of_400_megapixels_is_decoded_at_an_eighth(tmp_path):
    data = saved(Image.new("L", (20_000, 20_000), 255), "JPEG", quality=10)
    result = read_in_a_child(tmp_path, data)
    assert result["sizes"] == [[2449, 2449]]
    assert result["brightness"] == 255


@pytest.mark.parametrize("scans", ["progressive", "a scan for each channel"])
def test_a_jpeg_of_400_megapixels_in_several_scans_is_too_large(tmp_path, scans):
    """Its coefficients are all held until the last scan: 2.4 GB here."""
    progressive = scans == "progressive"
    data = bytearray(saved(drawing(), "JPEG", progressive=progressive))
    frame = data.index(b"\xff\xc2" if progressive else b"\xff\xc0")
    data[frame + 5 : frame + 9] = (20_000).to_bytes(2, "big") * 2
    if not progressive:
        data[data.index(b"\xff\xda") + 4] = 1  # channels in the first scan
    assert read_in_a_child(tmp_path, bytes(data))["errors"] == ["too_large"]


def test_a_large_image_cut_off_is_not_held_twice(tmp_path):
    """The error of the first try kept the image in memory while it was decoded a second time."""
    data = white_png(9_000, 9_000, color_type=2)
    assert read_in_a_child(tmp_path, data[:-2000], most=550)["sizes"] == [[2449, 2449]]


def test_a_pdf_with_a_bilevel_image_of_900_megapixels_is_read(tmp_path):
    row = b"\xff" * 3750
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(row) for _ in range(30_000)) + packer.flush()
    entries = b"/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/FlateDecode"
    result = read_in_a_child(tmp_path, image_pdf(30_000, 30_000, entries, data))
    assert result["sizes"] == [[278, 278]]
    assert result["brightness"] > NEAR_EMPTY


def test_the_largest_page_a_pdf_can_have_is_read(tmp_path):
    result = read_in_a_child(tmp_path, raw_pdf(b"/MediaBox[0 0 14400 14400]/UserUnit 100"))
    assert result["sizes"] == [[2450, 2450]]


def test_a_picture_in_the_place_of_drawing_commands_is_not_unpacked(tmp_path):
    """A page of 120 KB whose commands were named JBIG2 pictures of gigapixels took minutes."""
    picture = saved(drawing(), "JPEG")
    stream = b"<</Filter[/DCTDecode]/Length %d>>stream\n%s\nendstream" % (len(picture), picture)
    (tmp_path / "bomb").write_bytes(raw_pdf(b"/MediaBox[0 0 100 100]/Contents 4 0 R", 1, stream))
    with open_pages(tmp_path / "bomb") as document:
        (page,) = document.pages()
        with pytest.raises(PageError, match="drawing commands"):
            _ = page.image


def test_a_string_of_ten_megabytes_is_counted_without_a_way_back_for_each_letter(tmp_path):
    """A fuzzed page of 54 KB took 4 GB before anything was drawn."""
    packed = zlib.compress(b"BT (" + b"\\a" * (5 * MEGABYTE))
    stream = b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(packed), packed)
    result = read_in_a_child(tmp_path, raw_pdf(b"/MediaBox[0 0 100 100]/Contents 4 0 R", 1, stream), most=400)
    assert result["sizes"] == [[278, 278]]


def test_memory_stays_flat_over_pages_of_large_pictures(tmp_path):
    """MuPDF's store of decoded pictures grew by 10 MB a page until it held 256 MB."""
    with pymupdf.open() as document:
        for number in range(20):
            page = document.new_page(width=612, height=792)
            picture = drawing(size=(2200, 1700), paper=(255, 255, 200 + number))  # else PyMuPDF stores it but once
            page.insert_image(page.rect, stream=saved(picture, "JPEG"))
        document.save(tmp_path / "many.pdf")
    assert read_in_a_child(tmp_path, (tmp_path / "many.pdf").read_bytes())["megabytes"] < 250


def test_patterns_painted_with_patterns_are_too_much_to_draw(tmp_path):
    """Each paints ten times with the next: eight of them kept MuPDF busy for minutes, in a file of 2 KB."""
    tile = b"<</PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9%s/Length %d>>stream\n%s\nendstream"
    fills = b"/Pattern cs /P scn " + 10 * b"0 0 9 9 re f "
    nested = [tile % (b"/Resources<</Pattern<</P %d 0 R>>>>" % n, len(fills), fills) for n in range(6, 15)]
    path = tmp_path / "patterns.pdf"
    page = b"/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Pattern<</P 5 0 R>>>>"
    path.write_bytes(
        raw_pdf(page, 1, nested[0].replace(b"/PatternType 1", b""), *nested, tile % (b"", 12, fills[-12:]))
    )
    with open_pages(path) as document:
        (first,) = document.pages()
        assert first.text_layer is None
        assert "it is too large" in " ".join(document.warnings(1))
        with pytest.raises(PageError, match="drawing commands"):
            _ = first.image
