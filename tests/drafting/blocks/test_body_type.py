"""Which type is the text's."""

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import body_size


def lines(count, size, width=400, letters=60):
    return [Line(Box(0, 0, width, 10), "x" * letters, size, "text-layer") for _ in range(count)]


def test_the_texts_type_is_that_of_most_letters():
    assert body_size([*lines(20, 10), *lines(3, 18)]) == 10


def test_prose_in_larger_type_is_the_text_where_most_is_small_print():
    assert body_size([*lines(8, 12), *lines(12, 8)]) == 12


def test_larger_titles_are_not_the_text():
    assert body_size([*lines(8, 12, width=100), *lines(12, 8)]) == 8
    assert body_size([*lines(4, 12), *lines(12, 8)]) == 8
