"""Pages made of whatever may stand on one, wherever it may stand: none of its words is lost, none is said twice."""

import itertools
from pathlib import Path
from tempfile import TemporaryDirectory

import pymupdf
from drafting.said_once import letters, lost_and_doubled
from hypothesis import example, given, settings
from hypothesis import strategies as st

from docparse_fast.drafting.born_digital.text_layer import TextLayerDrafter
from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages

KINDS = ("prose", "lattice", "ground", "frame", "columns", "list", "ruled", "drawing", "through")
PLACES = st.tuples(
    st.sampled_from(KINDS),
    st.integers(4, 60).map(lambda n: 10 * n),  # x
    st.integers(4, 80).map(lambda n: 10 * n),  # y
    st.integers(2, 6),  # rows
    st.integers(2, 4),  # columns
)


def draw(page: pymupdf.Page, things: list[tuple[str, int, int, int, int]]) -> None:
    counted = (f"w{n}q" for n in itertools.count())
    for kind, x, y, rows, columns in things:
        for row in range(rows):
            top = y + 14 * row
            for column in range(columns):
                left = x + 70 * column
                font = "cour" if kind == "ground" else "helv"
                text = ("\u2022 " if kind == "list" and not column else "") + next(counted)
                if kind in ("prose", "list", "through"):
                    text += " " + " ".join(itertools.islice(counted, 3))  # runs on, past what stands beside it
                page.insert_text((left, top), text, fontsize=10, fontname=font)
                if kind == "lattice":
                    page.draw_rect((left - 2, top - 10, left + 68, top + 4))
                elif kind == "drawing":
                    page.draw_circle((left + 30, top), 20)
        area = (x - 2, y - 10, x + 70 * columns, y + 14 * rows - 8)
        if kind == "ground":
            page.draw_rect(area, fill=(0.9, 0.9, 0.9), color=None)
        elif kind == "frame":
            page.draw_rect(area)
        elif kind in ("ruled", "through"):
            for level in (area[1], y + 3, area[3]):
                page.draw_line((area[0] + (35 if kind == "through" else 0), level), (area[2], level))


@settings(deadline=None, max_examples=30)
@given(st.lists(PLACES, min_size=1, max_size=6))
@example([("lattice", 60, 100, 3, 3), ("lattice", 95, 121, 3, 3)])  # one table over a part of another
@example([("prose", 60, 100, 3, 4), ("lattice", 130, 100, 2, 2)])  # lines that run through a table
def test_every_word_of_a_page_is_said_once(things):
    with TemporaryDirectory() as folder, pymupdf.open() as document:
        path = Path(folder) / "made.pdf"
        draw(document.new_page(width=595, height=842), things)
        document.save(path)
        with open_pages(path, RasterOptions()) as pages:
            page = next(iter(pages.pages()))
            lost, doubled = lost_and_doubled(page.text_layer, TextLayerDrafter().draft(page))
    assert not lost
    assert not doubled


def test_the_marks_of_code_in_a_cell_are_no_words():
    assert letters(["<table><tr><td><code>deb</code></td></tr></table>"]) == letters(["deb"])
