"""What becomes of lines that stand like a table where no picture is looked at: readers, judge and choice together."""

from dataclasses import replace
from itertools import chain

import pytest
from drafting.tables.proposed import lines_of, proposed

from docparse_fast.document import Box, Category, TableCell, TextTable
from docparse_fast.drafting.lines import LayoutBox, Line
from docparse_fast.drafting.tables import page_tables
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.fields import led_lists
from docparse_fast.drafting.tables.no_table import is_no_table
from docparse_fast.drafting.tables.page_tables import ENOUGH, TableChoice
from docparse_fast.drafting.tables.readers import white_grids

RULES = [Box(60, 90, 535, 91), Box(60, 400, 535, 401)]


def row(y: float, *pieces: tuple[float, float, str]) -> list[Line]:
    return [line(y, *piece) for piece in pieces]


def line(y: float, x0: float, x1: float, text: str) -> Line:
    """Its words share its width by their letters."""
    words, at, letter = [], x0, (x1 - x0) / len(text)
    for word in text.split():
        words.append((Box(at, y, at + letter * len(word), y + 12), word))
        at += letter * (len(word) + 1)
    return Line(Box(x0, y, x1, y + 12), text, 10, "text-layer", words=tuple(words))


def tables(lines: list[list[Line]], rules: list[Box] | None = None) -> list[list[list[str]]]:
    """The rows of each table that is chosen, without empty cells."""
    flat, rules = [line for made in lines for line in made], rules or []
    chosen = TableChoice(None, (), rules, ()).of_lines(flat, list(led_lists(flat)))
    return [rows_of(each.candidate) for each in chosen]


def rows_of(table):
    rows = [[] for _ in range(table.height)]
    for cell in table.cells:
        if cell.text:
            rows[cell.row].append(cell.text)
    return rows


PRICES = [("Item", "Quantity", "Price"), ("Oars", "4", "118.00"), ("Varnish", "3", "21.00"), ("Rope", "2", "9.50")]


def priced(top: float, cells: tuple[str, ...]) -> list[Line]:
    return row(top, *((x, x + 7 * len(text), text) for x, text in zip((60, 300, 470), cells, strict=True)))


def test_rows_of_names_and_figures_are_a_table():
    assert tables([priced(100 + 20 * n, cells) for n, cells in enumerate(PRICES)]) == [[list(row) for row in PRICES]]


def test_a_place_is_read_by_its_white_once(monkeypatch):
    """A part was read again as often as it was proposed: a fifth of the time that such readings took."""
    read = []
    monkeypatch.setattr(
        page_tables, "white_grids", lambda *given: read.append(tuple(given[1])) or list(white_grids(*given))
    )
    labels = [LayoutBox(Box(50, 90, 545, 190), Category.TABLE)] * 2
    flat = [line for n, cells in enumerate(PRICES) for line in priced(100 + 20 * n, cells)]
    assert TableChoice(None, labels, (), ()).of_lines(flat)
    assert read and len(read) == len(set(read))


def test_a_head_above_the_first_rule_is_the_tables_if_rules_part_all_its_rows():
    """Invoices have a rule under each row and none above the head, which became a heading."""
    rules = [Box(60, 116 + 20 * n, 535, 116 + 20 * n) for n in range(4)]
    ((head, *rows),) = tables([priced(100 + 20 * n, cells) for n, cells in enumerate(PRICES)], rules)
    assert (tuple(head), len(rows)) == (PRICES[0], 3)


def test_prose_between_two_rulesis_no_table():
    """Frames around code have such rules, and everything between two of them became one table."""
    lines = [row(113 + 18 * n, (60, 300, "a line that is broken off early")) for n in range(8)]
    lines += [row(276 + 18 * n, (60, 520, "a line of prose that is as wide as the page and goes on")) for n in range(3)]
    lines += [row(95, (60, 450, "The use of this word is to say what follows here"), (480, 530, "Argument"))]
    assert tables([*lines, row(348, (60, 100, "Twice"), (480, 530, "Result"))], RULES) == []


def test_no_network_is_asked_about_one_flow_of_lines_between_two_rules():
    """Manuals frame their notes and code: networks cost more than the rest of such a page."""
    asked: list[int] = []
    choice = TableChoice(lambda lines, numbers, rules: asked.extend(numbers) or (), (), RULES, ())
    choice.of_lines([line(113 + 18 * n, 60, 300, "a line that is broken off early") for n in range(8)])
    assert asked == []


def test_networks_are_asked_once_about_lines_that_are_proposed_twice():
    """A labelled table between two rules was read twice."""
    asked = []
    rows = [priced(100 + 40 * n, ("Oars and poles", "Rope", "Oil")) for n in range(9)]
    whole = Box(50, 95, 545, 470)
    choice = TableChoice(
        lambda lines, numbers, rules: asked.append(frozenset(numbers)) or (),
        [LayoutBox(whole, Category.TABLE)],
        [Box(60, y, 535, y + 1) for y in (92, 465)],
        (),
    )
    choice.of_lines([line for made in rows for line in made])
    assert asked and len(asked) == len(set(asked))


def test_columns_of_prose_are_no_table():
    lines = [
        row(
            100 + 14 * n,
            (60, 280, "words that go on from line to line here"),
            (310, 530, "and in a second column beside"),
        )
        for n in range(20)
    ]
    assert tables(lines) == []


def test_fields_beside_a_title_over_a_line_of_prose_and_a_table_are_read_by_themselves():
    """A scanned note's title, level with its date, was one cell with the date's name."""
    said = [("Number", "BW6597"), ("Date", "28.09.2025"), ("Client", "52126")]
    fields = [
        row(100 + 14 * n, (300, 300 + 6 * len(label), label), (480 - 6 * len(value), 480, value))
        for n, (label, value) in enumerate(said)
    ]
    title = replace(line(112, 60, 190, "Delivery note"), size=20.0, box=Box(60, 110, 190, 130))
    prose = line(146, 60, 520, "The store is open for all who wait until the end of the month, and for others, too.")
    goods = [
        row(180 + 14 * n, *((x, x + 6 * len(text), text) for x, text in zip((60, 200, 400), cells, strict=True)))
        for n, cells in enumerate(PRICES)
    ]
    assert [list(pair) for pair in said] in tables([*fields, [title], [prose], *goods])


def test_leaders_need_no_judge():
    lines = [row(100 + 16 * n, (60, 500, f"{n} Nets and lines . . . . . . . . . . {n + 7}")) for n in range(4)]
    assert tables(lines) == [[[f"{n} Nets and lines", str(n + 7)] for n in range(4)]]


def test_lists_with_leaders_beside_each_other_are_lists_of_their_own():
    """A menu's dishes were read across its columns, and a brochure's prices lost the articles they belong to."""
    left = [row(100 + 16 * n, (60, 250, f"Cod {'abc'[n]}.........{n + 7},50")) for n in range(3)]
    right = [row(100 + 16 * n, (300, 500, f"Pie {'abc'[n]}.........from € {n + 2},10")) for n in range(3)]
    dishes = [[[f"Cod {c}", f"{n + 7},50"] for n, c in enumerate("abc")]]
    assert tables([*left, *right]) == [*dishes, [[f"Pie {c}", f"from € {n + 2},10"] for n, c in enumerate("abc")]]
    prose = [row(100 + 16 * n, (300, 500, "words that go on from line to line")) for n in range(3)]
    assert tables([*left, *prose]) == dishes


def test_a_row_without_a_page_behind_its_leader_is_none_of_the_list():
    lines = [row(100 + 16 * n, (60, 500, f"{n} Nets and lines . . . . . . . . . . {n + 7}")) for n in range(3)]
    lines.append(row(148, (60, 500, "Name . . . . . . . . . . . . of the boat and of its owner")))
    assert [len(table) for table in tables(lines)] == [3]


def test_terms_and_the_sentences_that_explain_them_are_no_table():
    said = ("True if it exists.", "True if it is a block.", "True if it is a device.", "True if it is a folder.")
    lines = [
        row(100 + 16 * n, (60, 102, f"-{a} file"), (150, 300, b))
        for n, (a, b) in enumerate(zip("abcd", said, strict=True))
    ]
    assert tables(lines) == []


def test_two_columns_of_markers_and_texts_are_a_list():
    """A page of references, whose lines are indented behind their numbers, became a table."""
    boats = ("Keel, oak", "Mast, spruce", "Oars, ash", "Rudder, elm", "Sails, flax", "Anchor, iron")
    markers = ("5.", "6.", "7.", "8.", "9.", "10.")
    found = [row(100 + 20 * n, (60, 74, a), (130, 200, b)) for n, (a, b) in enumerate(zip(markers, boats, strict=True))]
    assert tables(found) == []
    assert tables([[line(one.box.y0, 60, 74, f"{n}7"), other] for n, (one, other) in enumerate(found, 1)]) != []


def test_a_tables_part_is_read_again_by_its_own_white():
    """The words below run across the gap between position and article, which is a blank wide."""
    items = [("Oars of ash", "118.00"), ("Blue rope", "9.50"), ("Dark varnish", "21.00"), ("Round hook", "4.25")]
    lines = [row(120 + 14 * n, (60, 66, "ABCD"[n]), (73, 150, what), (300, 340, price)) for n, (what, price) in
             enumerate(items)]  # fmt: skip
    below = [("Payable within a month", "152.75"), ("Discount for members", "0.00"), ("Already paid by card", "52.75")]
    lines += [row(220 + 14 * n, (60, 190, what), (300, 340, price)) for n, (what, price) in enumerate(below)]
    assert ["A", "Oars of ash", "118.00"] in [each for table in tables(lines) for each in table]


def test_a_lattice_ruled_throughout_stands_though_the_layout_sees_more_in_one_table():
    """A programme's spans were lost where the layout model had counted the speakers below it to the table."""
    day = [("Time", "Hall one", "Hall two"), ("8:30", "Coffee"), ("9:15", "Bicycles", "Postcards"), ("10:00", "Lunch")]
    cells, lines, rules = [], [], [Box(x, 100, x + 1, 220) for x in (60, 160, 529)]
    for n, texts in enumerate(day):
        top, wide = 100 + 30 * n, len(texts) == 2
        rules += [Box(60, top, 530, top + 1), *([] if wide else [Box(340, top, 341, top + 30)])]
        for column, text in enumerate(texts):
            left = (66, 166, 346)[column] + 140 * (wide and column)
            inside = [line(top + 2, left, left + 6 * len(text), text)]
            if n == 2 and column:
                inside.append(line(top + 16, left, left + 60, "M. Oyelaran"))
            box = Box.around(each.box for each in inside)
            words = "\n".join(each.plain for each in inside)
            cells.append(TableCell(n, column, words, 1, 1 + (wide and column == 1), box=box))
            lines += inside
    rules.append(Box(60, 220, 530, 221))
    drawn = TextTable(Box(60, 100, 530, 221), tuple(cells))
    unspanned = tuple(replace(cell, column=2, columns=1) if cell.columns == 2 else cell for cell in cells)
    other = TableCandidate("grid", drawn.box, unspanned, frozenset(range(len(lines))))
    lines += [
        made
        for n in range(4)
        for made in row(260 + 16 * n, *((x, x + 130, "Who speaks of boats") for x in (60, 220, 380)))
    ]
    choice = TableChoice(lambda *_: [other], [LayoutBox(Box(55, 95, 535, 340), Category.TABLE)], rules, ())
    [chosen] = [each for each in choice.of_lattices([drawn], lines) if each.candidate.box.y0 < 220]
    assert (chosen.candidate.cells, chosen.quality >= ENOUGH) == (drawn.cells, True)


def test_a_head_on_a_ground_of_its_own_is_its_tables():
    """Two halves of a balance sheet lost their heads: a dark ground under three lines was a panel."""
    heads = [row(100 + 14 * n, (60, 110, "abc"[n] * 4), (200, 230, f"202{n}")) for n in range(3)]
    lines = [*heads, *(row(150 + 18 * n, (60, 120, f"Item {n}"), (200, 240, f"{n}8.50")) for n in range(5))]
    flat = [each for made in lines for each in made]
    panel, beside = Box(55, 95, 245, 144), Box(150, 95, 245, 144)

    def first(around: Box) -> list[list[str]]:
        return [rows_of(each.candidate)[0] for each in TableChoice(None, (), (), ()).of_lines(flat, (), [around])]

    assert first(panel) == [["aaaa", "2020"]]
    assert first(beside) == [["Item 0", "08.50"]]


def test_a_table_ends_above_a_panel_that_its_columns_run_on_into():
    """An invoice was torn by columns: no table went across the ground of its totals, so there was none."""
    prices = [priced(100 + 20 * n, cells) for n, cells in enumerate(PRICES)]
    totals = [
        priced(190 + 20 * n, cells) for n, cells in enumerate([("Notes", "Net", "148.50"), ("Late", "Tax", "9.00")])
    ]
    flat = [each for made in [*prices, *totals] for each in made]
    chosen = TableChoice(None, (), (), ()).of_lines(flat, (), [Box(290, 185, 535, 230)])
    assert [list(row) for row in PRICES] in [rows_of(each.candidate) for each in chosen]


def test_what_stands_on_a_panel_has_places_of_its_own():
    """Totals on a ground, level with notes beside it, were lines of text."""
    said = [("Net", "148.50"), ("Tax", "9.00"), ("Freight", "12.20"), ("Total", "169.70")]
    lines = [
        row(100 + 16 * n, (60, 250, "Words that go on"), (300, 360, a), (480, 520, b)) for n, (a, b) in enumerate(said)
    ]
    flat = [each for made in lines for each in made]
    chosen = TableChoice(None, (), (), ()).of_lines(flat, (), [Box(290, 95, 535, 170)])
    assert [rows_of(each.candidate) for each in chosen] == [[list(pair) for pair in said]]


def test_where_two_tables_stand_side_by_side_each_is_read_alone():
    """Their halves of one reading kept its mistakes."""
    asked = []

    def grids(shown, numbers, rules):
        asked.append(sorted(each.plain for each in shown if each.box.y0 == 100))
        return ()

    rows = [
        row(100 + 20 * n, *((x, x + 7 * len(text), text) for x, text in zip((60, 150, 330, 420), cells, strict=True)))
        for n, cells in enumerate([("Item", "Price") * 2, *((f"oar {n}", f"{n}.50") * 2 for n in range(1, 7))])
    ]
    label = LayoutBox(Box(50, 90, 480, 250), Category.TABLE)
    TableChoice(grids, [label], (), ()).of_lines([each for made in rows for each in made])
    assert ["Item", "Price"] in asked


def test_a_table_in_one_of_two_columns_of_text_is_found_though_its_rows_stand_level_with_the_other():
    """Eider, 272.87, 590: three columns of a newsletter whose text stood beside them became lines of text."""
    left = [row(100 + 16 * n, (60, 280, "The librarian catalogued a crate of lemons after")) for n in range(24)]
    text = [
        row(100 + 16 * n, (320, 540, "A young surveyor sold the iron gate to the mayor"))
        for n in (*range(6), *range(16, 24))
    ]
    boats = [("Year", "Item", "Share"), *((f"Eider {n}", f"{27 * n}.87", f"{59 * n}") for n in range(1, 6))]
    rows = [
        row(212 + 24 * n, *((x, x + 6 * len(cell), cell) for x, cell in zip((325, 420, 500), cells, strict=True)))
        for n, cells in enumerate(boats)
    ]
    assert tables([*left, *text, *rows]) == [[list(cells) for cells in boats]]


def on_baselines(lines: list[Line]) -> list[Line]:
    return [replace(each, baseline=each.box.y1 - 2) for each in lines]


def test_an_address_beside_fields_at_another_step_is_no_column_of_theirs():
    """What stands beside each other by chance stands on other baselines."""
    address = [line(100 + 14 * n, 60, 170, text) for n, text in enumerate(("Ada Quill", "Quill Ltd", "Row 12", "Ely"))]
    said = (("Number", "A17"), ("Date", "2 May 2026"), ("Due", "9 June 2026"), ("Phone", "555 0123"))
    labels = [piece for n, (a, b) in enumerate(said) for piece in row(101 + 17 * n, (300, 350, a), (400, 480, b))]
    lines = on_baselines([*address, *labels])
    cells = tuple(TableCell(n // 3, n % 3, lines[k].plain, box=lines[k].box) for n, k in enumerate(INTERLEAVED))
    both = TableCandidate("white", Box(60, 100, 480, 170), cells, frozenset(range(12)))
    fields = [replace(cell, column=cell.column - 1) for cell in cells if cell.column]
    alone = TableCandidate("white", Box(300, 100, 480, 170), tuple(fields), frozenset(range(4, 12)))
    assert (is_no_table(both, lines), is_no_table(alone, lines)) == (True, False)


FRAMED = [("Number", "A-17"), ("Date", "2 May")]
INTERLEAVED = [0, 4, 5, 1, 6, 7, 2, 8, 9, 3, 10, 11]


def test_a_scans_column_may_stand_a_little_lower_where_a_bend_is_left():
    """A contract's sums, photographed, stood 0.15 of the type below what they were paid for, and the table was lost."""
    said = [
        ("2 May", "Rope", "3.60"),
        ("3 May", "Oars", "2.90"),
        ("4 May", "Varnish", "1.10"),
        ("5 May", "Nuts", "7.10"),
    ]
    lines = on_baselines(
        [
            line(100 + 16 * n + 1.5 * (c == 2), 60 + 120 * c, 110 + 120 * c, t)
            for n, r in enumerate(said)
            for c, t in enumerate(r)
        ]
    )
    cells = tuple(TableCell(n // 3, n % 3, each.plain, box=each.box) for n, each in enumerate(lines))
    table = TableCandidate("white", Box(60, 100, 480, 190), cells, frozenset(range(12)))
    assert not is_no_table(table, [replace(each, source="embedded") for each in lines])
    assert is_no_table(table, lines)  # a file's lines stand where they are set


def test_two_units_with_exponents_that_stand_lower_are_no_chance():
    """A laboratory's report was read as paragraphs: its `10⁹/L` stood a quarter of the type below their rows."""
    said = [("Iron", "18", "g/L", "12"), ("White", "6.4", "10⁹/L", "4"), ("Plate", "233", "10⁹/L", "9")]
    lines = on_baselines(
        [
            line(100 + 30 * n + 6 * ("⁹" in text), 60 + 120 * c, 110 + 120 * c, text)
            for n, r in enumerate(said)
            for c, text in enumerate(r)
        ]
    )
    cells = tuple(TableCell(n // 4, n % 4, each.plain, box=each.box) for n, each in enumerate(lines))
    assert not is_no_table(TableCandidate("white", Box(60, 100, 600, 190), cells, frozenset(range(12))), lines)


def test_sums_that_stand_out_below_a_lattice_are_none_of_its_rows():
    """An invoice's sums, and the terms at their left, became rows of the items' table and gave it a column more."""
    items = [priced(104 + 20 * n, cells) for n, cells in enumerate(PRICES)]
    sums = [
        row(200 + 20 * n, (60, 170, "Terms of payment"), (560, 600, "Net"), (640, 690, f"14{n}.00")) for n in range(3)
    ]
    cells = [TableCell(n, c, each.plain, box=each.box) for n, made in enumerate(items) for c, each in enumerate(made)]
    rules = [Box(55, 100 + 20 * n, 540, 101 + 20 * n) for n in range(5)]
    rules += [Box(x, 100, x + 1, 181) for x in (55, 290, 460, 539)]
    drawn = TextTable(Box(55, 100, 540, 181), tuple(cells))
    lines = [each for made in (*items, *sums) for each in made]
    both = [
        *cells,
        *(TableCell(4 + n, c, e.plain, box=e.box) for n, made in enumerate(sums) for c, e in enumerate(made)),
    ]
    larger = TableCandidate("grid", Box(55, 100, 690, 260), tuple(both), frozenset(range(len(lines))))
    labels = [LayoutBox(Box(50, 95, 700, 270), Category.TABLE)]
    (chosen,) = TableChoice(lambda *_: [larger], labels, rules, ()).of_lattices([drawn], lines)
    assert chosen.candidate.cells == drawn.cells


def test_fields_above_a_lattice_within_its_sides_but_in_other_columns_are_none_of_its_rows():
    """A school report's `Class` and `5 Maple` stood over one column of its marks: the layout model saw one table."""
    items = [priced(184 + 20 * n, cells) for n, cells in enumerate(PRICES)]
    fields = [
        row(100 + 20 * n, (60, 100, "Pupil"), (200, 280, "Ola Adeyemi"), (300, 340, "Class"), (360, 430, "5 Maple"))
        for n in range(4)
    ]
    cells = [TableCell(n, c, each.plain, box=each.box) for n, made in enumerate(items) for c, each in enumerate(made)]
    rules = [Box(55, 180 + 20 * n, 540, 181 + 20 * n) for n in range(5)]
    rules += [Box(x, 180, x + 1, 261) for x in (55, 290, 460, 539)]
    lines = [each for made in (*fields, *items) for each in made]
    asked: list[int] = []
    labels = [LayoutBox(Box(50, 95, 545, 270), Category.TABLE)]
    choice = TableChoice(lambda these, *_: asked.append(len(these)) or (), labels, rules, ())
    (chosen,) = choice.of_lattices([TextTable(Box(55, 180, 540, 261), tuple(cells))], lines)
    assert (chosen.candidate.cells, asked) == (tuple(cells), [])


def test_a_frame_of_fields_goes_on_in_no_table_below_a_line_of_prose():
    """The layout model saw one table from a letter's fields to its items: the letter's sentence was a row of it."""
    frame = [row(104 + 20 * n, (60, 110, label), (300, 350, said)) for n, (label, said) in enumerate(FRAMED)]
    prose = row(160, (60, 530, "The night shift weighed a wooden ladder, as the letter shows, before noon."))
    items = [priced(190 + 20 * n, cells) for n, cells in enumerate(PRICES)]
    lines = [each for made in (*frame, prose, *items) for each in made]
    cells = [TableCell(n, c, each.plain, box=each.box) for n, made in enumerate(frame) for c, each in enumerate(made)]
    rules = [Box(55, 100 + 20 * n, 540, 101 + 20 * n) for n in range(3)] + [Box(540, 100, 541, 140)]
    asked: list[set[str]] = []

    def seen(these, *_):
        asked.append({each.plain for each in these})
        return []

    labels = [LayoutBox(Box(50, 95, 545, 270), Category.TABLE)]
    drawn = TextTable(Box(55, 100, 541, 141), tuple(cells))
    (chosen,) = TableChoice(seen, labels, rules, ()).of_lattices([drawn], lines)
    assert chosen.candidate.cells == drawn.cells
    assert not any("Oars" in said for said in asked)


def test_a_column_of_bullets_below_a_head_makes_no_table():
    rows = [["At the", "airport", "Your", "bags"], *([["•", "Bags close early.", "•", "1 cabin bag"]] * 2)]
    assert is_no_table(proposed(rows), lines_of(rows))


def test_no_table_goes_round_a_lattice():
    """A form's numbered headings, one above a lattice and one below it, were two rows of a table."""
    items = [priced(144 + 20 * n, cells) for n, cells in enumerate(PRICES)]
    around = [row(y, (60, 70, f"{n}"), (90, 190, name)) for n, y, name in ((2, 110, "Income"), (3, 240, "Messages"))]
    cells = [TableCell(n, c, each.plain, box=each.box) for n, made in enumerate(items) for c, each in enumerate(made)]
    rules = [Box(55, 140 + 20 * n, 540, 141 + 20 * n) for n in range(5)]
    rules += [Box(x, 140, x + 1, 221) for x in (55, 290, 460, 539)]
    rules += [Box(55, 105, 540, 106), Box(55, 260, 540, 261)]
    lines = [each for made in (*around, *items) for each in made]

    def seen(these, numbers, _):
        boxes = [each.box for each in these]
        found = [TableCell(n // 2, n % 2, each.plain, box=each.box) for n, each in enumerate(these)]
        return [TableCandidate("model", Box.around(boxes), tuple(found), frozenset(numbers))]

    choice = TableChoice(seen, (), rules, ())
    (drawn,) = choice.of_lattices([TextTable(Box(55, 140, 540, 221), tuple(cells))], lines)
    left = [each for n, each in enumerate(lines) if n not in drawn.candidate.lines]
    assert len(left) == 4
    assert not choice.of_lines(left)


def test_a_table_ends_above_a_frame_that_it_has_not_whole():
    """A payslip's two headings, in the frame of what is kept back, were the last row of what is paid."""
    paid = [priced(104 + 20 * n, cells) for n, cells in enumerate(PRICES)]
    kept = [("Taxes", "", "Insurance"), ("Wages", "186.33", "287.33"), ("Church", "11.02", "324.73")]
    framed = [
        row(184 + 20 * n, *((x, x + 7 * len(t), t) for x, t in zip((60, 300, 470), each, strict=True) if t))
        for n, each in enumerate(kept)
    ]
    lines = [each for made in (*paid, *framed) for each in made]
    framed_lines = list(chain(*framed))
    cells = [TableCell(0, 0, "all", box=Box.around(each.box for each in framed_lines))]
    over = [n for n, each in enumerate(lines) if each.box.y0 < 190]
    rows = [(n, c, each) for n, made in enumerate([*paid, framed[0]]) for c, each in enumerate(made)]
    larger = TableCandidate(
        "grid",
        Box.around(lines[n].box for n in over),
        tuple(TableCell(n, c, each.plain, box=each.box) for n, c, each in rows),
        frozenset(over),
    )
    labels = [LayoutBox(Box(50, 95, 545, 202), Category.TABLE)]
    choice = TableChoice(lambda *_: (larger,), labels, (), ())
    found = choice.of_lattices([TextTable(Box(55, 180, 540, 242), tuple(cells))], lines)
    assert not any({"Oars", "Taxes"} <= set(chain(*rows_of(each.candidate))) for each in found)


def test_two_price_lists_side_by_side_keep_their_heads_of_several_lines():
    """Each head stood on a ground: what is below them became one table, without a head, and the heads were text."""
    heads = [("Article", "Description", "Unit"), ("", "", "price")]
    left = [("M-595", "Paper", "62.57"), ("C-884", "Bracket", "378.32"), ("L-321", "Toolbox", "265.48")]
    right = [("C-467", "Toner", "199.86"), ("K-449", "Cable tie", "36.51"), ("S-506", "Alarm", "246.42")]
    rows = [(*heads[0], *heads[0]), (*heads[1], *heads[1]), *((*a, *b) for a, b in zip(left, right, strict=True))]
    places = (60, 140, 250, 330, 410, 520)
    made = [
        row(100 + 20 * n, *((x, x + 6 * len(t), t) for x, t in zip(places, texts, strict=True) if t))
        for n, texts in enumerate(rows)
    ]
    lines = [replace(each, bold=n < 2) for n, each_row in enumerate(made) for each in each_row]
    grounds = [Box(x, 95, x + 235, 138) for x in (55, 325)]
    found = TableChoice(None, (), (), grounds).of_lines(lines, panels=grounds)
    assert [rows_of(each.candidate) for each in found] == [
        [["Article", "Description", "Unit price"], *map(list, side)] for side in (left, right)
    ]


def test_items_in_three_columns_are_no_table_and_dots_of_a_comparison_are_one():
    """A résumé's skills were a table of five columns, bullets and words apart."""
    items = [
        ["• Nets", "•", "Tar", "• Dry", "ice"],
        ["• Sails", "•", "Cod", "", ""],
        ["• Oars", "•", "Map", "• Old", "rope"],
    ]
    assert is_no_table(proposed(items), lines_of(items))
    dots = [["", "Small", "Large"], ["Nets", "•", "•"], ["Tar", "", "•"], ["Rope", "•", "•"]]
    assert not is_no_table(proposed(dots), lines_of(dots))


def test_no_table_ends_where_one_of_two_addresses_goes_on():
    """A bill's parties were a table, with the last lines of the longer address below it."""
    sides = (
        ("Brandt Ltd", "Mill Road 4", "Boston MA 02110", "USA", "VAT DE309", "+11 237"),
        ("Studio", "Quay 9", "Ghent 9000"),
    )
    lines = [line(100 + 14 * n, x, x + 7 * len(text), text) for x, side in zip((60, 300), sides, strict=True)
             for n, text in enumerate(side)]  # fmt: skip
    assert tables([lines]) == []


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([["Packed", "Code", "Article"], ["☐", "D-12", "Hinge"], ["☐", "C-19", "Panel"], ["☐", "B-3", "Cable"]], False),
        ([["☐", "D-12", "Hinge"], ["☐", "C-19", "Panel"], ["☐", "B-3", "Cable"]], True),
        ([["To do", "Call Ada"], ["☐", "Post the bill"], ["☐", "Pay the rent"]], True),
    ],
    ids=["a packing list", "a list with codes", "a list to do"],
)
def test_boxes_and_items_side_by_side_are_a_table_only_below_a_head(rows, told):
    """A packing list's rows were items of a list."""
    assert is_no_table(proposed(rows), lines_of(rows)) == told


def test_two_columns_of_text_make_no_table_where_a_sentence_goes_on_into_it():
    """A newspaper's `three | weeks.` was parted: its last word and the headings beside it stood in a table."""
    rows = [["weeks.", "In brief"], ["Library", "Bins."]]
    table, lines = proposed(rows), lines_of(rows)
    for said, text in (("Season tickets are extended by three", True), ("Season tickets are extended.", False)):
        above = Line(Box(0, -14, 150, -4), said, 10, "text-layer")
        assert is_no_table(table, [*lines, above]) is text


def test_what_goes_on_below_a_tables_last_cell_is_in_that_cell():
    """The second and third line of the last value stood as text below the table."""
    fields = [("Class", "H314"), ("Signal word", "Danger"), ("Use", "boilers"), ("Statements", "H290 Harms metals.")]
    made = [
        row(100 + 16 * n, *((x, x + 7 * len(t), t) for x, t in zip((60, 300), f, strict=True)))
        for n, f in enumerate(fields)
    ]
    rest = [
        row(148 + 16 * n, (300, 300 + 7 * len(text), text))
        for n, text in enumerate(["", "H314 Burns.", "P280 Wear gloves."])
        if text
    ]
    below = [row(230, (60, 440, "Keep this sheet in a dry place, and read it before use."))]
    ((*_, last),) = tables([*made, *rest, *below])
    assert last == ["Statements", "H290 Harms metals.\nH314 Burns.\nP280 Wear gloves."]


def test_no_row_goes_over_the_edge_of_a_rows_ground():
    """A delivery note's rows stood on grounds: networks took the second line of one into the row below it."""
    said = [("1", "Mat", "10"), ("2", "Filter", "12"), ("3", "Ladder", "25"), ("4", "Soap", "6"), ("5", "Tie", "19")]
    made = [row(100, (60, 90, "Pos"), (150, 200, "Item"), (400, 440, "Sent"))]
    for n, texts in enumerate(said):
        made.append(row(130 + 40 * n, *((x, x + 7 * len(t), t) for x, t in zip((60, 150, 400), texts, strict=True))))
        made.append(row(146 + 40 * n, (150, 220, f"Lot 77{n}")))
    lines = [each for each_row in made for each in each_row]
    grounds = [Box(55, 126 + 40 * n, 450, 162 + 40 * n) for n in range(5)]

    def seen(these, numbers, _):
        rows = [made[0], *([*made[n], *(made[n - 1] if n > 2 else ())] for n in range(1, 11, 2)), made[10]]
        placed = [
            (r, x, [each for each in said if each.box.x0 == x]) for r, said in enumerate(rows) for x in (60, 150, 400)
        ]
        cells = tuple(
            TableCell(
                r,
                (60, 150, 400).index(x),
                "\n".join(each.plain for each in held),
                box=Box.around(each.box for each in held),
            )
            for r, x, held in placed
            if held
        )
        whole = Box.around(each.box for each in these)
        return [TableCandidate(name, whole, cells, frozenset(numbers)) for name in ("grid", "model", "grid-white")]

    labels = [LayoutBox(Box(50, 95, 455, 330), Category.TABLE)]
    (found,) = TableChoice(seen, labels, (), grounds).of_lines(lines)
    assert [cells[1] for cells in rows_of(found.candidate)[1:]] == [
        f"{name} Lot 77{n}" for n, (_, name, _) in enumerate(said)
    ]


def test_no_cell_holds_a_page_s_title():
    """A programme's title, above the middle column, stood in the cell of its first entry."""
    rows = [["9:45", "Programme Supper", "Anke"], ["10:30", "Music", "Silke"], ["11:15", "Dance", "Gesa"]]
    first = lines_of([["9:45", "Supper", "Anke"], *rows[1:]])
    title = replace(first[1], box=first[1].box.shifted(0, -12), text="Programme", size=18.0)
    whole = proposed(rows, lines=range(len(first) + 1))
    cells = tuple(replace(c, box=Box.around((c.box, title.box))) if "Supper" in c.text else c for c in whole.cells)
    assert is_no_table(replace(whole, cells=cells), [*first, title])
    assert not is_no_table(whole, [*first, replace(title, size=10.0)])


def test_a_drawn_head_is_the_head_of_rows_whose_labels_begin_before_it():
    """A balance sheet's two rows of head, cells on a dark ground, were a table and its accounts another."""
    heads = [row(104, (290, 320, "Note"), (400, 430, "2026"), (500, 530, "2025"))]
    heads.append(row(124, (400, 425, "EUR"), (500, 525, "EUR")))
    group = row(144, (60, 130, "Assets"))
    body = [
        row(164 + 20 * n, (60, 60 + 7 * len(name), name), (400, 440, f"{n}04 8"), (500, 540, f"{n}68 0"))
        for n, name in enumerate(("Stocks", "Quays and sheds", "Loans", "Cash at bank", "Taxes"))
    ]
    cells = [
        TableCell(n, c + 3 - len(made), e.plain, box=e.box) for n, made in enumerate(heads) for c, e in enumerate(made)
    ]
    lines = [each for made in (*heads, group, *body) for each in made]
    asked: list[int] = []
    labels = [LayoutBox(Box(50, 95, 545, 270), Category.TABLE)]
    grounds = [each.box.expanded(3) for made in heads for each in made]
    choice = TableChoice(lambda these, *_: asked.append(len(these)) or (), labels, (), grounds)
    choice.of_lattices([TextTable(Box(280, 100, 545, 141), tuple(cells))], lines)
    assert len(lines) in asked


def test_a_part_is_read_again_before_another_whose_best_reading_is_worse(monkeypatch):
    """A part's rank was that of its worst reading, and an invoice's items were not read again."""
    lines = lines_of([[f"{n}", f"{n}.20", "x"] for n in range(8)])
    one, two, three, four = (frozenset(range(n, n + 9)) for n in (0, 3, 6, 9))
    parts = [TableCandidate("white", Box(0, n, 9, 9), (), held) for n, held in enumerate((one, one, two, three, four))]
    worth = {0: 0.9, 1: 0.1, 2: 0.8, 3: 0.7, 4: 0.6}

    def weighed(self, candidates, _):
        return [page_tables.Weighed(each, worth[int(each.box.y0)], 10, 0.0) for each in candidates]

    monkeypatch.setattr(TableChoice, "_weighed", weighed)
    asked = []
    monkeypatch.setattr(TableChoice, "_by_white", lambda self, numbers, _: asked.append(frozenset(numbers)) or ())
    list(TableChoice(None, (), (), ())._read_again(parts, frozenset(), lines))
    assert asked == [one, two, three]
