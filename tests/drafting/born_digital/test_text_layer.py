"""PDFs are made with PyMuPDF and drafted from their own characters; what must come out is what was put in."""

from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest

from docparse_fast.document import Category, PageDraft
from docparse_fast.drafting.born_digital.text_layer import TextLayerDrafter
from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages

PROSE = (
    "The quick brown fox jumps over the lazy dog near the river bank, and then it rests in the shade of an old oak. "
    "Nobody in the village had seen such a thing before, so the story was told again and again for many years. "
)

Drafted = Callable[[pymupdf.Document], PageDraft]


@pytest.fixture
def drafted(tmp_path: Path) -> Drafted:
    def draft(document: pymupdf.Document) -> PageDraft:
        path = tmp_path / "made.pdf"
        document.save(path)
        with open_pages(path, RasterOptions()) as pages:
            return next(TextLayerDrafter().draft(page) for page in pages.pages())

    return draft


def made(draw: Callable[[pymupdf.Page], object], width: float = 595, height: float = 842) -> pymupdf.Document:
    document = pymupdf.open()
    draw(document.new_page(width=width, height=height))
    return document


def texts(draft: PageDraft, category: Category) -> list[str]:
    return [region.text for region in draft.regions if region.category is category]


def rows_at(page: pymupdf.Page, rows: list[list[str]], xs: tuple[float, ...], y: float, step: float = 16) -> None:
    for n, row in enumerate(rows):
        for x, text in zip(xs, row, strict=True):
            if text:
                page.insert_text((x, y + n * step), text, fontsize=10)


def test_two_columns_are_read_one_after_the_other(drafted):
    def draw(page):
        page.insert_htmlbox((60, 60, 290, 400), f"<p>Left begins. {PROSE}</p>")
        page.insert_htmlbox((310, 60, 540, 400), f"<p>Right begins. {PROSE}</p>")

    whole = " ".join(region.text for region in drafted(made(draw)).regions)
    assert whole.index("Left begins") < whole.index("many years") < whole.index("Right begins")


def _two_columns(page: pymupdf.Page) -> None:
    page.insert_htmlbox((60, 60, 290, 400), f"<p>Left begins. {PROSE * 3}</p>")
    page.insert_htmlbox((310, 60, 540, 400), f"<p>Right begins. {PROSE * 3}</p>")


def _aslant(page: pymupdf.Page) -> None:
    where = pymupdf.Point(150, 330)
    turned = where, pymupdf.Matrix(50)
    page.insert_text(where, "CONFIDENTIAL", fontsize=50, color=(0.8, 0.8, 0.8), morph=turned, overlay=False)


def _pale(page: pymupdf.Page) -> None:
    page.insert_text((140, 160), "CONFIDENTIAL", fontsize=60, color=(0.8, 0.8, 0.8), overlay=False)


@pytest.mark.parametrize("stamp", [_aslant, _pale])
def test_a_watermark_belongs_to_no_column(drafted, stamp):
    """Its box crossed both columns, which came out mixed line by line."""

    def draw(page):
        _two_columns(page)
        stamp(page)

    draft, plain = drafted(made(draw)), drafted(made(_two_columns))
    assert [region.text for region in draft.regions[:-1]] == [region.text for region in plain.regions]
    assert (draft.regions[-1].category, draft.regions[-1].text) == (Category.PAGE_HEADER, "CONFIDENTIAL")


def test_pale_words_with_nothing_upon_them_are_text(drafted):
    def draw(page):
        _two_columns(page)
        page.insert_text((60, 600), "A GREY SLOGAN", fontsize=50, color=(0.8, 0.8, 0.8))

    assert any("SLOGAN" in text for text in texts(drafted(made(draw)), Category.TITLE))


def test_small_pictures_before_lines_are_bullets(drafted):
    ball = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 8, 8), False)
    ball.clear_with(90)

    def draw(page):
        page.insert_htmlbox((60, 60, 535, 200), f"<p>{PROSE}</p>")
        for n, words in enumerate(("Search and replace", "Spelling", "A mouse of two buttons")):
            page.insert_image((80, 240 + 14 * n, 87, 247 + 14 * n), pixmap=ball)
            page.insert_text((91, 247 + 14 * n), words, fontsize=10)

    items = ["- Search and replace", "- Spelling", "- A mouse of two buttons"]
    assert texts(drafted(made(draw)), Category.LIST_ITEM) == items


def test_bullets_may_be_drawn_as_lines_as_thick_as_they_are_long(drafted):
    def draw(page):
        page.insert_htmlbox((60, 60, 535, 200), f"<p>{PROSE}</p>")
        for n, words in enumerate(("Search and replace", "Spelling", "A mouse of two buttons")):
            page.draw_line((82, 241 + 14 * n), (82, 244.2 + 14 * n), width=3.2)
            page.insert_text((91, 247 + 14 * n), words, fontsize=10)

    assert len(texts(drafted(made(draw)), Category.LIST_ITEM)) == 3


def test_one_small_picture_before_a_line_is_no_bullet(drafted):
    def draw(page):
        page.insert_htmlbox((60, 60, 535, 200), f"<p>{PROSE}</p>")
        page.draw_rect((80, 240, 87, 247), fill=(0, 0, 0))
        page.insert_text((91, 247), "Our shop in town", fontsize=10)

    assert texts(drafted(made(draw)), Category.LIST_ITEM) == []


def test_a_links_words_carry_its_address(drafted):
    html = f'<p>{PROSE} See <a href="https://example.org/x">the project page</a> for more.</p>'
    draft = drafted(made(lambda page: page.insert_htmlbox((60, 60, 535, 300), html)))
    assert "[the project page](https://example.org/x) for more" in draft.regions[0].text


def test_a_link_that_lies_over_a_bullet_is_not_the_bullets(drafted):
    def draw(page):
        page.insert_htmlbox(
            (60, 60, 535, 300), f"<p>{PROSE}</p><ul><li>the first item</li><li>the second item</li></ul>"
        )
        for found in page.search_for("•"):
            page.insert_link({"kind": pymupdf.LINK_URI, "from": found, "uri": "https://example.org/"})

    assert texts(drafted(made(draw)), Category.LIST_ITEM) == ["- the first item", "- the second item"]


def test_raised_and_lowered_digits_stay_raised_and_lowered(drafted):
    html = f"<p>{PROSE} H<sub>2</sub>O weighs 10<sup>6</sup> grams x<sup>max</sup>.</p>"
    draft = drafted(made(lambda page: page.insert_htmlbox((60, 60, 535, 300), html)))
    assert "H₂O weighs 10⁶ grams x<sup>max</sup>." in draft.regions[0].text


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_page_turned_in_the_file_reads_as_it_is_shown(drafted, degrees):
    def draw(page):
        page.insert_htmlbox((60, 60, 500, 400), f"<h1>Turned page</h1><p>{PROSE}</p>")

    upright = drafted(made(draw))
    document = made(draw)
    for quarter in range(degrees // 90):  # drawn so that, turned, it shows upright
        document = _turned_left(document)
        document[0].set_rotation((quarter + 1) * 90)
        document = pymupdf.open(stream=document.tobytes())
        if quarter + 1 < degrees // 90:
            document[0].set_rotation(0)
    draft = drafted(document)
    assert [region.text for region in draft.regions] == [region.text for region in upright.regions]
    assert draft.turned == 0
    for region, other in zip(draft.regions, upright.regions, strict=True):
        assert region.box.iou(other.box) > 0.9


def _turned_left(document: pymupdf.Document) -> pymupdf.Document:
    turned = pymupdf.open()
    rect = document[0].rect
    page = turned.new_page(width=rect.height, height=rect.width)
    page.show_pdf_page(page.rect, document, 0, rotate=90)
    return turned


def test_a_table_that_stands_on_its_side_is_read_and_the_page_said_to_be_turned(drafted):
    rows = [["Year", "Sales", "Cost"], ["2001", "12", "10"], ["2002", "14", "11"], ["2003", "19", "12"]]

    def draw(page):
        for n, row in enumerate(rows):
            for y, text in zip((700, 560, 420), row, strict=True):
                page.insert_text((100 + n * 20, y), text, fontsize=11, rotate=90)

    draft = drafted(made(draw))
    assert draft.turned == 90
    assert (draft.width, draft.height) == (2339, 1653)
    assert texts(draft, Category.TABLE) == [
        "<table><tr><td>Year</td><td>Sales</td><td>Cost</td></tr><tr><td>2001</td><td>12</td><td>10</td></tr>"
        "<tr><td>2002</td><td>14</td><td>11</td></tr><tr><td>2003</td><td>19</td><td>12</td></tr></table>"
    ]


def test_a_bordered_table_keeps_its_spans(drafted):
    def draw(page):
        page.insert_htmlbox((60, 60, 535, 200), f"<p>{PROSE}</p>")
        for y in (300, 320, 340, 360):
            page.draw_line((100, y), (400, y))
        for x in (100, 400):
            page.draw_line((x, 300), (x, 360))
        page.draw_line((200, 320), (200, 360))
        page.draw_line((300, 320), (300, 360))
        rows_at(page, [["Results", "", ""], ["a", "b", "c"], ["1", "2", "3"]], (105, 205, 305), 314, 20)

    assert texts(drafted(made(draw)), Category.TABLE) == [
        '<table><tr><td colspan="3">Results</td></tr><tr><td>a</td><td>b</td><td>c</td></tr>'
        "<tr><td>1</td><td>2</td><td>3</td></tr></table>"
    ]


def test_a_table_between_rules_has_a_heading_that_spans_what_its_rule_spans(drafted):
    def draw(page):
        page.insert_htmlbox((60, 60, 535, 150), f"<p>{PROSE}</p>")
        for y in (170, 202, 262):
            page.draw_line((60, y), (535, y))
        page.draw_line((228, 186), (350, 186))
        rows = [["", "", "Accuracy", ""], ["Model", "Params", "dev", "test"], ["Base", "110M", "91.2", "90.8"]]
        rows += [["Large", "340M", "93.1", "92.7"], ["Ours", "95M", "93.4", "93.0"]]
        rows_at(page, rows, (62, 150, 230, 300), 183, 15)
        page.insert_htmlbox((60, 300, 535, 400), f"<p>{PROSE}</p>")

    (html,) = texts(drafted(made(draw)), Category.TABLE)
    assert html.startswith('<table><tr><th></th><th></th><th colspan="2">Accuracy</th></tr><tr><th>Model</th>')
    assert html.endswith("<tr><td>Ours</td><td>95M</td><td>93.4</td><td>93.0</td></tr></table>")


def test_a_table_without_any_rule_is_found_by_its_columns(drafted):
    rows = [["Country", "Capital", "People"], ["France", "Paris", "67,000"], ["Italy", "Rome", "59,000"]]
    rows += [["Spain", "Madrid", "47,000"]]

    def draw(page):
        page.insert_htmlbox((60, 60, 535, 150), f"<p>{PROSE}</p>")
        rows_at(page, rows, (80, 220, 380), 200)
        page.insert_htmlbox((60, 300, 535, 400), f"<p>{PROSE}</p>")

    (html,) = texts(drafted(made(draw)), Category.TABLE)
    assert html == "<table>" + "".join(f"<tr>{''.join(f'<td>{c}</td>' for c in row)}</tr>" for row in rows) + "</table>"


def test_columns_of_prose_are_no_table(drafted):
    def draw(page):
        for n in range(3):
            page.insert_htmlbox((60 + n * 165, 60, 200 + n * 165, 500), f"<p style='font-size:9px'>{PROSE * 3}</p>")

    assert not texts(drafted(made(draw)), Category.TABLE)


def test_a_list_of_contents_is_a_table_without_its_dots(drafted):
    def draw(page):
        for n, (title, number) in enumerate(
            [("Preface", "ix"), ("1 Lines", "1"), ("2 Circles", "17"), ("Index", "90")]
        ):
            page.insert_text((60, 100 + 16 * n), f"{title} {'. ' * 40}{number}", fontsize=10)

    (html,) = texts(drafted(made(draw)), Category.TABLE)
    assert html.startswith("<table><tr><td>Preface</td><td>ix</td></tr><tr><td>1 Lines</td><td>1</td></tr>")


def test_a_programs_lines_are_one_block_with_their_indents(drafted):
    program = ["def f(x):", "    if x:", "        return 1", "    return 0"]

    def draw(page):
        page.insert_htmlbox((60, 60, 535, 150), f"<p>{PROSE}</p>")
        for n, line in enumerate(program):
            page.insert_text((60, 200 + 13 * n), line, fontname="cour", fontsize=10)

    assert texts(drafted(made(draw)), Category.CODE) == ["\n".join(program)]


def test_a_drawn_chart_is_a_figure_that_keeps_its_words(drafted):
    def draw(page):
        page.insert_htmlbox((60, 60, 535, 150), f"<p>{PROSE}</p>")
        for n in range(8):
            page.draw_rect((115 + n * 35, 350 - 20 * (n % 5 + 1), 140 + n * 35, 350), fill=(0, 0, 1))
            page.insert_text((118 + n * 35, 362 + 0.4 * (n % 3)), f"Q{n}", fontsize=8)  # hardly level

    (words,) = texts(drafted(made(draw)), Category.FIGURE)
    assert words == "Q0 Q1 Q2 Q3 Q4 Q5 Q6 Q7"


def test_a_plot_of_rules_alone_is_a_figure_that_keeps_its_words(drafted):
    def draw(page):
        page.draw_rect((150, 100, 350, 250))
        for n in range(5):
            page.draw_line((160 + 40 * n, 250), (160 + 40 * n, 256))
            page.insert_text((155 + 40 * n, 268), f"{n}0", fontsize=8)
        for step in range(6):
            page.draw_line((150 + 30 * step, 110 + 20 * step), (180 + 30 * step, 110 + 20 * step))
        page.insert_text((60, 320), "The curve falls with the years, as the text below the plot says.", fontsize=10)

    draft = drafted(made(draw))
    (figure,) = texts(draft, Category.FIGURE)
    assert figure.split() == ["00", "10", "20", "30", "40"]


def test_a_plot_near_a_framed_table_is_a_figure(drafted):
    """The table's frames were taken for parts of the drawing, and what is as large as a table is no figure."""
    rows = [["Item", "Price"], *([f"Oar {n}", f"{n}.50"] for n in range(1, 8))]

    def draw(page):
        for y in (88, 108, 248):
            page.draw_line((60, y), (300, y))
        for x in (60, 180, 300):
            page.draw_line((x, 88), (x, 88 + 20 * len(rows)))
        rows_at(page, rows, (70, 190), 102, 20)
        page.draw_rect((306, 95, 500, 255))
        for n in range(8):
            page.draw_line((310 + 22 * n, 255), (310 + 22 * n, 261))
            page.draw_line((310 + 22 * n, 120 + 12 * n), (332 + 22 * n, 120 + 12 * n))

    draft = drafted(made(draw))
    assert len(texts(draft, Category.TABLE)) == 1
    assert len(texts(draft, Category.FIGURE)) == 1


def test_a_note_in_a_frame_is_no_figure(drafted):
    def draw(page):
        page.draw_rect((100, 100, 400, 150))
        for n in range(8):  # an ornament beside the words
            page.draw_line((105, 105 + 5 * n), (115, 105 + 5 * n))
        page.insert_text((130, 120), "Note", fontsize=10)
        page.insert_text((130, 136), "The wind turns to the north in the evening.", fontsize=10)

    assert texts(drafted(made(draw)), Category.FIGURE) == []


def test_a_grid_over_a_picture_is_no_table(drafted):
    def draw(page):
        pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 8, 8), False)
        pixels.clear_with(200)
        page.insert_image((100, 100, 400, 300), pixmap=pixels, keep_proportion=False)
        for n in range(4):
            page.draw_line((100, 100 + 66 * n), (400, 100 + 66 * n))
            page.draw_line((100 + 100 * n, 100), (100 + 100 * n, 300))
            page.insert_text((110 + 70 * n, 120 + 50 * n), f"{n} north", fontsize=8)

    assert texts(drafted(made(draw)), Category.TABLE) == []


def test_shading_behind_text_is_no_figure(drafted):
    def draw(page):
        for n in range(10):
            page.draw_rect(
                (60, 100 + n * 16, 500, 116 + n * 16), fill=(0.9, 0.9, 1) if n % 2 else (1, 1, 0.9), color=None
            )
            page.insert_text((64, 112 + n * 16), f"line {n} of a striped list of things", fontsize=10)

    assert not texts(drafted(made(draw)), Category.FIGURE)


def test_a_stamp_up_the_margin_is_kept_out_of_the_text(drafted):
    def draw(page):
        page.insert_htmlbox((90, 60, 535, 300), f"<p>{PROSE}</p>")
        page.insert_text((30, 600), "arXiv:2305.03393v1 [cs.CV]", fontsize=14, rotate=90)

    assert texts(drafted(made(draw)), Category.PAGE_HEADER) == ["arXiv:2305.03393v1 [cs.CV]"]


def test_chinese_written_in_columns_from_the_right_is_read_that_way(drafted):
    columns = ["文档解析是一项任务需要识别版面", "文字表格与公式并按照阅读顺序输", "出结果这是第三列的内容到此结束"]

    def draw(page):
        for n, column in enumerate(columns):
            for m, char in enumerate(column):
                page.insert_text((400 - 24 * n, 100 + 17 * m), char, fontname="china-s", fontsize=14)

    assert "".join(region.text for region in drafted(made(draw)).regions) == "".join(columns)


def test_a_filled_in_form_shows_its_values(drafted):
    def draw(page):
        page.insert_text((60, 100), "Name:", fontsize=11)
        field = pymupdf.Widget()
        field.field_name, field.field_type = "name", pymupdf.PDF_WIDGET_TYPE_TEXT
        field.rect, field.field_value = pymupdf.Rect(150, 88, 350, 104), "Ada Lovelace"
        page.add_widget(field)

    whole = " ".join(region.text for region in drafted(made(draw)).regions)
    assert whole == "Name: Ada Lovelace"


def test_every_word_of_the_layer_is_in_exactly_one_region(drafted):
    words = [f"w{n}x" for n in range(200)]

    def draw(page):
        for n, word in enumerate(words):
            page.insert_text((40 + 130 * (n % 4) + 7 * (n % 3), 60 + 15 * (n // 4)), word, fontsize=9 + n % 3)

    whole = " ".join(region.text for region in drafted(made(draw)).regions)
    assert [whole.count(word) for word in words] == [1] * len(words)


def test_a_numbered_line_beside_a_table_is_its_caption_but_a_sentence_about_it_is_not(drafted):
    def draw(page):
        page.insert_htmlbox((60, 60, 535, 150), f"<p>{PROSE}</p>")
        page.insert_text((60, 200), "Table 2: People by country", fontsize=9)
        page.insert_htmlbox((60, 260, 535, 350), f"<p>Table 2 shows that {PROSE}</p>")

    assert texts(drafted(made(draw)), Category.CAPTION) == ["Table 2: People by country"]


def test_rules_across_prose_make_no_table_of_it(drafted):
    """A rule under the running head and one above the foot, with numbered headings between."""

    def draw(page):
        page.draw_line((60, 60), (535, 60))
        page.insert_text((60, 90), "5.9", fontsize=14)
        page.insert_text((110, 90), "Files of a package", fontsize=14)
        for n in range(12):
            page.insert_text((60, 120 + 14 * n), PROSE[: 50 + 3 * n], fontsize=11)
        page.insert_text((60, 310), "5.10", fontsize=14)
        page.insert_text((110, 310), "Files of its source", fontsize=14)
        page.insert_text((60, 330), PROSE[:60], fontsize=11)
        page.draw_line((60, 780), (535, 780))

    draft = drafted(made(draw))
    assert not texts(draft, Category.TABLE)
    assert "5.9 Files of a package" in texts(draft, Category.SECTION_HEADER)


def test_a_hebrew_page_is_read_from_the_right_lines_columns_and_items(drafted):
    prose = "מערכת ההפעלה מספקת יותר מחמישים אלף חבילות תוכנה מוכנות להתקנה במחשב האישי בגרסה Debian 12 בלבד. " * 4

    def draw(page):
        page.insert_htmlbox((310, 60, 540, 400), f'<p dir="rtl">ראשון {prose}</p>')
        page.insert_htmlbox((60, 60, 290, 400), f'<p dir="rtl">שני {prose}</p>')

    whole = " ".join(region.text for region in drafted(made(draw)).regions)
    assert whole.startswith("ראשון מערכת ההפעלה") and whole.index("ראשון") < whole.index("שני")
    assert whole.count("בגרסה Debian 12 בלבד") == 8


def test_bold_italic_and_typed_words_are_marked_and_a_heading_is_not(drafted):
    ends = 'First <b>bold words</b>, then <i>slanted ones</i> and <span style="font-family:monospace">ls</span>.'
    html = f"<h2>A bold heading</h2><p>{PROSE}</p><p>{ends}</p>"
    draft = drafted(made(lambda page: page.insert_htmlbox((60, 60, 540, 700), html)))
    assert texts(draft, Category.SECTION_HEADER) == ["A bold heading"]
    assert texts(draft, Category.TEXT)[-1] == "First **bold words**, then *slanted ones* and `ls`."


def test_what_was_typed_into_a_form_is_no_code(drafted):
    def draw(page):
        page.insert_htmlbox((60, 60, 540, 200), f"<p>{PROSE}</p>")
        page.insert_text((60, 300), "Name:", fontsize=11)
        page.insert_text((160, 300), "Aino Heikkinen", fontname="cour", fontsize=11)

    assert "`" not in " ".join(region.text for region in drafted(made(draw)).regions)


def test_rules_that_run_out_beyond_a_table_make_no_column(drafted):
    def draw(page):
        for y in (100, 120, 140):
            page.draw_line((60, y), (500, y))
        for x in (100, 280, 460):
            page.draw_line((x, 100), (x, 140))
        rows_at(page, [["Path", "Meaning"], ["/bin", "Programs"]], (110, 290), 114, 20)

    [table] = texts(drafted(made(draw)), Category.TABLE)
    assert table == "<table><tr><td>Path</td><td>Meaning</td></tr><tr><td>/bin</td><td>Programs</td></tr></table>"


def test_the_first_column_of_a_hebrew_table_is_the_one_at_the_right(drafted):
    def draw(page):
        for n, (word, number) in enumerate([("שם", "מחיר"), ("לחם", "12"), ("חלב", "7")]):
            page.insert_htmlbox((300, 60 + 30 * n, 390, 90 + 30 * n), f'<p dir="rtl">{word}</p>')
            page.insert_htmlbox((210, 60 + 30 * n, 300, 90 + 30 * n), f'<p dir="rtl">{number}</p>')
        for y in range(60, 151, 30):
            page.draw_line((210, y), (390, y))
        for x in (210, 300, 390):
            page.draw_line((x, 60), (x, 150))
        page.insert_htmlbox((60, 200, 540, 300), f'<p dir="rtl">{"משפט רגיל בעברית על המחירים. " * 4}</p>')

    table = texts(drafted(made(draw)), Category.TABLE)[0]
    assert "<tr><td>לחם</td><td>12</td></tr>" in table


def test_only_the_typed_words_of_a_line_are_code(drafted):
    mono = '<span style="font-family:monospace">{}</span>'
    html = f"<p>{PROSE}</p><p>as if {mono.format('ARTICLE title')}s rather than {mono.format('BOOK')} were</p>"
    draft = drafted(made(lambda page: page.insert_htmlbox((60, 60, 540, 700), html)))
    assert texts(draft, Category.TEXT)[-1] == "as if `ARTICLE titles` rather than `BOOK` were"


def test_a_sentence_between_a_rule_and_a_table_is_not_in_the_table(drafted):
    def draw(page):
        page.draw_line((60, 80), (500, 80))
        for n in range(3):
            page.insert_text((60, 100 + 14 * n), PROSE[:70], fontsize=10)
        rows_at(page, [["Name", "Year"], ["Ada", "1815"], ["Alan", "1912"]], (60, 300), 160)
        page.draw_line((60, 210), (500, 210))

    [table] = texts(drafted(made(draw)), Category.TABLE)
    assert table.startswith("<table><tr><td>Name</td><td>Year</td></tr>")


def test_a_bullets_words_keep_their_marks_where_the_bullets_stand_in_a_column_of_their_own(drafted):
    def draw(page):
        for n in range(8):
            page.insert_text((60, 80 + 20 * n), "•", fontname="tiro", fontsize=11)
            page.insert_text((90, 80 + 20 * n), f"bold item {n}", fontname="tibo", fontsize=11)
        page.insert_htmlbox((60, 260, 540, 400), f"<p>{PROSE}{PROSE}{PROSE}</p>")

    items = texts(drafted(made(draw)), Category.LIST_ITEM)
    assert items[0] == "- **bold item 0**"


def test_boxes_drawn_upon_prose_make_no_table_of_the_words_beneath(drafted):
    """The words in the boxes were taken out of their sentences, and one line's words put together with another's."""

    def draw(page: pymupdf.Page) -> None:
        for n in range(8):
            page.insert_text(
                (72, 100 + 14 * n), "The quick brown fox jumps over the lazy dogs and the small cats sleep on."
            )
        page.draw_rect(pymupdf.Rect(170, 90, 240, 150))
        page.draw_line((170, 120), (240, 120))
        page.draw_line((205, 90), (205, 150))

    draft = drafted(made(draw))
    assert not texts(draft, Category.TABLE)
    assert " ".join(texts(draft, Category.TEXT)).count("jumps over the lazy dogs") == 8
