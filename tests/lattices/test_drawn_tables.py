"""Lattices of rules: which are tables, and what stands in their cells."""

from counted import calls_of

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.lattices.drawn_tables import drawn_tables
from docparse_fast.lattices.rules import Drawn

EDGES = (0, 100, 200, 300)
RULES = (*(Box(0, y, 300, y) for y in EDGES), *(Box(x, 0, x, 300) for x in EDGES))


def word(text, x, y):
    box = Box(x, y, x + 40, y + 10)
    return TextLine(box, (TextSpan(box, text, "Serif", 10, y + 10),))


LINES = [word(f"{x}{y}", x + 20, y + 40) for x in EDGES[:3] for y in EDGES[:3]]


def test_a_grid_of_words_is_a_table():
    (table,) = drawn_tables(Drawn(RULES), LINES)
    assert len(table.cells) == 9


def test_rules_with_shapes_on_them_are_a_drawing():
    parts = tuple(Box(90, y + 40, 110, y + 60) for y in EDGES[:3])
    assert drawn_tables(Drawn(RULES, parts), LINES) == []


def test_shaded_cells_are_cells():
    grounds = tuple(Box(x, 0, x + 100, 100) for x in EDGES[:3])
    assert len(drawn_tables(Drawn(RULES, grounds), LINES)) == 1


def test_signs_without_meaning_make_no_table():
    assert drawn_tables(Drawn(RULES), [word("\ufffd", 20, 40 + y) for y in EDGES[:3]]) == []


def test_a_cells_lines_stay_apart():
    """A word that a line's end breaks can only be made whole where the lines are known."""
    (table,) = drawn_tables(Drawn(RULES), [*LINES[:-1], word("speci-", 220, 240), word("fications", 220, 255)])
    assert table.cells[-1].text == "speci-\nfications"


def test_two_columns_between_rules_are_two():
    """`|lr|lr|` in LaTeX; words of one cell stand nearer than those of two columns."""
    pairs = [word(name, x + 5, y + 40) for x in EDGES[:3] for y, name in zip(EDGES, ("ab", "cd", "ef"), strict=False)]
    values = [word(str(y), x + 57, y + 40) for x in EDGES[:3] for y in EDGES[:3]]
    (table,) = drawn_tables(Drawn(RULES), [*pairs, *values])
    assert [cell.text for cell in table.cells if cell.row == 0] == ["ab", "0"] * 3
    beside = [word(str(y), x + 48, y + 40) for x in EDGES[:3] for y in EDGES[:3]]
    (table,) = drawn_tables(Drawn(RULES), [*pairs, *beside])
    assert [cell.text for cell in table.cells if cell.row == 0] == ["ab 0"] * 3


def test_lines_that_break_words_at_the_same_levels_are_one_row():
    ends = ("gnu2", "gnu3", "gnu4")
    wrapped = [word(f"i{x}-linux-", x + 20, 240) for x in EDGES[:3]]
    whole = [word(end, x + 20, 255) for x, end in zip(EDGES, ends, strict=False)]
    above = [line for line in LINES if line.box.y0 < 200]
    (table,) = drawn_tables(Drawn(RULES), [*above, *wrapped, *whole])
    assert max(cell.row for cell in table.cells) == 2
    (table,) = drawn_tables(Drawn(RULES), [*above, *(word(f"i{x}", x + 20, 240) for x in EDGES[:3]), *whole])
    assert max(cell.row for cell in table.cells) == 3


def test_a_lot_below_what_is_sold_is_no_row_beside_one_amount():
    """`Pipe 22 mm` and `Lot 320953` below it were two rows of an invoice that is drawn with all its rules."""
    edges = (0, 150, 300)
    rules = (*(Box(0, y, 300, y) for y in EDGES), *(Box(x, 0, x, 300) for x in edges))
    said = [word(f"Item {y}", 20, y + 40) for y in EDGES[:3]] + [word(f"{y}.50", 170, y + 40) for y in EDGES[:3]]
    (table,) = drawn_tables(Drawn(rules), [*said, word("Lot 320953", 20, 255)])
    assert [cell.text for cell in table.cells if cell.row == 2] == ["Item 200\nLot 320953", "200.50"]


def test_what_fills_a_forms_boxes_stays_with_their_names():
    """Boxes of tax forms became two rows, one of names and one of values, without their spans."""
    names = [word(f"{n} name", x + 20, 240) for n, x in enumerate(EDGES[:3])]
    small = [TextLine(n.box, (TextSpan(n.box, n.text, "Serif", 6, n.box.y1),)) for n in names]
    filled = [word(f"{x}.50", x + 20, 255) for x in EDGES[:3]]
    above = [line for line in LINES if line.box.y0 < 200]
    for label, rows in ((small, 3), (names, 4)):
        (table,) = drawn_tables(Drawn(RULES), [*above, *label, *filled])
        assert max(cell.row for cell in table.cells) + 1 == rows


def ruled_rows(heads, rows):
    """A head whose columns are ruled, and rows with rules between them only."""
    count, depth = len(heads), 20 * (len(rows) + 1)
    across = [Box(0, y, 100 * count, y) for y in range(0, depth + 1, 20)]
    down = [Box(x, 0, x, 20 if 0 < x < 100 * count else depth) for x in range(0, 100 * count + 1, 100)]
    named = [word(text, 100 * n + 20, 5) for n, text in enumerate(heads)]
    filled = [word(text, 100 * n + 20, 25 + 20 * r) for r, row in enumerate(rows) for n, text in enumerate(row) if text]
    return Drawn((*across, *down)), [*named, *filled]


def test_rows_below_a_ruled_head_have_its_columns():
    """Half-ruled lattices came out as one cell a row."""
    (table,) = drawn_tables(
        *ruled_rows(["Country", "Area", "People"], [["A", "1", "2"], ["B", "3", "4"], ["C", "5", "6"]])
    )
    assert [cell.text for cell in table.cells if cell.row == 2] == ["B", "3", "4"]


def test_words_over_several_columns_stay_one_cell_below_a_ruled_head():
    rows = [["A", "1", "2"], ["B", "3", "4"], ["", "all of the rest", ""], ["C", "5", "6"]]
    (table,) = drawn_tables(*ruled_rows(["Country", "Area", "People"], rows))
    assert [cell.text for cell in table.cells if cell.row == 3] == ["all of the rest"]


def test_rows_below_a_head_of_two_lines_stand_once_and_in_order():
    """Each row after such a head was picked up again and landed in the last one."""
    lines = [word(f"{x}{y}", x + 20, y + 40) for x in EDGES[:3] for y in EDGES[1:3]]
    two = [word(f"{text} 1", x + 20, y) for x, text in zip(EDGES[:3], "abc", strict=True) for y in (40, 60)]
    more = (*RULES, Box(0, 150, 300, 150), Box(0, 250, 300, 250))
    (table,) = drawn_tables(Drawn(more), [*two, *lines])
    texts = [cell.text for cell in sorted(table.cells, key=lambda c: (c.row, c.column)) if cell.text]
    assert texts == ["a 1", "b 1", "c 1", "a 1", "b 1", "c 1", "0100", "100100", "200100", "0200", "100200", "200200"]


def test_a_head_of_two_lines_is_one_row_though_figures_stand_in_its_second():
    head = [word(text, x + 20, y) for x in EDGES[:3] for y, text in ((30, "Sold in"), (45, f"{2024 + x}"))]
    (table,) = drawn_tables(Drawn(RULES), [*head, *(line for line in LINES if line.box.y0 > 100)])
    assert [cell.text for cell in table.cells if cell.row == 0] == ["Sold in\n2024", "Sold in\n2124", "Sold in\n2224"]


def test_a_table_of_five_thousand_rows_is_one():
    """It had too many rules to be looked at."""
    (table,) = drawn_tables(*ruled_rows(["Name", "Sum"], [["Rent", "10"]] * 5000))
    assert len(table.cells) == 2 * 5001


def test_twice_as_many_ruled_rows_are_read_in_twice_the_steps():
    def steps(count):
        ink, lines = ruled_rows(["Name", "Sum"], [["Rent", "10"]] * count)
        pieces = [Box(x, 20.0 * n + 5, x, 20.0 * n + 15) for x in (0, 100, 200) for n in range(count)]  # none joins
        return calls_of(lambda: drawn_tables(Drawn((*ink.rules, *pieces)), lines))

    assert steps(400) < 2.2 * steps(200)


def test_one_row_of_cells_is_a_table_and_one_frame_is_none():
    """A school report's `Pupil`, `Class` and `Attendance` were a heading."""
    rules = (*(Box(0, y, 300, y) for y in (0, 100)), *(Box(x, 0, x, 100) for x in EDGES))
    (table,) = drawn_tables(Drawn(rules), [word(f"cell{x}", x + 20, 40) for x in EDGES[:3]])
    assert [(cell.row, cell.text) for cell in table.cells] == [(0, "cell0"), (0, "cell100"), (0, "cell200")]
    frame = (*(Box(0, y, 300, y) for y in (0, 100)), *(Box(x, 0, x, 100) for x in (0, 300)))
    assert drawn_tables(Drawn(frame), [word("alone", 20, 40), word("again", 120, 40)]) == []


def test_addresses_in_boxes_side_by_side_are_a_cell_each_and_rows_of_figures_are_rows():
    """An order's buyer and where it goes were read across, line by line."""
    rules = (*(Box(0, y, 200, y) for y in (0, 100)), *(Box(x, 0, x, 100) for x in (0, 100, 200)))
    sides = [(10, ["Sold to", "Iris Berg", "Kerkstraat"]), (110, ["Deliver to", "Berg Ateliers", "Dok Noord"])]
    (boxes,) = drawn_tables(
        Drawn(rules), [word(text, x, 10 + 12 * n) for x, side in sides for n, text in enumerate(side)]
    )
    assert [cell.row for cell in boxes.cells] == [0, 0]
    counts = [(10, ["Oars", "Rope", "Nets"]), (110, ["4", "7", "12"])]
    (list_of,) = drawn_tables(
        Drawn(rules), [word(text, x, 10 + 12 * n) for x, side in counts for n, text in enumerate(side)]
    )
    assert sorted(cell.row for cell in list_of.cells) == [0, 0, 1, 1, 2, 2]


def under_a_tight_head():
    """A census table: a rule below the head, upright ones between groups, three columns in a group."""
    rules = [Box(0, y, 400, y) for y in (0, 20, 40, 200)] + [Box(x, 0, x, 200) for x in (0, 100, 400)]
    names = [word("Area", 20, 25), *(word(f"row {n}", 20, 45 + 20 * n) for n in range(7))]
    heads = [word("Total", 230, 5), *(piece(t, x, x + 90, 25) for t, x in (("All", 110), ("Young", 202), ("Old", 294)))]
    figures = [piece(f"{n}{c}", 160 + 92 * c, 190 + 92 * c, 45 + 20 * n) for n in range(7) for c in range(3)]
    return drawn_tables(Drawn(tuple(rules)), [*names, *heads, *figures])


def piece(text, x0, x1, y):
    box = Box(x0, y, x1, y + 10)
    return TextLine(box, (TextSpan(box, text, "Serif", 10, y + 10),))


def test_columns_without_rules_are_found_below_a_head_that_leaves_no_white_between_them():
    (table,) = under_a_tight_head()
    said = {(cell.row, cell.column): (cell.text, cell.columns) for cell in table.cells}
    assert said[0, 1] == ("Total", 3)
    assert [said[1, column] for column in (1, 2, 3)] == [("All", 1), ("Young", 1), ("Old", 1)]
    assert [said[2, column] for column in (1, 2, 3)] == [("00", 1), ("01", 1), ("02", 1)]


def test_cells_of_rows_that_no_rule_parts_have_their_places():
    """Without them the judge saw a table that was nearly empty, and bold rows lost their type."""
    (table,) = under_a_tight_head()
    (cell,) = [cell for cell in table.cells if cell.text == "31"]
    assert cell.box == Box(252, 105, 282, 115)


def test_heads_that_go_on_in_lower_case_are_one_row():
    """A report's head of six lines in each cell was six rows of its table."""
    heads = [word(t, x + 20, 10 + 12 * n) for x in EDGES[:3] for n, t in enumerate(("Moved", "from loss", "to loans"))]
    below = [word(f"{x}{y}", x + 20, y + 40) for x in EDGES[:3] for y in EDGES[1:3]]
    (table,) = drawn_tables(Drawn(RULES), [*heads, *below])
    assert [cell.text for cell in table.cells if cell.row == 0] == ["Moved\nfrom loss\nto loans"] * 3


def beside_figures(names, step):
    """Rows of a column of names, in a space that no rule parts, and one of figures in cells of their own."""
    across = [Box(0, 0, 200, 0), Box(0, 20, 200, 20), *(Box(100, y, 200, y) for y in (40, 60)), Box(0, 80, 200, 80)]
    figures = [word(f"{n}.50", 120, 5 + 20 * n) for n in range(4)]
    named = [word(text, 20, 25 + step * n) for n, text in enumerate(names)]
    ink = Drawn((*across, *(Box(x, 0, x, 80) for x in (0, 100, 200))))
    (table,) = drawn_tables(ink, [word("Cost", 20, 5), *figures, *named])
    return [cell.text for cell in table.cells if cell.column == 0]


def test_names_level_with_figures_are_cells_of_their_rows():
    """A claim for expenses had the names of three sums in one cell, since only their amounts were framed."""
    assert beside_figures(["Sum", "Paid", "To pay"], step=20) == ["Cost", "Sum", "Paid", "To pay"]
    assert beside_figures(["Sum of", "what was", "paid"], step=20) == ["Cost", "Sum of\nwhat was\npaid"]
    assert beside_figures(["Sum", "Paid", "To pay"], step=15) == ["Cost", "Sum\nPaid\nTo pay"]


def test_rows_in_one_frame_are_told_though_their_last_column_wraps():
    """A form's three degrees stood in one row: of four columns one took two lines for some."""
    rules = (*(Box(0, y, 400, y) for y in (0, 100, 300)), *(Box(x, 0, x, 300) for x in (0, 100, 200, 300, 400)))
    heads = [
        word(text, x + 20, 40) for x, text in zip((0, 100, 200, 300), ("Where", "What", "When", "Field"), strict=True)
    ]
    rows = [(120, "Ely", "BSc", "1990"), (180, "Ghent", "PhD", "1996"), (240, "Leuven", "Post", "1998")]
    named = [word(text, x + 20, y) for y, *row in rows for x, text in zip((0, 100, 200), row, strict=True)]
    wraps = [
        word("Law", 320, 120),
        *(word(text, 320, y) for y, text in ((174, "Public"), (186, "Health"), (240, "Art"))),
    ]
    (table,) = drawn_tables(Drawn(rules), [*heads, *named, *wraps])
    said = [[cell.text for cell in table.cells if cell.row == row] for row in range(4)]
    assert said[1:] == [
        ["Ely", "BSc", "1990", "Law"],
        ["Ghent", "PhD", "1996", "Public\nHealth"],
        ["Leuven", "Post", "1998", "Art"],
    ]
