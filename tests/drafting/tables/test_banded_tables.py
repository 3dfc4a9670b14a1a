"""Tables whose rows are parted by rules, by grounds or by white, from lines with words at given places."""

from dataclasses import replace

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.banded_tables import banded_tables
from docparse_fast.drafting.tables.bands import Bands, parted_at_captions

WIDTH, SIZE = 6, 10  # of a letter, of the type


def line(x, y, text, mono=False):
    words, at = [], x
    for word in text.split():
        words.append((Box(at, y, at + WIDTH * len(word), y + SIZE), word))
        at += WIDTH * (len(word) + 0.5)
    box = Box.around(box for box, _ in words)
    return Line(box, text, SIZE, "text-layer", mono=mono, words=tuple(words))


def rows(*texts, step=16, top=100, places=(50, 150, 250)):
    return [
        line(x, top + step * n, text)
        for n, row in enumerate(texts)
        for x, text in zip(places, row, strict=False)
        if text
    ]


def texts(table):
    found = {}
    for cell in table.cells:
        found.setdefault(cell.row, []).append(cell.text)
    return list(found.values())


THREE = [("Wind", "north", "cold"), ("Rain", "west", "mild"), ("Snow", "east", "dry")]


def test_a_cell_of_several_lines_between_two_rules_is_one_cell():
    lines = [*rows(*THREE[:2]), line(50, 132, "Snow"), line(150, 132, "east and"), line(150, 144, "north")]
    rules = [Box(45, y, 340, y + 1) for y in (97, 113, 129, 158)]
    (table,) = banded_tables(lines, rules, [])
    assert texts(table) == [["Wind", "north", "cold"], ["Rain", "west", "mild"], ["Snow", "east and north"]]


def test_a_ground_behind_every_other_row_parts_rows_of_several_lines():
    lines = [line(50, 100, "Wind"), line(150, 100, "north"), line(50, 120, "Rain"), line(150, 120, "west and")]
    lines += [line(150, 132, "south"), line(50, 150, "Snow"), line(150, 150, "east"), line(50, 170, "Fog")]
    lines += [line(150, 170, "none")]
    (table,) = banded_tables(lines, [], [Box(45, 116, 340, 146), Box(45, 166, 340, 184)])
    assert texts(table) == [["Wind", "north"], ["Rain", "west and south"], ["Snow", "east"], ["Fog", "none"]]


def test_more_white_between_rows_than_in_a_cell_parts_rows_where_nothing_is_drawn():
    lines = [*rows(*THREE, step=24), line(150, 172, "south and"), line(150, 183, "east"), line(50, 172, "Fog")]
    lines += [line(250, 172, "wet"), *rows(("Hail", "none", "rare"), top=207)]
    (table,) = banded_tables(lines, [], [])
    assert texts(table)[3:] == [["Fog", "south and east", "wet"], ["Hail", "none", "rare"]]


def test_a_heading_over_several_columns_spans_them():
    lines = [line(120, 84, "The weather here"), *rows(*THREE)]
    rules = [Box(45, y, 340, y + 1) for y in (81, 97, 113, 129, 145)]
    (table,) = banded_tables(lines, rules, [])
    assert table.cells[0].columns > 1


def test_prose_between_rules_is_no_table():
    prose = [line(50, 100 + 14 * n, "words that fill the whole of their line up to its end") for n in range(8)]
    assert banded_tables(prose, [Box(45, y, 400, y + 1) for y in (97, 127, 155, 183, 212)], []) == []


def test_a_list_between_rules_is_no_table():
    lines = rows(("•", "milk and eggs"), ("•", "flour or rice"), ("•", "a loaf"), places=(50, 70))
    assert banded_tables(lines, [Box(45, y, 340, y + 1) for y in (97, 113, 129, 145)], []) == []


def test_notes_between_rules_that_begin_with_the_same_word_are_no_table():
    lines = rows(("Tip", "add it to the list"), ("Tip", "keep the old one"), ("Tip", "ask before"))
    assert banded_tables(lines, [Box(45, y, 340, y + 1) for y in (97, 113, 129, 145)], []) == []


def test_a_high_sign_keeps_its_place_in_its_cell():
    lines = rows(*THREE[:2])
    words = ((Box(50, 135, 60, 142), "It"), (Box(61, 131, 63, 133), "’"), (Box(64, 135, 70, 142), "s"))
    lines += [Line(Box(50, 132, 70, 142), "It’s", SIZE, "text-layer", words=words), line(150, 132, "dry")]
    (table,) = banded_tables(lines, [Box(45, y, 340, y + 1) for y in (97, 113, 129, 145)], [])
    assert texts(table)[2] == ["It’s", "dry"]


def test_the_dots_of_leaders_are_no_columns_and_take_no_time(patience):
    """Every dot is a word: a page of them once took minutes."""
    lines = [leaders(50, 100 + 11 * n) for n in range(60)]
    assert banded_tables(lines, [Box(45, y, 1060, y + 1) for y in (97, 230, 360, 490, 620)], []) == []


def leaders(x, y, count=90):
    words = [(Box(x + 11 * n, y, x + 11 * n + 3, y + SIZE), ".") for n in range(count)]
    return Line(Box.around(box for box, _ in words), ". " * count, SIZE, "text-layer", words=tuple(words))


def test_numbers_at_the_levels_of_a_band_are_rows():
    head, coefficients = (
        rows(("Name", "Model A")),
        rows(("x1", "1.546***"), ("", "(0.692)"), ("x2", "3.4*"), ("", "(0.5)"), top=116),
    )
    foot = rows(("N", "100"), top=184)
    rules = [Box(45, y, 340, y + 1) for y in (97, 113, 181, 197)]
    (table,) = banded_tables([*head, *coefficients, *foot], rules, [])
    assert texts(table)[1:] == [["x1", "1.546***"], ["(0.692)"], ["x2", "3.4*"], ["(0.5)"], ["N", "100"]]


def test_a_caption_between_two_stacks_of_rules_parts_two_tables():
    caption = line(10, 170, "Table 2: the same weather told once more in a caption that is wide")
    lines = [*rows(*THREE), caption, *rows(*THREE, top=200)]
    rules = [Box(45, y, 340, y + 1) for top in (97, 197) for y in (top, top + 16, top + 32, top + 48)]
    found = banded_tables(lines, rules, [])
    assert [len(texts(table)) for table in found] == [3, 3]


def test_a_text_that_runs_over_one_end_of_boxes_parts_them():
    bands = Bands(45, 340, (97, 130, 197, 230), closed=True)
    words = line(50, 160, "between them stands a text that runs on to the right of both of these boxes")
    inside = line(50, 110, "words in a box")
    parts = [part.levels for part in parted_at_captions(bands, [inside.box, words.box], SIZE)]
    assert parts == [(97, 130), (197, 230)]


def test_two_captions_one_below_the_other_leave_no_part_between_them():
    bands = Bands(50, 250, (100, 120, 140, 160, 180), closed=True)
    over = [Box(200, y, 300, y + 10) for y in (125, 145)]
    assert [part.levels for part in parted_at_captions(bands, over, SIZE)] == [(100, 120), (160, 180)]


def test_lines_without_a_size_are_no_table():
    flat = [replace(each, size=0.0) for each in rows(("a", "b", "c"), ("d", "e", "f"))]
    assert banded_tables(flat, [], [Box(40, 100, 300, 110), Box(40, 132, 300, 142)]) == []


def test_a_head_that_is_wider_than_its_column_keeps_its_words_where_white_is_left_beside_it():
    """The middle of the white between the figures and the names cut through the head's last word."""
    lines = rows(("Port", "Length, m", "Owner"), ("A", "7.1", "Brekke"), ("B", "9.0", "Ansah"), places=(50, 150, 220))
    lines += rows(("C", "8.2", "Okafor"), ("D", "7.7", "Ansah"), ("E", "7.0", "Brekke"), top=148, places=(50, 150, 220))
    (table,) = banded_tables(lines, [Box(45, y, 340, y + 1) for y in range(97, 210, 16)], [])
    assert texts(table)[0] == ["Port", "Length, m", "Owner"]
