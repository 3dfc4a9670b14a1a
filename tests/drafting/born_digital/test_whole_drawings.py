"""Pages that are one drawing with its labels."""

from docparse_fast.document import Box, Category, TextLayer, TextLine, TextSpan
from docparse_fast.drafting.born_digital.text_layer import regions_of
from docparse_fast.drafting.born_digital.whole_drawings import whole_drawing

WIDTH, HEIGHT = 1200.0, 900.0
NAMES = ["mean", "10", "20", "30", "0.1", "0.2", "f(x)", "radius in px", "load"]


def line(text: str, x: float, y: float, size: float = 20) -> TextLine:
    box = Box(x, y, x + 0.5 * size * len(text), y + 0.7 * size)
    return TextLine(box, (TextSpan(box, text, "DejaVuSans", size, box.y1),))


LABELS = tuple(line(name, 120 + 110 * n, 150 + 75 * n) for n, name in enumerate(NAMES))
CURVES = tuple(Box(100 + 90 * n, 100 + 60 * n, 260 + 90 * n, 230 + 60 * n) for n in range(10))
GROUNDS = tuple(Box(100 + 90 * n, 100, 190 + 90 * n, 800) for n in range(10))


def test_curves_with_labels_are_one_figure_that_says_each_once():
    (figure,) = regions_of(TextLayer((LABELS,), areas=CURVES), WIDTH, HEIGHT)
    assert figure.category is Category.FIGURE
    assert sorted(figure.text.split()) == sorted(" ".join(NAMES).split())


def test_words_on_grounds_side_by_side_are_no_drawing():
    assert whole_drawing(TextLayer(areas=CURVES), LABELS, WIDTH, HEIGHT) is not None
    assert whole_drawing(TextLayer(areas=GROUNDS), LABELS, WIDTH, HEIGHT) is None


def test_a_sentence_makes_it_a_page_with_a_drawing():
    sentence = line("What the load does to a radius that was measured before", 100, 850)
    assert whole_drawing(TextLayer(areas=CURVES), [*LABELS, sentence], WIDTH, HEIGHT) is None
