"""Lines that stand side by side: when they are read across, and when one stack after the other."""

from dataclasses import replace

import numpy as np
import pytest

from docparse_fast.document import Box
from docparse_fast.drafting.blocks.stacks import level_stacks, paragraphs_among, parted_by_stacks, rows
from docparse_fast.drafting.lines import Line


def line(x: float, y: float, text: str, *, bold: bool = False) -> Line:
    return Line(Box(x, y, x + 6 * len(text), y + 10), text, 10, "text-layer", bold=bold)


def read(*lines: Line) -> list[list[str]]:
    boxes = [each.box for each in lines]
    order = [n for row in rows(boxes, range(len(lines))) for n in row]
    parts = parted_by_stacks(order, dict(enumerate(lines)), boxes)
    return [[lines[n].plain for n in part] for part in parts]


def side_by_side(*stacks: list[str], apart: float = 250) -> list[Line]:
    return [line(n * apart, 12 * m, text) for n, stack in enumerate(stacks) for m, text in enumerate(stack)]


FEET = (
    ["Brandt Ltd", "Mill Road 4", "Ely"],
    ["Tel. 555 01", "post@brandt.example"],
    ["Quay Bank", "IBAN DE02", "BIC X"],
)


def test_three_feet_of_a_letter_are_read_one_by_one():
    assert read(*side_by_side(*FEET)) == list(FEET)


def test_names_over_their_offices_are_read_one_by_one_though_one_stands_alone():
    signed = (["Leuven, 2 May"], ["E. Maes", "Examiner"], ["K. Dubois", "Director"])
    assert read(*side_by_side(*signed)) == list(signed)


def test_labels_and_their_values_are_read_row_by_row():
    labels, values = ["Number", "Date", "Customer"], ["FV 56", "2 May 2026", "41 726"]
    across = [text for pair in zip(labels, values, strict=True) for text in pair]
    assert read(*side_by_side(labels, values)) == [across]
    address = ["Ada Quill", "Harbour Row", "Eastport"]
    assert len(read(*side_by_side(address, labels, values))) == 1


def test_rows_of_figures_are_read_row_by_row():
    assert len(read(*side_by_side(["12.50", "8.00"], ["4", "3"], ["50.00 kg", "24.00 kg"]))) == 1


def test_two_short_columns_whose_sentences_read_on_are_read_one_by_one():
    left = ["I declare that all of these costs were", "incurred for the company alone."]
    right = ["Claims are paid with the salary of the", "month after they were approved."]
    assert read(*side_by_side(left, right)) == [left, right]


def test_two_stacks_that_are_not_level_are_read_one_after_the_other():
    firm = Line(Box(0, 14, 200, 50), "Jormere", 30, "text-layer")
    address = [line(400, y, text) for y, text in ((0, "Row 61"), (16, "Selbury"), (32, "Mere"))]
    assert read(*address, firm) == [["Jormere"], ["Row 61", "Selbury", "Mere"]]


def test_what_has_something_else_beside_it_stays_in_rows():
    lines = side_by_side(*FEET)
    table = Box(800, 0, 900, 40)
    boxes = [*(each.box for each in lines), table]
    order = [n for row in rows(boxes, range(len(boxes))) for n in row]
    assert parted_by_stacks(order, dict(enumerate(lines)), boxes) == [order]


def test_a_heading_and_the_text_below_it_are_one_stack_beside_others():
    heading = Line(Box(0, 0, 130, 13), "The yard is closed", 13, "text-layer", bold=True)
    text = [line(0, y, each) for y, each in ((16, "Deliveries go to"), (28, "the harbour."))]
    beside = [line(x, y, each) for x, each in ((250, "The night boat"), (450, "We thank you")) for y in (2, 14)]
    assert read(heading, *text, *beside)[0] == ["The yard is closed", "Deliveries go to", "the harbour."]


def test_bullets_that_hang_beside_items_of_one_line_are_no_stack():
    items = ["A plain item.", "Another one."]
    lines = [
        line(20 * (n % 2), 12 * (n // 2) - 4 * (n % 2), text) for n, text in enumerate(["•", items[0], "•", items[1]])
    ]
    assert read(*lines) == [["•", items[0], "•", items[1]]]


def test_items_in_two_columns_are_read_one_column_after_the_other():
    """A slide's two lists were one, an item of each in a line."""
    left, right = ["• Hex bolt", "• Desk lamp", "• Copper pipe"], ["• Mixer tap", "• Rope", "• Ladder"]
    assert read(*side_by_side(left, right)) == [left, right]


def test_items_that_begin_level_are_no_row_of_the_page():
    """Where a slide's second items begin level, too, their first ones were read before both."""
    items = ["• The grey cat was lost here,", "near the mill and its pond", "in May."]
    assert level_stacks(side_by_side(items, items), [], []) == []


def test_an_address_beside_fields_is_read_by_itself():
    address, fields = ["Ada Quill", "Mill Road 4", "Ely"], ["Order: A-17", "Shipped: 2 May", "Marks: NW 9"]
    assert read(*side_by_side(address, fields)) == [address, fields]
    assert len(read(*side_by_side(["Room: 12", "Bed: two", "Meals: all"], fields))) == 1


def test_a_chinese_label_needs_no_blank_behind_its_colon():
    address, fields = (
        ["王丽华", "磨坊路14号", "210000 南京市"],
        ["发票号码:1128-21", "日期：13.11.2026", "期限:14.12.2026"],
    )
    assert read(*side_by_side(address, fields)) == [address, fields]


TOLD = (
    ["A baker photographed a crate of lemons after the meeting,", "and nobody asked why."],
    ["A carpenter catalogued the iron gate in spite of the rain,", "as the letter shows."],
)


def test_names_over_short_columns_stand_with_what_they_name():
    """Two headings side by side were one, over two columns of two lines."""
    text = side_by_side(*TOLD, apart=450)
    names = [line(n * 450, -14, name, bold=True) for n, name in enumerate(("On the river", "Results"))]
    assert read(*names, *text) == [["On the river", *TOLD[0]], ["Results", *TOLD[1]]]


def test_narrow_columns_whose_sentences_go_on_are_read_one_by_one_however_long():
    """Four cards in a row, their lines three words wide, were read across."""
    cards = [
        [
            "A neighbour",
            "from the mill",
            "inspected forty",
            "chairs for the",
            "third time, and",
            "nobody asked",
            "why she did.",
        ],
        [
            "The keeper",
            "returned the",
            "western bridge",
            "after the long",
            "meeting, which",
            "took until ten",
            "o'clock.",
        ],
        [
            "An apprentice",
            "painted a tin",
            "of varnish in",
            "spite of the",
            "rain, and the",
            "costs were all",
            "shared.",
        ],
    ]
    assert read(*side_by_side(*cards, apart=120)) == cards


def test_two_addresses_are_read_one_by_one_where_one_is_longer():
    """Whom to bill and where to deliver were read across: `Sven Jansen Carla Rahman`."""
    bill = ["Sven Jansen", "Marchetti & Rossi Ltd", "Birkenweg 159", "81133 Dorset"]
    deliver = ["Carla Rahman", "Calle Mayor 96", "61939 Dorset"]
    assert read(*side_by_side(bill, deliver)) == [bill, deliver]


def test_two_addresses_of_as_many_lines_are_read_one_by_one_and_fields_are_not():
    """A packing list's shipper and consignee were read across: `Shipper: Consignee:`."""
    sender = ["Shipper:", "Aegean Olives", "Industrial Area B, Plot 7", "GR-81100 Mytilini"]
    other = ["Consignee:", "Feinkost Huber", "Hafenstrasse 21", "A-4020 Linz"]
    assert read(*side_by_side(sender, other)) == [sender, other]
    loan, term = ["Loan: 18,000 GBP", "Rate: 5.4 a year"], ["Term: 24 months", "First payment: 1 Jan"]
    assert len(read(*side_by_side(loan, term))) == 1


def scanned(x: float, y: float, text: str, size: float) -> Line:
    """An OCR's box is higher than its type."""
    return Line(Box(x, y - 3, x + 6 * len(text), y + 13), text, size, "embedded", letter_size=size)


def test_what_stands_under_bold_names_is_read_by_name():
    left, right = ["Contact", "Ada Moreau", "Second floor"], ["Terms", "Thirty days net."]
    lines = [
        line(250 * n, 12 * m, text, bold=m == 0)
        for n, stack in enumerate((left, right))
        for m, text in enumerate(stack)
    ]
    assert read(*lines) == [left, right]


def test_what_stands_under_names_in_larger_type_is_read_by_name():
    left, right = (
        ["Contact", "Ada Moreau", "+38 687 2882451"],
        ["Terms", "The wine list was sold", "by agreement in June."],
    )
    lines = side_by_side(left, right)
    named = [replace(each, size=13) if each.plain in ("Contact", "Terms") else each for each in lines]
    assert read(*named) == [left, right]
    assert read(*lines) != [left, right]


def test_headings_a_line_above_their_addresses_name_them():
    """A planning notice's applicant and agent stood under headings, and were read across."""
    said = (["Mr. & Mrs. Hollis", "Barn End", "Church Lane"], ["Wold Architects", "The Old Forge", "Sheep Street"])
    heads = [line(0, -26, "Applicant", bold=True), line(250, -26, "Agent", bold=True)]
    assert read(*heads, *side_by_side(*said)) == [["Applicant", *said[0]], ["Agent", *said[1]]]


def test_what_stands_below_rules_of_its_own_is_read_one_by_one():
    """A contract's two signatures were read across."""
    left, right = (
        ["Signed for the landlord", "Name: P. Oakes", "Date:"],
        ["Signed by the tenant", "Name: A. Novak", "Date:"],
    )
    lines = side_by_side(left, right)
    rules = [Box(0, -6, 200, -5), Box(250, -6, 450, -5)]
    boxes = [each.box for each in lines]
    order = [n for row in rows(boxes, range(len(lines))) for n in row]
    through = [Box(0, -6, 450, -5)]
    assert parted_by_stacks(order, dict(enumerate(lines)), boxes, rules) == [[0, 1, 2], [3, 4, 5]]
    assert parted_by_stacks(order, dict(enumerate(lines)), boxes, through) == [order]


def test_labels_over_values_in_another_type_are_read_pair_by_pair():
    """A statement's three sums in large type stood in a line of their own below all three labels."""
    labels, values = ["Value now", "A year earlier", "Retire from"], ["61,204 pounds", "54,880 pounds", "March 2049"]
    lines = side_by_side(*([label, value] for label, value in zip(labels, values, strict=True)))
    large = [replace(each, size=16) if each.plain in values else each for each in lines]
    assert read(*large) == [[label, value] for label, value in zip(labels, values, strict=True)]


def test_two_addresses_under_small_labels_are_read_one_by_one():
    """`Voor` and `Van` over an offer's two addresses: their lines were read across."""
    left, right = (
        ["VOOR", "De Linden", "Lindelaan 2", "3571 KL Utrecht"],
        ["VAN", "Veenstra", "Industrieweg 51", "3606 AS Maarssen"],
    )
    lines = side_by_side(left, right)
    small = [replace(each, size=8) if each.plain in ("VOOR", "VAN") else each for each in lines]
    assert read(*small) == [left, right]


def test_names_with_leaders_are_no_sentence():
    """A table of figures lost its rows: their names, one below the other, ended with a full stop."""
    names = [
        "Forcible entry . . . . . . . . . .",
        "Robbery of banks. . . . . . . . . . .",
        "Arson . . . . . . . . . . . . . .",
    ]
    prose = ["the names of all those that were seen", "by the watch are printed in this list."]
    assert paragraphs_among([line(0, 12 * n, text) for n, text in enumerate(names)]) == []
    assert paragraphs_among([line(0, 12 * n, text) for n, text in enumerate(prose)]) == [[0, 1]]


def test_large_figures_over_what_they_count_are_read_one_by_one():
    """A house's `3 2 bedrooms bathrooms` stood before its text."""
    counts = ("3", "bedrooms"), ("2", "bathrooms"), ("96 m²", "floor area")
    tiles = [
        replace(line(120 * n, 24 * m, text), size=(18, 10)[m])
        for n, tile in enumerate(counts)
        for m, text in enumerate(tile)
    ]
    assert read(*tiles) == [list(tile) for tile in counts]
    alike = [replace(each, size=10) for each in tiles]
    assert read(*alike) != [list(tile) for tile in counts]


def test_a_title_level_with_a_line_of_the_sender_beside_it_is_read_behind_all_of_these():
    """A bill's `INVOICE` stood amid the sender's three lines."""
    sender = ["Bright and Sons", "Electrical contractors", "14 Foundry Road"]
    lines = [line(0, 12 * n, text) for n, text in enumerate(sender)]
    title = replace(line(300, 10, "INVOICE"), size=22.0)
    assert read(*lines, title) == [sender, ["INVOICE"]]


def test_exercises_in_columns_are_read_as_they_are_counted():
    """They stand farther apart than lines: `1. 3. 5.` was one row."""
    down = (["1. half", "2. third"], ["3. fourth", "4. fifth"], ["5. sixth", "6. tenth"])
    apart = [line(200 * n, 22 * m, text) for n, stack in enumerate(down) for m, text in enumerate(stack)]
    assert read(*apart) == list(down)
    across = (["A. red", "C. green"], ["B. blue", "D. white"])
    assert read(*side_by_side(*across)) == [["A. red", "B. blue", "C. green", "D. white"]]


PARTIES = (
    ["Seller", "Brandt Ltd", "Mill Road 4", "Ely CB7", "IBAN DE02", "post@brandt.example", "Tel. 555 01", "VAT 17"],
    ["Buyer", "Ada Quill", "Quay 9", "Hexham NE46"],
    ["Ship to", "Per Holm", "Dock 3", "Leeds LS1", "Attn: I. Lund"],
)


def test_the_parties_of_a_bill_are_read_one_by_one_though_one_says_more_than_the_others():
    assert read(*side_by_side(*PARTIES)) == list(PARTIES)


def test_parties_are_a_row_of_the_page_unless_something_goes_on_below_one_beside_the_first():
    """A seller's address was read before the buyer's name: its lines alone made a column."""
    lines = side_by_side(*PARTIES)
    across = line(0, 140, "Please pay within thirty days of the date of this bill, and name its number " * 2)
    for below in ([], [across], [line(x, 140, head) for x, head in ((0, "Item"), (330, "Price"), (420, "Sum"))]):
        assert len(level_stacks([*lines, *below], [], [])) == 1
    goes_on = [line(0, 140, "One more line of"), line(250, 140, "columns of a list")]
    assert level_stacks([*lines, *goes_on], [], []) == []


def test_stacks_that_labels_with_a_colon_name_are_read_one_by_one():
    """A bill read `Bill To: Ship To:`, both names, and then both addresses."""
    parties = (["Bill To:", "Ada Riddel", "ada@store.example"], ["Ship To:", "Riddel Store", "gate@store.example"])
    assert read(*side_by_side(*parties)) == list(parties)
    assert len(read(*side_by_side(*(stack[1:] for stack in parties)))) == 1


def test_labels_and_values_at_the_end_of_a_row_are_no_stacks_of_it():
    """Beside its number and date a bill's two parties were read as rows of a table."""
    parties = [["Billed to:", "Ada Quill", "Quay 9", "Hexham NE46"], ["Sent to:", "Per Holm", "Dock 3", "Leeds LS1"]]
    lines = side_by_side(*parties, ["Number", "Date", "Due"], ["HJ-2291", "6.11.2026", "20.11.2026"], apart=160)
    (row,) = level_stacks(lines, [], [])
    assert [[lines[n].plain for n in stack] for stack in row] == parties


@pytest.mark.parametrize(
    ("right", "stacks"),
    [(["Meridian Services", "Yusuf Petrov", "mail@example.org"], 2), (["103.44", "866.19", "11,303.91"], 1)],
)
def test_words_set_at_the_right_of_an_address_are_a_stack_of_their_own(right, stacks):
    """A bill's sender was read line by line with the addressee; figures at the right are a column."""
    address = ["Chiara Ferreira", "131 Harbour Road", "20457 Hamburg"]
    at_right = [line(500 - 6 * len(text), 12 * n, text) for n, text in enumerate(right)]
    assert len(read(*(line(0, 12 * n, text) for n, text in enumerate(address)), *at_right)) == stacks


def test_a_mark_beside_a_title_stands_after_its_last_line():
    """A journal's badge, two lines high, parted the title beside it."""
    title, badge = [line(0, 0, "Performance of a cell"), line(0, 14, "with a junction")], Box(300, 0, 340, 17)
    assert rows([*(each.box for each in title), badge], range(3), [2]) == [[0, 1, 2]]


def test_framed_labels_and_their_framed_values_are_no_stacks():
    """A payslip's `Net pay` and `IBAN` were read before both values, each in a frame of its own."""
    framed = side_by_side(["Net pay", "IBAN"], ["$2,623.87", "GB01 5693 8002"])
    rules = [Box(each.box.x0, each.box.y0 - 2, each.box.x1, each.box.y0 - 1) for each in framed]
    assert level_stacks(framed, [], rules) == []


def test_paragraphs_that_fill_their_columns_as_those_above_do_are_no_stacks_of_their_own():
    """A newspaper's last paragraphs begin level by chance: one was read after the other column's."""
    left, right = (
        ["The village hall is open", "on Monday evenings."],
        ["A grey cat was lost here", "near the mill."],
    )
    lines = [replace(each, box=replace(each.box, x1=each.box.x0 + 150)) for each in side_by_side(left, right)]
    above = [replace(each, box=each.box.shifted(0, -24)) for each in lines[::2]]
    assert len(level_stacks(lines, [], [])) == 1
    assert level_stacks([*lines, *above], [], []) == []


def test_labels_and_values_beside_an_address_are_read_in_rows_though_few_values_are_figures():
    """A credit note's four labels were read one by one, and then its values."""
    address = [line(0, 13 * n, text) for n, text in enumerate(["Customer", "Glasblik BV", "Harbour 3", "Rotterdam"])]
    pairs = [("Date", "24 May"), ("Invoice", "2600381"), ("Reason", "returned goods"), ("Currency", "EUR")]
    fields = [line(x, 17 * n, text) for n, two in enumerate(pairs) for x, text in zip((250, 400), two, strict=True)]
    assert level_stacks([*address, *fields], [], []) == []
    parties = [
        line(x, 13 * n, text) for x in (250, 400) for n, text in enumerate(["Seller", "Linnea AB", "Mill 8", "Borås"])
    ]
    (row,) = level_stacks([*address, *parties], [], [])
    assert len(row) == 3


@pytest.mark.parametrize(("source", "whole"), [("embedded", True), ("text-layer", False)])
def test_a_scans_addresses_are_read_one_by_one_though_sizes_wander(source, whole):
    """A packing list's last lines were read across: a detector's boxes were a sixth higher."""
    sides = ["Shipper", "Linnea AB", "503 Borås"], ["Consignee", "Home Ltd", "BS1 6XN UK"]
    lines = [
        replace(each, source=source, bold=n % 3 == 0, size=11.8 if n % 3 == 2 else 10.0)
        for n, each in enumerate(side_by_side(*sides))
    ]
    assert (read(*lines) == list(sides)) is whole


def test_a_row_is_read_from_the_left_whatever_its_numbers_are():
    """On scans some boxes had numpy's numbers, whose comparisons don't count: `Policy Ltd | MM-1 Insured`."""
    row = [Box(100 * n, y, np.float64(100 * n + 60), y + 10) for n, y in enumerate((3.0, 2.0, 1.0, 0.0))]
    assert rows(row, range(4)) == [[0, 1, 2, 3]]


def test_two_lines_in_larger_type_head_the_items_below_them():
    """Three zones of parking with their prices, in large type, were a table above nine loose items."""
    heads = side_by_side(["Zone A", "3.20"], ["Zone B", "2.10"], ["Garage", "14.00"])
    items = side_by_side(
        ["an hour", "• by day", "• two hours"], ["an hour", "• by day"], ["a day", "• by night", "• dry"]
    )
    lines = [*(replace(each, size=14.0) for each in heads), *(replace(i, box=i.box.shifted(0, 26)) for i in items)]
    found = level_stacks(lines, [], [])
    assert [[len(stack) for stack in row] for row in found] == [[5, 4, 5]]


def test_what_is_filled_in_on_a_rule_and_its_label_are_read_before_the_label_beside_them():
    """A form's `Signature` stood between the date on its rule and `Place, date` below it."""
    lines = [line(0, 0, "Normont, 19 May"), line(250, 14, "Signature"), line(0, 18, "Place, date")]
    small = [replace(each, size=7) if each.box.y0 else each for each in lines]
    rules = [Box(0, 13, 200, 14), Box(250, 11, 450, 12)]
    boxes = [each.box for each in small]
    order = [n for row in rows(boxes, range(len(small))) for n in row]
    assert parted_by_stacks(order, dict(enumerate(small)), boxes, rules) == [[0, 2], [1]]
    assert parted_by_stacks(order, dict(enumerate(small)), boxes) == [order]
    titled = [replace(each, size=14) if each.plain == "Place, date" else each for each in lines]
    assert [0, 2] not in parted_by_stacks(order, dict(enumerate(titled)), boxes, rules)  # a letterhead over a title


def test_labels_and_values_beside_an_address_are_read_in_rows_though_one_wraps():
    """A letter's four labels were read one by one, and then its values: the last date went on below."""
    address = [line(0, 17 * n, text) for n, text in enumerate(["Inés Cortor", "Lanstad SL", "Calle 117", "Quenval"])]
    labels = [(0, "Your"), (13, "reference"), (29, "Phone"), (45, "Post"), (61, "Date")]
    values = [(0, "GR-9554"), (29, "+36 808"), (45, "a@b.example"), (61, "22 September"), (74, "2025")]
    fields = [line(x, y, text) for x, some in ((250, labels), (400, values)) for y, text in some]
    assert level_stacks([*address, *fields], [], []) == []


def test_text_right_below_two_addresses_is_none_of_the_left_ones_lines():
    """A quotation's buyer and receiver were read across: the letter began close below the longer address."""
    sides = ["Bill to", "Dale & Sons", "Harbour Road 13", "Jorsby 8862"], ["Ship to", "Mel Ltd", "Sellund 7034"]
    parties = side_by_side(*sides)
    text = [line(0, 12 * n, "The tenant has measured the cost of the roof as the survey had shown.") for n in (4, 5)]
    assert read(*parties, *text)[: len(sides)] == list(sides)


def test_named_stacks_of_several_fields_are_read_one_by_one():
    """Two parties' nine level lines, each with a tax number below, were read in rows."""
    parties = (
        [
            "Bill To:",
            "Ada Quill",
            "Reed Corp",
            "a@reed.example",
            "+31 45 32",
            "5 Main Street",
            "Ely",
            "Tax number:",
            "35",
        ],
        ["Bill From:", "Mill Corp", "2 Quay", "Ghent", "+32 44 45", "b@mill.example", "Tax number:", "53453"],
    )
    lines = [replace(each, bold=each.plain.endswith(":")) for each in side_by_side(*parties)]
    assert read(*lines) == list(parties)


@pytest.mark.parametrize(("end", "stacks"), [("Jorvik s.c.", 0), ("of the parish.", 1)])
def test_a_firms_name_ends_no_paragraph(end, stacks):
    """A Polish bank's table was cut in two where `Vanwood s.c.` stood below wider words."""
    wide = "Payment by card at the works of the town of Quenby Harbour"
    assert len(paragraphs_among([line(0, 0, wide), line(0, 12, f"{wide} {end}")])) == stacks
