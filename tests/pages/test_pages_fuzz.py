"""Damaged files of every kind raise only DocparseError."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from page_files import drawing, image_pdf, raw_pdf, saved, text_pdf

from docparse_fast.errors import DocparseError
from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "60"))  # for each seed file
IMAGE_KINDS = ("PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF")


@cache
def seed_file(name: str) -> bytes:
    small = drawing("1" if name == "fax" else "RGB", size=(60, 40))
    if name in IMAGE_KINDS:
        return saved(small, name)
    if name == "progressive":
        return saved(small, "JPEG", progressive=True)
    if name == "fax":
        return saved(small, "TIFF", compression="group4", save_all=True, append_images=[small])
    if name == "bare pdf":
        return raw_pdf()
    if name == "image pdf":
        return image_pdf(60, 40, b"/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode", saved(small, "JPEG"))
    with tempfile.TemporaryDirectory() as folder:
        return text_pdf(Path(folder) / "a.pdf", "hello", "world", garbage=3).read_bytes()


SEEDS = (*IMAGE_KINDS, "progressive", "fax", "bare pdf", "image pdf", "text pdf")
NOTABLE = st.sampled_from(
    [b"\0", b"\xff", b"\x80", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\0\0\0\0", b"-1 ", b"9999999"]
)


@st.composite
def damage(draw, data: bytes) -> bytes:
    """`data` with some bytes changed, put in, or taken out, and perhaps its end lost."""
    broken = bytearray(data)
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(broken)))
        length = draw(st.sampled_from([0, 1, 1, 4, 40]))
        broken[at : at + length] = draw(st.one_of(st.binary(max_size=4), NOTABLE))
    return bytes(broken[: draw(st.integers(0, len(broken)))]) if draw(st.integers(0, 3)) == 0 else bytes(broken)


@pytest.mark.parametrize("name", SEEDS)
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_a_damaged_file_gives_pages_or_a_docparse_error(name, data, tmp_path):
    path = tmp_path / "damaged"
    path.write_bytes(data.draw(damage(seed_file(name))))
    try:
        document = open_pages(path, RasterOptions(dpi=30, max_pixels=20_000))
    except DocparseError:
        return
    with document:
        for page in document.pages():
            try:
                assert page.image.size == (page.width, page.height)
                assert page.image.mode == "RGB"
                _ = page.text_layer
            except DocparseError as error:
                assert "\n" not in str(error)
