"""Notes, labels and numbers of lines beside a text."""

from docparse_fast.document import Box, Category
from docparse_fast.drafting.blocks.assembly import assemble
from docparse_fast.drafting.blocks.gutters import margin_notes
from docparse_fast.drafting.lines import Line

LETTER, LEADING = 5, 14


def line(text, x, row, size=10):
    words, at = [], x
    for word in text.split():
        words.append((Box(at, row * LEADING, at + LETTER * len(word), row * LEADING + size), word))
        at += LETTER * (len(word) + 1)
    return Line(Box(x, row * LEADING, at - LETTER, row * LEADING + size), text, size, "text-layer", words=tuple(words))


def text(rows, x=150):
    return [line("Words of a text that goes on from line to line here", x, row) for row in rows]


def read(lines):
    regions = assemble(lines, 600, 800)
    return [region.text for region in regions if region.category is not Category.PAGE_HEADER]


def test_a_note_in_the_margin_stands_before_its_paragraph_and_not_in_it():
    lines = [*text(range(10, 16)), line("Note on", 90, 12), line("this line", 90, 13)]
    note, paragraph = read(lines)
    assert note == "Note on this line" and paragraph.count("Words of a text") == 6


def test_a_name_in_the_margin_that_touches_the_text_is_parted_from_it():
    first = line("nameofit Words of a text that goes on from line to line", 104, 10)
    note, paragraph = read([first, *text(range(11, 17))])
    assert note == "nameofit" and paragraph.startswith("Words of a text")


def test_two_columns_are_no_text_with_a_margin():
    column = [line("Other words of a column that is", 310, row) for row in range(10, 16)]
    first, second = read([*text(range(10, 16), x=40), *column])
    assert first.startswith("Words") and second.startswith("Other")


def test_a_value_behind_its_name_at_the_right_is_no_note():
    head = [line(name, 350, row) for row, name in enumerate(("Phone:", "Fax:"), 8)]
    head += [line("49 6151 16", 430, row) for row in (8, 9)]
    assert "Phone: 49 6151 16" in " ".join(read([*head, *text(range(12, 18))]))


def test_terms_in_the_margin_stand_each_before_its_own_paragraph():
    rows = (10, 11.3, 12.6, 13.6, 14.6, 15.6, 16.6)
    lines = [*text(rows), *(line(term, 90, row) for term, row in (("OPTARG", 10), ("OPTIND", 11.3), ("PATH", 12.6)))]
    assert [words for words in read(lines) if words.isupper()] == ["OPTARG", "OPTIND", "PATH"]


def test_a_side_that_is_filled_from_top_to_bottom_is_a_column_and_no_notes():
    side = [line(f"side {n}", 60, 10 + 1.3 * n) for n in range(8)]
    assert margin_notes([*text(range(10, 22)), *side], range(20)) == []
