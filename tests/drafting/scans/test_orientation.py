"""Which way up a page stands, on pages drawn here: the packaged classifier and the recogniser's second opinion."""

import numpy as np
import pymupdf
import pytest
from PIL import Image

from docparse_fast.drafting.scans.ocr import LineReading, Ocr
from docparse_fast.drafting.scans.orientation import SURE, PageOrientation, WayUp, looks_upside_down, upright, way_up
from docparse_fast.drafting.scans.quads import Quad

WORDS = (
    "The committee reviewed the annual figures and found that revenue grew in every quarter, while costs "
    "stayed level across most of the regional offices and their suppliers. "
)
TURNS = [0, 90, 180, 270]


def drawn(draw, width=595, height=842, dpi=100):
    document = pymupdf.open()
    page = document.new_page(width=width, height=height)
    draw(page)
    pixels = page.get_pixmap(dpi=dpi)
    return Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)


def inside(page):
    return pymupdf.Rect(50, 50, page.rect.width - 50, page.rect.height - 50)


def prose(page):
    page.insert_textbox(inside(page), WORDS * 20, fontsize=11)


def chinese(page):
    page.insert_textbox(inside(page), "本报告分析了年度的销售情况。" * 40, fontname="china-s")


def numbers(page):
    for row in range(24):
        for column in range(5):
            page.insert_text((60 + 95 * column, 70 + 28 * row), f"{row * 37 + column * 411:,}.50", fontsize=10)


def one_line(page):
    page.insert_text((60, 120), "This page intentionally left blank", fontsize=14)


@pytest.fixture(scope="module")
def orientation():
    return PageOrientation()


@pytest.fixture(scope="module")
def ocr():
    return Ocr()


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("draw", [prose, chinese, numbers])
def test_a_turned_page_is_turned_back(orientation, draw, turn):
    page = drawn(draw)
    degrees, confidence = orientation.turned(upright(page, turn))
    assert (turn + degrees) % 360 == 0
    assert confidence >= SURE


def test_a_landscape_page_of_upright_lines_stays(orientation):
    assert orientation.turned(drawn(prose, width=842, height=595))[0] == 0


@pytest.mark.parametrize(
    "image",
    [
        Image.new("L", (850, 1100), 255),
        Image.new("1", (1, 1)),
        Image.new("RGB", (6000, 2)),
        Image.fromarray(np.random.default_rng(0).integers(0, 255, (700, 500), np.uint8)),
    ],
    ids=["blank", "one pixel", "strip", "noise"],
)
def test_an_image_without_text_is_never_surely_turned(orientation, image):
    degrees, confidence = orientation.turned(image)
    assert degrees == 0 or confidence < SURE


@pytest.mark.parametrize("draw", [prose, one_line])
def test_lines_read_better_the_right_way_up(ocr, draw):
    ways = [stands(ocr, upright(drawn(draw), turn)) for turn in TURNS]
    assert ways == [WayUp.UPRIGHT, WayUp.UNKNOWN, WayUp.UPSIDE_DOWN, WayUp.UNKNOWN]


def test_a_page_with_nothing_to_read_stands_no_way_up(ocr):
    assert stands(ocr, Image.new("RGB", (400, 600), "white")) is WayUp.UNKNOWN


def stands(ocr, image):
    pixels = np.asarray(image.convert("RGB"))
    return way_up(pixels, ocr.detector.find(pixels), ocr.recognizer, ocr.looks)


class Recognizer:
    """Reads a line whose ink begins at the left in one way, and the same line upside down in another."""

    def __init__(self, this_way: float, upside_down: float) -> None:
        self._readings = LineReading("x" * 40, upside_down, ()), LineReading("x" * 40, this_way, ())

    def read(self, crops):
        return [self._readings[begins_with_ink(crop)] for crop in crops]


class Looks:
    """The same for how surely a line looks like some script."""

    def __init__(self, this_way: float, upside_down: float) -> None:
        self._certainties = upside_down, this_way

    def of(self, crop):
        return {"hebrew": self._certainties[begins_with_ink(crop)], "none": 0.01}


def begins_with_ink(crop):
    return bool(crop[:, :4].min() < 128)


def line_of_ink():
    pixels = np.full((60, 420, 3), 255, np.uint8)
    pixels[20:40, 10:400:4] = 0
    return pixels, [Quad(210.0, 30.0, 400.0, 30.0, 0.0)]


@pytest.mark.parametrize(
    ("readings", "certainties", "way"),
    [
        ((0.99, 0.72), (0.9, 0.3), WayUp.UPRIGHT),  # Latin
        ((0.95, 0.77), (0.6, 0.6), WayUp.UPRIGHT),  # Cyrillic: some of its letters are known, and surely
        ((0.78, 0.65), (0.4, 0.8), WayUp.UPSIDE_DOWN),  # Hebrew upside down, read as Latin capitals
        ((0.62, 0.44), (0.6, 0.58), WayUp.UNKNOWN),
    ],
)
def test_a_page_that_reads_badly_stands_as_its_lines_look_like_a_script(readings, certainties, way):
    assert way_up(*line_of_ink(), Recognizer(*readings), Looks(*certainties)) is way


def test_a_page_that_nothing_would_turn_is_asked_about_by_its_looks():
    assert looks_upside_down(*line_of_ink(), Looks(0.4, 0.8))
    assert not looks_upside_down(*line_of_ink(), Looks(0.8, 0.4))
    assert not looks_upside_down(np.full((60, 60, 3), 255, np.uint8), [], Looks(0.4, 0.8))
