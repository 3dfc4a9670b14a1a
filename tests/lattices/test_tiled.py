"""Cells that only their coloured grounds show."""

from dataclasses import replace

import pymupdf
import pytest

from docparse_fast import ParseOptions, parse
from docparse_fast.document import Box, Category, TextLine, TextSpan
from docparse_fast.lattices.drawn_tables import drawn_tables
from docparse_fast.lattices.rules import Drawn
from docparse_fast.lattices.tiled import edges_of_tiles
from docparse_fast.options import DraftOptions


def tiles(columns: int, rows: int, gap: float = 1.0, height: float = 30) -> list[Box]:
    return [
        Box(100 * column, height * row, 100 * (column + 1) - gap, height * (row + 1) - gap)
        for row in range(rows)
        for column in range(columns)
    ]


def test_boxes_in_rows_and_columns_have_edges_where_rules_would_be():
    assert len(edges_of_tiles(tiles(3, 2), [], 1.0)) == 4 * 6


@pytest.mark.parametrize(
    "areas",
    [
        pytest.param(tiles(1, 6), id="stripes behind lines"),
        pytest.param(tiles(6, 1), id="a bar of buttons"),
        pytest.param(tiles(3, 2, gap=20), id="boxes apart"),
        pytest.param([], id="nothing"),
    ],
)
def test_other_boxes_are_no_table(areas):
    assert edges_of_tiles(areas, [], 1.0) == []


def test_a_row_of_cells_below_a_wide_one_belongs_to_the_table():
    """A break for lunch parted the last row from the others: only its first cell stands below one of its width."""
    wide = [box for box in tiles(3, 4) if not (box.y0 == 60 and box.x0 > 0)] + [Box(100, 60, 299, 89)]
    assert len(edges_of_tiles(wide, [], 1.0)) == 4 * 11


def test_a_table_that_has_rules_keeps_them_alone():
    rules = [Box(0, y, 300, y) for y in (1, 31)] + [Box(x, 0, x, 60) for x in (1, 101)]
    assert edges_of_tiles(tiles(3, 2), rules, 1.0) == []


@pytest.mark.parametrize(
    "said",
    [
        [["Oil", "☐", "☒"], ["Belt", "☒", "☐"], ["Noise", "☐", "☐"], ["Leaks", "☒", "☒"]],
        [["Item", "Off", "Tax"], ["Belt", "-", "5 %"], ["Lamp", "", "7 %"], ["Rope", "-", ""]],
    ],
    ids=["ticks", "blanks"],
)
def test_a_box_to_tick_a_dash_or_nothing_stands_in_a_cell_as_words_do(said):
    """Ticks, dashes and empty cells, on grounds of their own, were one cell of all rows."""
    grounds = tiles(3, 4)
    spans = [
        TextSpan(Box(box.x0 + 10, box.y0 + 8, box.x0 + 40, box.y0 + 20), text, "Sans", 10)
        for box, text in zip(grounds, (text for row in said for text in row), strict=True)
        if text
    ]
    lines = [TextLine(span.box, (span,)) for span in spans]
    (table,) = drawn_tables(Drawn((), tuple(grounds), 1.0), lines)
    assert [[cell.text for cell in table.cells if cell.row == n] for n in range(4)] == said


@pytest.fixture
def shaded(tmp_path):
    words = [("State", "Halts"), ("Delhi", "17"), ("Kerala", "9")]
    path = tmp_path / "shaded.pdf"
    with pymupdf.open() as document:
        page = document.new_page()
        for tile, word in zip(tiles(2, 3, height=70), [word for row in words for word in row], strict=True):
            place = tile.shifted(100, 200)
            page.draw_rect((place.x0, place.y0, place.x1, place.y1), color=None, fill=(0.95, 0.8, 0.75))
            page.insert_text((place.x0 + 20, place.y1 - 10), word)
        for n in range(8):
            page.insert_text((72, 450 + 16 * n), "A line of prose below the table, as long as such lines are.")
        document.save(path)
    return path


def test_a_shaded_table_without_rules_is_a_table(shaded):
    (page,) = parse(shaded, ParseOptions(drafting=DraftOptions(drafter="text-layer"))).pages
    (table,) = (block for block in page.blocks if block.category is Category.TABLE)
    assert table.text.replace("th>", "td>") == (
        "<table><tr><td>State</td><td>Halts</td></tr><tr><td>Delhi</td><td>17</td></tr>"
        "<tr><td>Kerala</td><td>9</td></tr></table>"
    )


def test_a_head_of_grounds_goes_on_where_rules_part_the_columns_below():
    """The head's cells and the first row's were one cell: designers paint the one and rule the other."""
    head, below = tiles(4, 1, gap=0.5), [Box(x, 30, x, 200) for x in (100, 200, 300, 400)]
    assert len(edges_of_tiles(head, below, 1.0)) == 4 * 4
    assert edges_of_tiles(head, [Box(50, 30, 50, 200)], 1.0) == []


def sides(box: Box) -> list[Box]:
    across = [replace(box, y0=y, y1=y) for y in (box.y0, box.y1)]
    return [*across, *(replace(box, x0=x, x1=x) for x in (box.x0, box.x1))]


@pytest.mark.parametrize("columns", [2, 4])
def test_a_painted_head_belongs_to_a_grid_whose_cells_are_painted_too(columns):
    """As jsPDF's tables are: the head was a line of text above the table."""
    head, *rest = (tiles(columns, 4, gap=0)[columns * n : columns * (n + 1)] for n in range(4))
    body = [cell for row in rest for cell in row]
    rules = [side for cell in body for side in sides(cell)]
    assert edges_of_tiles([*head, *body], rules, 1.0) == [side for cell in head for side in sides(cell)]


def test_groups_over_a_painted_head_belong_to_it():
    heads, body = [Box(0, 0, 100, 60), *tiles(5, 2, gap=0)[6:]], [box.shifted(0, 60) for box in tiles(5, 3, gap=0)]
    groups = [Box(100, 0, 300, 30), Box(300, 0, 500, 30)]
    rules = [side for cell in body for side in sides(cell)]
    assert len(edges_of_tiles([*heads, *groups, *body], rules, 1.0)) == 4 * 7
