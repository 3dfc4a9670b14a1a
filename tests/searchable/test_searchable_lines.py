from __future__ import annotations

import pytest

from docparse_fast.document import Block, Box, Category, ParsedPage
from docparse_fast.evidence import PageEvidence
from docparse_fast.searchable.ink_rows import equal_rows, placed_lines, plain_lines, shared_out, visual
from docparse_fast.text.placed_words import PlacedWords


def page(*blocks: Block, drafter: str = "embedded") -> ParsedPage:
    return ParsedPage(1, blocks=blocks, evidence=PageEvidence(drafter=drafter))


def no_rows(box: Box) -> list[Box]:
    return []


def test_words_are_shared_out_by_the_rows_widths_and_none_is_lost():
    rows = [Box(0, 0, 400, 10), Box(0, 12, 400, 22), Box(0, 24, 100, 34)]
    words = [f"w{n:03}" for n in range(45)]
    shares = shared_out(" ".join(words), rows)
    assert " ".join(shares).split() == words
    assert [len(share.split()) for share in shares] == [20, 20, 5]


def test_text_without_blanks_is_shared_out_too_and_gets_none():
    assert shared_out("一二三四五六", [Box(0, 0, 40, 9), Box(0, 9, 20, 18)]) == ["一二三四", "五六"]


def test_rows_that_the_picture_does_not_show_are_made_up():
    block = Block(Category.TEXT, "word " * 100, Box(0, 0, 500, 100))
    lines = list(placed_lines(page(block), no_rows))
    assert 3 <= len(lines) <= 10
    assert " ".join(line.text for line in lines).split() == ["word"] * 100


def test_a_tables_rows_stand_one_below_the_other():
    html = "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td></td></tr></table>"
    lines = list(placed_lines(page(Block(Category.TABLE, html, Box(0, 0, 90, 40))), no_rows))
    assert [(line.text, line.box) for line in lines] == [("a b", Box(0, 0, 90, 20)), ("c", Box(0, 20, 90, 40))]


def test_a_tables_words_stand_where_they_were_read():
    """A sum was marked beside itself: each row was as wide and as high as any other."""
    html = "<table><tr><td>Grand total</td><td>4 812</td></tr><tr><td>paid</td><td></td></tr></table>"
    words = [(Box(0, 0, 30, 9), "Grand"), (Box(34, 0, 60, 9), "total"), (Box(300, 1, 340, 10), "4 812")]
    words.append((Box(0, 70, 25, 79), "paid"))
    table = Block(Category.TABLE, html, Box(0, 0, 340, 80), words=PlacedWords.of(words))
    found = [(line.text, line.box) for line in placed_lines(page(table), no_rows)]
    assert found == [("Grand total", Box(0, 0, 60, 9)), ("4 812", words[2][0]), ("paid", words[3][0])]


def test_a_word_broken_by_its_line_is_found_whole_where_it_begins():
    words = [(Box(0, 0, 30, 9), "the"), (Box(33, 0, 60, 9), "hege-"), (Box(0, 20, 40, 29), "mony")]
    block = Block(Category.TEXT, "the hegemony", Box(0, 0, 60, 29), words=PlacedWords.of(words))
    assert [line.text for line in placed_lines(page(block), no_rows)] == ["the hegemony"]


def test_words_that_a_target_changed_are_shared_out_as_before():
    words = [(Box(0, 0, 30, 9), "tota1"), (Box(33, 0, 60, 9), "due")]
    block = Block(Category.TEXT, "total due", Box(0, 0, 60, 9), words=PlacedWords.of(words))
    assert [line.text for line in placed_lines(page(block), lambda box: [box])] == ["total due"]


def test_what_the_file_itself_says_is_not_said_twice():
    own = Block(Category.TEXT, "typed", Box(0, 0, 50, 10), sources=("text-layer",))
    read = Block(Category.TEXT, "scanned", Box(0, 20, 50, 30), sources=("embedded",))
    assert list(placed_lines(page(own, drafter="text-layer"), no_rows)) == []
    found = placed_lines(page(own, read, drafter="text-layer+embedded"), no_rows)
    assert [line.text for line in found] == ["scanned"]


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("so **bold** and *it*", "so bold and it"),
        ("see [the page](https://example.org) now", "see the page now"),
        ("H<sub>2</sub>O", "H2O"),
        ("5 \\* 3 \\<b>", "5 * 3 <b>"),
    ],
)
def test_marks_are_not_searched_for(markdown, plain):
    assert plain_lines(Block(Category.TEXT, markdown)) == [plain]


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("left to right", "left to right"),
        ("שלום עולם", "םלוע םולש"),
        ("עמוד 12 מתוך 40", "40 ךותמ 12 דומע"),
        ("see שלום עולם here", "see םלוע םולש here"),
        ("קובץ PDF חדש", "שדח PDF ץבוק"),
    ],
)
def test_right_to_left_text_is_placed_as_it_is_seen(text, seen):
    assert visual(text) == seen


def test_a_long_line_of_leaders_ends():
    """For each sign the rest of the line was copied: of so many it would take hours."""
    signs = "_" * 1_000_000
    assert visual("תוכן" + signs + "12") == "12" + signs + "ןכות"


def test_rows_of_equal_height_fill_the_box():
    assert equal_rows(Box(0, 0, 10, 30), 3)[2] == Box(0, 20, 10, 30)
