from dataclasses import replace
from typing import Any

import pytest

from docparse_fast.document import Box, Category
from docparse_fast.drafting.blocks.furniture import furniture
from docparse_fast.drafting.lines import Line

HEIGHT = 1000.0


def line(text: str, y: float, x0: float = 100, x1: float = 600, size: float = 10, *, bold: bool = False) -> Line:
    return Line(Box(x0, y, x1, y + 14), text, size, "text-layer", bold=bold)


BODY = [line(f"A line of text, the {n}th of this page.", 120 + 20 * n) for n in range(20)]


def kinds_of(*page: Any, **more: Any) -> dict[int, Category]:
    return furniture(*page, **more).kinds


def kinds(*extra: Line, labels: dict[int, Category] | None = None) -> dict[str, Category]:
    lines = [*BODY, *extra]
    found = kinds_of(lines, labels or {}, HEIGHT, body=10)
    return {lines[index].text: category for index, category in found.items()}


def test_a_running_head_and_a_page_number_are_found():
    assert kinds(line("Annual Report 2024", 40), line("17", 950, 340, 360)) == {
        "Annual Report 2024": Category.PAGE_HEADER,
        "17": Category.PAGE_NUMBER,
    }


def test_a_title_is_no_running_head():
    assert kinds(line("A Large Title", 40, size=20)) == {}


def test_a_last_paragraph_that_reaches_the_foot_is_text():
    low = [line(f"More text in line {n}", 800 + 20 * n) for n in range(9)]
    assert kinds(*low) == {}


def test_a_slanted_running_head_is_no_note():
    """Its stars were taken for a note's mark: manuals' heads stood as headings between their paragraphs."""
    head = replace(line("6.3. USING THE PARTS", 40), text="*6.3. USING THE PARTS*")
    assert head.text in kinds(head, line("12", 950, 340, 360))


def test_a_page_number_ends_a_page_that_ends_early():
    assert kinds(line("62", 640, 340, 360)) == {"62": Category.PAGE_NUMBER}


def test_a_label_is_believed_where_nothing_stands_above():
    assert kinds(line("Contents of this issue", 85), labels={20: Category.PAGE_HEADER}) == {
        "Contents of this issue": Category.PAGE_HEADER
    }


def test_a_letters_head_is_text_whatever_its_label_says():
    head = [line("Joe Public", 30), line("2 Valley", 46), line("SAMPLEBY", 62), line("ZY32 1XW", 78)]
    assert kinds(*head, labels=dict.fromkeys(range(20, 24), Category.PAGE_HEADER)) == {}


def test_a_head_of_two_rows_in_three_pieces_is_believed():
    head = [line("The Journal", 40, 100, 300), line("Vol. 3", 40, 500, 600), line("A. Author and others", 58)]
    assert len(kinds(*head, labels=dict.fromkeys(range(20, 23), Category.PAGE_HEADER))) == 3


def test_a_label_is_not_believed_in_the_middle_of_the_text():
    assert kinds(labels={10: Category.PAGE_HEADER}) == {}


def test_a_crop_of_three_lines_has_no_furniture():
    assert kinds_of([line("Heading", 2), line("text", 20), line("12", 40)], {}, 60, body=10) == {}


def test_a_line_of_no_height_is_a_row_by_itself():
    """A damaged PDF set one: the row of the outermost line was empty, and the page failed."""
    from docparse_fast.drafting.blocks.furniture import _row_of

    flat = Line(Box(0, 10, 50, 10), "flat", 8.0, "text-layer")
    below = Line(Box(0, 30, 50, 40), "below", 8.0, "text-layer")
    assert _row_of([flat, below], [0, 1]) == [0]


def test_a_page_filled_by_a_table_has_a_foot_all_the_same():
    """It had not, because lines alone were counted: the foot became the last entry of a page of contents."""
    lines = [
        line("Contents", 80, size=20),
        line("© Example Press 2014. All rights reserved", 950, 100, 400),
        line("iii", 951, 590, 600),
    ]
    found = kinds_of(lines, {}, HEIGHT, body=10, others=[Box(100, 120, 600, 930)])
    assert found == {1: Category.PAGE_FOOTER, 2: Category.PAGE_NUMBER}
    assert kinds_of(lines, {}, HEIGHT, body=10) == {}


def test_a_caption_between_the_head_and_a_table_is_text():
    lines = [line("17", 20, 100, 120), line("Table 3: Sizes", 70)]
    assert kinds_of(lines, {}, HEIGHT, body=10, others=[Box(100, 90, 600, 930)]) == {0: Category.PAGE_NUMBER}


def test_the_first_line_above_a_formula_is_text():
    lines = [line("The work done along the curve is", 40), *BODY]
    assert kinds_of(lines, {}, HEIGHT, body=10) == {0: Category.PAGE_HEADER}
    assert kinds_of(lines, {}, HEIGHT, body=10, others=[Box(100, 60, 600, 110)]) == {}


LOW = [line(f"A line of text, the {n}th of this page.", 220 + 20 * n) for n in range(20)]  # below a wide margin


def heads(*extra: Line) -> list[str]:
    """What is a head here, or may be one."""
    lines = [*LOW, *extra]
    found = furniture(lines, {}, HEIGHT, body=10)
    return sorted(lines[index].text for index in (*found.kinds, *found.supposed))


def test_a_head_with_the_pages_number_stands_below_a_wide_margin():
    assert heads(line("24 FlexMix Version 2", 130)) == ["24 FlexMix Version 2"]
    assert heads(line("Surface Evolver Manual 194", 130)) == ["Surface Evolver Manual 194"]
    assert heads(line("305", 130, 340, 360)) == ["305"]


def test_a_numbered_heading_or_a_year_below_a_wide_margin_is_text():
    bold = Line(Box(100, 130, 300, 144), "2 Methods", 10, "text-layer", bold=True)
    assert heads(bold) == []
    assert heads(line("Berlin, 3. May 2024", 130)) == []
    assert heads(line("2.1 Methods", 130)) == []


def test_a_number_close_above_the_text_is_the_texts():
    assert heads(line("24 apples", 204)) == []


def test_a_number_below_a_figure_ends_a_page_of_few_lines():
    lines = [line("Figure 4.7: Sound", 400), line("86", 800, 340, 360)]
    assert kinds_of(lines, {}, HEIGHT, body=10, others=[Box(100, 100, 600, 380)]) == {1: Category.PAGE_NUMBER}


def test_a_number_far_from_a_title_is_its_pages():
    for y in (60, 900):
        lines = [line("The Title", 300), line("1", y, 340, 360)]
        assert kinds_of(lines, {}, HEIGHT, body=10) == {1: Category.PAGE_NUMBER}


def test_a_stamp_on_the_sheets_edge_leaves_the_page_its_own_head_of_two_rows():
    lines = [*BODY, line("A Library of Journals", 5), line("Proceedings (2007)", 60), line("Copyright 2007", 76)]
    labels = {20 + n: Category.PAGE_HEADER for n in range(3)}
    assert list(kinds_of(lines, labels, HEIGHT, body=10)) == [20, 21, 22]


def test_a_letters_head_of_three_rows_is_text():
    lines = [*BODY, line("A. Writer", 44), line("1 The Street", 60), line("A Town", 76)]
    labels = {20 + n: Category.PAGE_HEADER for n in range(3)}
    assert kinds_of(lines, labels, HEIGHT, body=10) == {}


def test_a_footnote_that_a_label_takes_for_a_running_foot_is_none():
    assert kinds(line("¹ Data are kept by the institute.", 860), labels={20: Category.PAGE_FOOTER}) == {}
    foot = [*BODY, line("Data are kept by the institute", 860)]
    assert furniture(foot, {20: Category.PAGE_FOOTER}, HEIGHT, body=10).supposed == {20}


def test_a_line_deeper_than_the_margin_is_furniture_only_with_a_number_or_an_address():
    """A letter's head and the words under a line for a signature were left out of pages that stand alone."""
    place = [line("Place, date", 700, 100, 200), line("Signature", 700, 400, 500)]
    head = line("Vellund, 12 Mill Lane", 70, 420, 600)
    lines = [*BODY, *place, head]
    labels = {20: Category.PAGE_FOOTER, 21: Category.PAGE_FOOTER, 22: Category.PAGE_HEADER}
    deep = [line.shifted(60, 0) for line in lines]
    assert furniture([line.shifted(-40, 30) for line in lines], labels, HEIGHT, body=10).kinds == {}
    assert furniture(deep, labels, HEIGHT, body=10).kinds == {22: Category.PAGE_HEADER}


def test_codes_and_prices_in_a_row_or_a_column_are_no_page_numbers():
    """A page of labels lost its first two rows: `W-3556` was taken for a page's number."""
    for code in ("W-35{}", "{} €", "{}"):
        names = [line(f"Bolt {n}", 20, 100 + 150 * n, 180 + 150 * n) for n in range(3)]
        codes = [line(code.format(51 + 7 * n), 36, 100 + 150 * n, 140 + 150 * n) for n in range(3)]
        assert kinds_of([*names, *codes, *BODY], {}, HEIGHT, body=10) == {}


def test_a_page_is_counted_in_many_languages():
    for text in ("Seite 1 von 2", "Pág. 2", "Side 1 av 1", "– iv –"):
        assert kinds(line(text, 950, 300, 400)) == {text: Category.PAGE_NUMBER}


def test_centred_lines_leave_no_margin_in_which_furniture_could_stand():
    """An invitation lost the name of its host."""
    lines = [line(f"A line of the invitation {n}", 200 + 40 * n, 350 - 30 * n, 350 + 30 * n) for n in range(1, 8)]
    host = line("The Board of the Museum", 40, 250, 450)
    found = furniture([*lines, host], {}, HEIGHT, body=10)
    assert found.kinds == {} and found.supposed == {7}


def test_words_larger_than_the_number_beside_them_are_no_running_head():
    assert kinds(line("EXPRESS", 40, 100, 200, size=12), line("1/2", 42, 580, 600, size=7)) == {}


def test_a_bold_section_at_the_head_of_a_page_is_no_running_head():
    assert kinds(line("2.1 Methods of the Study", 40, bold=True)) == {}


@pytest.mark.parametrize("text", ["14. Measured at 20 °C with oil.", "14 Measured at 20 °C with oil."])
def test_a_note_whose_number_is_raised_in_the_text_is_no_running_foot(text):
    """A lone one, hanging in the margin, was left out of the Markdown without a word."""
    note, called = line(text, 905, 95, 300, 7), line("It takes 14 Nm.¹⁴", 540)
    assert kinds(note) == {note.text: Category.PAGE_FOOTER}
    assert kinds(note, called) == {}
    assert kinds(note, called, labels={20: Category.PAGE_FOOTER}) == {}


def test_a_list_s_item_at_the_head_of_a_page_is_no_running_head():
    assert kinds(line("• Features that came later", 60)) == {}


def test_a_letters_foot_in_columns_is_text_and_the_number_below_it_is_not():
    foot = [
        line(f"{words} {n}", 880 + 15 * n, x, x + 120) for n in range(3) for words, x in (("Bank", 100), ("Tax", 300))
    ]
    lines = [*BODY, *foot, line("www.bank.example", 910, 480, 600), line("1", 950, 340, 360)]
    labels = dict.fromkeys(range(20, 28), Category.PAGE_FOOTER)
    assert kinds_of(lines, labels, HEIGHT, body=10) == {27: Category.PAGE_NUMBER}


def test_a_foot_of_which_a_part_is_labelled_as_text_is_text():
    """The last row of a letter's foot in columns was torn off: the model took the middle one for text."""
    foot = line("Court of Ely", 950, 100, 200), line("BIC X", 950, 300, 400), line("VAT 4711", 950, 500, 600)
    labels = {20: Category.PAGE_FOOTER, 21: Category.TEXT, 22: Category.PAGE_FOOTER}
    above = line("Ada Quill", 930, 100, 200), line("IBAN DE02", 930, 300, 400), line("Tel. 12", 930, 500, 600)
    assert kinds(*foot, *above, labels=labels) == {}


def test_a_letters_head_in_three_rows_stays_text_beside_the_addressees():
    """The sender's name was left out as a running head, since one of its rows stands level with the reader's."""
    sender = [line(text, 40 + 18 * n, 100, 260) for n, text in enumerate(("Kervadec", "14 Quai", "56100 Lorient"))]
    labels = dict.fromkeys(range(20, 23), Category.PAGE_HEADER) | {23: Category.TEXT}
    assert kinds(*sender, line("Les Embruns", 76, 400, 600), labels=labels) == {}


def test_a_foot_beside_a_table_is_text():
    """Of a bank's three lines at a letter's foot the lower two were lost: telephones beside them were a table."""
    bank = [line(text, 900 + 20 * n, 500, 600) for n, text in enumerate(("Quay Bank", "BLZ 100 200", "Kto. 300 400"))]
    labels = {len(BODY) + n: Category.PAGE_FOOTER for n in (1, 2)}
    beside = [Box(100, 900, 300, 960)]
    assert kinds_of([*BODY, *bank], labels, HEIGHT, 10, beside) == {}


def test_words_that_go_on_below_as_near_as_lines_are_begin_a_cell():
    """The row of a table at the head of its next page was left out as a running head: its number counts no page."""
    head = line("Harbour Club", 50, 100, 200)
    row = [line("4", 75, 100, 110), line("Each member has", 75, 160, 300), line("Dale", 75, 400, 440)]
    below = [line(text, y, 160, 300) for text, y in (("shared the plan so", 95), ("that work can begin", 115))]
    rest = [line(f"More of the page in line {n}", 300 + 20 * n) for n in range(9)]
    found = kinds_of([head, *row, *below, *rest], {}, HEIGHT, body=10)
    assert not found.keys() & {1, 2, 3}


@pytest.mark.parametrize(("said", "left"), [("Freundliche Grüße", 0), ("Mill Works Quenby", 1)])
def test_a_letters_closing_at_the_foot_is_text(said, left):
    """An insurer's greeting was left out, since the layout model took it for a footer."""
    assert len(kinds(line(said, 930), labels={len(BODY): Category.PAGE_FOOTER})) == left
