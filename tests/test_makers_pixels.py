"""How large a page becomes: as its target's makers show it, unless the user has said how large."""

from __future__ import annotations

import json

import pytest
from PIL import Image

from docparse_fast.cli import run
from docparse_fast.opening import with_makers_pixels
from docparse_fast.options import MAX_PIXELS, ParseOptions, RasterOptions, TargetOptions


@pytest.mark.parametrize(
    ("target", "pixels"),
    [
        (TargetOptions("dots.ocr"), 11_289_600),
        (TargetOptions("rednote-hilab/dots.mocr"), 11_289_600),
        (TargetOptions("./weights/OvisOCR2"), 2880**2),
        (TargetOptions("http://host:8000/v1", dialect="dots.ocr"), 11_289_600),
        (TargetOptions("http://host:8000/v1", target_model="rednote-hilab/dots.ocr"), 11_289_600),
        (TargetOptions("qwen3-vl-2b"), MAX_PIXELS),
        (TargetOptions("auto"), MAX_PIXELS),
    ],
    ids=lambda value: value.name if isinstance(value, TargetOptions) else "",
)
def test_a_page_has_as_many_pixels_as_the_targets_makers_show_it(target, pixels):
    assert with_makers_pixels(ParseOptions(target=target)).raster.max_pixels == pixels
    said = ParseOptions(target=target, raster=RasterOptions(max_pixels=50_000))
    assert with_makers_pixels(said).raster.max_pixels == 50_000


def test_the_record_says_how_many_it_were(tmp_path):
    """So that `verify` draws pages as large as their drafts' boxes are."""
    Image.new("L", (90, 60), "white").save(tmp_path / "page.png")
    run(["convert", str(tmp_path / "page.png"), "-o", str(tmp_path / "out"), "--target", "none", "-q"])
    record = json.loads((tmp_path / "out/page/document.json").read_text("utf-8"))
    assert record["options"]["max_pixels"] == MAX_PIXELS
