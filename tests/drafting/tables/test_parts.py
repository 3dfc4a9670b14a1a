"""Parts of a proposed table that are proposed as tables of their own."""

from dataclasses import replace

import pytest
from drafting.tables.proposed import STEP, line, lines_of, proposed, texts

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.tables.candidates import Marks, TableCandidate
from docparse_fast.drafting.tables.parts import (
    at_heads,
    in_its_sheet,
    parts_of,
    without_text,
)
from docparse_fast.drafting.tables.rows_beyond import with_rest, with_rows_above, with_rows_beyond, with_sums_below
from docparse_fast.drafting.tables.side_by_side import halves_of

ITEMS = [["Item", "Qty", "Price"], ["Nails", "3", "1.20"], ["Glue", "1", "4.00"], ["Tape", "2", "2.50"]]


def read(rows, below=()):
    """Candidate and lines; `below` stands three steps under the last of `rows`, as further rows."""
    far = len(rows) + 3
    placed = [(n, n, row) for n, row in enumerate(rows)] + [
        (len(rows) + n, far + n, row) for n, row in enumerate(below)
    ]
    lines = [line(y, c, text) for _, y, row in placed for c, text in enumerate(row) if text]
    boxes = iter(lines)
    cells = [TableCell(n, c, text, box=next(boxes).box) for n, _, row in placed for c, text in enumerate(row) if text]
    whole = Box.around(each.box for each in lines)
    return TableCandidate("white", whole, tuple(cells), frozenset(range(len(lines)))), lines


def test_rows_over_wide_white_are_a_part_and_so_are_those_below():
    whole, lines = read(ITEMS, [["", "Net", "7.70"], ["", "Tax", "1.54"]])
    parts = [texts(part) for part in parts_of(whole, lines)]
    assert ITEMS in parts
    assert [["Net", "7.70"], ["Tax", "1.54"]] in parts


def test_the_lines_of_a_part_are_those_of_its_rows():
    whole, lines = read(ITEMS, [["", "Net", "7.70"], ["", "Tax", "1.54"]])
    (items,) = (part for part in parts_of(whole, lines) if texts(part) == ITEMS)
    assert sorted(lines[n].plain for n in items.lines) == sorted(text for row in ITEMS for text in row)


def test_where_a_head_returns_another_table_begins():
    again = [["Item", "Qty", "Price"], ["Rope", "9", "8.00"]]
    whole, lines = proposed(ITEMS + again), lines_of(ITEMS + again)
    assert {str(ITEMS), str(again)} <= {str(texts(part)) for part in parts_of(whole, lines)}


def test_two_tables_side_by_side_are_parted_at_the_widest_white():
    left, right = [row[:2] for row in ITEMS], [["Lid", "5"], ["Box", "6"], ["Cup", "7"], ["Pan", "8"]]
    lines = [line(r, c + 3 * (c > 1), text) for r, row in enumerate(ITEMS) for c, text in enumerate(row[:2] + right[r])]
    cells = [TableCell(n // 4, n % 4, each.plain, box=each.box) for n, each in enumerate(lines)]
    whole = TableCandidate("white", Box.around(each.box for each in lines), tuple(cells), frozenset(range(len(lines))))
    parts = [texts(part) for part in parts_of(whole, lines)]
    assert left in parts
    assert right in parts


def test_a_line_that_runs_over_a_parts_edge_forbids_the_part():
    whole, lines = read(ITEMS, [["", "Net", "7.70"], ["", "Tax", "1.54"]])
    across = line(2, 0, "a stamp")
    tall = type(across)(Box(0, STEP, 300, 9 * STEP), "a stamp", 10.0, "text-layer")
    stamped = TableCandidate("white", whole.box, whole.cells, whole.lines | {len(lines)})
    assert ITEMS not in [texts(part) for part in parts_of(stamped, [*lines, tall])]


def test_a_cell_over_several_rows_is_not_cut():
    whole, lines = read(ITEMS, [["", "Net", "7.70"], ["", "Tax", "1.54"]])
    first = whole.cells[0]
    tall = TableCell(first.row, first.column, first.text, rows=whole.height, box=first.box)
    parts = parts_of(TableCandidate("lattice", whole.box, (tall, *whole.cells[1:]), whole.lines), lines)
    assert not [part for part in parts if any(cell.text == "Item" for cell in part.cells)]


def test_a_table_of_even_rows_has_no_part():
    rows = [[f"a{n}", f"b{n}", f"c{n}"] for n in range(6)]
    assert list(parts_of(proposed(rows), lines_of(rows))) == []


def test_rows_that_are_alike_are_no_heads_that_return():
    rows = [["Oars", "yes", "no"], ["Sail", "yes", "no"], ["Oars", "yes", "no"], ["Hull"], ["Keel", "yes", "no"]]
    assert at_heads(proposed(rows), lines_of(rows)) == []


def test_bold_words_below_rows_that_are_not_bold_begin_another_table():
    """An invoice's number and date were its items' first row, and meters and charges one table."""
    said = [["Invoice", "Date"], ["A-17", "1 May"], *ITEMS, ["Total", "", "7.70"]]
    bold = {"Item", "Qty", "Price", "Total", "7.70"}
    lines = [replace(each, bold=each.plain in bold) for each in lines_of(said)]
    parts = [texts(part) for part in at_heads(proposed(said), lines)]
    assert parts == [said[:2], [*ITEMS, ["Total", "", "7.70"]]]
    assert at_heads(proposed(said), lines_of(said)) == []


def test_a_groups_name_that_runs_over_a_columns_edge_begins_no_table():
    """A round's rows lost their head, since its name was two cells in bold."""
    said = [["No.", "Name", "From", "To", "Note"], ["North", "round"], ["1", "Ada", "9:15", "9:30", "ring"]]
    said += [["2", "Bo", "9:15", "9:30", "wait"], ["South", "round"], ["1", "Cy", "9:15", "9:30", "ring"]]
    lines = [replace(each, bold=each.plain in {"North", "South", "round"}) for each in lines_of(said)]
    assert at_heads(proposed(said), lines) == []


SHEET = [["Sales 2026", "", "", ""], ["As of", "1 May", "", ""], ["", "", "", ""], *([*row, ""] for row in ITEMS)]


def sheet(rows):
    """A drawn grid, whose empty places are cells, too; and the lines of the others."""
    boxes = [[Box(40 * c, 20 * n, 40 * c + 30, 20 * n + 10) for c in range(4)] for n in range(len(rows))]
    cells = [TableCell(n, c, rows[n][c], box=boxes[n][c]) for n in range(len(rows)) for c in range(4)]
    lines = [replace(line(0, 0, cell.text), box=cell.box) for cell in cells if cell.text]
    whole = Box.around(cell.box for cell in cells)
    return TableCandidate("lattice", whole, tuple(cells), frozenset(range(len(lines)))), lines


def test_of_a_printed_sheet_the_table_is_what_lies_between_empty_rows():
    found = in_its_sheet(*sheet([*SHEET, ["", "", "", ""], ["All prices net", "", "", ""]]))
    assert texts(found) == SHEET[3:] and len(found.lines) == 12


def test_an_empty_row_among_full_ones_parts_no_grid():
    whole, lines = sheet([*SHEET[3:], ["", "", "", ""], *SHEET[4:]])
    assert in_its_sheet(whole, lines) is whole


PARAGRAPH = ["The reading room keeps a", "record of the lower store", "for a third year."]


def beside(off, paragraph=PARAGRAPH):
    """Items and, at their right, a paragraph `off` their levels by so much."""
    whole, lines = read(ITEMS)
    boxes = [Box(400, n * STEP + off, 560, n * STEP + off + 10) for n in range(len(paragraph))]
    text = [replace(line(0, 0, words), box=box) for words, box in zip(paragraph, boxes, strict=True)]
    cells = [TableCell(n, 3, each.plain, box=each.box) for n, each in enumerate(text)]
    added = range(len(lines), len(lines) + len(text))
    around = Box.around([whole.box, *boxes])
    return (
        TableCandidate("white", around, (*whole.cells, *cells), whole.lines.union(added)),
        list(added),
        [*lines, *text],
    )


def test_a_paragraph_that_reads_on_beside_a_table_is_no_column_of_it():
    """A letter's sentence stood in the rows of the table at its left."""
    whole, text, lines = beside(0)
    assert [texts(part) for part in without_text(whole, [text], lines)] == [ITEMS]


def test_sentences_level_with_rows_are_a_column_and_others_are_a_paragraph():
    said = ["Some of them are bent out of shape.", "It dries within one long night.", "Buy the blue one if you can."]
    whole, text, lines = beside(0, said)
    assert list(without_text(whole, [text], lines)) == [whole]
    whole, text, lines = beside(8, said)
    assert [texts(part) for part in without_text(whole, [text], lines)] == [ITEMS]


def named(right):
    """Two tables side by side below a name each."""
    left = [["Club", "P"], ["Tern", "2"], ["Auk", "9"], ["Skua", "4"]]
    rows = [a + b for a, b in zip(left, right, strict=True)]
    places = (0, 1, 4, 5)
    lines = [line(r + 2, places[c], text) for r, row in enumerate(rows) for c, text in enumerate(row)]
    cells = [TableCell(n // 4, n % 4, each.plain, box=each.box) for n, each in enumerate(lines)]
    around = Box.around(each.box for each in lines)
    whole = TableCandidate("white", around, tuple(cells), frozenset(range(len(lines))))
    return halves_of(whole, [*lines, line(1, 0, "Table"), line(1, 4, "Results")], Marks())


def test_a_head_in_slanted_type_below_figures_begins_another_table():
    """Hours and prices below them were one table: their heads were slanted, not bold."""
    hours = [["Task", "Mon", "Tue"], ["Visit", "6.0", "2.0"], ["Travel", "1.0", "3.0"]]
    prices = [["Number", "Item", "from 10"], ["A1", "Nails", "1.20"], ["A2", "Glue", "4.00"]]
    slanted = ("Task", "Mon", "Tue", *prices[0])
    lines = [replace(each, italic=each.plain in slanted) for each in lines_of(hours + prices)]
    assert list(map(texts, at_heads(proposed(hours + prices), lines))) == [hours, prices]


def test_sizes_that_an_ocr_measures_begin_no_table():
    """Below names of groups a scan's head was a pixel larger than its figures: the names stood alone as text."""
    said = [["", "Beef", "", "Pork", ""], ["", "Cases", "Controls", "Cases", "Controls"]]
    said += [["Low", "31", "41", "24", "30"], ["High", "10", "9", "12", "7"], ["Never", "18", "22", "17", "23"]]
    sizes = [replace(each, size=11.0 if each.plain in said[1] else 10.0) for each in lines_of(said)]
    read = [replace(each, source="embedded") for each in sizes]
    assert [len(at_heads(proposed(said), lines)) for lines in (sizes, read)] == [1, 0]


def test_a_row_in_larger_type_over_a_bold_head_is_the_name_of_another_table():
    out, back = [["Outward", "848"], ["Bridge", "05:35"]], [["Return", "547"], ["Market", "06:12"], ["Bridge", "06:20"]]
    rows = [*out, ["Line 27 back"], *back]
    large = [replace(each, size=14) if each.plain == "Line 27 back" else each for each in lines_of(rows)]
    headed = [replace(each, bold=each.plain in ("Return", "547")) for each in large]
    assert list(map(texts, at_heads(proposed(rows), headed))) == [out, back]
    assert at_heads(proposed(rows), large) == []


@pytest.mark.parametrize(
    ("head", "height"),
    [
        (["Name", "Mon", "Tue"], 4),
        (["Name", "Mon", ""], 3),
        (["Name", "3", "5"], 3),
        (["The shifts", "", ""], 3),
    ],
    ids=["a head", "one missing", "figures", "a title"],
)
def test_words_over_each_column_of_a_lattice_are_its_head(head, height):
    """A roster's painted head stood as text above its grid, on scans in some other order."""
    drawn = [["Ada", "off", "late"], ["Per", "early", "off"], ["Ines", "late", "off"]]
    lines = lines_of([head, *drawn])
    cells = [replace(cell, row=cell.row - 1) for cell in proposed([head, *drawn]).cells if cell.row]
    taken = (n for n, each in enumerate(lines) if each.box.y0 > 0)
    whole = TableCandidate("lattice", Box(0, STEP - 5, 300, 4 * STEP - 5), tuple(cells), frozenset(taken))
    found = with_rows_above(whole, lines, frozenset(range(len(lines))) - whole.lines)
    assert (found.height, found.rows[-1][0].text) == (height, "Ines")


ROLLS = [["No.", "Item", "Price"], ["1", "Nails", "1.20"], ["2", "Glue", "4.00"], ["3", "Tape", "2.50"]]
ROLLS.append(["4", "Twine", "0.90"])


def read_below(rows, above, moved=()):
    """What a reader makes of the rows below the first ones, and the lines of all; a head's may be moved rightwards."""
    lines = [each.shifted(dict(moved).get(each.plain, 0), 0) for each in lines_of(rows)]
    cells = [replace(c, row=c.row - above) for c in proposed(rows).cells if c.row >= above and c.text]
    held = frozenset(n for n, each in enumerate(lines) if each.box.y0 >= STEP * above)
    whole = TableCandidate("grid", Box.around(cell.box for cell in cells), tuple(cells), held)
    return with_rows_above(whole, lines, frozenset(range(len(lines))) - held)


def test_a_row_above_a_table_that_is_like_its_first_and_the_head_over_it_are_its_own():
    """A scanned invoice's first item and head stood above its grid, as a heading and three paragraphs."""
    assert read_below(ROLLS, above=2).said == [tuple(row) for row in ROLLS]


def test_a_row_above_a_table_that_is_like_a_later_one_is_its_own():
    """The first two entries of a statement's next page, of the same day as the last, stood above its table as text."""
    days = [["", "Fee", "1.20", "9"], ["", "Rent", "4.00", "5"], ["31 May", "Pay", "2.50", "7"]]
    days += [["", "Tax", "0.90", "6"], ["1 June", "Oars", "3.10", "4"], ["2 June", "Rope", "1.40", "3"]]
    assert read_below(days, above=2).said == [tuple(filter(None, row)) for row in days]


def test_a_row_above_a_tables_head_is_another_tables():
    assert read_below([["9", "Rope", "7.10"], *ROLLS], above=1).said == [tuple(row) for row in ROLLS]


def test_the_head_over_a_groups_name_is_the_tables():
    rows = [ROLLS[0], ["Workshop"], *ROLLS[1:]]
    assert read_below(rows, above=2).said == [tuple(row) for row in rows]


@pytest.mark.parametrize("above", [[["Our goods"], ["Workshop"]], [["Weighed", "each", "day"], ["by hand."]]])
def test_a_name_without_a_head_above_it_or_a_captions_end_is_none_of_its_rows(above):
    """A caption's last two lines, the upper set with wide blanks, became a head and a name."""
    assert read_below([*above, *ROLLS[1:]], above=2).height == 4


def test_a_head_beside_its_figures_is_that_of_the_nearest_column():
    """Heads at the left of figures that end in line stood over none of them."""
    assert read_below(ROLLS, above=1, moved={"Price": -40}).said[0] == ("No.", "Item", "Price")


@pytest.mark.parametrize(
    ("below", "rows"), [(["Total", "48", "611.9"], 4), (["Marks", "as above", "48"], 3), (["", "", "611.9"], 3)]
)
def test_sums_below_the_rules_of_a_table_are_its_last_row(below, rows):
    """A packing list's total, which a thick rule parts from its grid, was a heading."""
    made = [["Item", "Cartons", "Kilos"], ["Apron", "4", "99.7"], ["Towel", "44", "512.2"]]
    lattice = proposed(made, "lattice", whole=Box(-5, -5, 300, 55))
    lines = lines_of([*made, below])
    free = frozenset(range(len(lines))) - lattice.lines
    assert with_sums_below(lattice, lines, free).height == rows


@pytest.mark.parametrize(("source", "last"), [("embedded", "Tape\nof linen"), ("text-layer", "Tape")])
def test_what_goes_on_below_the_last_row_may_look_larger_on_a_scan(source, last):
    rows = [[str(n), *row] for n, row in enumerate(ITEMS)]
    lines = [replace(each, source=source) for each in lines_of(rows)]
    below = replace(line(len(rows), 1, "of linen"), source=source)
    lines.append(replace(below, box=replace(below.box, y0=lines[-1].box.y1 + 1), size=1.2 * below.size))
    longer = with_rest(proposed(rows), lines, frozenset({len(lines) - 1}))
    assert longer.rows[-1][1].text == last


@pytest.mark.parametrize(
    ("last", "height"), [(["To pay", "", "", "9.80"], 6), (["To pay", "", "", "today"], 5), (["", "", "4", ""], 5)]
)
def test_rows_above_the_first_rule_and_below_the_last_are_the_tables_own(last, height):
    """Of a table with rules between its rows alone, the head and the last sum were text; its heads were one line."""
    made = [["Day", "For", "No", "Euro"], ["2 May", "Train", "1", "8.90"], ["3 May", "Taxi", "2", "4.10"]]
    made += [["Total for three days", "", "", "13.00"], ["Paid before", "", "", "-3.20"], last]
    head, *lines = lines_of(made[:1])[:1] + lines_of([["", *made[0][1:]]])[:1] + lines_of([[], *made[1:]])
    words = tuple((each.box, each.plain) for each in lines_of(made[:1])[1:])
    lines[0] = replace(lines[0], box=Box.around(box for box, _ in words), plain="For No Euro", words=words)
    cells = tuple(replace(c, row=c.row - 1) for c in proposed(made[:5]).cells if c.row and c.text)
    held = frozenset(range(2, 2 + len(cells)))
    whole = TableCandidate("white", Box.around(cell.box for cell in cells), cells, held)
    page = [head, *lines]
    found = with_rows_beyond(whole, page, frozenset(range(len(page))) - held)
    assert (found.height, found.said[0]) == (height, tuple(made[0]))


def test_a_head_that_returns_below_a_name_begins_another_table():
    """A price list's three tables were one, their headings and heads rows of it."""
    rows = [["Note", "", "1 May"], ["", "", "2 May"], ["Yard"], *ITEMS, ["Shop"], ITEMS[0], ["Rope", "5", "3.10"]]
    parts = [texts(part) for part in at_heads(proposed(rows), lines_of(rows))]
    assert parts == [[["Note", "1 May"], ["", "2 May"]], ITEMS, [ITEMS[0], ["Rope", "5", "3.10"]]]


def test_a_head_that_returns_begins_tables_in_a_wider_place():
    """A payslip's earnings and deductions, two columns each, were one table with the four of its fields."""
    fields = [["Number", "24832", "Tax code", "305R", "x"], ["Section", "Quay", "Period", "July", "x"]]
    earned = [["Pay", "Amount"], ["Basic", "2.40"], ["Travel", "2.90"]]
    taken = [["Pay", "Amount"], ["Tax", "3.97"], ["Pension", "3.19"]]
    rows = [*fields, ["Earnings"], *earned, ["Deductions"], *taken]
    assert list(map(texts, at_heads(proposed(rows), lines_of(rows)))) == [fields, earned, taken]


def test_a_name_whose_words_stand_in_two_columns_is_no_row_of_the_table_above():
    """`Year 2, 2022–2023` was the last row of the first year's courses."""
    head, first, second = ["Code", "Course", "Date"], ["GEO1", "Rocks", "12-01"], ["GEO2", "Dunes", "18-01"]
    rows = [["Year 1"], head, first, ["Year 2,", "2022-2023"], head, second]
    words = lines_of(rows)
    name = replace(
        line(3, 0, "Year 2, 2022-2023"), box=Box.around(each.box for each in words if each.box.y0 == 3 * STEP)
    )
    lines = [*(each for each in words if each.box.y0 != 3 * STEP), name]
    whole = proposed(rows, lines=range(len(lines)))
    assert list(map(texts, at_heads(whole, lines))) == [[head, first], [head, second]]
