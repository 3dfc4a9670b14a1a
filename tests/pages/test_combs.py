"""Words written letter by letter into boxes side by side."""

import pymupdf
import pytest
from counted import calls_of

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.lattices.rules import Drawn
from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages
from docparse_fast.pages.combs import with_combs

SIDE, LEFT, TOP = 14.0, 80.0, 100.0


def said(path, draw, rows=("KLAUS",)):
    """What the page says where letters stand in boxes, from above, and how many rules are left of these."""
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        page.insert_text((LEFT, TOP - 6), "Surname", fontsize=8)
        for n, letters in enumerate(rows):
            draw(page, TOP + n * SIDE, len(letters))
            for m, letter in enumerate(letters):
                page.insert_text((LEFT + m * SIDE + 3, TOP + n * SIDE + 11), letter, fontsize=10)
        pdf.save(path)
    with open_pages(path, RasterOptions()) as pages:
        layer = next(iter(pages.pages())).text_layer
    words = [span for line in layer.lines for span in line.spans if span.text.strip()]
    words.sort(key=lambda span: (round(span.baseline), span.box.x0))
    return [span.text.strip() for span in words][1:], len(layer.rules)


def apart(page, top, count):
    for n in range(count):
        page.draw_rect(pymupdf.Rect(LEFT + n * SIDE, top, LEFT + (n + 1) * SIDE - 1.5, top + SIDE))


def touching(page, top, count):
    for n in range(count):
        page.draw_rect(pymupdf.Rect(LEFT + n * SIDE, top, LEFT + (n + 1) * SIDE, top + SIDE))


def framed(page, top, count):
    page.draw_rect(pymupdf.Rect(LEFT, top, LEFT + count * SIDE, top + SIDE))
    for n in range(1, count):
        page.draw_line((LEFT + n * SIDE, top), (LEFT + n * SIDE, top + SIDE))


@pytest.mark.parametrize("draw", [apart, touching, framed])
def test_letters_in_boxes_side_by_side_are_a_word_and_the_boxes_no_rules(tmp_path, draw):
    """A form's name was six ticked boxes, and its letters were lost; or a table of letters."""
    assert said(tmp_path / "form.pdf", draw) == (["KLAUS"], 0)


def test_boxes_left_free_between_letters_are_blanks(tmp_path):
    assert said(tmp_path / "form.pdf", touching, ["AN DER ALM   "]) == (["AN DER ALM"], 0)


@pytest.mark.parametrize(
    ("rows", "count"), [(["X-X--", "-XX-X", "XX--X"], 15), (["ABC"], 3), (["AB"], 2), (["12345"], 5)]
)
def test_letters_in_cells_of_a_table_in_few_boxes_and_marks_of_a_scale_stay_by_themselves(tmp_path, rows, count):
    """A roster has a letter for each day, and others above and below it."""
    assert len(said(tmp_path / "form.pdf", touching, rows)[0]) == count


def test_cells_with_several_letters_are_no_boxes_for_one(tmp_path):
    words = [*"12345"]
    words[2] = "30"
    found, rules = said(tmp_path / "form.pdf", touching, [words])
    assert (found, rules > 0) == (words, True)


def test_twice_as_many_cost_about_twice_as_much():
    def cost(rows):
        corners = [(60.0 * group, 20.0 * row) for row in range(rows) for group in range(6)]
        sides = [Box(x + 9 * n, y, x + 9 * n, y + 9) for x, y in corners for n in range(5)]
        boxes = [Box(x + 9 * n + 2, y + 1, x + 9 * n + 6, y + 8) for x, y in corners for n in range(4)]
        lines = tuple(TextLine(box, (TextSpan(box, "K", "F", 8, box.y1),)) for box in boxes)
        return calls_of(lambda: with_combs((lines,), Drawn(bars=tuple(sides))))

    assert cost(40) < 2.5 * cost(20)
