"""Where lines stand level, and labels over their values."""

from dataclasses import replace

from drafting.tables.proposed import line

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.fields import fields, led_lists
from docparse_fast.drafting.tables.places import (
    between_names,
    from_heads,
    is_apart,
    level_places,
    rows_of,
    ruled_places,
    sides_off_level,
)

FORM = ["Next of kin", "Employer"]


def at(row, column, text):
    """Rows ten pixels high, each as far below the last as `row` says."""
    left = 120.0 * column
    return Line(Box(left, row, left + 6 * len(text), row + 10), text, 10, "text-layer")


def card(*rows):
    """Lines and rows: each is its height on the page and its words."""
    lines, made = [], []
    for height, words in rows:
        made.append(list(range(len(lines), len(lines) + len(words))))
        lines += [at(height, column, word) for column, word in enumerate(words) if word]
        made[-1] = made[-1][: len(lines) - made[-1][0]]
    return lines, made


def pairs(candidate):
    said = {(cell.row, cell.column): cell.text for cell in candidate.cells}
    return [(said[n, 0], said.get((n, 1), "")) for n in range(candidate.height)]


def test_labels_over_their_values_are_read_pair_by_pair():
    lines, rows = card(
        (0, ["Patient", "Born"]), (12, ["Dale Wen", "1981"]), (40, ["Sample", "Taken"]), (52, ["M-22", "08:15"])
    )
    (found,) = fields(rows, lines)
    assert pairs(found) == [("Patient", "Dale Wen"), ("Born", "1981"), ("Sample", "M-22"), ("Taken", "08:15")]


def test_a_heading_over_a_number_is_no_label():
    """A bill's `INVOICE` in large type over its number, beside the firm's name, were a table of fields."""
    lines, rows = card((0, ["Ada & Sons", "INVOICE"]), (14, ["", "HJ-2291"]), (60, ["Please pay soon"]))
    assert len(list(fields(rows, lines))) == 1
    large = [replace(each, size=20 if each.box.y0 == 0 else 10) for each in lines]
    assert list(fields(rows, large)) == []


def test_rows_as_near_to_those_above_are_no_labels_and_values():
    """A letter's `E-mail` over `Date` at its end were read as labels, though all rows stand at one step."""
    lines, rows = card((0, ["Reference", "MR-2"]), (12, ["E-mail", "post at home"]), (24, ["Date", "6 May 2025"]))
    assert list(fields(rows, lines)) == []


def test_a_label_without_a_value_keeps_its_row():
    lines, rows = card((0, ["Patient", "Born"]), (12, ["Ward 7"]), (40, ["Sample", "Taken"]), (52, ["M-22", "08:15"]))
    (found,) = fields(rows, lines)
    assert pairs(found)[1] == ("Born", "")


def test_rows_at_even_steps_are_no_labels_and_values():
    lines, rows = card((0, ["Item", "Price"]), (20, ["Nails", "1.20"]), (40, ["Glue", "4.00"]), (60, ["Tape", "2.50"]))
    assert list(fields(rows, lines)) == []


def test_two_rows_that_may_be_read_across_are_not_paired_downwards():
    """`Prepared by` named `As of` on every printed sheet."""
    lines, rows = card((0, ["Prepared by", "Dale Wen"]), (12, ["As of", "2026"]))
    assert list(fields(rows, lines)) == []


def test_an_address_beside_a_small_label_over_its_value_is_no_pair_of_fields():
    """A letter's first two lines were a label and its value, `Your ref.` and `ET-82` another."""
    lines, rows = card((0, ["Ada Quill", "Your ref."]), (12, ["Quill & Sons", "ET-82"]), (40, ["Quay 9"]))
    small = [replace(each, size=8) if each.plain in ("Your ref.", "ET-82") else each for each in lines]
    assert list(fields(rows, small)) == []


def test_labels_beside_their_values_are_not_paired_downwards():
    lines, rows = card((0, ["Date", "12 March"]), (12, ["Due", "11 April"]))
    assert list(fields(rows, lines)) == []


def test_values_that_end_in_line_are_fields_though_the_longest_begins_before_a_label_ends():
    """An invoice's dates were read behind all of their labels."""
    said = [(0, "Number", "A1"), (12, "Date of the bill", "4 May 2025"), (24, "Due", "6 May")]
    lines = [
        piece for y, label, value in said for piece in (at(y, 0, label), at(y, (200 - 6 * len(value)) / 120, value))
    ]
    (found,) = fields([[0, 1], [2, 3], [4, 5]], lines)
    assert [cell.text for cell in found.cells] == [text for _, *pair in said for text in pair]


def test_a_total_in_large_type_is_no_row_of_labels():
    """A receipt's total and what was paid were read as two labels over two sums."""
    lines, rows = card((0, ["TOTAL", "16,36"]), (12, ["Card", "16,36"]))
    large = [replace(each, size=14) if each.box.y0 == 0 else each for each in lines]
    assert list(fields(rows, large)) == []


def test_labels_with_a_colon_beside_their_values_are_not_paired_downwards():
    """An invoice's `Customer:` over `Terms:` were read as two labels over a name and a time of payment."""
    lines, rows = card((0, ["Customer:", "Brixham Club"]), (12, ["Terms:", "30 days net"]))
    assert list(fields(rows, lines)) == []


def test_terms_beside_what_they_mean_are_not_paired_downwards():
    lines, rows = card((0, ["a line", "ends here"]), (12, ["a shell", "runs it"]))
    assert list(fields(rows, lines)) == []


def test_values_that_stand_under_no_label_are_no_fields():
    lines = [at(0, 0, "Patient"), at(0, 1, "Born"), at(12, 0.4, "Dale"), at(12, 1.6, "1981")]
    assert list(fields([[0, 1], [2, 3]], lines)) == []


def test_values_that_end_in_line_below_other_rows_are_fields():
    said = [(0, "Number", "A1"), (12, "Date of the bill", "4 May 2025"), (24, "Due", "6 May")]
    lines = [
        piece for y, label, value in said for piece in (at(y, 0, label), at(y, (200 - 6 * len(value)) / 120, value))
    ]
    lines.append(at(-14, 0, "Harbour Street"))
    (found,) = fields([[6], [0, 1], [2, 3], [4, 5]], lines)
    assert [cell.text for cell in found.cells] == [text for _, *pair in said for text in pair]


def test_a_title_level_with_one_of_the_fields_beside_it_stands_on_a_side_of_its_own():
    said = [(0, "Number", "A1"), (12, "Date", "4 May 2025"), (24, "Due", "6 May")]
    lines = [piece for y, label, value in said for piece in (at(y, 3, label), at(y, 4, value))]
    lines.append(at(12, 0, "Quotation"))
    sides = sides_off_level([[0, 1], [6, 2, 3], [4, 5]], lines)
    assert [[0, 1], [2, 3], [4, 5]] in sides


def test_a_place_reaches_from_the_first_row_of_several_lines_to_the_last():
    rows = [["A heading"], ["Item", "Price"], ["Nails", "1.20"], ["of iron"], ["Glue", "4.00"], ["Thank you"]]
    lines = [line(r, c, text) for r, row in enumerate(rows) for c, text in enumerate(row)]
    (place,) = level_places(lines)
    assert [lines[row[0]].plain for row in place] == ["Item", "Nails", "of iron", "Glue"]


def test_a_page_of_one_flow_has_no_place():
    assert level_places([line(n, 0, "words of a paragraph") for n in range(20)]) == []


def test_rows_far_apart_are_two_places():
    lines = [line(row, column, "word") for row in (0, 1, 9, 10) for column in (0, 1)]
    assert len(level_places(lines)) == 2


def test_cells_that_leave_little_white_go_on_below_a_head_that_tells_where_columns_begin():
    long, short = (0.0, 48.0), (0.0, 20.0)
    lines = [
        Line(Box(x0, 16 * n, x1, 16 * n + 10), "word", 10, "text-layer")
        for n, first in enumerate([short, long, long, long, long])
        for x0, x1 in (first, (56.0, 90.0))
    ]
    assert level_places(lines) == [[[2 * n, 2 * n + 1] for n in range(5)]]
    assert level_places(lines[:6]) == []  # a heading and its number, above a part's and its own
    assert level_places(lines[2:]) == []  # no row tells it, as beside the bullets of a list


def test_a_heading_in_larger_type_ends_a_place():
    """A menu's courses became one table, their headings rows of it."""
    rows = [["Soup", "4.50"], ["Tart", "9.00"], ["Mains"], ["Trout", "14.00"], ["Pie", "12.00"], ["Total 40"]]
    lines = [line(r, c, text) for r, row in enumerate(rows) for c, text in enumerate(row)]
    large = [replace(each, size=13) if len(each.plain.split()[0]) == 5 and each.box.x0 == 0 else each for each in lines]
    large = [replace(each, size=10) if each.plain == "Trout" else each for each in large]
    parts = between_names(rows_of(large, range(len(large))), large)
    assert [[large[row[0]].plain for row in part] for part in parts] == [["Soup", "Tart"], ["Trout", "Pie"]]


def test_a_bold_line_in_little_larger_type_ends_a_place_and_a_groups_name_does_not():
    """A form below an invoice's sums was read label by label, apart from its values."""
    rows = [["Lamps", "4.50"], ["Bulb", "9.00"], ["Part A"], ["Next of kin", "Ada Wen"], ["Employer", "Quay Ltd"]]
    lines = [line(r, c, text) for r, row in enumerate(rows) for c, text in enumerate(row)]
    for size, firsts in (
        (10, [["Lamps", "Bulb", "Part A", "Next of kin", "Employer"]]),
        (10.9, [["Lamps", "Bulb"], FORM]),
    ):
        named = [replace(each, size=size, bold=True) if each.plain == "Part A" else each for each in lines]
        parts = between_names(rows_of(named, range(len(named))), named)
        assert [[named[row[0]].plain for row in part] for part in parts] == firsts


def test_a_line_of_prose_over_several_columns_ends_a_place():
    """A letter's fields, the sentence below them and its items were one table."""
    prose = "The night shift weighed a wooden ladder, as the letter shows, at noon."
    rows = [["Number", "Date"], ["LNC", "11 May"], [prose], ["Item", "Count", "Sum"], ["Lamp", "2", "9.00"]]
    lines = [at(14 * r, c, text) for r, row in enumerate(rows) for c, text in enumerate(row)]
    parts = between_names(rows_of(lines, range(len(lines))), lines)
    assert [len(part) for part in parts] == [2, 2]
    short = [replace(each, plain="A ladder") if each.plain == prose else each for each in lines]
    assert len(between_names(rows_of(short, range(len(short))), short)) == 1


def test_two_tables_with_no_more_than_a_head_between_are_read_each_by_itself():
    """Their columns differ: read together, the lower one's were joined."""
    rows = [["Stop", "Line 1"], ["Mill", "07:00"], ["Pier", "07:10"], ["Goods", "Count"], ["Lamp", "4"], ["Sum", "4"]]
    lines = [at(12 * r, c, text) for r, row in enumerate(rows) for c, text in enumerate(row)]
    lines = [replace(each, bold=each.box.y0 in (0, 36)) for each in lines]
    place = rows_of(lines, range(len(lines)))
    parts = [[lines[row[0]].plain for row in part] for part in from_heads(place, lines)]
    assert parts == [["Stop", "Mill", "Pier"], ["Goods", "Lamp", "Sum"]]
    assert from_heads(place[:3], lines) == []


def test_a_place_without_lines_has_no_parts():
    """The page fell back to readers without a layout model: it labels a table where only a lattice stands."""
    assert between_names([], []) == []


def test_an_address_beside_fields_is_no_part_of_their_place():
    """A letter's reference and date, in smaller type beside the address, stand on levels of their own."""
    lines = [at(13 * n, 0, text) for n, text in enumerate(("Ida Wen", "Harbour Ltd", "Pier 7", "4532 Lorlund"))]
    lines += [at(1 + 11 * n, c, text) for n in range(4) for c, text in ((3, f"Field {n}"), (4, f"value {n}"))]
    place = rows_of(lines, range(len(lines)))
    [side] = sides_off_level(place, lines)
    assert [lines[row[0]].plain for row in side] == ["Field 0", "Field 1", "Field 2", "Field 3"]
    level = [
        replace(each, box=replace(each.box, y0=13 * (n % 4), y1=13 * (n % 4) + 10)) for n, each in enumerate(lines)
    ]
    assert sides_off_level(rows_of(level, range(len(level))), level) == []


def test_a_leader_of_which_parts_were_read_leads_from_its_own_column():
    """A leaflet's prices took the prose beside them into their table."""
    said = ["the gate will be", "painted in spring", "and after that too"]
    names, prices = ["Hand dryer.....", "Oak shelf....", "Ladder.."], [".86.85", "..79.72", "...73.84"]
    rows = [(20 * n, *cells) for n, cells in enumerate(zip(said, names, prices, strict=True))]
    lines = [piece for y, prose, name, price in rows for piece in (at(y, 0, prose), at(y, 2, name), at(y, 4, price))]
    (found,) = led_lists(lines)
    assert pairs(found) == [("Hand dryer", "86.85"), ("Oak shelf", "79.72"), ("Ladder", "73.84")]


def test_a_heading_parts_lists_with_leaders():
    """Of a price list's three groups the names stood below all their rows."""
    rows = [*((name, price) for name, price in zip(("Net", "Tar", "Oar"), "246", strict=True)), None]
    rows += [("Rope", "9"), ("Map", "11")]
    lines = [at(14 * n, 0, f"{row[0]:.<30}{row[1]}" if row else "On deck") for n, row in enumerate(rows)]
    assert [pairs(found) for found in led_lists(lines)] == [rows[:3], rows[4:]]


def test_a_row_whose_leader_is_lost_stays_in_its_list():
    lines = [at(0, 0, "Nets" + 30 * "." + "12"), at(14, 0, "Tar"), at(28, 0, "Oars" + 30 * "." + "19")]
    ends = lines[0].box.x1
    page = Line(Box(ends - 12, 14, ends, 24), "17", 10, "text-layer")
    (found,) = led_lists([*lines, page])
    assert pairs(found) == [("Nets", "12"), ("Tar", "17"), ("Oars", "19")]


def test_a_bold_line_of_a_scan_apart_from_the_rows_above_ends_a_place():
    """A price list's `Colour` stood in the table of `Cuts`: on scans sizes wander."""
    rows = [["Short", "28"], ["Long", "36"], ["Fringe", "9"], ["Colour"], ["Root tint", "42"], ["Full head", "58"]]
    for gap, parts in ((0, 1), (10, 2)):
        lines = [at(20 * r + gap * (r > 2), c, text) for r, row in enumerate(rows) for c, text in enumerate(row)]
        scanned = [replace(each, source="embedded", bold=each.plain == "Colour") for each in lines]
        assert len(between_names(rows_of(scanned, range(len(scanned))), scanned)) == parts
        lettered = [replace(each, letter_size=12.0 if each.bold else 10.0) for each in scanned]
        assert len(between_names(rows_of(lettered, range(len(lettered))), lettered)) == 2
        groups = [replace(each, bold=True, letter_size=12.0) if each.plain == "Short" else each for each in lettered]
        del groups[1]  # a name alone, too, in letters as large
        assert len(between_names(rows_of(groups, range(len(groups))), groups)) == parts


def test_lines_of_a_scan_stand_apart_by_their_words_and_their_type():
    """A hotel's taxes in small print were read as text: an OCR's boxes are half as high again, and reach farther."""

    def row(gap):
        words = [Box(10, 5, 60, 35), Box(60 + gap, 5, 110 + gap, 35)]
        boxes = [Box(0, 0, 68, 40), Box(52 + gap, 0, 120 + gap, 40)]
        pairs = zip(boxes, words, strict=True)
        return [Line(box, "12,60", 20.0, "embedded", words=((word, "12,60"),)) for box, word in pairs]

    assert [is_apart([0, 1], row(gap)) for gap in (30, 15)] == [True, False]


def test_the_last_row_that_no_rule_closes_is_of_the_rows_that_rules_part():
    """Rules between rows alone: an invoice's last item stood below its table, among the sums."""
    rows = [["Item", "Qty"], ["Burrs", "2"], ["Powder", "12"], ["Service", "3"], ["", "Total", "17"]]
    lines = [line(n, c, text) for n, row in enumerate(rows) for c, text in enumerate(row) if text]
    left, right = lines[0].box.x0, lines[-1].box.x1
    rules = [Box(left, y, right, y + 1) for y in (lines[2 * n].box.y1 + 4 for n in range(3))]
    said = [[lines[n].plain for n in sorted(place)] for place in ruled_places(rules, lines)]
    assert ["Burrs", "2", "Powder", "12", "Service", "3"] in said
    assert not any("Total" in place for place in said)


def test_rows_between_rules_are_read_alone_and_with_the_row_below_them():
    lines = [line(n, c, text) for n in range(5) for c, text in enumerate(("Item", "Quantity"))]
    rules = [Box(lines[0].box.x0, y, lines[1].box.x1, y + 1) for y in (lines[n].box.y1 + 4 for n in (0, 6))]
    assert list(ruled_places(rules, lines)) == [[2, 3, 4, 5, 6, 7], list(range(2, 10))]


def test_a_scans_bold_line_below_a_tables_head_names_a_group_where_no_other_head_follows():
    """A laboratory's report ended above `Lipids`, and its columns were lost there."""
    rows = [["Test", "Result"], ["Iron", "18"], ["Sodium", "141"], ["Lipids"], ["HDL", "1.4"], ["LDL", "3.2"]]
    for texts, parts in ((rows, 1), ([*rows[:4], ["Day", "Time"], *rows[4:]], 2)):
        lines = [at(20 * r + 10 * (r > 2), c, text) for r, row in enumerate(texts) for c, text in enumerate(row)]
        scanned = [replace(each, source="embedded", bold=each.plain == "Lipids") for each in lines]
        assert len(between_names(rows_of(scanned, range(len(scanned))), scanned)) == parts


def typed(row, column, text, size=10.0, *, bold=False):
    return replace(at(row, column, text), size=size, bold=bold)


def fields_above_a_table(count):
    """A number, words and a date in larger type, right above a table with a bold head."""
    pairs = [("Number", "080 037"), ("IBAN", "PL38 X"), ("Period", "22.01.2026")][:count]
    above = [[typed(16 * n, c, text, 12.0) for c, text in enumerate(pair)] for n, pair in enumerate(pairs)]
    head = [typed(16 * count, c, text, bold=True) for c, text in enumerate(("Day", "Work", "Sum"))]
    body = [[typed(16 * (count + 1 + n), c, f"{n}.{c}") for c in range(3)] for n in range(8)]
    made = [*above, head, *body]
    lines = [each for row in made for each in row]
    return lines, rows_of(lines, range(len(lines)))


def test_fields_in_a_type_of_their_own_above_a_table_are_a_place_of_their_own():
    """A statement's `IBAN`, between rows with figures, was taken for a head, and no field was read."""
    lines, rows = fields_above_a_table(3)
    assert rows[:3] in from_heads(rows, lines)


def test_two_rows_above_a_head_are_a_place():
    lines, rows = fields_above_a_table(2)
    assert rows[:2] in from_heads(rows, lines)
