"""Pages on which no line is found at first: text as small as a newspaper's, and pages that are not blank."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from docparse_fast.document import Box, Category, PageDraft, Region
from docparse_fast.drafting.scans.certainty import nothing_read
from docparse_fast.drafting.scans.ocr import TextDetector

NOISE = np.random.default_rng(0).integers(0, 256, (300, 200, 3), np.uint8)
PAPER = np.full((300, 200, 3), 244, np.uint8)


@pytest.mark.parametrize("size", [8, 9])
def test_letters_too_small_for_the_first_look_are_looked_for_again(size):
    """A newspaper of 10,000 x 14,000 pixels was blank, and its run ok: at a first look it is one line, or none."""
    page = Image.new("RGB", (2070, 2898), "white")
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(size)
    for y in range(10, 2890, 12):
        for x in range(10, 2000, 350):
            draw.text((x, y), "the quick brown fox jumps over the lazy dogs and on", "black", font)
    assert len(TextDetector(1).find(np.asarray(page))) > 500


def test_a_page_full_of_ink_without_a_line_is_not_blank():
    assert nothing_read(PageDraft(1, 200, 300), PAPER) is None
    failure = nothing_read(PageDraft(1, 200, 300), NOISE)
    assert failure is not None
    assert failure.code == "draft_failed"
    drawn = PageDraft(1, 200, 300, (Region(Box(0, 0, 200, 300), Category.FIGURE),))
    assert nothing_read(drawn, NOISE) is None
