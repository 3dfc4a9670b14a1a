import pytest

from docparse_fast.document import Box
from docparse_fast.drafting.blocks.line_ends import rooms, set_line_by_line
from docparse_fast.drafting.lines import Line

LETTER = 5.0


def line(text: str, row: float, x0: float = 0) -> Line:
    width = LETTER * len(text)
    words, at = [], x0
    for word in text.split():
        words.append((Box(at, row * 14, at + LETTER * len(word), row * 14 + 10), word))
        at += LETTER * (len(word) + 1)
    return Line(Box(x0, row * 14, x0 + width, row * 14 + 10), text, 10, "text-layer", words=tuple(words))


def stays_apart(lines: list[Line], others: list[Line]) -> bool:
    """Of the first lines of a column, below which `others` stand."""
    column = [*lines, *others]
    room = rooms(column, [other.box for other in column])
    return set_line_by_line(lines, room[: len(lines)])


PROSE = [line(("word " * 16)[:-1] + "s", 10 + row) for row in range(4)]


def test_the_lines_of_an_address_stay_apart():
    address = [line("Petra Mustermann", 0), line("Vor dem Berg 1", 1), line("12345 Musterhausen", 2)]
    assert stays_apart(address, PROSE)


def test_a_street_s_short_form_begins_small_and_goes_on_no_sentence():
    address = [line("Grażyna Nowak", 0), line("ul. Młyńska 14", 1), line("31-100 Kraków", 2)]
    assert stays_apart(address, PROSE)
    assert not stays_apart([line("Grażyna Nowak", 0), line("was born in 1914", 1), line("31 years before", 2)], PROSE)


def test_an_address_in_a_narrow_panel_stays_in_lines():
    """Two of three lines had no room for the next one's first word, and a mail address begins small."""
    address = ["80 Survey Street", "Canvas AB2 1XY", "01584 2994470000", "copper@example.org"]
    lines = [line(text, row) for row, text in enumerate(address)]
    edge = [Box(100, 0, 100, 60)]
    assert set_line_by_line(lines, rooms(lines, [*(each.box for each in lines), *edge]))
    prose = [
        line(text, row) for row, text in enumerate(["Street and a survey", "goes on from canvas", "to the last copper"])
    ]
    assert not set_line_by_line(prose, rooms(prose, [*(each.box for each in prose), *edge]))


def test_lines_set_to_the_right_stay_apart():
    dates = [line("Date: March 31", 0, x0=330), line("Statement: March", 1, x0=320)]
    assert stays_apart(dates, PROSE)


def test_an_address_on_a_page_without_prose_stays_in_lines():
    head = line("A rather long line that names the bank and its place", 8)
    assert stays_apart([line("Peter Pan", 0), line("Nimmerland", 1)], [head])


def test_lines_of_prose_that_fill_their_column_are_one_text():
    assert not stays_apart(PROSE[:3], PROSE[3:])


def test_a_paragraph_with_an_indent_is_one_text():
    first = line(("Word " * 15)[:-1], 0, x0=20)
    assert not stays_apart([first, PROSE[0], line("and ends here.", 2)], PROSE)


@pytest.mark.parametrize("second", ["that goes on in the next line", "and is narrow"])
def test_a_narrow_text_of_small_letters_is_one_text(second):
    assert not stays_apart([line("A caption beside a picture", 0), line(second, 1)], PROSE)


def test_a_word_broken_at_a_lines_end_shows_that_the_lines_are_one_text():
    assert not stays_apart([line("The Berliner Verkehrs-", 0), line("Gesellschaft Berlin", 1)], PROSE)


def test_the_entries_of_an_index_stay_apart_however_long_they_are():
    entries = ["Automorphism groups of free groups, 7", "FreeGroupAutomorphismsGenerator, 8–11", "Centralizer, xii"]
    assert stays_apart([line(text, row) for row, text in enumerate(entries)], PROSE)
    prose = ["It was built by a man called Jonathan Black, 27", "years old, who then moved to another house and"]
    assert not stays_apart([line(text, row) for row, text in enumerate(prose)], PROSE)


def test_a_short_paragraph_of_a_narrow_column_is_no_address():
    """Its room was the white up to the next column's text: three lines stood apart."""
    text = [line("a neighbour made the", 0, x0=30), line("gate between two trains in", 1), line("and the rain", 2)]
    items = [
        line(words, 4 + n)
        for n, words in enumerate(("a surveyor saw forty", "chairs in the hall and", "counted them all"))
    ]
    beside = [line("goes on in the next column", n, x0=170) for n in range(7)]
    column = [*text, *items]
    room = rooms(column, [each.box for each in (*column, *beside)])
    assert not set_line_by_line(text, room[:3])


def test_fields_set_to_the_right_stay_apart_though_all_end_in_line():
    """Letters' `E-mail:`, `Contact:` and `Customer no.:` were one line of text."""
    fields = ["E-mail: mail@example.org", "Contact: Tuva Okafor", "Customer no.: 40710"]
    right = [line(text, row, x0=600 - LETTER * len(text)) for row, text in enumerate(fields)]
    left = [line(text, row) for row, text in enumerate(("Elif Haddad", "Harbour Lane 149", "57173 Gijon"))]
    assert set_line_by_line(right, rooms(right, [each.box for each in (*left, *right)]))


def test_a_sentence_set_to_the_right_is_one_text():
    said = ["Please bring this sheet to the", "office before the end of this", "month"]
    right = [line(text, row, x0=600 - LETTER * len(text)) for row, text in enumerate(said)]
    assert not set_line_by_line(right, rooms(right, [each.box for each in right]))


def test_labels_with_values_beside_them_stay_in_rows():
    rows = [
        line("Petra Mustermann", 0),
        line("Tel.", 1),
        line("416-5256", 1, x0=60),
        line("Fax", 2),
        line("416", 2, 60),
    ]
    assert stays_apart(rows, PROSE)


def test_a_mail_address_below_a_name_stands_on_a_line_of_its_own():
    assert stays_apart([line("Sammy Maystone", 0), line("sammy@store.example", 1)], PROSE)
