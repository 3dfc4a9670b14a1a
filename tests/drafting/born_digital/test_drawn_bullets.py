"""Bullets that are drawn, before lines of either direction."""

import pymupdf
import pytest

from docparse_fast import parse
from docparse_fast.document import Box, Category, TextLine, TextSpan
from docparse_fast.drafting.born_digital.drawn_figures import with_bullets
from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages

SIZE = 10.0


def row(text: str, y: float) -> TextLine:
    box = Box(100, y - SIZE, 300, y)
    return TextLine(box, (TextSpan(box, text, "Serif", SIZE, y),))


def squares(x: float, *levels: float) -> list[Box]:
    return [Box(x, y - 7, x + 4, y - 3) for y in levels]


def texts(lines: list[TextLine], painted: list[Box]) -> list[str]:
    return [line.text for line in with_bullets(lines, painted)]


def test_squares_left_of_lines_are_bullets():
    assert texts([row("one", 100), row("two", 120)], squares(90, 100, 120)) == ["• one", "• two"]


def test_squares_right_of_hebrew_lines_are_bullets():
    assert texts([row("חלון", 100), row("מכתב", 120)], squares(306, 100, 120)) == ["• חלון", "• מכתב"]
    assert texts([row("חלון", 100), row("מכתב", 120)], squares(90, 100, 120)) == ["חלון", "מכתב"]


def test_the_tiles_of_a_picture_are_no_bullets():
    tiles = [Box(90, y, 94, y + 4) for y in range(80, 130, 4)]
    assert texts([row("one", 100), row("two", 104)], tiles) == ["one", "two"]


@pytest.mark.parametrize(("radius", "expected"), [(1.1, ["• one", "• two"]), (0.5, ["one", "two"])])
def test_a_browsers_small_circles_are_bullets_and_the_dots_of_a_dotted_rule_are_not(tmp_path, radius, expected):
    """Lists in type of less than ten points lost their bullets."""
    with pymupdf.open() as document:
        page = document.new_page()
        for y, text in ((100, "one"), (112, "two")):
            page.draw_circle((72, y - 3), radius, color=None, fill=(0, 0, 0))
            page.insert_text((81, y), text, fontsize=9)
        document.save(tmp_path / "list.pdf")
    with open_pages(tmp_path / "list.pdf", RasterOptions()) as pages:
        layer = next(pages.pages()).text_layer
    assert texts(layer.lines, list(layer.areas)) == expected


def test_a_frame_around_a_list_with_drawn_bullets_is_no_figure(tmp_path):
    """Frame and bullets were a drawing, and the list's words ran together as its label."""
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((80, 90), "Food and drink", fontname="hebo", fontsize=11)
        for n in range(3):
            page.draw_circle((90, 117 + 30 * n), 2, color=None, fill=(0, 0, 0))
            page.insert_text((98, 120 + 30 * n), "The caretaker lent out", fontsize=10)
            page.insert_text((98, 132 + 30 * n), "a ladder with a brush", fontsize=10)
        for a, b in (((72, 72), (250, 72)), ((72, 205), (250, 205)), ((72, 72), (72, 205)), ((250, 72), (250, 205))):
            page.draw_line(a, b)
        page.insert_textbox((72, 230, 520, 500), "The weights of the catch are given in tonnes. " * 20, fontsize=11)
        document.save(tmp_path / "box.pdf")
    found = [block.category for block in parse(tmp_path / "box.pdf").pages[0].blocks]
    assert found.count(Category.LIST_ITEM) == 3
    assert Category.FIGURE not in found


def test_a_lone_bullet_below_an_item_and_farther_in_is_one():
    """A slide's only second-level item lost its bullet, and its list fell in two."""
    inner = TextLine(Box(120, 102, 300, 112), (TextSpan(Box(120, 102, 300, 112), "inner", "Serif", SIZE, 112),))
    lines = [row("one", 100), inner, row("two", 124)]
    for inner in (Box(111, 106, 114, 109), Box(111, 107, 113, 109)):
        assert texts(lines, [*squares(90, 100, 124), inner]) == ["• one", "• inner", "• two"]


def test_grounds_of_words_in_lines_are_no_figure(tmp_path):
    """A manual's options, each on a pill of its own in its item, were a figure, and the list fell in two."""
    with pymupdf.open() as document:
        page = document.new_page()
        for n in range(8):
            y = 100 + 18 * n
            page.draw_rect((88, y - 10, 205, y + 4), color=None, fill=(0.9, 0.9, 0.9))
            page.insert_text((76, y), "•", fontsize=10)
            page.insert_text((92, y), f"--option=<the size {n}>", fontname="cour", fontsize=9)
            page.insert_text((211, y), "says how the page is written, and where it begins", fontsize=10)
        document.save(tmp_path / "options.pdf")
    assert Category.FIGURE not in {block.category for block in parse(tmp_path / "options.pdf").pages[0].blocks}
