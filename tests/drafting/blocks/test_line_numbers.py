"""Numbers down the margin of pleadings and manuscripts."""

from dataclasses import replace

from docparse_fast.document import Box, Category, TextLayer
from docparse_fast.drafting.blocks.line_numbers import line_numbers
from docparse_fast.drafting.born_digital.sheet import sheet_of
from docparse_fast.drafting.born_digital.text_layer import _assembled, numbers_of_lines
from docparse_fast.drafting.lines import LayoutBox, Line

PROSE = "a vehicle that was in front of it and thereby caused"


def line(text: str, row: float, x0: float = 60, x1: float = 400) -> Line:
    return Line(Box(x0, row * 24, x1, row * 24 + 10), text, 10, "text-layer")


def counted(count: int, step: int = 1) -> list[Line]:
    return [line(str(1 + n if step == 1 else 5 * (n + 1)), n * step, 30, 40) for n in range(count)]


def test_numbers_beside_prose_count_its_lines():
    lines = [*counted(8), *(line(PROSE, n) for n in range(8))]
    assert line_numbers(lines) == set(range(8))


def test_each_fifth_line_may_be_counted():
    assert line_numbers([*counted(6, step=5), *(line(PROSE, n) for n in range(30))]) == set(range(6))


def test_numbers_beside_empty_lines_are_the_papers():
    """A pleading's first page has few lines that go on."""
    lines = [*counted(12), line("At all times the defendant was", 8), line("an employee of the other", 9)]
    assert line_numbers(lines) == set(range(12))


def test_the_numbers_of_a_tables_rows_and_of_sentences_stay():
    for text, end in (("Apples, one box of the early kind, as ordered on paper", 400), ("milk", 80)):
        assert line_numbers([*counted(8), *(line(text, n, x1=end) for n in range(8))]) == set()
    beside = [line(PROSE, n, x0=0) for n in range(8)]
    assert line_numbers([*counted(8), *beside]) == set()


def test_numbers_at_the_right_and_those_of_two_columns_count_lines_too():
    right = [line(str(n + 1), n, 430, 440) for n in range(8)]
    assert line_numbers([*right, *(line(PROSE, n) for n in range(8))]) == set(range(8))
    other = [line(str(n + 9), n, 830, 840) for n in range(8)]
    columns = [line(PROSE, n, x0, x0 + 340) for n in range(8) for x0 in (60, 460)]
    assert line_numbers([*counted(8), *other, *columns]) == set(range(16))


def test_where_lines_are_counted_labels_of_items_are_not_believed():
    """A manuscript's lines with their numbers look like a list's: each paragraph lost its first line."""
    first, *others = (line(PROSE, 15 + n, x1=402 - n) for n in range(8))
    lines = [replace(first, box=replace(first.box, x0=90)), *others]
    labels = [LayoutBox(lines[0].box, Category.LIST_ITEM), LayoutBox(Box(50, 380, 420, 560), Category.LIST_ITEM)]
    sheet = replace(sheet_of(TextLayer(), 600, 800), labels=labels)
    for flow, count in ((lines, 2), ([*(line(str(n), 14 + n, 30, 40) for n in range(1, 9)), *lines], 1)):
        assert len(_assembled(numbers_of_lines(replace(sheet, flow=flow)))) == count


def test_numbers_in_smaller_type_than_the_references_beside_them_count_lines():
    """No reference goes on in small letters: a page of them was a table."""
    numbers = [replace(each, size=5) for each in counted(8)]
    references = [line(f"[{n}] A. Holm. The weight of the fish on the coast, 1999.", n) for n in range(8)]
    assert line_numbers([*numbers, *references]) == set(range(8))
    assert line_numbers([*counted(8), *references]) == set()
