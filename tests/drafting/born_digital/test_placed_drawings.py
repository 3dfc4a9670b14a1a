"""Drawings that were put on a page from other files, with the words on them."""

import pymupdf
import pytest

from docparse_fast import parse
from docparse_fast.document import Box, Category, Page, PageSource, TextLayer, TextLine, TextSpan
from docparse_fast.drafting.born_digital.drawn_figures import figure_boxes
from docparse_fast.drafting.born_digital.sheet import PageSight
from docparse_fast.drafting.learned import LearnedReaders
from docparse_fast.drafting.lines import LayoutBox, Line
from docparse_fast.pages import open_pages

BODY = "The weights of the catch are given in tonnes, gutted, for all of the ports on the coast."


def plot() -> pymupdf.Document:
    """Bars under a title in large bold type, with numbers beside them."""
    file = pymupdf.open()
    page = file.new_page(width=300, height=300)
    page.insert_text((90, 30), "Catch by port", fontname="hebo", fontsize=16)
    for n in range(8):
        page.draw_line((60 + 20 * n, 240), (60 + 20 * n, 240 - 20 * n - 20), width=2)
        page.insert_text((55 + 20 * n, 265), str(10 * n), fontname="helv", fontsize=9)
    return file


def essay() -> pymupdf.Document:
    file = pymupdf.open()
    page = file.new_page(width=300, height=300)
    page.insert_textbox((20, 20, 280, 280), BODY * 6, fontname="tiro", fontsize=9)
    for n in range(8):
        page.draw_line((20, 20 + 30 * n), (30, 20 + 30 * n))
    return file


def blocks(folder, drawing: pymupdf.Document):
    file = pymupdf.open()
    page = file.new_page()
    page.insert_textbox((72, 72, 520, 200), BODY * 4, fontname="tiro", fontsize=11)
    page.show_pdf_page(pymupdf.Rect(150, 250, 450, 550), drawing, 0)
    page.insert_textbox((72, 600, 520, 760), BODY * 4, fontname="tiro", fontsize=11)
    file.save(folder / "page.pdf")
    return parse(folder / "page.pdf").pages[0].blocks


def test_a_plot_is_one_figure_with_its_title(tmp_path):
    kinds = [block.category for block in blocks(tmp_path, plot())]
    assert kinds == [Category.TEXT, Category.FIGURE, Category.TEXT]


def test_text_that_was_put_on_a_page_is_no_figure(tmp_path):
    found = blocks(tmp_path, essay())
    assert Category.FIGURE not in [block.category for block in found]
    assert " ".join(block.text for block in found).count("gutted") == 14


def test_a_table_that_was_put_on_a_page_is_a_table(tmp_path):
    file = pymupdf.open()
    page = file.new_page(width=300, height=300)
    for row in range(4):
        for column in range(3):
            page.draw_rect(pymupdf.Rect(20 + 80 * column, 20 + 25 * row, 100 + 80 * column, 45 + 25 * row))
            page.insert_text((30 + 80 * column, 37 + 25 * row), f"{row}.{column}5", fontname="helv", fontsize=9)
    assert Category.TABLE in [block.category for block in blocks(tmp_path, file)]


@pytest.mark.parametrize("size", [20, 400])
def test_a_form_is_a_drawing_if_it_is_large_enough(tmp_path, size):
    file = pymupdf.open()
    page = file.new_page()
    page.show_pdf_page(pymupdf.Rect(100, 100, 100 + size, 100 + size), plot(), 0)
    file.save(tmp_path / "page.pdf")
    with open_pages(tmp_path / "page.pdf") as document:
        assert len(next(iter(document.pages())).text_layer.placed) == (size > 36)


def test_a_tables_last_row_is_no_label_of_the_drawing_right_below_it():
    """A bill lost its total to the chart below it."""
    span = TextSpan(Box(60, 180, 130, 190), "Total to pay", "Sans", 10.0, baseline=188)
    row = TextLine(span.box, (span,))
    bars = tuple(Box(60 + 40 * n, 300 - 12 * n, 80 + 40 * n, 320) for n in range(8))
    layer = TextLayer(((row,),), areas=(Box(58, 200, 500, 202), *bars))
    table = LayoutBox(Box(60, 100, 500, 192), Category.TABLE)
    for labels, expected in (((), True), ((table,), False)):
        (figure,) = figure_boxes(layer, [row], (), (), 600, 800, labels)
        assert figure.holds(row.box) is expected


def said(text: str, box: Box) -> TextLine:
    return TextLine(box, (TextSpan(box, text, "Serif", box.height, box.y1),))


def test_the_shadow_of_a_frame_around_a_title_is_no_figure():
    """The title of LaTeX's slides stands in a box whose shadow is five pictures, and was the label of a figure."""
    shadow = (Box(30, 277, 53, 299), Box(955, 255, 1000, 299), Box(978, 198, 1000, 279), Box(41, 277, 978, 299))
    title = said("Bees in the city", Box(378, 215, 630, 257))
    assert figure_boxes(TextLayer(images=shadow), [title], [], [], 1008, 756) == []
    picture = (Box(41, 198, 978, 299),)
    assert len(figure_boxes(TextLayer(images=picture), [title], [], [], 1008, 756)) == 1


def test_a_dashed_line_on_a_card_makes_no_drawing_of_it():
    """A ticket's words were the label of a figure."""
    dashes = tuple(Box(400, y, 402, y + 8) for y in range(120, 300, 16))
    card, words = (
        Box(100, 100, 600, 310),
        [said("GOT", Box(120, 130, 180, 150)), said("Gate B14", Box(420, 130, 500, 142))],
    )
    seen = [LayoutBox(Box(110, 110, 500, 300), Category.FIGURE)]
    layer = TextLayer(areas=(card,), rules=dashes)
    assert figure_boxes(layer, words, [], [], 800, 1100, seen) == []


def test_a_panel_with_headings_is_no_figure_whatever_is_drawn_on_it():
    """A résumé's coloured side with bars of its skills was one picture, its words a single line."""
    bars = tuple(Box(110, 300 + 40 * n, 110 + 20 * n + wide, 306 + 40 * n) for n in range(4) for wide in (60, 150))
    layer = TextLayer(areas=(Box(90, 90, 330, 900), *bars))
    skills = [LayoutBox(Box(110, 280 + 40 * n, 200, 296 + 40 * n), Category.TEXT) for n in range(4)]
    heading = LayoutBox(Box(110, 240, 200, 258), Category.SECTION_HEADER)
    seen = LayoutBox(Box(90, 230, 330, 500), Category.FIGURE)
    assert figure_boxes(layer, [], [], [], 1000, 1400, [*skills, heading]) == []
    assert figure_boxes(layer, [], [], [], 1000, 1400, [*skills, heading, seen]) != []


def test_a_page_with_a_panel_beside_its_text_is_looked_at():
    """A résumé's side stayed a picture where none of its lines stood level with the others."""
    places = [(40, 30 * n, 340) for n in range(8)] + [(400, 14 + 30 * n, 500) for n in range(4)]
    lines = [Line(Box(x, y, end, y + 10), "Canvas and timber", 10, "text-layer") for x, y, end in places]
    sight = PageSight(Page(1, 600, 800, 72.0, PageSource(lambda: None, lambda: None)), 0, LearnedReaders())
    assert sight.looks(lines, TextLayer(areas=(Box(380, 0, 560, 400),)))
    assert not sight.looks(lines, TextLayer())


def test_a_panel_of_text_beside_a_labelled_chart_is_none_of_it():
    """A bill's box of what is to be paid was part of the chart beside it, and its words stood among the figures."""
    bars = tuple(Box(60 + 30 * n, 300 - 12 * n, 80 + 30 * n, 320) for n in range(8))
    panel = Box(400, 200, 560, 320)
    words = [said("To be paid back", Box(410, y, 520, y + 10)) for y in (220, 240)]
    chart = LayoutBox(Box(60, 200, 560, 320), Category.FIGURE)
    layer = TextLayer((tuple(words),), areas=(*bars, panel))
    (figure,) = figure_boxes(layer, words, (), (), 600, 800, (chart,))
    assert figure.x1 < panel.x0
    node = Box(200, 200, 360, 320)  # of a diagram: shapes stand on both its sides
    inside = [said("To be paid back", Box(210, y, 320, y + 10)) for y in (220, 240)]
    layer = TextLayer((tuple(inside),), areas=(*bars, node))
    (figure,) = figure_boxes(layer, inside, (), (), 600, 800, (chart,))
    assert figure.holds(node)


def test_fields_between_rules_are_no_labels_of_the_chart_below_them():
    """A patient's name and age were words of the chart."""
    texts = ("Name:", "Ann Lee", "Age:")
    fields = [said(text, Box(60 + 90 * n, 172, 110 + 90 * n, 186)) for n, text in enumerate(texts)]
    bars = tuple(Box(60 + 40 * n, 300 - 12 * n, 80 + 40 * n, 320) for n in range(8))
    for rules, expected in (((), True), ((Box(50, 187, 550, 188),), False)):
        layer = TextLayer((tuple(fields),), rules=rules, areas=(Box(58, 206, 500, 208), *bars))
        (figure,) = figure_boxes(layer, fields, (), (), 600, 800)
        assert figure.holds(fields[0].box) is expected


def test_the_names_at_the_ends_of_axes_are_the_drawings_whatever_is_seen_in_them():
    """Large ones were headings of the page, as the axes' numbers were its text, and parted a sentence."""
    curve = tuple(Box(100 + 40 * n, 170 - 9 * (n % 3), 140 + 40 * n, 270) for n in range(8))
    axes = (Box(60, 130, 60, 300), Box(60, 300, 480, 300))
    names = [said("Load (kN)", Box(40, 105, 120, 125)), said("Time (s)", Box(490, 290, 575, 310))]
    words = [*names, said("Series A", Box(300, 132, 370, 152)), said("10", Box(150, 305, 170, 325))]
    seen = [LayoutBox(each.box, Category.SECTION_HEADER) for each in names]
    (figure,) = figure_boxes(TextLayer((tuple(words),), areas=curve, rules=axes), words, (), (), 600, 800, seen)
    assert [each.text for each in words if not figure.holds(each.box)] == []


def test_a_captions_first_words_below_a_drawing_are_no_axis():
    bars = tuple(Box(60 + 30 * n, 300 - 12 * n, 80 + 30 * n, 320) for n in range(8))
    words = [said("10", Box(100, 330, 120, 340)), said("FIG. 2. Weights of the catch", Box(100, 350, 260, 360))]
    (figure,) = figure_boxes(TextLayer((tuple(words),), areas=bars), words, (), (), 600, 800)
    assert [figure.holds(each.box) for each in words] == [True, False]
