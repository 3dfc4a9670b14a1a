from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.document import TableCell
from docparse_fast.drafting.tables.table_html import table_html


def test_a_table_of_no_cells_is_no_table():
    assert table_html([]) == ""


def test_spans_and_empty_places_fill_the_grid_once():
    cells = [TableCell(0, 0, "a", rows=2), TableCell(0, 1, "b", columns=2), TableCell(1, 2, "c")]
    assert table_html(cells) == (
        '<table><tr><td rowspan="2">a</td><td colspan="2">b</td></tr><tr><td></td><td>c</td></tr></table>'
    )


def test_text_is_escaped_and_kept_on_one_line():
    assert table_html([TableCell(0, 0, "p < 0.05\n& q")]) == "<table><tr><td>p &lt; 0.05 &amp; q</td></tr></table>"


def test_two_cells_in_one_place_share_it():
    cells = [TableCell(0, 0, "a", columns=2), TableCell(0, 1, "b"), TableCell(1, 0, "c"), TableCell(1, 1, "d")]
    assert table_html(cells).startswith('<table><tr><td colspan="2">a b</td></tr>')


spans = st.integers(1, 3)
places = st.integers(0, 4)
cells = st.lists(st.builds(TableCell, places, places, st.sampled_from("xyz"), rows=spans, columns=spans), min_size=1)


@given(cells)
def test_every_row_has_the_same_width_and_no_text_is_lost(cells):
    html = table_html(cells)
    grid: dict[tuple[int, int], str] = {}
    for r, row in enumerate(html.removeprefix("<table><tr>").removesuffix("</tr></table>").split("</tr><tr>")):
        column = 0
        for cell in row.split("</td>")[:-1]:
            while (r, column) in grid:
                column += 1
            tag = cell.split(">")[0]
            rows, columns = (
                int(tag.split(f'{n}="')[1].split('"')[0]) if n in tag else 1 for n in ("rowspan", "colspan")
            )
            for place in [(r + i, column + j) for i in range(rows) for j in range(columns)]:
                assert place not in grid
                grid[place] = cell
    height, width = (max(place[i] for place in grid) + 1 for i in (0, 1))
    assert len(grid) == height * width
    text = "".join(cell.split(">")[1] for cell in html.split("<td")[1:])
    assert sorted(c for c in text if c in "xyz") == sorted(cell.text for cell in cells)
