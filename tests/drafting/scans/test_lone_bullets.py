"""Bullets that no recogniser read, and blots that are none."""

from __future__ import annotations

import numpy as np
import pymupdf
import pytest

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.scans.lone_bullets import with_bullets

SCALE = 200 / 72
TEXTS = ("Bread and milk", "Eggs from the farm")
LEFT, SIZE, STEP = 60.0, 10.0, 20.0


def page(*, bullets: int, radius: float = 1.6, hollow: bool = False, before: str = "") -> Pixels:
    with pymupdf.open() as document:
        sheet = document.new_page(width=220, height=100)
        for n, text in enumerate(TEXTS):
            y = 40 + STEP * n
            sheet.insert_text((LEFT, y), text, fontsize=SIZE)
            sheet.insert_text((LEFT - 30, y), before, fontsize=SIZE)
            if n < bullets:
                fill = None if hollow else (0, 0, 0)
                sheet.draw_circle((LEFT - 9, y - 3.2), radius, fill=fill, width=0.5)
        pixels = sheet.get_pixmap(dpi=200)
        return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, 3)


def lines() -> list[Line]:
    made = []
    for n, text in enumerate(TEXTS):
        y = 40 + STEP * n
        box = Box(LEFT, y - 9, LEFT + 90, y + 3).scaled(SCALE)
        made.append(Line(box, text, SIZE * SCALE, "embedded", words=((box, text),)))
    return made


@pytest.mark.parametrize("hollow", [False, True])
def test_blots_before_lines_are_their_bullets(hollow):
    found = with_bullets(page(bullets=2, hollow=hollow), lines())
    assert [line.plain for line in found] == [f"• {text}" for text in TEXTS]
    assert all(line.box.x0 < LEFT * SCALE for line in found)


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(page(bullets=0), id="nothing"),
        pytest.param(page(bullets=1), id="one speck"),
        pytest.param(page(bullets=2, radius=5), id="large blots"),
        pytest.param(page(bullets=2, radius=0.4), id="dust"),
        pytest.param(page(bullets=2, before="ab"), id="words before"),
    ],
)
def test_other_ink_before_lines_is_no_bullet(image):
    assert with_bullets(image, lines()) == lines()
