"""Which way up a page stands, on pages drawn here: the packaged classifier and the recogniser's second opinion."""

import numpy as np
import pymupdf
import pytest
from PIL import Image

from docparse_fast.drafting.scans.known_words import LineReading
from docparse_fast.drafting.scans.ocr import Ocr
from docparse_fast.drafting.scans.orientation import SURE, PageOrientation, WayUp, is_read, upright, way_up
from docparse_fast.drafting.scans.quads import Quad

WORDS = (
    "The committee reviewed the annual figures and found that revenue grew in every quarter, while costs "
    "stayed level across most of the regional offices and their suppliers. "
)
TURNS = [0, 90, 180, 270]
SLIP = {"width": 340, "height": 300}  # what is read takes its time by the line


def drawn(draw, width=595, height=842, dpi=100):
    document = pymupdf.open()
    page = document.new_page(width=width, height=height)
    draw(page)
    pixels = page.get_pixmap(dpi=dpi)
    return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, 3)


def inside(page):
    return pymupdf.Rect(50, 50, page.rect.width - 50, page.rect.height - 50)


def prose(page):
    page.insert_textbox(inside(page), WORDS * 20, fontsize=11)


def paragraph(page):
    page.insert_textbox(inside(page), WORDS * 2, fontsize=11)


def chinese(page):
    page.insert_textbox(inside(page), "本报告分析了年度的销售情况。" * 40, fontname="china-s")


def numbers(page):
    for row in range(24):
        for column in range(5):
            page.insert_text((60 + 95 * column, 70 + 28 * row), f"{row * 37 + column * 411:,}.50", fontsize=10)


def one_line(page):
    page.insert_text((60, 120), "This page intentionally left blank", fontsize=14)


def surest(orientation, image):
    return max(orientation.ways(image).items(), key=lambda way: way[1])


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
    degrees, confidence = surest(orientation, upright(page, turn))
    assert (turn + degrees) % 360 == 0
    assert confidence >= SURE


def test_a_landscape_page_of_upright_lines_stays(orientation):
    assert surest(orientation, drawn(prose, width=842, height=595))[0] == 0


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
    degrees, confidence = surest(orientation, np.asarray(image.convert("RGB")))
    assert degrees == 0 or confidence < SURE


def found(ocr, pixels):
    return pixels, ocr.detector.find(pixels)


@pytest.fixture(scope="module")
def turned(ocr):
    """A paragraph in each of its ways, and where its lines were found."""
    page = drawn(paragraph, **SLIP)
    return [found(ocr, upright(page, turn)) for turn in TURNS]


def test_lines_read_better_the_right_way_up(ocr, turned):
    ways = [way_up(*page, ocr.recognizer, ocr.looks).way for page in turned]
    assert ways == [WayUp.UPRIGHT, WayUp.UNKNOWN, WayUp.UPSIDE_DOWN, WayUp.UNKNOWN]


def test_one_line_reads_better_the_right_way_up(ocr):
    page = drawn(one_line, **SLIP)
    ways = [way_up(*found(ocr, upright(page, turn)), ocr.recognizer, ocr.looks).way for turn in (0, 180)]
    assert ways == [WayUp.UPRIGHT, WayUp.UPSIDE_DOWN]


def test_a_page_with_nothing_to_read_stands_no_way_up(ocr):
    blank = found(ocr, np.full((600, 400, 3), 255, np.uint8))
    assert way_up(*blank, ocr.recognizer, ocr.looks).way is WayUp.UNKNOWN


class Recognizer:
    """Reads a line whose ink begins at the left in one way, and the same line upside down in another."""

    def __init__(self, this_way: float, upside_down: float, text: str = "x" * 40) -> None:
        self._readings = LineReading(text, upside_down, ()), LineReading(text, this_way, ())

    def read(self, crops):
        return [self._readings[begins_with_ink(crop)] for crop in crops]


class Looks:
    """The same for what a line looks like."""

    def __init__(self, this_way: dict[str, float], upside_down: dict[str, float]) -> None:
        self._certainties = upside_down, this_way

    def of(self, crop):
        return self._certainties[begins_with_ink(crop)]


def begins_with_ink(crop):
    return bool(crop[:, :4].min() < 128)


def line_of_ink():
    pixels = np.full((60, 420, 3), 255, np.uint8)
    pixels[20:40, 10:400:4] = 0
    return pixels, [Quad(210.0, 30.0, 400.0, 30.0, 0.0)]


SURELY_UP, SURELY_DOWN, UNSURE = (0.9, 0.03), (0.03, 0.9), (0.3, 0.2)  # the classifier's chances


@pytest.mark.parametrize(
    ("this_way", "upside_down", "chances", "way"),
    [
        ({"latin": 0.9}, {"khmer": 0.2}, UNSURE, WayUp.UPRIGHT),
        ({"khmer": 0.2}, {"latin": 0.9}, UNSURE, WayUp.UPSIDE_DOWN),
        ({"hangul": 0.8}, {"han": 0.95}, SURELY_UP, WayUp.UPRIGHT),  # Korean upside down is a kind of Chinese
        ({"han": 0.95}, {"hangul": 0.8}, SURELY_DOWN, WayUp.UPSIDE_DOWN),
        ({"devanagari": 0.5}, {"lao": 0.8}, SURELY_UP, WayUp.UPRIGHT),  # blurred
        ({"latin": 0.4}, {"arabic": 0.9}, SURELY_UP, WayUp.UPSIDE_DOWN),  # Arabic, which the classifier reverses
        ({"arabic": 0.9}, {"latin": 0.4}, SURELY_DOWN, WayUp.UPRIGHT),
        ({"hebrew": 0.5}, {"latin": 0.6}, SURELY_DOWN, WayUp.UPRIGHT),  # Latin that can't be read is none
        ({"none": 1.0}, {"none": 1.0}, UNSURE, WayUp.UNKNOWN),
    ],
)
def test_looks_of_lines_and_of_the_page_decide_together_which_way_up_it_stands(this_way, upside_down, chances, way):
    unread = Recognizer(0.66, 0.7)
    assert way_up(*line_of_ink(), unread, Looks(this_way, upside_down), chances).way is way


def test_where_looks_are_alike_the_way_that_is_read_well_is_upright():
    alike = Looks({"han": 0.6}, {"han": 0.62})
    assert way_up(*line_of_ink(), Recognizer(0.98, 0.5), alike).way is WayUp.UPRIGHT
    assert way_up(*line_of_ink(), Recognizer(0.5, 0.98), alike).way is WayUp.UPSIDE_DOWN


def test_faint_latin_that_reads_better_upright_is_no_hebrew_upside_down():
    """A faxed form whose lines, turned, look as much like Hebrew; nothing reads Hebrew here."""
    faint = Looks({"latin": 0.8}, {"hebrew": 0.85})
    assert way_up(*line_of_ink(), Recognizer(0.8, 0.6), faint, SURELY_UP).way is WayUp.UPRIGHT


def test_hebrew_whose_words_are_known_stands_though_it_reads_faintly_as_latin_upside_down():
    """As a grainy page of six lines did, turned by 90 degrees, which ended on its head."""
    looks = Looks({"latin": 0.8}, {"hebrew": 0.85})
    words = {"hebrew": 0.6}.get
    assert (
        way_up(*line_of_ink(), Recognizer(0.8, 0.6), looks, SURELY_UP, lambda _, at: words(at)).way is WayUp.UPSIDE_DOWN
    )
    assert way_up(*line_of_ink(), Recognizer(0.95, 0.6), looks, SURELY_UP, lambda _, at: words(at)).way is WayUp.UPRIGHT


@pytest.mark.parametrize(("text", "sure"), [("CULCU LLN", 0.83), (" " * 12, 0.95), ("hl", 0.82)])
def test_hebrew_stands_though_faint_capitals_blanks_or_two_letters_come_out_of_it_upside_down(text, sure):
    """As on clean pages of three lines or less, which ended on their heads."""
    hebrew, unread = Looks({"hebrew": 0.99}, {"latin": 0.6}), Recognizer(0.6, sure, text)
    assert way_up(*line_of_ink(), unread, hebrew, SURELY_DOWN).way is WayUp.UPRIGHT


def test_rubbish_that_reads_a_little_better_upside_down_proves_nothing():
    persian = Looks({"arabic": 0.5}, {"latin": 0.45})
    assert way_up(*line_of_ink(), Recognizer(0.5, 0.64), persian).way is WayUp.UPRIGHT


def test_of_two_scripts_in_two_ways_the_one_in_which_words_come_out_is_right():
    """Hindi upside down looks like Arabic, and the classifier takes Arabic for its reverse."""
    hindi = Looks({"devanagari": 0.6}, {"arabic": 0.65})
    words = {"devanagari": 0.5, "arabic": 0.02}
    assert way_up(*line_of_ink(), None, hindi, SURELY_UP, lambda _, script: words[script]).way is WayUp.UPRIGHT
    assert way_up(*line_of_ink(), None, hindi, SURELY_UP, lambda *_: None).way is WayUp.UPSIDE_DOWN, "nothing reads it"
    without_arabic = {"devanagari": 0.5, "arabic": None}
    assert way_up(*line_of_ink(), None, hindi, SURELY_UP, lambda _, script: without_arabic[script]).way is WayUp.UPRIGHT


def test_a_page_whose_looks_are_plain_is_not_read():
    assert way_up(*line_of_ink(), None, Looks({"latin": 0.95}, {"khmer": 0.3}), SURELY_UP).way is WayUp.UPRIGHT


def test_a_page_reads_well_in_one_of_its_ways_alone(ocr, turned):
    assert [is_read(*page, ocr.recognizer) for page in turned] == [True, False, False, False]
