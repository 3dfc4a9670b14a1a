"""Boxes to be ticked, as PDFs draw them."""

import pymupdf
import pytest
from counted import calls_of

from docparse_fast.document import Box
from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages
from docparse_fast.pages.drawn import drawn
from docparse_fast.pages.drawn_boxes import boxes_to_tick
from docparse_fast.pages.weight import Weight

POINT = 10.0
LEFT, TOP = 60.0, 100.0


def said(tmp_path, draw, words="by post"):
    """The page's words where `draw` has drawn at the left of them."""
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        page.insert_text((LEFT + 16, TOP + 9), words, fontsize=12)
        draw(page)
        pdf.save(tmp_path / "form.pdf")
    with open_pages(tmp_path / "form.pdf", RasterOptions()) as pages:
        layer = next(iter(pages.pages())).text_layer
        return [line.text.strip() for line in layer.lines], layer


def square(page, *, x=LEFT, size=POINT, **style):
    page.draw_rect(pymupdf.Rect(x, TOP, x + size, TOP + size), **style)


def crossed(page):
    square(page)
    page.draw_line((LEFT + 2, TOP + 2), (LEFT + 8, TOP + 8))
    page.draw_line((LEFT + 8, TOP + 2), (LEFT + 2, TOP + 8))


def chosen(page):
    page.draw_circle((LEFT + 5, TOP + 5), 5)
    page.draw_circle((LEFT + 5, TOP + 5), 2.5, fill=(0, 0, 0))


def four_rules(page):
    for (ax, ay), (bx, by) in (((0, 0), (10, 0)), ((0, 10), (10, 10)), ((0, 0), (0, 10)), ((10, 0), (10, 10))):
        page.draw_line((LEFT + ax, TOP + ay), (LEFT + bx, TOP + by))


def sides_with_corners(page):
    """A producer's sides: the upper one turns down at a corner, so that it has some height."""
    for ends in (((0, 0), (10, 0), (10, 1)), ((10, 0), (10, 10)), ((10, 10), (0, 10)), ((0, 10), (0, 0))):
        page.draw_polyline([(LEFT + x, TOP + y) for x, y in ends])


def lettered(page):
    square(page)
    page.insert_text((LEFT + 2, TOP + 8.5), "x", fontsize=10)


def beside_empty_one(page):
    square(page, fill=(0, 0, 0))
    square(page, x=LEFT + 200)


@pytest.mark.parametrize(
    ("draw", "sign"),
    [
        (square, "☐"),
        (lambda page: page.draw_circle((LEFT + 5, TOP + 5), 5), "☐"),
        (four_rules, "☐"),
        (sides_with_corners, "☐"),
        (crossed, "☒"),
        (chosen, "☒"),
        (lettered, "☒"),
        (beside_empty_one, "☒"),
    ],
)
def test_a_drawn_box_is_a_sign_before_its_words(tmp_path, draw, sign):
    lines, layer = said(tmp_path, draw)
    assert lines[0] == f"{sign} by post"
    assert not layer.rules and not layer.areas


def comb(page):
    for n in range(4):
        square(page, x=LEFT - 40 + n * POINT)


def marker_of_plot(page):
    square(page)
    page.draw_polyline([(LEFT - 20, TOP + 20), (LEFT + 5, TOP + 5), (LEFT + 90, TOP - 30)])


@pytest.mark.parametrize(
    "draw",
    [
        comb,
        marker_of_plot,
        lambda page: square(page, fill=(0.2, 0.5, 0.9), color=None),
        lambda page: square(page, size=4),
    ],
)
def test_cells_for_letters_markers_of_plots_keys_and_bullets_are_no_boxes(tmp_path, draw):
    assert said(tmp_path, draw)[0][0] == "by post"


def test_a_box_that_holds_a_letter_is_none_and_keeps_it(tmp_path):
    """The letters of a name, each in its box, were signs of ticks: the name was lost without a word."""

    def draw(page):
        square(page)
        page.insert_text((LEFT + 2, TOP + 8.5), "K", fontsize=10)

    assert sorted(" ".join(said(tmp_path, draw)[0]).split()) == ["K", "by", "post"]


@pytest.mark.parametrize(("inner", "rules"), [(b"51 501 198 98", 4), (b"50 500 199 100", 1)])
def test_a_border_filled_between_two_rectangles_is_rules(inner, rules):
    """Some producers draw a box, or one side of a cell, so; it was a black ground."""
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        page.insert_text((LEFT, TOP), "by post")
        pdf.update_stream(page.get_contents()[0], b"50 500 200 100 re " + inner + b" re f* 300 500 90 90 re f*")
        found = drawn(page, lambda sides: Box(*sides), 1.0, Weight())
    assert len(found.rules) == rules
    assert [round(area.width) for area in found.areas] == [90]


def test_what_a_clip_hides_is_not_drawn():
    """A logo's file held three more logos below it: their sides were a table's rules, on a title page."""
    inside, outside, across = b"110 550 m 190 550 l S", b"10 300 m 10 700 l S", b"50 520 100 40 re f"
    clipped = b"q 100 500 100 100 re W n " + inside + b" " + outside + b" " + across + b" Q "
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        page.insert_text((LEFT, TOP), "by post")
        pdf.update_stream(page.get_contents()[0], clipped + b"q 0 0 9 9 re W n Q " + b"300 300 m 300 700 l S")
        found = drawn(page, lambda sides: Box(*sides), 1.0, Weight())
    assert sorted(round(rule.x0) for rule in found.rules) == [110, 300]
    assert [round(area.width, -1) for area in found.areas] == [50]


def test_twice_as_many_boxes_cost_about_twice_as_much():
    def cost(count):
        places = ((14.0 * (n % 30), 14.0 * (n // 30)) for n in range(count))
        paths = [{"type": "s", "rect": (x, y, x + POINT, y + POINT), "items": [("re",)]} for x, y in places]
        assert len(boxes_to_tick(paths)) == count
        return calls_of(lambda: boxes_to_tick(paths))

    assert cost(200) < 2.5 * cost(100)


def test_twice_as_many_drawn_beside_boxes_cost_about_twice_as_much():
    def cost(count):
        with pymupdf.open() as pdf:
            page = pdf.new_page()
            places = ((n, 20 + 14 * (n % 30), 20 + 14 * (n // 30)) for n in range(count))
            squares = "\n".join(f"{x} {y} 10 10 re {'f' if n else 'S'}" for n, x, y in places)
            page.insert_text((LEFT, TOP), "by post")
            pdf.update_stream(page.get_contents()[0], squares.encode())
            return calls_of(lambda: drawn(page, lambda sides: Box(*sides), 1.0, Weight()))

    assert cost(200) < 2.5 * cost(100)
