"""Grounds and frames that part a page, and what stands above its columns."""

from docparse_fast.document import Box
from docparse_fast.drafting.blocks.assembly import assemble
from docparse_fast.drafting.blocks.panels import head_of, panels
from docparse_fast.drafting.lines import Line


def line(text, x, y, width=180, height=12):
    return Line(Box(x, y, x + width, y + height), text, height, "text-layer")


def column(name, x, y, count, width=180):
    return [line(f"{name}{n} goes on and on over the whole of a line", x, y + 16 * n, width) for n in range(count)]


def order(regions):
    return [region.text.split()[0] for region in regions]


def test_a_panel_is_read_whole_though_its_lines_stand_level_with_others():
    """White of three pixels parts the columns: no gutter tells them, the ground does."""
    text, notes = column("text", 50, 100, 8, width=245), column("note", 298, 100, 8)
    regions = assemble([*text, *notes], 600, 800, grounds=[Box(296, 95, 490, 240)])
    words = " ".join(region.text for region in regions)
    assert words.index("text7") < words.index("note0")


def test_frames_beside_each_other_are_read_one_after_the_other():
    cards = [(f"card{n}", 50 + 150 * (n % 3), 100 + 120 * (n // 3)) for n in range(6)]
    lines = [line(f"{name}.{row}", x, y + 30 * row, 80) for name, x, y in cards for row in range(3)]
    frames = [Box(x - 10, y - 10, x + 130, y + 90) for _, x, y in cards]
    words = " ".join(region.text for region in assemble(lines, 600, 800, grounds=frames))
    assert words.split() == [f"{name}.{row}" for name, _, _ in cards for row in range(3)]


def test_a_ground_behind_the_whole_text_is_no_panel():
    boxes = [each.box for each in column("text", 50, 100, 20)]
    assert panels([Box(0, 0, 600, 800)], boxes) == []


def test_a_ground_that_cuts_a_line_is_no_panel():
    boxes = [each.box for each in (*column("text", 50, 100, 6), *column("note", 300, 100, 6))]
    assert panels([Box(150, 95, 500, 300)], boxes) == []


def test_a_masthead_over_the_middle_column_is_read_first():
    head = [line("Courier", 250, 40, 100, 20), line("No. 86", 260, 70, 60, 9)]
    columns = [
        each for x, name in ((50, "left"), (220, "middle"), (390, "right")) for each in column(name, x, 110, 6, 150)
    ]
    assert order(assemble([*head, *columns], 600, 800))[0] == "Courier"


def test_lines_that_go_on_in_their_column_are_no_head():
    boxes = [each.box for each in (*column("left", 50, 100, 10), *column("right", 300, 132, 8))]
    assert head_of(boxes, 12) == []
