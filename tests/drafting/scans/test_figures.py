"""Pictures told from text and rules by their ink, on pages of a few rectangles."""

import numpy as np

from docparse_fast.document import Box
from docparse_fast.drafting.scans import figures


def page(*dark):
    """White paper of 1000 x 1400 with dark rectangles."""
    image = np.full((1400, 1000, 3), 255, np.uint8)
    for box in dark:
        image[int(box.y0) : int(box.y1), int(box.x0) : int(box.x1)] = (40, 90, 160)
    return image


PICTURE = Box(200, 300, 700, 700)


def test_a_dark_patch_is_a_picture_and_is_found_where_it_stands():
    (found,) = figures.pictures(page(PICTURE), [])
    assert found.iou(PICTURE) > 0.95


def test_what_is_taken_is_no_picture():
    assert figures.pictures(page(PICTURE), [PICTURE]) == []


def test_a_speck_is_no_picture():
    assert figures.pictures(page(Box(500, 500, 530, 530)), []) == []


def test_the_close_rules_of_a_form_are_no_picture():
    rules = [Box(100, 200 + 20 * n, 900, 204 + 20 * n) for n in range(30)]
    assert figures.pictures(page(*rules), []) == []


def test_two_pictures_apart_are_two():
    assert len(figures.pictures(page(PICTURE, Box(200, 900, 700, 1300)), [])) == 2


def test_a_shadow_is_no_picture():
    """Lines in it were taken for words in a picture, and left the page's text."""
    light = np.linspace(0.3, 1, 1000)[None, :, None]
    assert figures.pictures((page() * light).astype(np.uint8), []) == []


def test_a_figure_covered_by_lines_is_text():
    lines = [Box(200, 300 + 40 * n, 700, 325 + 40 * n) for n in range(10)]
    assert figures.full_of_text(PICTURE, lines)
    assert not figures.full_of_text(PICTURE, lines[:2])


def test_a_thread_of_an_image_is_not_made_a_thousand_times_larger():
    """One pixel wide and 5,000 high, it was looked at 500 pixels wide: 3.75 GB."""
    assert figures._ink(np.full((20_000, 1, 3), 255, np.uint8)).nbytes < 10_000_000


def test_a_box_with_most_of_a_pages_lines_is_its_ground():
    lines = [Box(300, 320 + 30 * n, 600, 340 + 30 * n) for n in range(10)]
    assert figures.is_ground(PICTURE, lines)
    assert not figures.is_ground(PICTURE, [*lines, *(line.shifted(0, 500) for line in lines)])
    assert not figures.is_ground(PICTURE, lines[:5])
