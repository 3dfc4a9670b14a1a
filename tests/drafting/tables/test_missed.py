from dataclasses import replace

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.missed import missed_tables


def line(text, x0, x1, y):
    return Line(Box(x0, y, x1, y + 20), text, 14, "embedded")


INVOICE = [
    piece
    for n, (count, what, price) in enumerate(
        [("Quantity", "What", "Price"), ("2", "Nails", "9.95"), ("5", "Screws", "20.00"), ("1", "A saw", "19.95")]
    )
    for piece in (
        line(count, 50, 120, 300 + 30 * n),
        line(what, 200, 300, 300 + 30 * n),
        line(price, 500, 560, 300 + 30 * n),
    )
]
LETTER = [line("Dear customer, you bought these things from us in January", 50, 700, 40 + 26 * n) for n in range(6)]


def test_rows_with_cells_in_line_are_a_table_within_a_page_of_text():
    (found,) = missed_tables([*LETTER, *INVOICE], [])
    assert (found.x0, found.y0, found.x1, found.y1) == (50, 300, 560, 410)


def test_what_is_known_already_is_not_found_again():
    assert missed_tables(INVOICE, [Box(40, 290, 570, 420)]) == []


def test_a_label_and_its_value_beside_each_other_are_text():
    pairs = [("Invoice", "A 17"), ("Date", "January"), ("From", "Ellery"), ("To", "Korvik")]
    form = [
        piece
        for n, (label, value) in enumerate(pairs)
        for piece in (line(label, 50, 120, 30 * n), line(value, 200, 300, 30 * n))
    ]
    assert missed_tables(form, []) == []


def test_two_columns_of_prose_are_no_table():
    prose = [
        piece
        for n in range(12)
        for piece in (line("of the first column", 50, 330, 26 * n), line("of the second one", 380, 660, 26 * n))
    ]
    assert missed_tables(prose, []) == []


def test_a_caption_parts_two_tables():
    second = [replace(piece, box=piece.box.shifted(0, 150)) for piece in INVOICE]
    assert len(missed_tables([*INVOICE, line("Table 3: What was bought", 100, 400, 420), *second], [])) == 2


WORDS = [
    line(text, x0, x0 + 90, 300 + 30 * n)
    for n, row in enumerate([("Shop", "Owner", "Street"), ("Nail & Co", "Ida Moore", "Mill"), ("Saws", "Jon", "Hill")])
    for text, x0 in zip(row, (50, 200, 500), strict=True)
]
ELSEWHERE = [line("in other columns", x, x + 180, 420 + 30 * n) for n in range(3) for x in (90, 320)]


def test_a_table_ends_at_a_line_below_its_columns_if_all_together_are_none():
    text = line("These are all shops that we know.", 50, 380, 390)
    assert missed_tables([*WORDS, text, *ELSEWHERE], [])[0].y1 == 380


def test_authors_in_the_middle_of_their_columns_are_no_table():
    names = [
        ("Ida Moore", "Jon Eklund", "Ada Ruiz-Lund"),
        ("Town College", "The University", "Lab"),
        ("North", "Ostby", "Seaside"),
    ]
    authors = [
        line(text, 200 * n + 100 - 5 * len(text), 200 * n + 100 + 5 * len(text), 100 + 30 * row)
        for row, texts in enumerate(names)
        for n, text in enumerate(texts)
    ]
    assert missed_tables(authors, []) == []
