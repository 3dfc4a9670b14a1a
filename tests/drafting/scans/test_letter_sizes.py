"""The size of type on a scan, by its letters: boxes that are too high change nothing."""

from __future__ import annotations

import numpy as np
import pymupdf
import pytest

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.scans.word_ink import with_letter_sizes

SCALE = 200 / 72
BODY = ["The harbour lay quiet that", "morning and no boat had left", "before the bells were rung"]


def read(*heads: tuple[str, float, float], font: str = "helv", grey: float = 0.0, ruled: float = 0.0) -> list[Line]:
    """Three lines of body type, and others of a size, in boxes that are higher by so many points, over a rule."""
    lines, beside = [], 4 * (ruled > 0)
    with pymupdf.open() as document:
        page = document.new_page(width=300, height=40 * (len(BODY) + len(heads)))
        for n, (text, size, more) in enumerate([*((text, 10.0, 0.0) for text in BODY), *heads]):
            y = 30 + 40 * n
            own = font if n >= len(BODY) else "helv"
            page.insert_text((20, y), text, fontname=own, fontsize=size, color=(grey,) * 3)
            right = 20 + pymupdf.get_text_length(text, fontname=own, fontsize=size)
            box = Box(20 - beside, y - size - more, right + beside, y + 0.3 * size)
            if ruled:
                page.draw_line((0, y + 0.25 * size), (right + ruled, y + 0.25 * size), width=1.5)
                page.draw_line((right + 2, y - 2 * size), (right + 2, y + size), width=1.5)
            lines.append(Line(box.scaled(SCALE), text, 0.72 * box.height * SCALE, "embedded"))
        pixels = page.get_pixmap(dpi=200)
        image = np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, 3)
    return with_letter_sizes(image, lines)[len(BODY) :]


def body_size() -> float:
    return 0.72 * 13 * SCALE


@pytest.mark.parametrize("text", ["Names of the boats", "NAMES OF BOATS"])
def test_type_is_measured_by_letters_not_by_boxes(text):
    (head, too_high) = read((text, 13.0, 0.0), (text, 13.0, 4.0))
    assert head.letter_size == pytest.approx(1.3 * body_size(), rel=0.07)
    assert too_high.letter_size == pytest.approx(head.letter_size, rel=0.03)


@pytest.mark.parametrize("grey", [0.0, 0.4])
@pytest.mark.parametrize("text", ["Names of the boats", "Total 1,984.20", "1984"])
def test_bold_type_is_told_by_its_strokes(text, grey):
    (regular,), (bold,) = (read((text, 10.0, 0.0), font=font, grey=grey) for font in ("helv", "hebo"))
    assert not regular.bold and bold.bold


def test_of_a_line_of_digits_nothing_is_said():
    assert read(("1984", 13.0, 0.0))[0].letter_size == 0.0


def test_a_page_with_too_few_long_lines_says_nothing():
    image = np.full((100, 400, 3), 255, np.uint8)
    assert with_letter_sizes(image, [Line(Box(10, 10, 300, 40), "One line", 20, "embedded")])[0].letter_size == 0.0


def test_a_box_into_which_the_next_line_looks_is_measured_by_its_own_letters():
    """Lines set close were taken for type of twice their size, and an address for a heading."""
    (alone,) = read(("Names of the boats", 10.0, 0.0))
    with pymupdf.open() as document:
        page = document.new_page(width=300, height=200)
        for n in range(5):
            page.insert_text((20, 30 + 11 * n), (BODY * 2)[n], fontsize=10)
        pixels = page.get_pixmap(dpi=200)
        image = np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, 3)
    boxes = [Box(20, 17 + 11 * n, 160, 36 + 11 * n).scaled(SCALE) for n in range(5)]
    lines = [Line(box, (BODY * 2)[n], body_size(), "embedded") for n, box in enumerate(boxes)]
    sizes = [line.letter_size for line in with_letter_sizes(image, lines)]
    assert sizes == pytest.approx([alone.letter_size] * 5, rel=0.07)


def test_light_and_dark_letters_stand_on_baselines_though_their_boxes_reach_over_the_edge_of_a_ground():
    """Of a slide's table every second cell seemed to stand lower, and it was taken for chance."""
    with pymupdf.open() as document:
        page = document.new_page(width=300, height=60)
        page.draw_rect((22, 16, 300, 34), fill=(0.2, 0.2, 0.2), color=None)
        page.insert_text((25, 30), "Region", fontname="hebo", fontsize=14, color=(1, 1, 1))
        page.insert_text((25, 50), "84.4", fontsize=14)
        pixels = page.get_pixmap(dpi=200)
        image = np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, 3)
    named = [("Region", Box(20, 9, 82, 41)), ("84.4", Box(20, 30.5, 55, 58))]
    found = with_letter_sizes(image, [Line(box.scaled(SCALE), said, body_size(), "embedded") for said, box in named])
    assert [line.baseline for line in found] == pytest.approx([30 * SCALE, 50 * SCALE], abs=2)


@pytest.mark.parametrize("text", ["Names of the boats", "A page of fog", "4", "TOTAL", "1,984.20"])
def test_letters_stand_on_a_baseline(text):
    (plain, too_high) = read((text, 10.0, 0.0), (text, 10.0, 3.0))
    assert [plain.baseline, too_high.baseline] == pytest.approx([150 * SCALE, 190 * SCALE], abs=0.1 * 10 * SCALE)


@pytest.mark.parametrize(("text", "beyond"), [("h", 99.0), ("57.3", 99.0), ("57.3", 2.0), ("Names of the boats", 2.0)])
def test_letters_beside_rules_stand_where_they_do_without(text, beyond):
    """A rule holds more ink than a letter, and ends lower: its foot was the baseline, and such rows were no table's."""
    (plain,), (over,) = (read((text, 10.0, 0.0), ruled=ruled) for ruled in (0.0, beyond))
    assert over.baseline == pytest.approx(plain.baseline, abs=0.05 * 10 * SCALE)


@pytest.mark.parametrize("light", [1.0, 0.5], ids=["in the light", "in the dark"])
def test_ink_is_as_pale_and_as_coloured_in_any_light(light):
    """Word's headings are set in blue: on scans nothing told them from the text but a little weight."""
    image = np.full((200, 640, 3), 255.0)
    lines = []
    for n, ink in enumerate([(0, 0, 0), (0, 0, 0), (0, 0, 0), (46, 116, 181), (110, 110, 110)]):
        image[14 + 40 * n : 26 + 40 * n, 20:620:8] = image[14 + 40 * n : 26 + 40 * n, 21:620:8] = ink
        lines.append(Line(Box(20, 8 + 40 * n, 620, 32 + 40 * n), "words of a line of text", 17.0, "embedded"))
    *body, blue, grey = with_letter_sizes((image * light).astype(np.uint8), lines)
    assert {(line.paler, line.coloured) for line in body} == {(0.0, 0.0)}
    assert blue.paler > 0.3 < grey.paler and blue.coloured > 0.3 > grey.coloured
