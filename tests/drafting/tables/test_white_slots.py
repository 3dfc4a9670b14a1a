"""Tables read from the white between their words; cells are drawn as lines of a fixed width a letter."""

from dataclasses import replace

import pytest

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.grid import fill
from docparse_fast.drafting.tables.gutters import gutters_below_head
from docparse_fast.drafting.tables.white_slots import rows_in, white_slots

LETTER, TALL, LEADING = 10, 24, 30


def line(text, x, y):
    words, at = [], x
    for word in text.split(" "):
        words.append((Box(at, y, at + LETTER * len(word), y + TALL), word))
        at += LETTER * (len(word) + 1)
    return Line(Box.around(box for box, _ in words), text, 17, "embedded", words=tuple(words))


def rows(*texts, columns=(0, 200, 500)):
    return [
        line(text, x, n * LEADING) for n, row in enumerate(texts) for x, text in zip(columns, row, strict=False) if text
    ]


def never(box):
    return False


def read(lines, ruled=never, *, begun_by="room"):
    filling = fill(white_slots(rows_in(lines), ruled, begun_by=begun_by), lines, never)
    cells = filling.cells()
    height = 1 + max(cell.row for cell in cells)
    return [[cell.text for cell in cells if cell.row == row] for row in range(height)]


WRAPPED = rows(
    ("Term", "What it means"),
    ("Bridge", "a way over a river that"),
    ("", "stands on piers"),
    ("Harbour", "where ships lie"),
    ("Market", "a place in the town with"),
    ("", "stalls"),
    ("Number", "ten"),
)


def test_a_count_does_not_go_on_in_words():
    """A group's name that is the widest of its column was the second line of the count above it."""
    grouped = rows(
        ("Pos", "Work", "Price"), ("1", "planks", "84"), ("2", "ribs", "12"), ("Painting", "", ""), ("3", "hull", "26")
    )
    assert read(grouped)[2:4] == [["2", "ribs", "12"], ["Painting", "", ""]]


def test_a_row_ends_where_the_next_word_would_have_had_room():
    assert read(WRAPPED) == [
        ["Term", "What it means"],
        ["Bridge", "a way over a river that stands on piers"],
        ["Harbour", "where ships lie"],
        ["Market", "a place in the town with stalls"],
        ["Number", "ten"],
    ]


def test_a_line_that_looks_bold_below_another_column_than_the_first_is_no_groups_name():
    """On scans one plain line in 25 looks bold: the second half of a wrapped cell was a row."""
    looks_bold = [replace(each, bold=each.plain == "stalls") for each in WRAPPED]
    assert read(looks_bold) == read(WRAPPED)


def test_cells_in_the_middle_of_their_row_stay_in_it():
    texts = ["the first of all the rows", "that were ever written", "the next of all the rows", "and another one"]
    lines = [line(text, 200, 60 * (n // 2) + 10 + n * LEADING) for n, text in enumerate(texts)]
    lines += [line("One", 0, 25), line("Two", 0, 145)]
    assert read(lines) == [["One", f"{texts[0]} {texts[1]}"], ["Two", f"{texts[2]} {texts[3]}"]]


def test_numbers_begin_a_row():
    texts = [("Year", "Sum", "Rest"), ("2020", "11.5", "2.5"), ("2021", "12.5", "3.5"), ("2022", "13.5", "4.5")]
    assert read(rows(*texts, columns=(0, 100, 200))) == [list(row) for row in texts]


def test_a_rule_ends_a_row_though_its_words_would_go_on():
    assert len(read(WRAPPED, lambda box: True)) == 7


def test_a_heading_over_all_columns_spans_them():
    lines = [line("A heading over everything here", 100, -LEADING), *WRAPPED]
    assert white_slots(rows_in(lines), never)[0].columns == 2


def test_spaces_that_stand_in_line_by_chance_part_no_columns():
    lines = rows(("one two three four five",), ("six ten eight nine zero",), ("alpha beta gamma delta",))
    assert white_slots(rows_in(lines), never) == []


def amounts(*figures):
    """Right-aligned at 500 and at 700; each row has one of the two."""
    head = [line("Day", 0, 0), line("Out", 470, 0), line("In", 680, 0)]
    body = []
    for n, (out, into) in enumerate(figures, 1):
        text, end = (out, 500) if out else (into, 700)
        body += [line(f"{n}.5.", 0, n * LEADING), line(text, end - LETTER * len(text), n * LEADING)]
    return head + body


def test_money_in_and_money_out_are_two_columns_though_no_row_has_both():
    found = read(amounts(("3.20", ""), ("", "1200.00"), ("41.00", ""), ("", "9.99"), ("18.50", ""), ("", "100.00")))
    assert found[0] == ["Day", "Out", "In"]
    assert found[1:3] == [["1.5.", "3.20", ""], ["2.5.", "", "1200.00"]]


def test_a_column_of_one_figure_and_a_head_that_ends_as_it_does_is_one():
    """A folio's one payment stood under `Charges Credits`."""
    assert read(amounts(("3.20", ""), ("41.00", ""), ("18.50", ""), ("", "9.99")))[0] == ["Day", "Out", "In"]


@pytest.mark.parametrize(
    ("figures", "unit", "expected"),
    [
        ((6, 12, 8, 110, 40, 7), "hmhhmh", ["12", "m"]),
        ((6, 12, 8, 110, 40, 7), "hhhhhh", ["12 h"]),
        (range(21, 27), "hmhhmh", ["22 m"]),
    ],
)
def test_a_number_and_its_unit_are_two_columns_where_units_differ_and_numbers_of_any_width_end_in_line(
    figures, unit, expected
):
    """Statements lost their dates, 24 Oct and 09 Oct, and invoices the currency of each sum."""
    made = [line(f"{n}", 90 - LETTER * len(str(n)), k * LEADING) for k, n in enumerate(figures)]
    units = [line(unit[k], 97, k * LEADING) for k in range(6)]
    lines = [
        Line(Box.around((a.box, b.box)), f"{a.plain} {b.plain}", 17, "text-layer", words=(*a.words, *b.words))
        for a, b in zip(made, units, strict=True)
    ]
    lines += [line("Oars", 200, k * LEADING) for k in range(6)]
    slots = white_slots(rows_in(lines), never)
    cells = fill(slots, lines, lambda _: True).cells()
    assert [cell.text for cell in cells if cell.row == 1] == [*expected, "Oars"]


def test_a_head_that_is_wider_than_its_column_ends_where_its_column_does():
    head = [line("Length, m Owner", 300 - 9 * LETTER, 0)]
    body = [
        each
        for n, (length, owner) in enumerate((("7.1", "Harbour"), ("10.0", "Okafor"), ("4.9", "Brekke")), 1)
        for each in (line(length, 300 - LETTER * len(length), n * LEADING), line(owner, 310, n * LEADING))
    ]
    assert read(head + body)[0] == ["Length, m", "Owner"]


def test_the_same_words_row_after_row_make_no_columns():
    ends = ("exists", "is a pipe", "is open", "has a size", "is a link", "may be read")
    lines = [line(f"True if file {end}", 0, n * LEADING) for n, end in enumerate(ends)]
    assert white_slots(rows_in(lines), never) == []


def test_where_rows_are_named_a_groups_name_is_a_row_below_a_sum_as_wide():
    lines = rows(
        ("Fixed assets", "10", "20"),
        ("Land and forests", "10", "20"),
        ("Total fixed assets", "10", "20"),
        ("Current assets", "", ""),
        ("Money at the bank", "30", "40"),
    )
    assert ["Current assets", "", ""] not in read(lines)
    assert ["Current assets", "", ""] in read(lines, begun_by="names")


def test_what_stands_below_a_rows_figures_may_go_on_in_it_though_it_had_room_above():
    texts = [
        ("2 May", "Fee Vanvik", "29.95"),
        ("", "Mandate 551107", ""),
        ("3 May", "Transfer to the port", "154.10"),
        ("", "7", ""),
    ]
    lines = rows(*texts, columns=(0, 200, 700))
    assert read(lines)[1] == ["", "Mandate 551107", ""]
    assert read(lines, begun_by="figures") == [
        ["2 May", "Fee Vanvik Mandate 551107", "29.95"],
        ["3 May", "Transfer to the port 7", "154.10"],
    ]


def test_a_head_at_the_left_of_its_column_of_figures_stands_over_them():
    body = [
        line(text, x, n * LEADING) for n in range(1, 5) for text, x in (("Shift pay", 0), ("118", 290), ("25", 420))
    ]
    head = [line(text, x, 0) for text, x in (("Name", 0), ("Qty", 220), ("Price", 340))]
    assert read([*head, *body])[0] == ["Name", "Qty", "Price"]


def test_a_blank_as_wide_as_a_letter_parts_nothing_in_a_font_of_one_width():
    texts = ["Mast and deck", "Sail and bows", "Keel and hull"]
    low = [(line(text, 0, 30 * n), line(f"{n}.50", 400, 30 * n)) for n, text in enumerate(texts)]
    flat = [replace(each.moved(lambda box: replace(box, y1=box.y0 + 11)), mono=True) for row in low for each in row]
    assert read(flat)[1] == ["Sail and bows", "1.50"]


def test_words_as_wide_as_each_other_are_one_cell_though_their_blanks_stand_in_line():
    said = ["강물 다리", "숲길 시장", "정원 종이", "아침 음악", "겨울 창문"]
    lines = rows(*((text, str(n)) for n, text in enumerate(said)))
    for n, two in enumerate(lines[::2]):
        first, (box, second) = two.words
        lines[2 * n] = replace(two, words=(first, (replace(box, x0=box.x0 - 2, x1=box.x1 - 2), second)))
    assert read(lines) == [[text, str(n)] for n, text in enumerate(said)]


def test_rules_that_part_all_figures_of_a_column_part_the_rows_but_not_the_sums_below():
    """Of `72-762` in a narrow column each line was a row; and the last item took in net, tax and total."""
    items = [("72-", "lamp of", "4"), ("762", "brass", ""), ("73-", "rope", "9"), ("101", "", ""), ("80-", "oar", "2")]
    lines = rows(("No.", "What", "Qty"), *items, ("800", "", ""), ("", "net", "15"), ("", "total", "18"))
    drawn = [LEADING * n - 3 for n in (1, 3, 5, 7)]
    assert read(lines, lambda box: any(box.y0 <= y <= box.y1 for y in drawn))[1:] == [
        ["72-762", "lamp of brass", "4"],
        ["73-101", "rope", "9"],
        ["80-800", "oar", "2"],
        ["", "net", "15"],
        ["", "total", "18"],
    ]


# What begins at its column's left, over figures that end at its right, leaves no white beside the next head.
LEFT, RIGHT = (0, 100, 204, 363), (60, 200, 360, 520)
HEADS = [line(text, x, 0) for text, x in zip(("Item", "Count", "Unit price", "Amount"), LEFT, strict=True)]


def bills(*bodies):
    below = [
        line(text, end - LETTER * len(text), n * LEADING)
        for n, row in enumerate(bodies, 1)
        for text, end in zip(row, RIGHT, strict=True)
    ]
    return [*HEADS, *below]


def test_heads_at_the_left_of_figures_at_the_right_stand_over_their_own_columns():
    lines = bills(("Screws", "120", "1.25", "150.00"), ("Hinges", "2", "100.00", "200.00"), ("Doors", "1", "80", "80"))
    slots = white_slots(rows_in(lines, gutters_below_head(lines)), never)
    cells = fill(slots, lines, never).cells()
    assert [cell.text for cell in cells if cell.row == 0] == ["Item", "Count", "Unit price", "Amount"]
    assert [cell.text for cell in cells if cell.row == 2] == ["Hinges", "2", "100.00", "200.00"]


def test_where_no_row_of_words_stands_above_figures_there_is_no_head():
    assert gutters_below_head(rows(("1", "2.50"), ("2", "3.75"), ("3", "1.00"))) == []
    assert gutters_below_head(WRAPPED) == []


def test_a_head_that_begins_before_its_figures_belongs_to_their_column():
    """Heads flush left, figures flush right: the second head stands nearer to the first column's figures."""
    figures = [("Rent", "1,200", "1,100"), ("Coal", "900", "850"), ("Wages", "7,000", "6,500"), ("Oil", "450", "400")]
    figures += [(name[::-1], a, b) for name, b, a in figures]
    lines = [line("2025", 400, 0), line("2024", 720, 0)]
    for n, row in enumerate(figures, start=1):
        ends = (10 * len(row[0]), 700, 1020)
        lines += [line(text, end - 10 * len(text), 30 * n) for text, end in zip(row, ends, strict=True)]
    left, right = gutters_below_head(lines)
    assert left < 400 < 440 < 700 < right < 720


def test_white_beside_a_dash_between_years_parts_no_columns():
    """Years of a CV were two columns, and its last job lost half of its words to the text below."""
    jobs = {2001: ("Storekeeper", "Pump"), 2005: ("Clerk", "Listed"), 2012: ("Ironmonger", "Ore")}
    lines = [line for year, (name, done) in jobs.items() for line in ((f"{year} – {year + 3}", name), ("", done))]
    said = read(rows(*lines, columns=(0, 240)))
    assert said == [[f"{year} – {year + 3}", f"{name} {done}"] for year, (name, done) in jobs.items()]


def spread(lines, *steps):
    """The same lines, each row so many leadings below the one above."""
    tops = [sum(steps[:n]) * LEADING for n in range(len(steps) + 1)]
    return [each.shifted(0, tops[round(each.box.y0 / LEADING)] - each.box.y0) for each in lines]


def at_the_foot(*head, first="made of iron"):
    """Three rows of items, whose texts begin above their figures."""
    items = ("Nails", "Glue", "Tape")
    body = [each for name in items for each in (("", first, ""), (name, "for outdoors", "1.20"))]
    return spread(rows(*head, *body), *(1 for _ in head[1:]), *(2, 1, 2, 1, 2, 1))


def test_a_cell_that_begins_above_the_figures_of_its_row_is_of_that_row():
    """Cells that stand at the foot of their row were torn: each one's first line went to the row above."""
    found = read(at_the_foot(("Item", "Sort", "Price")))
    assert found[1:] == [[name, "made of iron for outdoors", "1.20"] for name in ("Nails", "Glue", "Tape")]


def test_what_had_room_stands_apart_from_the_row_below():
    assert ["", "iron", ""] in read(at_the_foot(("Item", "Sort", "Price"), first="iron"))


@pytest.mark.parametrize(("above", "expected"), [("Unit", "Unit price"), ("2026", "price")])
def test_a_head_of_two_lines_is_one_row_where_both_end_in_line_and_the_upper_is_no_year(above, expected):
    """`Unit` stood in a row of its own above `price`."""
    found = read(at_the_foot(("", "", above), ("Item", "Sort", "price")))
    assert ["Item", "Sort", expected] in found


def test_a_column_with_a_name_and_few_figures_is_a_column():
    """A timesheet's `Mon`, with nothing but its sum below, stood in one cell with `Task`."""
    days = ("Task", "Mon", "Tue", "Wed")
    work = [
        ("Hosting", "", "5.5", ""),
        ("Travel", "", "", "4.5"),
        ("Repair", "", "4.0", "8.0"),
        ("Visit", "", "", "2.0"),
    ]
    sums = ("Sum", "0.0", "9.5", "14.5")
    found = read(rows(days, *work, *work, sums, columns=(0, 200, 320, 440)))
    assert [found[0], found[-1]] == [list(days), list(sums)]


def test_a_head_that_stands_beside_its_column_names_it():
    """A laboratory's `Flag` stood in one cell with `Unit`: `Result`, beside it, ends before its figures do."""
    heads = [line("Test", 0, 0), line("Result", 300, 0), line("Flag", 430, 0), line("Unit", 520, 0)]
    said = [
        ("Sodium", "142", "", "mmol"),
        ("Iron", "9", "H", "umol"),
        ("Zinc", "11", "", "umol"),
        ("Lead", "3", "", "g"),
    ]
    body = [
        line(text, x, n * LEADING)
        for n, row in enumerate([*said, *said], 1)
        for text, x in zip(row, (0, 370, 450, 520), strict=True)
        if text
    ]
    assert read([*heads, *body])[2] == ["Iron", "9", "H", "umol"]


def test_a_name_in_the_middle_of_two_rows_makes_them_no_one_row():
    """Journals name a group once, between its rows: both were one row of the table."""
    table = rows(("Region", "Stream", "Load"), ("", "Alder", "412"), ("", "Birch", "377"), ("South", "Cedar", "290"))
    middle = line("North", 0, 1.5 * LEADING)
    assert read([*table, middle])[1:] == [["North", "Alder", "412"], ["", "Birch", "377"], ["South", "Cedar", "290"]]


def test_a_heading_in_larger_type_is_no_part_of_the_cell_below_it():
    """A timetable's `Line 27 back` went on in the first cell of the head below it."""
    said = [
        ("Outward", "848", "847"),
        ("Bridge", "05:35", "06:06"),
        ("Line 27 back",),
        ("Return", "547", "628"),
        ("Market", "06:12", "06:40"),
    ]
    lines = [replace(each, source="text-layer") for each in rows(*said)]
    larger = [replace(each, size=1.4 * each.size) if each.plain == "Line 27 back" else each for each in lines]
    assert [row[0] for row in read(larger)] == ["Outward", "Bridge", "Line 27 back", "Return", "Market"]
    assert "Line 27 back" not in [row[0] for row in read(lines)]


def test_heads_a_blank_apart_that_stand_over_all_columns_are_one_each():
    """A paper's narrow table had `Parameter Symbol Value` in one cell."""
    body = [("Step size", "h", "2.98"), ("Damping", "c", "6.35"), ("Stiff", "k", "2.46"), ("Mass", "m", "0.55")]
    lines = [line("Parameter Sign Value", 0, 0)]
    for n, row in enumerate(body, start=1):
        lines += [line(text, x, n * LEADING) for text, x in zip(row, (0, 115, 160), strict=True)]
    assert read(lines)[0] == ["Parameter", "Sign", "Value"]


def test_a_word_beside_years_makes_their_row_no_figures():
    figures = [("Rent", "1,200", "1,100"), ("Coal", "900", "850"), ("Wages", "7,000", "6,500"), ("Oil", "450", "400")]
    lines = [line("Note", 250, 0), line("2025", 400, 0), line("2024", 720, 0)]
    for n, row in enumerate(figures, start=1):
        ends = (10 * len(row[0]), 700, 1020)
        lines += [line(text, end - 10 * len(text), 30 * n) for text, end in zip(row, ends, strict=True)]
    left, right = gutters_below_head(lines)
    assert left < 400 < 700 < right < 720


def test_a_bold_line_between_rows_is_no_end_of_the_row_above():
    """A catalogue's list read `Reference Guides Panelboard Breakers`, a group's name, before the page of the first."""
    lines = rows(("Guides", "5-8"), ("Panelboard", ""), ("BL 240V", "5-18"), ("BQ 100A", "5-20"), columns=(0, 300))
    lines[2] = replace(lines[2], bold=True)
    assert ["Panelboard", ""] in read(lines, begun_by="figures") or ["Panelboard"] in read(lines, begun_by="figures")


def test_where_a_bold_line_surely_names_a_group_those_below_bold_sums_do_too():
    """A balance sheet's `Sum of things Stocks`: the next group's name went on in a bold sum."""
    said = [("Things", ""), ("Land of all kinds", "46"), ("Sum of things", "46"), ("Receivables", ""), ("Tax", "9")]
    lines = [
        replace(each, bold=not each.plain.startswith(("Land", "Tax")) and each.plain != "9")
        for each in rows(("", "2026"), *said, columns=(0, 300))
    ]
    assert ["Receivables", ""] in read(lines)
    going_on = [
        replace(each, plain="receivables", words=((each.words[0][0], "receivables"),))
        if each.plain == "Receivables"
        else each
        for each in lines
    ]
    assert ["Sum of things receivables", "46"] in read(going_on)


def test_the_name_of_a_sum_may_run_over_the_white_between_two_columns():
    """A card's statement had both its days in one cell: `Total for 4410` stands below them, over their white."""
    days = [("10/03", "10/04", "SHELL OIL", "51.02"), ("10/05", "10/06", "TRADER JOE", "84.17")]
    days += [("10/09", "10/10", "BART", "20.00"), ("10/12", "10/14", "LA TAQUERIA", "36.20")]
    lines = rows(*days, ("Total for 4410", "", "", "191.39"), columns=(0, 85, 170, 500))
    found = read(lines)
    assert [row[:2] for row in found[:2]] == [["10/03", "10/04"], ["10/05", "10/06"]]
    assert found[4][0] == "Total for 4410"


def test_words_a_blank_apart_run_over_white_that_is_wide_in_other_rows():
    """A statement's `Neuer Kontostand` was two cells: the first word ends where days above it do."""
    lines = rows(("01.10", "Rent", "9.20"), ("02.10", "Wages", "8.10"), ("05.10", "Toys", "7.70"), columns=(0, 80, 500))
    lines += [line("Final sum by the end of the month", 0, 3 * LEADING), line("25.00", 500, 3 * LEADING)]
    assert read(lines)[3][0] == "Final sum by the end of the month"


def test_figures_that_end_in_line_by_chance_are_no_columns():
    """A letter's `11 March 1951` over `Dr S. Patel` was two cells: the first words end in line, and so do the last."""
    lines = rows(
        ("Patient", "Ada Quill", "H-4481"), ("Born", "11 March 1951", "7 May"), ("GP", "Dr S. Patel X", "9 June")
    )
    assert len(gutters_below_head(lines)) == 2


def test_a_date_over_thousands_is_one_column_in_two_rows():
    """`31 Oct` stood over `1 242`, and each blank over the other: both were two columns."""
    meter = [line("Meter", 0, 0), line("31 Oct", 200, 0), line("Difference", 400, 0)]
    read_rows = [line("WM-7731", 0, LEADING), line("1 242", 210, LEADING), line("38", 480, LEADING)]
    assert read([*meter, *read_rows]) == [["Meter", "31 Oct", "Difference"], ["WM-7731", "1 242", "38"]]


def test_a_groups_bold_name_that_is_wider_than_its_column_goes_on_in_no_row():
    """A paper's `Larger models` ran over the first column, and was one cell with the method below it."""
    said = [("Pruned", "0.1", "70.0"), ("Shared", "0.3", "43.3"), ("Larger ones",), ("Both", "0.6", "40.9")]
    lines = rows(("Way", "P", "R"), *said, columns=(0, 90, 200))
    bold = [replace(each, bold=each.plain == "Larger ones") for each in lines]
    assert [row[0] for row in read(bold)] == ["Way", "Pruned", "Shared", "Larger ones", "Both"]


BOOKED = [
    ("01.12.", "FEE", "-2,50"), ("(29.11.)", "see what is enclosed", ""),
    ("02.12.", "DEBIT", "-18,60"), ("(02.12.)", "PayPal Europe", ""), ("", "order 12", ""),
    ("08.12.", "CREDIT", "7,54"), ("(08.12.)", "Hubert Schmidt", ""),
    ("09.12.", "DEBIT", "-9,99"), ("(09.12.)", "Mill and Sons", ""),
]  # fmt: skip


@pytest.mark.parametrize(("white", "height"), [(24, 4), (0, 8)])
def test_white_parts_a_banks_bookings_though_each_has_two_dates(white, height):
    """A German statement's second dates, and what stood beside them, were rows without an amount."""
    groups = [sum(amount != "" for _, _, amount in BOOKED[: n + 1]) for n in range(len(BOOKED))]
    lines = [
        line(text, x, n * LEADING + white * group)
        for n, (row, group) in enumerate(zip(BOOKED, groups, strict=True))
        for x, text in zip((0, 200, 600), row, strict=True)
        if text
    ]
    assert len(read(lines)) == height
