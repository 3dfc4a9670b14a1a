"""Pages in poor light, faint copies and specked ones, drawn here."""

from pathlib import Path

import cv2
import numpy as np
import pymupdf
import pytest
from PIL import Image

from docparse_fast import parse
from docparse_fast.drafting.scans.light import (
    are_blurred,
    darkened,
    despecked,
    evened,
    faint_print,
    is_ill_lit,
    lightened,
    shades,
    sharpened,
)
from docparse_fast.drafting.scans.quads import Quad

SAMPLE = Path(__file__).parents[3] / "samples" / "scanned-table.pdf"
LINES = [(80, y, 620, y + 14) for y in range(90, 820, 40)]
QUADS = [Quad((x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, 20.0, 0.0) for x0, y0, x1, y1 in LINES]


def page():
    pixels = np.full((900, 700, 3), 250, np.uint8)
    for x0, y0, x1, y1 in LINES:
        pixels[y0:y1, x0:x1:6] = 20
    return pixels


def test_a_shadow_and_low_light_are_taken_out_and_print_stays():
    pixels = page()
    pixels[500:700, 400:600] = 10  # a dark picture
    dark = (pixels * 0.6).astype(np.uint8)
    dark[:, :300] = dark[:, :300] // 2
    even = evened(dark)
    assert min(even[:60, :270].min(), even[:60, 330:].min()) > 225, "but for the shadow's edge"
    assert even[100, 80].max() < 120, "a letter"
    assert even[600, 500].max() < 120, "the picture"


def test_a_page_in_low_light_or_in_the_shade_is_ill_lit_and_light_type_on_dark_is_not():
    pixels = page()
    shaded = pixels.copy()
    shaded[500:] //= 2
    assert is_ill_lit(shades(pixels // 2, QUADS)[0])
    assert is_ill_lit(shades(shaded, QUADS)[0])
    assert not is_ill_lit(shades(pixels, QUADS)[0])
    assert not is_ill_lit(shades(255 - pixels, QUADS)[0])


def test_a_picture_taken_in_the_dark_is_lightened_and_no_other():
    dark = (page() * 0.3).astype(np.uint8)
    assert np.abs(lightened(dark).astype(int) - page()).max() < 20
    assert np.array_equal(lightened(page()), page())
    assert not lightened(np.zeros((9, 9, 3), np.uint8)).any()


def faint_copy():
    grain = np.random.default_rng(1).normal(0, 4, (900, 700, 1))
    return np.clip(220 - (250 - page()) * 0.2 + grain, 0, 255).astype(np.uint8)


def test_a_faint_copys_print_becomes_dark_and_its_paper_white():
    depth = faint_print(*shades(faint_copy(), QUADS))
    made = darkened(faint_copy(), depth)
    assert depth == pytest.approx(46, abs=6)
    assert np.median(made[90:104, 80:620:6]) < 150
    assert made[:60].min() > 170


def test_print_that_is_dark_is_not_faint_nor_is_a_page_of_a_few_words():
    assert faint_print(*shades(page(), QUADS)) == 0
    assert faint_print(*shades(page() // 2, QUADS)) == 0, "in low light"
    assert faint_print(*shades(faint_copy(), QUADS[:3])) == 0


def specked(pixels):
    chance = np.random.default_rng(1).random(pixels.shape[:2])
    pixels[chance < 0.004] = 0
    pixels[chance > 0.99] = 255
    return pixels


def test_specks_are_taken_out_where_even_the_emptiest_parts_of_a_page_hold_some():
    thick = page()
    thick[90:104, 80:620] = 20
    made = despecked(specked(thick))
    assert (made[:60] < 200).mean() < 0.001
    assert made[92:102, 82:618].max() < 100


def test_thin_strokes_stay_where_only_a_part_of_a_page_holds_specks():
    copy = page()
    specked(copy[400:])
    assert np.array_equal(despecked(copy), copy)


def test_a_faint_copys_grain_adds_no_signs_to_its_table(tmp_path):
    with pymupdf.open(SAMPLE) as document:
        seen = document[0].get_pixmap(dpi=200, colorspace=pymupdf.csGRAY)
    pixels = np.frombuffer(seen.samples, np.uint8).reshape(seen.height, seen.width)
    grain = np.random.default_rng(1).normal(0, 6, pixels.shape)
    faint = np.clip(220 - (255.0 - pixels) * 0.18 + grain, 0, 255).astype(np.uint8)
    Image.fromarray(faint).save(tmp_path / "faint.png")
    (table,) = parse(tmp_path / "faint.png").tables
    assert table.rows[0] == ["Port", "Spring", "Summer", "Autumn"]


def test_blurred_lines_are_told_and_get_their_strokes_back():
    line = np.full((48, 400, 3), 240, np.uint8)
    line[10:38, 20:380:12] = line[10:38, 21:380:12] = 30
    blurred = np.asarray(cv2.GaussianBlur(line, (0, 0), 2), np.uint8)
    assert are_blurred([blurred, blurred, line])
    assert not are_blurred([blurred, line, line])
    assert np.ptp(sharpened(blurred)[24, 100:200]) > 1.2 * np.ptp(blurred[24, 100:200])
