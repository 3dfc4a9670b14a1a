"""Text that goes on at the top of the next column of its page."""

from __future__ import annotations

import pytest

from docparse_fast.document import Block, Box, Category, ParsedDocument, ParsedPage
from docparse_fast.joining import flowing, flowing_page, whole
from docparse_fast.rendering.markdown import render_markdown, render_page

LEFT, BELOW, RIGHT = Box(60, 600, 290, 760), Box(60, 765, 290, 790), Box(310, 60, 540, 200)
BEGUN = "The owners of the boats met in the hall behind the harbour, and in the end they"
REST = "agreed on a price for the catch of the winter."


def page(*blocks: Block, number: int = 1) -> ParsedPage:
    return ParsedPage(number, 600, 800, 72.0, blocks=blocks)


def text(words: str, box: Box, category: Category = Category.TEXT) -> Block:
    return Block(category, words, box)


def read(*pages: ParsedPage) -> ParsedDocument:
    return whole(ParsedDocument("a.pdf", "", pages))


def test_a_sentence_goes_on_in_the_next_column_of_its_own_page():
    (found,) = read(page(text(BEGUN, LEFT), text(REST, RIGHT))).pages
    assert render_page(flowing_page(found)) == f"{BEGUN} {REST}\n"


def test_a_sentence_goes_on_where_both_columns_fill_the_page():
    """A page of text alone, in columns of one height, had its sentence in two."""
    left, right = (Box(x, 60, x + 230, 760) for x in (60, 310))
    (found,) = read(page(text(BEGUN, left), text(REST, right))).pages
    assert render_page(flowing_page(found)) == f"{BEGUN} {REST}\n"


def test_it_goes_on_behind_a_figure_at_the_top_of_the_column():
    figure = text("A boat", Box(310, 20, 540, 50), Category.FIGURE)
    (found,) = read(page(text(BEGUN, LEFT), figure, text(REST, RIGHT))).pages
    assert f"{BEGUN} {REST}" in render_page(flowing_page(found))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(text(f"{BEGUN} agreed.", LEFT), text(REST, RIGHT), id="a sentence that has ended"),
        pytest.param(text("Boats", LEFT), text(REST, RIGHT), id="a label"),
        pytest.param(text(BEGUN, LEFT), text(REST.capitalize(), BELOW), id="a paragraph below"),
        pytest.param(
            text(BEGUN, LEFT), text("aAgreed by all, in the hall behind the harbour.", BELOW), id="a note below"
        ),
        pytest.param(text(BEGUN.replace(" and", "\nand"), LEFT), text(REST, BELOW), id="a line of an address"),
        pytest.param(text(BEGUN, LEFT), text(REST, Box(310, 700, 540, 790)), id="a note beside its end"),
        pytest.param(text(BEGUN, LEFT), text("Prices", RIGHT, Category.SECTION_HEADER), id="a heading"),
    ],
)
def test_other_blocks_stay_apart(before, after):
    (found,) = read(page(before, after)).pages
    assert not any(block.continues for block in found.blocks)


def test_a_sentence_goes_on_right_below_where_a_high_sign_made_a_gap():
    """A formula's index stood high in a line: the paragraph was two."""
    (found,) = read(page(text(BEGUN, LEFT), text(REST, BELOW))).pages
    assert render_page(flowing_page(found)) == f"{BEGUN} {REST}\n"


def test_it_goes_on_behind_a_word_of_a_picture():
    """`Time (s)`, the name of a chart's axis, stood as text between a sentence's halves."""
    (found,) = read(page(text(BEGUN, LEFT), text("Time (s)", Box(310, 20, 540, 30)), text(REST, RIGHT))).pages
    assert f"{BEGUN} {REST}" in render_page(flowing_page(found))


def test_an_address_does_not_go_on_in_the_one_beside_it():
    """`SIRET 412 556 780 00023 Période : octobre 2026`: a pay slip's employer ran on into its employee."""
    sender = text("Boulangerie Mercadier SARL\n8 rue Nationale, 37000 Tours\nSIRET 412 556 780 00023", LEFT)
    other = text("Période : octobre 2026\nSalarié : Camille ROUSSET\nEmploi : vendeuse", RIGHT)
    (found,) = read(page(sender, other)).pages
    assert not any(block.continues for block in found.blocks)


def test_a_sentence_goes_on_over_a_column_and_then_over_a_page():
    middle = "agreed on a price that each of them would pay for the catch of the whole winter and of the"
    pages = read(page(text(BEGUN, LEFT), text(middle, RIGHT)), page(text("spring after it.", RIGHT), number=2))
    assert f"{BEGUN} {middle} spring after it." in render_markdown(flowing(pages))


def test_a_page_says_that_it_goes_on_only_if_the_next_page_has_the_rest():
    within = read(page(text(BEGUN, LEFT), text(REST, RIGHT))).pages[0]
    assert not within.goes_on
    over = read(page(text(BEGUN, LEFT)), page(text(REST, RIGHT), number=2)).pages
    assert (over[0].goes_on, over[1].continues) == (True, True)
    assert "continued on page 2" in render_page(flowing_page(over[0]))


def test_an_item_goes_on_in_the_next_column_however_short_it_is():
    item = text("The committee moved the parcel scales with a", LEFT, Category.LIST_ITEM)
    (found,) = read(page(item, text("borrowed brush", RIGHT))).pages
    assert "The committee moved the parcel scales with a borrowed brush" in render_page(flowing_page(found))


@pytest.mark.parametrize(("gap", "expected"), [(6, True), (200, False)])
def test_a_sentence_beside_a_picture_goes_on_below_it(gap, expected):
    beside, below = Box(60, 100, 400, 200), Box(60, 200 + gap, 540, 240 + gap)
    figure, caption = (
        text("", Box(420, 100, 540, 180), Category.FIGURE),
        text("A boat", Box(420, 182, 540, 198), Category.CAPTION),
    )
    (found,) = read(page(text(BEGUN, beside), figure, caption, text(REST, below))).pages
    assert (f"{BEGUN} {REST}" in render_page(flowing_page(found))) is expected


@pytest.mark.parametrize(
    ("begun", "rest"),
    [
        pytest.param(BEGUN, "$\\alpha = 0.05$ was agreed on for all.", id="a formula"),
        pytest.param(BEGUN[:-8] + "see Abb.", "3 and the prices that were agreed on.", id="a figure's number"),
        pytest.param(BEGUN + " [3,", "9]. The price was agreed on.", id="a bracket"),
    ],
)
def test_a_sentence_goes_on_with_what_could_begin_none(begun, rest):
    (found,) = read(page(text(begun, LEFT), text(rest, RIGHT))).pages
    assert f"{begun} {rest}" in render_page(flowing_page(found))


def test_a_number_begins_a_sentence_behind_a_short_word():
    begun, rest = BEGUN[:-8] + "and the end of it.", "12 of the prices were agreed on for the winter."
    (found,) = read(page(text(begun, LEFT), text(rest, RIGHT))).pages
    assert f"{begun} {rest}" not in render_page(flowing_page(found))


@pytest.mark.parametrize("over_a_page", [False, True])
def test_a_sentence_goes_on_behind_a_table_and_the_note_below_it(over_a_page):
    """The note was what came next, and the sentence was in two."""
    top = [
        text("<table></table>", Box(310, 20, 540, 60), Category.TABLE),
        text("Weights in tonnes.", Box(310, 64, 540, 74)),
    ]
    rest = text(REST, Box(310, 90, 540, 200))
    pages = (
        (page(text(BEGUN, LEFT)), page(*top, rest, number=2)) if over_a_page else (page(text(BEGUN, LEFT), *top, rest),)
    )
    assert f"{BEGUN} {REST}" in render_markdown(flowing(read(*pages)))


def test_a_paragraph_below_a_table_is_no_note_of_it():
    table = text("<table></table>", Box(310, 20, 540, 60), Category.TABLE)
    rest = text("3 and the prices that were agreed on for the winter in the end.", Box(310, 80, 540, 140))
    last = text("This paragraph begins with the next sentence.", Box(310, 150, 540, 200))
    (found,) = read(page(text(BEGUN[:-8] + "see Abb.", LEFT), table, rest, last)).pages
    assert "see Abb. 3 and" in render_page(flowing_page(found))


def test_a_sentence_goes_on_behind_a_listing_below_its_name():
    listing = (text("Algorithm 1 Prices", Box(310, 20, 540, 40), Category.CAPTION), text("1: x", RIGHT, Category.CODE))
    rest = text(REST, Box(310, 210, 540, 300))
    for between, goes_on in ((listing, True), (listing[1:], False)):
        (found,) = read(page(text(BEGUN, LEFT), *between, rest)).pages
        assert (f"{BEGUN} {REST}" in render_page(flowing_page(found))) is goes_on


def test_a_noun_goes_on_in_another_column_of_the_next_page():
    """In German it has a capital; the columns are as wide as each other, and elsewhere."""
    first, second = page(text(BEGUN, RIGHT)), page(text(REST.capitalize(), Box(60, 60, 290, 200)), number=2)
    assert f"{BEGUN} {REST.capitalize()}" in render_markdown(flowing(read(first, second)))


def test_a_sentence_goes_on_over_three_columns():
    middle = text(REST[:-1] + ", and as they were asked for more of it they", Box(310, 60, 540, 790))
    (found,) = read(page(text(BEGUN, LEFT), middle, text("gave it.", Box(560, 60, 790, 100)))).pages
    assert f"{BEGUN} {middle.text} gave it." in render_page(flowing_page(found))
