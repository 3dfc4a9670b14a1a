"""Labels and values told from a page's blocks."""

from docparse_fast.document import Block, Box, Category
from docparse_fast.rendering.fields import fields_of
from docparse_fast.text.placed_words import PlacedWord, PlacedWords


def said(*texts: str, category: Category = Category.TEXT) -> list[tuple[str, str | bool]]:
    return [(field.label, field.value) for field in fields_of([Block(category, text) for text in texts])]


def table(*rows: str, head: bool = False) -> str:
    tag = "th" if head else "td"
    first, *others = ["".join(f"<{tag}>{cell}</{tag}>" for cell in rows[0].split("|"))], *rows[1:]
    body = ["".join(f"<td>{cell}</td>" for cell in row.split("|")) for row in others]
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in [*first, *body]) + "</table>"


def test_a_line_with_a_colon_is_a_label_and_its_value():
    assert said("**Date:** 9 May 2026\nOur reference: AB-12") == [("Date", "9 May 2026"), ("Our reference", "AB-12")]


def test_neither_a_sentence_nor_a_time_nor_an_address_is_a_field():
    assert said("Note: we have moved to the house next door.", "open at 14:30", "https://example.org") == []


def test_a_line_to_write_on_is_an_empty_field():
    assert said("Place, date: \\_\\_\\_\\_\\_\\_\\_\\_", "Name ........................") == [
        ("Place, date", ""),
        ("Name", ""),
    ]


def test_each_of_several_places_to_write_on_in_one_line_is_an_empty_field():
    assert said("Signed: \\_\\_\\_\\_ Date: \\_\\_\\_\\_") == [("Signed", ""), ("Date", "")]
    assert said("Chapter one ........ 12") == []


def test_boxes_have_the_words_behind_them_or_before_them():
    assert said("Status ☐ single ☒ married") == [("single", False), ("married", True)]
    assert said("single ☐ married ☒") == [("single", False), ("married", True)]
    assert next(iter(fields_of([Block(Category.TEXT, "Status ☐ single")]))).group == "Status"


def test_labels_stand_above_their_values_in_every_second_row():
    stacked = table("Name|Born", "Ann Lee|1982", "Sample|Taken", "K-04|2025")
    assert said(stacked, category=Category.TABLE) == [
        ("Name", "Ann Lee"),
        ("Born", "1982"),
        ("Sample", "K-04"),
        ("Taken", "2025"),
    ]


def test_labels_stand_beside_their_values_or_above_them():
    beside = table("Patient|Ann Lee|Born|1982-10-15", "Sample|K-04|Taken|2025-08-05")
    above = table("Name|Born", "Ann Lee|1982-10-15", head=True)
    assert said(beside, category=Category.TABLE) == [
        ("Patient", "Ann Lee"),
        ("Born", "1982-10-15"),
        ("Sample", "K-04"),
        ("Taken", "2025-08-05"),
    ]
    assert said(above, category=Category.TABLE) == [("Name", "Ann Lee"), ("Born", "1982-10-15")]


def test_rows_of_goods_are_no_fields():
    goods = table("Article|Price", *(f"Bolt M{n}|{n}.50" for n in range(4, 9)), head=True)
    assert said(goods, category=Category.TABLE) == []


def printed(x: float, y: float, text: str, height: float = 10) -> list[PlacedWord]:
    """Words ten wide, two apart."""
    return [(Box(x + 12 * n, y, x + 12 * n + 10, y + height), word) for n, word in enumerate(text.split())]


def placed(category: Category, text: str, *words: list[PlacedWord]) -> list[tuple[str, str | bool]]:
    block = Block(category, text, words=PlacedWords.of(word for line in words for word in line))
    return [(field.label, field.value) for field in fields_of([block])]


def test_a_cell_may_hold_a_label_and_its_value():
    asked = table("Sent: 9 May|Pages: 3", "To: Ann Lee|", "Remarks: All five samples have arrived in good order.|")
    assert said(asked, category=Category.TABLE) == [
        ("Sent", "9 May"),
        ("Pages", "3"),
        ("To", "Ann Lee"),
        ("Remarks", "All five samples have arrived in good order."),
    ]


def test_labels_with_a_colon_stand_above_their_values_in_any_row():
    asked = table("Section two|", "Name:|Firm:", "Ann Lee|Quill and Sons")
    assert said(asked, category=Category.TABLE) == [("Name", "Ann Lee"), ("Firm", "Quill and Sons")]


def test_several_labels_of_a_line_part_where_most_white_stands():
    line = "To: Ann Lee Job Number: 31 From: Bo Ray"
    words = [printed(0, 0, "To: Ann Lee"), printed(90, 0, "Job Number: 31"), printed(200, 0, "From: Bo Ray")]
    assert placed(Category.TEXT, line, *words) == [("To", "Ann Lee"), ("Job Number", "31"), ("From", "Bo Ray")]


def test_a_label_without_a_colon_is_the_first_printed_line_of_its_cell():
    """Most cells of a form hold a label and, in larger type or with figures, what is filled in below it."""
    boxes = table("Job Number 512|Style Plain weave", "Firm Quill and Sons|Remarks")
    labels = [*printed(0, 0, "Job Number", 6), *printed(100, 0, "Style", 6)]
    values = [*printed(8, 12, "512"), *printed(108, 12, "Plain weave")]
    below = [*printed(0, 40, "Firm", 6), *printed(100, 40, "Remarks", 6), *printed(8, 52, "Quill and Sons")]
    assert placed(Category.TABLE, boxes, labels, values, below) == [
        ("Job Number", "512"),
        ("Style", "Plain weave"),
        ("Firm", "Quill and Sons"),
    ]
    goods = table("Blue paint|10", "Red paint for doors|20", "Brush|30")
    words = [printed(0, 0, "Blue paint"), printed(100, 0, "10"), printed(0, 20, "Red paint")]
    words += [printed(100, 20, "20"), printed(0, 32, "for doors"), printed(0, 60, "Brush"), printed(100, 60, "30")]
    assert placed(Category.TABLE, goods, *words) == said(goods, category=Category.TABLE)  # one column is wrapped
