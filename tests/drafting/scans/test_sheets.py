"""Sheets on a ground, drawn here: where they are found, and that they come out flat."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from docparse_fast.document import Box
from docparse_fast.drafting.scans.quads import Quad
from docparse_fast.drafting.scans.sheets import sheet_of

WIDTH, HEIGHT = 700, 900  # of the sheet
DESK = (150, 110, 70)
LINES = [(80, y, 620, y + 14) for y in range(90, 820, 40)]


def page():
    pixels = np.full((HEIGHT, WIDTH, 3), 250, np.uint8)
    for x0, y0, x1, y1 in LINES:
        pixels[y0:y1, x0:x1:6] = 20
    return pixels


def places(x, y, bulge):
    """Where a photograph shows points of the sheet: from the side, its middle risen."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    y = y - bulge * np.sin(np.pi * x / WIDTH)
    far = 1 + 0.0002 * x
    return 130 + 0.9 * x / far + 0.04 * y, 150 + (y + 0.06 * x) / far


def photographed(bulge=0.0, desk=DESK):
    picture = np.full((1200, 950, 3), desk, np.uint8)
    picture += np.random.default_rng(1).integers(0, 12, picture.shape, np.uint8)
    sheet = page()
    y, x = np.mgrid[0:HEIGHT:0.5, 0:WIDTH:0.5]
    to_x, to_y = places(x, y, bulge)
    picture[np.rint(to_y).astype(int), np.rint(to_x).astype(int)] = sheet[y.astype(int), x.astype(int)]
    return picture


def corners(sheet):
    return [tuple(corner) for corner in sheet.grid[[0, 0, -1, -1], [0, -1, -1, 0]].tolist()]


def true_corners():
    return zip(*places([0, WIDTH, WIDTH, 0], [0, 0, HEIGHT, HEIGHT], 0.0), strict=True)


def quads(bulge=0.0):
    made = []
    for x0, y0, x1, y1 in LINES:
        xs, ys = places([x0, x1, x1, x0], [y0, y0, y1, y1], bulge)
        made.append(Quad(float(xs.mean()), float(ys.mean()), float(np.ptp(xs)), 20.0, 3.0))
    return made


@pytest.mark.parametrize("bulge", [0.0, 60.0])
def test_a_sheet_on_a_desk_comes_out_flat(bulge):
    picture = photographed(bulge)
    flat = sheet_of(picture, quads(bulge)).flattened(picture)
    back = cv2.resize(flat, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    rows = back[:, 80:620].mean(axis=(1, 2))
    for _, y0, _, y1 in LINES:
        assert rows[y0 - 6 : y1 + 6].min() < 225, "a line stands level at its place"
        assert rows[y1 + 9 : y1 + 17].min() > 235, "and paper under it"


def test_a_corner_in_the_shade_that_holds_figures_alone_is_the_sheets():
    """A table's last columns were cut off: what is hardly wider than high did not count as text."""
    y, x = np.mgrid[:1200, :950]
    dark = 0.6 * np.clip((x - 430) / 150, 0, 1) * np.clip((560 - y) / 150, 0, 1)
    picture = (photographed(desk=(110, 100, 85)) * (1 - dark[..., None])).astype(np.uint8)
    rows = [quad for quad in quads() if quad.y < 560]
    words = [Quad(quad.x - quad.width / 2 + 130, quad.y - 4, 260, 20, 3.0) for quad in rows]
    figures = [Quad(x, quad.y + 0.06 * (x - quad.x), 26, 20, 3.0) for quad in rows for x in (470, 540, 610, 660)]
    sheet = sheet_of(picture, [*words, *figures, *quads()[len(rows) :]])
    assert corners(sheet) == [pytest.approx(corner, abs=14) for corner in true_corners()]


def test_a_box_of_the_flat_sheet_tells_where_it_stood_in_the_picture():
    sheet = sheet_of(photographed(60.0), quads(60.0))
    x0, y0, x1, y1 = LINES[5]
    box = sheet.bent(
        Box(x0 * sheet.width / WIDTH, y0 * sheet.height / HEIGHT, x1 * sheet.width / WIDTH, y1 * sheet.height / HEIGHT)
    )
    xs, ys = places(np.linspace(x0, x1, 50), np.full(50, (y0 + y1) / 2), 60.0)
    assert (box.x0, box.x1) == pytest.approx((xs.min(), xs.max()), abs=12)
    assert (box.y0, box.y1) == pytest.approx((ys.min() - 7, ys.max() + 7), abs=12)


def test_a_sheet_is_whole_where_its_lines_stand_in_one_part_of_it():
    picture = photographed()
    light = np.linspace(0.75, 1.0, picture.shape[0])[:, None, None]  # from below
    sheet = sheet_of((picture * light).astype(np.uint8), quads()[4:10])
    assert corners(sheet) == [pytest.approx(corner, abs=18) for corner in true_corners()]


def test_a_sheet_is_whole_where_half_of_it_is_blank_and_light_falls_on_it():
    """The blank half was taken for ground of the paper's colour: a photographed table had lost three columns."""
    picture = photographed(desk=(200, 195, 185))
    light = np.linspace(0.55, 1.0, picture.shape[1])[None, :, None]  # from the right
    left_half = [replace(quad, x=quad.x - quad.width / 4, width=quad.width / 2) for quad in quads()[9:]]
    sheet = sheet_of((picture * light).astype(np.uint8), left_half)
    assert corners(sheet) == [pytest.approx(corner, abs=18) for corner in true_corners()]


def test_a_shadow_does_not_end_the_sheet():
    """Of 67 made photographs ten lost the part of their sheet that lay in another light than its lines."""
    picture = photographed(desk=(140, 160, 90))
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
    light = 0.4 + 0.6 / (1 + np.exp((700 - y - 0.3 * x) / 20))[..., None]
    sheet = sheet_of((picture * light).astype(np.uint8), quads()[:9])
    assert corners(sheet) == [pytest.approx(corner, abs=18) for corner in true_corners()]


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_turned_sheet_is_the_same_sheet(degrees):
    picture = photographed()
    sheet = sheet_of(picture, quads())
    turned = sheet.turned(degrees)
    expected = np.rot90(sheet.flattened(picture), -degrees // 90)
    flat = turned.flattened(np.ascontiguousarray(np.rot90(picture, -degrees // 90)))
    assert flat.shape == expected.shape
    assert np.abs(flat.astype(int) - expected).mean() < 6


def test_a_flat_scan_has_no_ground():
    pixels = page()
    lines = [Quad((x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, 20.0, 0.0) for x0, y0, x1, y1 in LINES]
    assert sheet_of(pixels, lines) is None
    pixels[:3] = pixels[-3:] = 0  # a scanner's edge
    assert sheet_of(pixels, lines) is None


def test_a_shadow_that_grows_darker_towards_a_side_is_no_ground():
    """The outer side of a scanned book's page was taken for a desk: columns were warped, and the last ones lost."""
    x, y = np.linspace(0, 1, WIDTH)[None], np.linspace(1, 0.7, HEIGHT)[:, None]
    light = (1 - 0.6 * x**2 - 0.25 * np.exp(-x / 0.03)) * y
    inner = [Quad(200.0, y + 7.0, 240.0, 14.0, 0.0) for _, y, _, _ in LINES[:8]]
    assert sheet_of((page() * light[:, :, None]).astype(np.uint8), inner) is None


def test_a_picture_with_a_few_words_is_no_sheet():
    assert sheet_of(photographed(), quads()[:3]) is None


def test_a_sheet_of_small_type_is_flattened_larger_than_the_picture_shows_it():
    """It is worked out of the picture, set level and cut into lines: each blurs letters of few pixels."""
    sheet = sheet_of(photographed(), quads())
    assert sheet.width * sheet.height > 3 * (0.85 * WIDTH) * (0.85 * HEIGHT)
    large = [Quad(quad.x, quad.y, quad.width, 64.0, quad.angle) for quad in quads()]
    assert sheet_of(photographed(), large).width < 1.1 * WIDTH


def test_a_slides_dark_bands_are_no_ground():
    """A title stood on one: what was left when it was cut off was curved, and the title lost."""
    slide = page()
    slide[:60] = slide[-120:] = (51, 51, 178)
    level = [Quad((x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, 20.0, 0.0) for x0, y0, x1, y1 in LINES if y1 < HEIGHT - 120]
    assert sheet_of(slide, level) is None


def test_no_sheet_is_found_whose_edges_cut_through_lines():
    """A résumé's dark side was taken for the desk, aslant: half of each word on it was lost."""
    drawn = np.full((2339, 1654, 3), 252, np.uint8)
    drawn[:, 1103:] = (40, 44, 52)
    text = [(95, y, 1010, y + 26) for y in range(150, 1220, 60)]
    side = [
        (1150, y, 1150 + wide, y + 26) for y, wide in zip(range(150, 850, 48), (240, 190, 210, 160) * 4, strict=False)
    ]
    for lines, ink in ((text, 20), (side, 240)):
        for x0, y0, x1, y1 in lines:
            drawn[y0:y1, x0:x1:6] = ink
    aslant = cv2.getRotationMatrix2D((827, 1170), -2.6, 1.0)
    scan = cv2.warpAffine(drawn, aslant, (1654, 2339), borderValue=(235, 235, 235))
    middles = [((x0 + x1) / 2, (y0 + y1) / 2, 1.0) for x0, y0, x1, y1 in (*text, *side)]
    found = [
        Quad(*map(float, aslant @ middle), x1 - x0 + 16.0, 44.0, 2.6)
        for middle, (x0, _, x1, _) in zip(middles, (*text, *side), strict=True)
    ]
    assert sheet_of(scan, found) is None
