"""Tables from pictures: drawn here with their truth, read by the packaged model, their words where they were drawn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.grid import CellPiece, Slot, fill, join
from docparse_fast.drafting.tables.structure import TableReader, with_header

SIZE = 22
HEIGHT = 40  # of a row
FIGURES = [
    ["Region", "2023", "2024", "Change"],
    ["North", "1,204", "1,350", "12.1%"],
    ["South", "987", "1,011", "2.4%"],
    ["West", "2,310", "2,198", "-4.8%"],
    ["East", "1,775", "1,804", "1.6%"],
    ["Total", "6,276", "6,363", "1.4%"],
]


def drawn(rows, width=170, ruled=False, grain=0):
    """A picture of a table, and its lines as a perfect recogniser would give them."""
    font = ImageFont.load_default(SIZE)
    columns = max(map(len, rows))
    image = Image.new("RGB", (width * columns + 40, HEIGHT * len(rows) + 40), "white")
    draw = ImageDraw.Draw(image)
    lines = []
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            left, top = 20 + width * c, 20 + HEIGHT * r
            if ruled:
                draw.rectangle((left, top, left + width, top + HEIGHT), outline="black", width=2)
            if text:
                draw.text((left + 12, top + 8), text, font=font, fill="black")
                x0, y0, x1, y1 = draw.textbbox((left + 12, top + 8), text, font=font)
                lines.append(line(text, Box(x0 - 2, y0 - 3, x1 + 2, y1 + 3)))
    draw.line((20, 20, image.width - 20, 20), fill="black", width=2)
    draw.line((20, 20 + HEIGHT, image.width - 20, 20 + HEIGHT), fill="black", width=2)
    draw.line((20, image.height - 20, image.width - 20, image.height - 20), fill="black", width=2)
    if grain:
        noise = np.random.default_rng(0).normal(-30, grain, np.asarray(image).shape)
        image = Image.fromarray(np.clip(np.asarray(image) + noise, 0, 255).astype(np.uint8))
    return image, lines


def line(text, box):
    """Words spaced evenly over the line's box."""
    step = box.width / max(1, len(text))
    words, start = [], 0
    for word in text.split(" "):
        words.append((Box(box.x0 + step * start, box.y0, box.x0 + step * (start + len(word)), box.y1), word))
        start += len(word) + 1
    return Line(box, text, box.height * 0.7, "embedded", words=tuple(words))


def grid_of(cells):
    grid = [[""] * (max(c.column for c in cells) + 1) for _ in range(max(c.row for c in cells) + 1)]
    for cell in cells:
        grid[cell.row][cell.column] = cell.text
    return grid


def cells_read(reader, image, lines):
    """As a scan's readers have them: no upright rules."""
    slots = reader.look(np.asarray(image), [line.box for line in lines], noisy=True)
    return with_header(fill(slots, lines, lambda box: False).cells())


@pytest.fixture(scope="module")
def reader():
    return TableReader()


@pytest.mark.parametrize("style", [{}, {"ruled": True}, {"grain": 12}], ids=["three rules", "grid", "grey and grainy"])
def test_a_table_is_read_cell_by_cell(reader, style):
    image, lines = drawn(FIGURES, **style)
    assert grid_of(cells_read(reader, image, lines)) == FIGURES


def test_empty_cells_stay_empty(reader):
    rows = [list(row) for row in FIGURES]
    rows[2][1] = rows[3][2] = rows[0][0] = ""
    image, lines = drawn(rows)
    assert grid_of(cells_read(reader, image, lines)) == rows


def test_the_first_row_is_a_header_and_the_others_are_not(reader):
    image, lines = drawn(FIGURES)
    assert {cell.row for cell in cells_read(reader, image, lines) if cell.header} == {0}


def test_a_line_read_across_two_cells_is_split_between_them(reader):
    image, lines = drawn(FIGURES)
    left, right = (next(line for line in lines if line.text == text) for text in ("987", "1,011"))
    words = (*left.words, *right.words)
    merged = Line(Box.around((left.box, right.box)), "987 1,011", SIZE, "embedded", words=words)
    cells = cells_read(reader, image, [merged, *(line for line in lines if line not in (left, right))])
    assert grid_of(cells) == FIGURES


boxes = st.builds(
    lambda x, y, w, h: Box(x, y, x + w, y + h),
    st.floats(-50, 400),
    st.floats(-50, 300),
    st.floats(1, 300),
    st.floats(1, 60),
)


@given(st.lists(boxes, min_size=1, max_size=12), st.integers(1, 4), st.integers(1, 4))
def test_every_line_lands_in_exactly_one_cell_wherever_it_stands(places, rows, columns):
    slots = [Slot(r, c, Box(80 * c, 40 * r, 80 * c + 70, 40 * r + 30)) for r in range(rows) for c in range(columns)]
    lines = [line(f"a{n} b{n} c{n}", box) for n, box in enumerate(places)]
    filling = fill(slots, lines, ruled=lambda box: False)
    words = sorted(word for cell in filling.cells() for word in cell.text.split())
    assert words == sorted(word for each in lines for word in each.text.split())


def test_cuts_move_into_the_white_where_the_boxes_are_half_a_row_off():
    slots = [Slot(r, c, Box(100 * c, 30 * r + 12, 100 * c + 90, 30 * r + 36)) for r in range(4) for c in range(2)]
    lines = [line(f"{r}{c}", Box(100 * c, 30 * r, 100 * c + 40, 30 * r + 22)) for r in range(4) for c in range(2)]
    filling = fill(slots, lines, ruled=lambda box: False)
    assert grid_of(filling.cells()) == [[f"{r}{c}" for c in range(2)] for r in range(4)]


def test_a_cells_lines_are_joined_in_reading_order():
    slots = [Slot(0, 0, Box(0, 0, 200, 60))]
    lines = [line("third", Box(0, 40, 60, 58)), line("second", Box(90, 3, 180, 21)), line("first", Box(0, 0, 80, 20))]
    assert fill(slots, lines, ruled=lambda box: False).cells()[0].text == "first second third"


def test_a_code_broken_at_its_hyphen_is_joined_without_a_blank_and_an_amount_with_its_minus_behind_it_is_not():
    above, below, beside = Box(0, 0, 90, 20), Box(0, 24, 90, 44), Box(100, 0, 190, 20)
    assert join([CellPiece(above, "K7255-"), CellPiece(below, "69")]) == "K7255-69"
    assert join([CellPiece(above, "12.50-"), CellPiece(below, "13.40-")]) == "12.50- 13.40-"
    assert join([CellPiece(above, "7-"), CellPiece(beside, "69")]) == "7- 69"


def test_the_lines_of_a_word_that_is_broken_in_a_cell_stay_apart_for_who_knows_the_pages_terms():
    above, below, beside = Box(0, 0, 90, 20), Box(0, 24, 90, 44), Box(100, 0, 190, 20)
    assert join([CellPiece(above, "two of a vil-"), CellPiece(below, "lage")]) == "two of a vil-\nlage"
    assert join([CellPiece(above, "vil-"), CellPiece(beside, "lage")]) == "vil- lage"


def test_a_cells_lines_of_chinese_are_joined_without_a_blank_and_words_side_by_side_with_one():
    above, below, beside = Box(0, 0, 90, 20), Box(0, 24, 90, 44), Box(100, 0, 190, 20)
    assert join([CellPiece(above, "需要换"), CellPiece(below, "行显示")]) == "需要换行显示"
    assert join([CellPiece(above, "姓名"), CellPiece(beside, "年龄")]) == "姓名 年龄"
    assert join([CellPiece(above, "two"), CellPiece(below, "lines")]) == "two lines"
