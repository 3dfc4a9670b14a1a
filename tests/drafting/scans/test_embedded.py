"""The embedded drafter, models and all, on a page drawn here and turned, leaned and emptied."""

import io
import pickle
from collections import Counter
from dataclasses import replace

import numpy as np
import pymupdf
import pytest
from PIL import Image

from docparse_fast.document import Box, Category, Page, PageSource
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.scans.embedded import EmbeddedDrafter, ReadImage, UprightImage
from docparse_fast.drafting.scans.ocr import FoundLines
from docparse_fast.drafting.scans.quads import Quad
from docparse_fast.evidence import Certainty

BODY = (
    "Speculative decoding lets a small model propose what a large model verifies. "
    "The large model reads many proposed tokens at once and keeps the longest prefix it agrees with."
)
CELLS = [["City", "2022", "2023"], ["Lisbon", "41", "48"], ["Porto", "17", "23"], ["Faro", "12", "15"]]
PICTURE = (150, 430, 450, 620)  # points
DPI = 130


def scan():
    """A heading, a paragraph, a ruled table and a picture, as pixels."""
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        page.insert_text((72, 90), "Annual report", fontsize=20, fontname="hebo")
        page.insert_textbox((72, 120, 523, 200), BODY, fontsize=11)
        for row, cells in enumerate(CELLS):
            for column, cell in enumerate(cells):
                box = pymupdf.Rect(72 + 120 * column, 220 + 24 * row, 192 + 120 * column, 244 + 24 * row)
                page.draw_rect(box, width=0.8)
                page.insert_text((box.x0 + 8, box.y1 - 8), cell, fontsize=11)
        page.draw_rect(PICTURE, fill=(0.8, 0.3, 0.2), color=None)
        return Image.open(io.BytesIO(page.get_pixmap(dpi=DPI).tobytes("png"))).convert("RGB")


def as_page(image):
    return Page(1, image.width, image.height, DPI, PageSource(lambda: image, lambda: None))


@pytest.fixture(scope="module")
def drafter():
    return EmbeddedDrafter()


@pytest.fixture(scope="module")
def draft(drafter):
    return drafter.draft(as_page(scan()))


def texts(draft, category):
    return [region.text for region in draft.regions if region.category is category]


def all_text(draft):
    return " ".join(region.text for region in draft.regions)


@pytest.mark.parametrize("turn", [Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_180])
def test_a_turned_page_of_two_lines_is_set_upright(drafter, turn):
    """The orientation model is half sure of such a page, and it stayed as it was."""
    with pymupdf.open() as document:
        page = document.new_page(width=400, height=500)
        page.insert_text((50, 80), "The letter lay unopened on the table", fontsize=12)
        page.insert_text((50, 100), "until the harbour was free of ice.", fontsize=12)
        image = Image.open(io.BytesIO(page.get_pixmap(dpi=DPI).tobytes("png"))).convert("RGB")
    found = drafter.draft(as_page(image.transpose(turn)))
    assert "unopened on the table until the harbour" in " ".join(all_text(found).split())


class Unsure:
    """What the orientation model says of a page of one word."""

    def ways(self, image):
        return {0: 0.3, 90: 0.26, 180: 0.24, 270: 0.2}


class OneLine:
    """A detector for which all ink is one line."""

    def look(self, image):
        down, across = np.nonzero(image.min(axis=2) < 128)
        box = Box(float(across.min()), float(down.min()), float(across.max()), float(down.max()))
        return FoundLines([Quad(*box.center, box.width, box.height, 0.0)], [])


@pytest.mark.parametrize(("turn", "back"), [(Image.Transpose.ROTATE_90, 90), (Image.Transpose.ROTATE_270, 270)])
def test_a_word_that_runs_down_is_set_upright_though_the_model_cannot_tell(turn, back):
    drafter = EmbeddedDrafter()
    drafter._orientation, drafter._ocr.detector = Unsure(), OneLine()
    with pymupdf.open() as document:
        document.new_page(width=150, height=200).insert_text((20, 60), "Contents", fontsize=14)
        image = Image.open(io.BytesIO(document[0].get_pixmap(dpi=DPI).tobytes("png"))).convert("RGB")
    assert [drafter.read(each).turned for each in (image, image.transpose(turn))] == [0, back]


class PiecesOfLines(OneLine):
    """Takes a line that runs down for short ones that run across."""

    def look(self, image):
        (quad,) = super().look(image).quads
        if quad.width > quad.height:
            return FoundLines([quad], [])
        count = int(2.5 * quad.height / quad.width)
        tops = [quad.y + (n / count - 0.5) * quad.height for n in range(count)]
        return FoundLines([Quad(quad.x, top, quad.width, quad.height / count, 0.0) for top in tops], [])


def test_a_word_that_runs_down_is_set_upright_though_pieces_of_it_look_like_lines():
    """As one line of Hebrew did, which was left on its side."""
    drafter = EmbeddedDrafter()
    drafter._orientation, drafter._ocr.detector = Unsure(), PiecesOfLines()
    with pymupdf.open() as document:
        document.new_page(width=300, height=200).insert_text((20, 60), "Published every week", fontsize=14)
        image = Image.open(io.BytesIO(document[0].get_pixmap(dpi=DPI).tobytes("png"))).convert("RGB")
    assert drafter.read(image.transpose(Image.Transpose.ROTATE_90)).turned == 90


def test_heading_and_paragraph_come_first_and_whole(draft):
    heading, paragraph = draft.regions[:2]
    assert (heading.text, heading.category in (Category.TITLE, Category.SECTION_HEADER)) == ("Annual report", True)
    assert (paragraph.text, paragraph.category) == (BODY, Category.TEXT)


def test_a_ruled_table_is_html_with_each_cell_in_its_row(draft):
    (table,) = texts(draft, Category.TABLE)
    rows = [
        [cell.split("</t")[0].split(">")[-1] for cell in row.split("<t")[2:] if "</t" in cell]
        for row in table.split("</tr>")[:-1]
    ]
    assert [cells[-3:] for cells in rows] == CELLS


def test_a_picture_is_a_figure_where_it_stands(draft):
    (figure,) = [region for region in draft.regions if region.category is Category.FIGURE]
    assert figure.box.iou(Box(*PICTURE).scaled(DPI / 72)) > 0.9


def test_the_same_page_is_drafted_the_same_whatever_came_between(drafter, draft):
    drafter.draft(as_page(Image.new("RGB", (500, 700), "white")))
    assert drafter.draft(as_page(scan())) == draft


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_turned_page_is_turned_back_and_says_so(drafter, draft, degrees):
    turned = drafter.draft(as_page(scan().rotate(degrees, expand=True)))  # counter-clockwise
    assert turned.turned == degrees
    assert texts(turned, Category.TEXT) == texts(draft, Category.TEXT)


def test_a_leaning_page_is_read_like_a_level_one(drafter):
    leaning = drafter.draft(as_page(scan().rotate(2.0, fillcolor="white", resample=Image.Resampling.BICUBIC)))
    assert texts(leaning, Category.TEXT)[0] == BODY


def test_white_paper_is_blank(drafter):
    assert drafter.draft(as_page(Image.new("RGB", (800, 1100), "white"))).blank


def test_every_region_names_the_drafter_and_is_sure_of_clean_print(draft):
    drafts = [own for region in draft.regions for own in region.drafts]
    assert {own.source for own in drafts} == {"embedded"}
    assert all(own.confidence is not None and own.confidence > 0.9 for own in drafts)


def page_with_formulas():
    """A fraction and a square, twice, between paragraphs."""
    signs = [("E", "tiit", 150, 0), ("=", "symb", 163, 0), ("a", "tiit", 180, -8), ("+", "symb", 188, -8)]
    signs += [("b", "tiit", 198, -8), ("c", "tiit", 189, 9), ("-", "symb", 214, 0), ("x", "tiit", 226, 0)]
    with pymupdf.open() as document:
        page = document.new_page(width=420, height=520)
        for top in (50, 105, 205, 305, 360):
            page.insert_textbox((50, top, 370, top + 60), BODY, fontname="tiro", fontsize=10.5)
        for base in (185, 285):
            for sign, font, x, rise in signs:
                page.insert_text((x, base + rise), sign, fontname=font, fontsize=12)
            page.insert_text((232, base - 5), "2", fontname="tiro", fontsize=8)
            page.draw_line((177, base - 4), (208, base - 4), width=0.6)
        return Image.open(io.BytesIO(page.get_pixmap(dpi=200).tobytes("png"))).convert("RGB")


def test_printed_formulas_are_drafted_as_latex(drafter):
    regions = drafter.draft(as_page(page_with_formulas())).regions
    formulas = [region.text for region in regions if region.category is Category.FORMULA]
    assert formulas == ["E = \\frac{a + b}{c} - x^{2}"] * 2


def photographed(image):
    """Bent, in half light, on a desk, from the side."""
    sheet = np.asarray(image)
    height, width = sheet.shape[:2]
    y, x = np.mgrid[0:height:0.5, 0:width:0.5]
    bent = y - 50 * np.sin(np.pi * x / width)
    to_x, to_y = 120 + 0.95 * x + 0.05 * bent, 140 + 0.9 * bent + 0.08 * x
    picture = np.full((height + 250, width + 250, 3), (140, 100, 60), np.uint8)
    picture[np.rint(to_y).astype(int), np.rint(to_x).astype(int)] = sheet[y.astype(int), x.astype(int)]
    picture[:, : width // 2] = picture[:, : width // 2] // 2
    return Image.fromarray((picture * 0.6).astype(np.uint8))


def test_a_page_photographed_on_a_desk_is_read_as_a_flat_one(drafter):
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        page.insert_textbox((72, 72, 523, 770), " ".join(BODY for _ in range(8)), fontsize=11)
        flat = Image.open(io.BytesIO(page.get_pixmap(dpi=DPI).tobytes("png"))).convert("RGB")
    picture = photographed(flat)
    found = drafter.draft(as_page(picture))
    assert (found.width, found.height) == picture.size
    words = Counter(all_text(found).split())
    asked = Counter(" ".join(BODY for _ in range(8)).split())
    assert (words & asked).total() >= 0.9 * asked.total()
    top = min(region.box.y0 for region in found.regions)
    assert 150 < top < 260, "in the picture's own pixels"
    flat = pickle.loads(pickle.dumps(found.flat))  # as a worker sends it
    assert [region.moved(flat.placed) for region in flat.regions] == list(found.regions)
    (body,) = [region.box for region in flat.regions if len(region.text) > 1000]
    ink = np.asarray(flat.image)[round(body.y0) : round(body.y1), round(body.x0) : round(body.x1), 0] < 128
    assert (ink.mean(axis=1) < 0.02).sum() > 10, "lines stand level on the flattened picture"


def test_each_box_of_a_bent_page_holds_its_words_ink(drafter):
    """Without a desk, so that its lines alone tell how it bends."""
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        page.insert_textbox((72, 72, 523, 300), " ".join(BODY for _ in range(3)), fontsize=11)
        page.insert_textbox((72, 400, 523, 600), " ".join(BODY for _ in range(3)), fontsize=11)
        flat = np.asarray(Image.open(io.BytesIO(page.get_pixmap(dpi=DPI).tobytes("png"))).convert("RGB"))
    width = flat.shape[1]
    rise = 40 * np.sin(2 * np.pi * np.arange(width) / width)
    bent = np.stack([np.roll(flat[:, x], round(rise[x]), axis=0) for x in range(width)], axis=1)
    regions = [region for region in drafter.draft(as_page(Image.fromarray(bent))).regions if len(region.text) > 200]
    assert len(regions) == 2
    for region, (first, last) in zip(regions, [(72, 300), (400, 600)], strict=True):
        ink = np.argwhere(bent[round(first * DPI / 72) - 60 : round(last * DPI / 72) + 60, :, 0] < 128)
        (top, left), (foot, right) = ink.min(axis=0), ink.max(axis=0)
        start = round(first * DPI / 72) - 60
        box = region.box
        assert (box.x0, box.y0, box.x1, box.y1) == pytest.approx((left, top + start, right, foot + start), abs=20)


def worded(left, top, text):
    """A line of even type, 14 pixels high."""
    places = [(sum(len(word) + 1 for word in text.split()[:n]), word) for n, word in enumerate(text.split())]
    words = tuple((Box(left + 8.0 * at, top, left + 8.0 * (at + len(word)), top + 14), word) for at, word in places)
    return Line(Box(left, top, left + 8.0 * len(text), top + 14), text, 10, "embedded", words=words)


def test_a_chronicle_in_three_columns_is_no_table(drafter):
    """Years beside narrow columns of prose stood level, and a photographed page became one table."""
    said = "la larga guerra de atenas contra los persas en el valle del gran rio fue muy dura para todos"
    prose, lines = said.split() * 2, []
    for row in range(40):
        for left in (60, 300, 540):
            start = (7 * row + left) % 19
            lines.append(worded(left + 50, 100 + 20 * row, " ".join(prose[start : start + 4])))
            if (row + left // 60) % 3 == 0:
                lines.append(worded(left, 100 + 20 * row, str(400 + row)))
    regions = drafter.regions(ReadImage(np.full((1000, 800, 3), 255, np.uint8), lines, 0, 0.0))
    assert Category.TABLE not in {region.category for region in regions}


def test_rubbish_in_a_script_of_tesseracts_is_read_upside_down_before_it_is_believed():
    """An Arabic newspaper stood on its head: the shipped recogniser reads it neither way, so it can't tell."""

    class Reversed(EmbeddedDrafter):
        def _read(self, found):
            share = 0.9 if found.turned == 180 else 0.0
            line = replace(worded(10, 10, "word"), certainty=Certainty(40.0, 40.0 * share))
            return ReadImage(found.pixels, [line], found.turned, 0.0)

    drafter, blank = Reversed(), UprightImage(np.full((60, 90, 3), 255, np.uint8), [], 0)
    found, ((_, read),) = drafter._another_way(blank)
    assert (found.turned, read.turned) == (180, 180)
    assert drafter._another_way(replace(blank, turned=180)) is None, "no way reads better"
