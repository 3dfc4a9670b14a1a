import numpy as np
import pytest

from docparse_fast.document import Box
from docparse_fast.drafting.scans.embedded import UprightImage
from docparse_fast.drafting.scans.quads import Quad
from docparse_fast.drafting.scans.sheets import gutter

WIDTH, HEIGHT = 1000, 700


def paper(height=HEIGHT):
    return np.full((height, WIDTH, 3), 250, np.uint8)


def lines_between(left, right, count=20):
    return [Box(left, 40 + 30 * n, right, 60 + 30 * n) for n in range(count)]


def test_two_pages_of_prose_part_in_the_white_between_them():
    pages = [*lines_between(60, 460), *lines_between(540, 940)]
    assert gutter(pages, paper()) == 500


@pytest.mark.parametrize(
    "boxes",
    [
        pytest.param([*lines_between(60, 160), *lines_between(540, 640)], id="cells of a table"),
        pytest.param([*lines_between(60, 460), *lines_between(540, 940), Box(200, 5, 800, 30)], id="a title over both"),
        pytest.param([*lines_between(60, 460), *lines_between(540, 640)], id="text beside labels"),
        pytest.param([*lines_between(60, 260), *lines_between(340, 940)], id="a narrow column at the side"),
        pytest.param(lines_between(60, 460), id="text beside nothing"),
        pytest.param([*lines_between(60, 460, 3), *lines_between(540, 940, 3)], id="a few words on a slide"),
        pytest.param([], id="nothing"),
    ],
)
def test_one_wide_page_is_not_parted(boxes):
    assert gutter(boxes, paper()) is None


def test_a_spine_parts_two_pages_whatever_stands_on_them():
    """A register's table runs over both pages of a book; a ruled table on a wide page has a line there, too."""
    cells = [*lines_between(60, 160), *lines_between(300, 460), *lines_between(540, 640)]
    book, table = paper(), paper()
    book[:, 500:504] = 40
    table[30:600, 500:504] = 40
    assert gutter(cells, book) == 500
    assert gutter(cells, table) is None
    assert gutter(cells, np.full_like(book, 40)) is None, "a dark ground is no spine"


def test_two_columns_of_an_upright_page_are_not_parted():
    assert gutter([*lines_between(60, 460), *lines_between(540, 940)], paper(1400)) is None


def test_each_page_of_a_spread_has_its_own_picture_and_lines():
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    quads = [Quad(*box.center, box.width, 20, 0.0) for box in [*lines_between(60, 460), *lines_between(560, 960)]]
    (first, left), (second, right) = UprightImage(pixels, quads, turned=90).pages()
    assert (first, left.pixels.shape[1]) == (0, 510)
    assert (second, right.pixels.shape[1]) == (510, 490)
    assert [len(left.quads), len(right.quads)] == [20, 20]
    assert right.quads[0].x == 250
    assert right.turned == 90
