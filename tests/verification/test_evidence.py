"""A page's record of its answer: the origin of every word, corrections, omissions and inventions, and their places."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scenes import Scene, region, texts, verified

from docparse_fast.document import Block, Category, Draft
from docparse_fast.evidence import Invention
from docparse_fast.targets.dialects.dots_ocr import DotsOcrDialect
from docparse_fast.verification.agreement import compare, rest_of
from docparse_fast.verification.placing import character_ends, places_of

FIRST = "The committee met on Tuesday and agreed upon a budget of 1,136 pounds."
SECOND = "Members who were absent may object in writing before the end of the month."


def outcome_of(regions, answer, **choices):
    (outcome,), _ = verified([Scene(1, regions, answer, [r.text for r in regions])], stages="2", **choices)
    return outcome


# ------------------------------------------------------------------------------------------------- who wrote what


def test_a_blocks_spans_say_which_words_were_the_drafts():
    wrong = FIRST.replace("Tuesday", "Thursday")
    (block,) = outcome_of([region(0, wrong)], FIRST).blocks
    assert "".join(span.text for span in block.spans) == FIRST
    taken = "".join(span.text for span in block.spans if span.origin == "accepted")
    assert "and agreed upon a" in taken
    assert "Tuesday" not in taken
    assert {span.source for span in block.spans} == {"embedded", ""}
    assert block.sources == ("embedded", "fake")


def test_what_stage_1_read_is_the_targets_own_words():
    """Whether it reads a crop depends on what passes cost, and nothing that a block says may."""
    scene = Scene(1, [region(0, FIRST[::-1])], FIRST, [FIRST])
    (outcome,), _ = verified([scene], stages="both")
    assert outcome.blocks[0].sources == ("fake",)


def test_a_word_has_the_first_draft_that_has_it_too():
    alternatives = (Draft(FIRST.replace("Tuesday", "Thursday"), "layer"), Draft(FIRST.replace("1,136", "136"), "ocr"))
    (block,) = outcome_of([replace(region(0, FIRST), drafts=alternatives)], FIRST).blocks
    assert [(span.text, span.source) for span in block.spans] == [
        ("The committee met on ", "layer"), ("Tuesday ", "ocr"), ("and agreed upon a budget of 1,136 pounds.", "layer"),
    ]  # fmt: skip


def test_blocks_of_the_same_words_have_a_region_each():
    regions = [region(0, FIRST), region(1, "Total"), region(2, "Total"), region(3, f"{SECOND} Total")]
    outcome = outcome_of(regions, f"{FIRST}\n\nTotal\n\nTotal\n\n{SECOND} Total")
    assert [block.box for block in outcome.blocks] == [each.box for each in regions]


def test_a_region_that_stage_1_alone_has_read_says_which_words_were_its_drafts():
    wrong = FIRST.replace("Tuesday", "Thursday")
    (outcome,), _ = verified([Scene(1, [region(0, wrong)], FIRST, [FIRST])], stages="1")
    (block,) = outcome.blocks
    assert "".join(span.text for span in block.spans) == FIRST
    taken = "".join(span.text for span in block.spans if (span.origin, span.source) == ("accepted", "embedded"))
    assert "and agreed upon a" in taken and "Tuesday" not in taken


def test_a_block_without_a_draft_is_the_targets_own():
    regions = [region(0, FIRST)]
    block = outcome_of(regions, f"{FIRST}\n\n{SECOND}").blocks[1]
    assert (block.text, block.sources, block.box) == (SECOND, ("fake",), None)
    assert not any(span.source for span in block.spans)  # what it guessed from its own words was no draft's


# ------------------------------------------------------------------------------------------- boxes and categories


def test_a_markdown_answers_blocks_take_their_regions_boxes_in_the_targets_order():
    regions = [region(0, FIRST), region(1, SECOND)]
    outcome = outcome_of(regions, f"{SECOND}\n\n{FIRST}")
    assert texts(outcome) == [SECOND, FIRST]
    assert [block.box for block in outcome.blocks] == [regions[1].box, regions[0].box]


@pytest.mark.parametrize("category", [Category.PAGE_HEADER, Category.CAPTION, Category.FOOTNOTE])
def test_a_text_is_what_the_layout_knows_it_to_be(category):
    regions = [region(0, FIRST, category), region(1, SECOND)]
    assert [block.category for block in outcome_of(regions, f"{FIRST}\n\n{SECOND}").blocks] == [category, Category.TEXT]


def test_the_targets_headings_win_over_the_layouts():
    outcome = outcome_of([region(0, FIRST), region(1, SECOND)], f"# {FIRST}\n\n{SECOND}")
    assert outcome.blocks[0].category is Category.TITLE


def test_a_figure_is_kept_and_stands_after_the_region_before_it():
    regions = [region(0, FIRST), region(1, "", Category.FIGURE), region(2, SECOND)]
    outcome = outcome_of(regions, f"{FIRST}\n\n{SECOND}")
    assert [block.category for block in outcome.blocks] == [Category.TEXT, Category.FIGURE, Category.TEXT]
    assert outcome.blocks[1].box == regions[1].box
    assert outcome.status == "ok"


def test_a_figure_that_the_target_also_found_appears_once():
    figure = region(0, "", Category.FIGURE)
    answer = '[{"bbox": [10, 3, 192, 25], "category": "Picture"}, {"bbox": [0, 26, 90, 28], "category": "Text", '
    answer += f'"text": "{FIRST}"}}]'
    outcome = outcome_of([figure], answer, dialect=DotsOcrDialect())
    assert [block.category for block in outcome.blocks] == [Category.FIGURE, Category.TEXT]


# -------------------------------------------------------------------------------- corrections, omissions, inventions


def test_a_word_read_otherwise_is_a_correction_with_its_place():
    regions = [region(0, FIRST.replace("1,136", "1,186"))]
    (correction,) = outcome_of(regions, FIRST).evidence.corrections
    assert (correction.drafted, correction.target) == ("1,186", "1,136")
    assert correction.box.y0 == regions[0].box.y0


def test_agreement_is_not_reported():
    evidence = outcome_of([region(0, FIRST), region(1, SECOND)], f"{FIRST}\n\n{SECOND}").evidence
    assert (evidence.corrections, evidence.omissions, evidence.inventions) == ((), (), ())
    assert evidence.agreement == 1.0


def test_a_region_that_is_nowhere_in_the_answer_is_an_omission():
    regions = [region(0, FIRST), region(1, SECOND)]
    evidence = outcome_of(regions, FIRST).evidence
    (omission,) = evidence.omissions
    assert omission.text.startswith("Members who were absent")
    assert omission.box.y0 == regions[1].box.y0
    assert evidence.agreement == pytest.approx(13 / 27, abs=0.03)


def test_words_that_only_moved_are_no_omission():
    evidence = outcome_of([region(0, FIRST), region(1, SECOND)], f"{SECOND}\n\n{FIRST}").evidence
    assert (evidence.omissions, evidence.inventions) == ((), ())


def test_words_that_moved_to_another_block_are_no_omission():
    end = " before the end of the month."
    regions = [region(0, SECOND), region(1, FIRST)]
    evidence = outcome_of(regions, f"{SECOND.removesuffix(end)}\n\n{FIRST} {end.strip()}").evidence
    assert evidence.omissions == ()


def test_text_without_a_draft_is_an_invention():
    (invention,) = outcome_of([region(0, FIRST)], f"{FIRST}\n\n{SECOND}").evidence.inventions
    assert invention.block == 1
    assert invention.text.startswith("Members who were absent")


def test_undrafted_text_within_a_block_is_an_invention():
    (invention,) = outcome_of([region(0, FIRST)], f"{FIRST} Nobody ever wrote this line.").evidence.inventions
    assert invention == Invention(0, "Nobody ever wrote this line")


def test_with_no_draft_there_is_nothing_to_disagree_with():
    assert compare([], [Block(Category.TEXT, "a b")], [None]).agreed == 1.0


def test_markup_is_no_word():
    table = region(0, "<table><tr><td>1</td><td>2</td></tr></table>", Category.TABLE)
    same = Block(Category.TABLE, "<table><thead><tr><th>1</th><th>2</th></tr></thead></table>")
    comparison = compare([table], [same], [0])
    assert (comparison.corrections, comparison.agreed) == ((), 1.0)


# ------------------------------------------------------------------------------------------------------- places


def test_a_block_is_found_behind_the_one_before_it():
    """Two blocks of the same words have two places."""
    answer = "# Same\n\nSame"
    first, second = places_of([Block(Category.TITLE, "Same"), Block(Category.TEXT, "Same")], answer)
    assert (first.start, second.start) == (2, 8)


def test_a_block_that_is_not_in_the_answer_has_no_place_and_moves_nothing():
    blocks = [Block(Category.TEXT, text) for text in ("one", "elsewhere", "two")]
    assert [place and place.start for place in places_of(blocks, "one two")] == [0, None, 4]


def test_characters_of_several_tokens_are_counted_once_they_are_whole():
    """A byte-level tokenizer splits characters: two tokens of one letter decode to two wrong ones."""
    text = "aéz".encode()

    def decode(tokens):
        return bytes(tokens).decode("utf-8", errors="replace")

    assert character_ends(text, [1, 3, 4], decode) == [1, 2, 3]
    assert character_ends(text, [2, 4], decode)[-1] == 3


@pytest.mark.parametrize(
    ("written", "rest"), [("one two", "three four"), ("one two th", "three four"), ("one two three", "four")]
)
def test_the_rest_of_a_draft_begins_with_the_word_that_broke_off_and_not_with_a_whole_one(written, rest):
    assert rest_of("one two three four", written) == rest
