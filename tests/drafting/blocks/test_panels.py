"""Grounds and frames that part a page, and what stands above its columns."""

import pytest

from docparse_fast.document import Box
from docparse_fast.drafting.blocks.assembly import assemble
from docparse_fast.drafting.blocks.panels import head_of, panels, parting_panels
from docparse_fast.drafting.lines import Line


def line(text, x, y, width=180, height=12):
    return Line(Box(x, y, x + width, y + height), text, height, "text-layer")


def column(name, x, y, count, width=180):
    return [line(f"{name}{n} goes on and on over the whole of a line", x, y + 16 * n, width) for n in range(count)]


def order(regions):
    return [region.text.split()[0] for region in regions]


def two_columns_over_a_sum():
    left, right = column("text", 50, 100, 8), column("note", 300, 100, 8)
    return [*left, *right, line("due on the first of May", 50, 250, width=120), line("2,306.67 in all", 390, 250, 90)]


def test_what_stands_on_a_ground_across_columns_is_read_after_both():
    """A payslip's sum was read before the deductions beside the pay: only its amount stood below them."""
    parted = order(assemble(two_columns_over_a_sum(), 600, 800, grounds=[Box(45, 240, 485, 270)]))
    assert parted == ["text0", "note0", "due", "2,306.67"]
    assert order(assemble(two_columns_over_a_sum(), 600, 800)) != parted


def test_a_rule_across_columns_parts_them_and_a_short_or_crossed_one_does_not():
    sides = two_columns_over_a_sum()
    parted = order(assemble(sides, 600, 800, rules=[Box(50, 236, 480, 237)]))
    assert parted == ["text0", "note0", "due", "2,306.67"]
    for rule in (Box(50, 236, 230, 237), Box(50, 256, 480, 257)):
        assert order(assemble(sides, 600, 800, rules=[rule])) == order(assemble(sides, 600, 800))


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


def test_what_stands_on_a_panel_is_neither_a_note_nor_a_running_head():
    """A sidebar of short lines was taken for notes in the margin, and strewn over the text beside it."""
    text = [
        line(f"text{n} goes on and on over the whole of a line of this page", 250, 100 + 20 * n, 300) for n in range(12)
    ]
    side = [line(f"side{n}", 60, 104 + 50 * n, 60) for n in range(4)]
    words = " ".join(each.text for each in assemble([*text, *side], 600, 800, grounds=[Box(50, 95, 180, 330)])).split()
    assert [word for word in words if word.startswith("side")] == ["side0", "side1", "side2", "side3"]
    assert words.index("side3") - words.index("side0") == 3


def test_a_shaded_column_of_a_table_parts_nothing():
    rows = [[Box(x, 100 + 20 * n, x + 60, 112 + 20 * n) for x in (50, 150, 250)] for n in range(5)]
    boxes = [box for row in rows for box in row]
    shaded = Box(140, 95, 220, 200)
    assert panels([shaded], boxes) == [shaded]
    assert parting_panels([shaded], boxes) == []
    assert parting_panels([shaded], [*(row[0] for row in rows), *(row[1].shifted(0, 7) for row in rows)]) == [shaded]


@pytest.mark.parametrize(("left", "parted"), [(200, 2), (176, 0)])
def test_frames_with_white_between_them_part_a_row_and_cells_do_not(left, parted):
    """Two addresses in frames became a table."""
    boxes = [each.box for x in (60, left + 10) for each in column("to", x, 100, 4, width=100)]
    frames = [Box(50, 95, 175, 170), Box(left, 95, left + 125, 170)]
    assert len(parting_panels(frames, boxes)) == parted


def test_a_name_over_a_table_on_a_ground_makes_a_panel():
    """`Opening hours` was read before the paragraphs beside it, and its table behind them."""
    text, ground = column("text", 50, 100, 8), Box(290, 95, 480, 240)
    assert panels([ground], [*(each.box for each in text), Box(300, 100, 400, 112)], [Box(300, 130, 470, 230)]) == [
        ground
    ]


def test_bands_of_one_row_are_no_panels():
    rows = [[Box(x, 100 + 20 * n, x + 60, 112 + 20 * n) for x in (50, 150, 250, 350)] for n in range(5)]
    assert panels([Box(45, 118, 315, 134)], [box for row in rows for box in row]) == []


def test_lines_a_few_pixels_off_level_are_one_line_of_a_panel():
    """On a scan a head of two lines was three to four, and stood apart from its table."""
    head = [Box(10, 3, 60, 23), Box(110, 6, 170, 26), Box(210, 4, 260, 25), Box(210, 27, 250, 47)]
    below = [Box(x, y, x + 50, y + 20) for y in (60, 90) for x in (10, 110, 210)]
    beside = [Box(x, y, x + 50, y + 20) for y in (4, 60, 90) for x in (310, 410)]
    assert panels([Box(0, 0, 280, 50)], [*head, *below, *beside]) == []


def test_two_receipts_side_by_side_part_a_page_though_their_lines_are_level():
    slips = [
        [Box(x + dx, 100 + 20 * n, x + dx + 50, 112 + 20 * n) for n in range(5) for dx in (0, 90)] for x in (50, 250)
    ]
    frames = [Box(x - 10, 90, x + 160, 210) for x in (50, 250)]
    boxes = [box for slip in slips for box in slip]
    assert parting_panels(frames, boxes) == frames
    labels = [Box(440, 100 + 20 * n, 500, 112 + 20 * n) for n in range(5)]
    assert parting_panels(frames, [*boxes, *labels]) == []


def test_an_address_in_a_frame_keeps_its_lines_where_the_frame_has_room_at_their_ends():
    text = [*column("text", 50, 300, 8, width=500), *column("sender", 50, 100, 4, width=240)]
    said = ("Ms Adaeze Whitcombe-Li", "19 Quarry Lane, Flat 4", "S11 8QD Sheffield")
    address = [line(words, 310, 105 + 14 * n, 6 * len(words)) for n, words in enumerate(said)]
    regions = assemble([*text, *address], 600, 800, grounds=[Box(300, 95, 550, 160)])
    (found,) = [region for region in regions if "Quarry" in region.text]
    assert len(found.text.splitlines()) == 3


def test_a_heading_little_above_that_of_the_next_column_is_no_head_of_the_page():
    """A browser leaves out the white above what begins a column: the right one's heading was read before the left."""
    title, left, right = Box(50, 40, 400, 70), column("text", 50, 140, 8), column("note", 300, 134, 8)
    heads = [Box(300, 100, 380, 116), Box(50, 115, 160, 131)]
    boxes = [title, *heads, *(each.box for each in (*left, *right))]
    assert head_of(boxes, unit=12) == [0]
