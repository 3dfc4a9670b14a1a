"""Tables without a lattice, from lines and rules that stand alone."""

from dataclasses import replace

import pytest

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.aligned_cells import table_of
from docparse_fast.drafting.tables.aligned_tables import aligned_tables

RULES = [Box(60, 90, 535, 91), Box(60, 400, 535, 401)]


def row(y: float, *pieces: tuple[float, float, str]) -> list[Line]:
    return [
        Line(Box(x0, y, x1, y + 12), text, 10, "text-layer", words=((Box(x0, y, x1, y + 12), text),))
        for x0, x1, text in pieces
    ]


def test_prose_between_two_rules_is_no_table_where_more_lines_cross_the_columns_than_keep_to_them():
    """Frames around code have such rules, and everything between two of them became one table."""
    lines = [row(113 + 18 * n, (60, 300, "a line that is broken off early")) for n in range(8)]
    lines += [row(276 + 18 * n, (60, 520, "a line of prose that is as wide as the page")) for n in range(3)]
    lines += [row(95, (60, 450, "The use of this word is"), (480, 530, "Argument"))]
    lines += [row(348, (60, 100, "Twice"), (480, 530, "Result"))]
    assert aligned_tables([line for made in lines for line in made], RULES) == []


def test_a_table_between_two_rules_keeps_a_heading_that_spans():
    lines = [row(100, (60, 520, "Counts in both of the years, by kind"))]
    lines += [row(118 + 18 * n, (60, 120, name), (480, 530, "12")) for n, name in enumerate(("Pan", "Pongo", "Homo"))]
    (table,) = aligned_tables([line for made in lines for line in made], RULES)
    assert [cell.text for cell in table.cells] == ["Counts in both of the years, by kind"] + [
        text for name in ("Pan", "Pongo", "Homo") for text in (name, "12")
    ]


def test_rows_that_count_from_one_and_say_words_are_a_list():
    lines = [
        found
        for n, name in enumerate(("Mercury", "Venus", "Earth", "Mars"))
        for found in row(100 + 15 * n, (60, 66, str(n + 1)), (110, 150, name))
    ]
    assert aligned_tables(lines, []) == []


PRICES = (("Item", "Quantity", "Price"), ("Oars", "4", "118.00"), ("Varnish", "3", "21.00"), ("Rope", "2", "9.50"))


def priced(top: float, cells: tuple[str, ...]) -> list[Line]:
    return row(top, *((x, x + 60, text) for x, text in zip((60, 300, 470), cells, strict=True)))


def test_a_head_above_the_first_rule_is_the_tables_if_rules_part_all_its_rows():
    """Invoices have a rule under each row and none above the head, which became a heading."""
    lines = [line for n, cells in enumerate((*PRICES, PRICES[1])) for line in priced(100 + 20 * n, cells)]
    rules = [Box(60, 116 + 20 * n, 535, 116 + 20 * n) for n in range(5)]
    (table,) = aligned_tables(lines, rules)
    assert [cell.text for cell in table.cells][:6] == [*PRICES[0], *PRICES[1]]


def test_a_line_above_the_first_rule_is_no_row_if_it_is_far_off_or_has_fewer_cells():
    lines = [line for n, cells in enumerate((*PRICES, PRICES[1])) for line in priced(100 + 20 * n, cells)]
    rules = [Box(60, 116 + 20 * n, 535, 116 + 20 * n) for n in range(-1, 5)]
    above = [row(80, (60, 120, "What was"), (300, 360, "bought")), priced(50, PRICES[2])]
    (table,) = aligned_tables([*lines, *(line for made in above for line in made)], rules)
    assert [cell.text for cell in table.cells][:3] == list(PRICES[0])


def test_two_blocks_of_lines_side_by_side_are_no_table():
    """An invoice's sender stands beside its number and date, a line or two level by chance."""
    lines = [
        *row(100, (60, 180, "Brekke & Daughters"), (400, 535, "INVOICE")),
        *row(115, (60, 190, "Boat yard and chandlery")),
        *row(130, (60, 200, "3 Slipway Road"), (380, 450, "Invoice number"), (480, 535, "2024-0317")),
        *row(145, (380, 410, "Date"), (470, 535, "12 March 2024")),
        *row(160, (380, 400, "Due"), (470, 535, "11 April 2024")),
    ]
    assert aligned_tables(lines, []) == []


def test_names_and_short_phrases_in_small_letters_are_a_table():
    """Lines of prose begin in small letters, too, but they fill their column."""
    names = ("null", "symbol", "closure", "promise", "special", "builtin", "char")
    ends = (330, 400, 360, 520, 440, 420, 390)
    lines = [
        row(100 + 18 * n, (60, 110, name), (200, end, f"kind {n} of object"))
        for n, (name, end) in enumerate(zip(names, ends, strict=True))
    ]
    (table,) = aligned_tables([line for made in lines for line in made], [])
    assert [cell.text for cell in table.cells if cell.column == 0] == list(names)
    prose = [
        row(100 + 18 * n, (60, 110, name), (200, 520 - n % 2, "words that go on from line to line"))
        for n, name in enumerate(names)
    ]
    assert aligned_tables([line for made in prose for line in made], []) == []


@pytest.mark.parametrize(("size", "found"), [(10, True), (14, False)])
def test_headings_with_their_numbers_apart_are_no_table(size, found):
    words = [("1", "Rivers"), ("", "Rain falls on the hills."), ("2", "Lakes"), ("2.1", "Deep lakes"), ("3", "Seas")]
    lines, rows = [], []
    for n, (number, text) in enumerate(words):
        high, pieces = (size, [(40, number), (70, text)]) if number else (10, [(40, text)])
        rows.append(list(range(len(lines), len(lines) + len(pieces))))
        boxes = [Box(x, 100 + 20 * n, x + 4 * len(said), 100 + 20 * n + high) for x, said in pieces]
        lines += [Line(box, said, high, "text-layer") for box, (_, said) in zip(boxes, pieces, strict=True)]
    assert (table_of(rows, lines, [], ruled=False) is not None) == found


@pytest.mark.parametrize(("head", "rows"), [("Meaning", 3), ("What each of these signs means", 5)])
def test_words_that_had_no_room_go_on_with_the_row_above(head, rows):
    """Under a long head they had room: then they are another row."""
    more = ("", "", "with slopes for each")
    cells = [("Sign", "Words", head), ("a", "b", "An intercept apart"), more, ("c", "d", "Another intercept"), more]
    lines, indexes = [], []
    for n, row in enumerate(cells):
        pieces = [(60 + 150 * column, text) for column, text in enumerate(row) if text]
        indexes.append(list(range(len(lines), len(lines) + len(pieces))))
        boxes = [Box(x, 100 + 14 * n, x + 5 * len(text), 110 + 14 * n) for x, text in pieces]
        lines += [Line(box, text, 10, "text-layer") for box, (_, text) in zip(boxes, pieces, strict=True)]
    table = table_of(indexes, lines, RULES, ruled=True)
    assert table is not None
    assert max(cell.row for cell in table.cells) + 1 == rows


def test_on_a_page_in_typewriters_type_rows_of_figures_are_a_table():
    rows = [row(100 + 18 * n, (60, 90, f"C{n}"), (150, 210, "622.254"), (300, 330, "177")) for n in range(6)]
    typed = [replace(line, mono=True) for made in rows for line in made]
    (table,) = aligned_tables(typed, [])
    assert len(table.cells) == 18
    prose = [line for n in range(30) for line in row(300 + 18 * n, (60, 520, "a line of prose as wide as the page"))]
    assert aligned_tables([*typed, *prose], []) == []
