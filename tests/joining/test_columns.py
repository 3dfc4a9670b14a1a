"""Text that goes on at the top of the next column of its page."""

from __future__ import annotations

import pytest

from docparse_fast.document import Block, Box, Category, ParsedDocument, ParsedPage
from docparse_fast.joining import flowing, flowing_page, whole
from docparse_fast.rendering.markdown import render_markdown, render_page

LEFT, RIGHT = Box(60, 600, 290, 760), Box(310, 60, 540, 200)
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
        pytest.param(text(BEGUN, LEFT), text(REST, Box(60, 765, 290, 790)), id="a paragraph below"),
        pytest.param(text(BEGUN, LEFT), text(REST, Box(310, 700, 540, 790)), id="a note beside its end"),
        pytest.param(text(BEGUN, LEFT), text("Prices", RIGHT, Category.SECTION_HEADER), id="a heading"),
    ],
)
def test_other_blocks_stay_apart(before, after):
    (found,) = read(page(before, after)).pages
    assert not any(block.continues for block in found.blocks)


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
