"""A page's confidence, and what --min-confidence makes of it."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pymupdf
import pytest

from docparse_fast.cli import run
from docparse_fast.document import Box, Category, Draft, Failure, PageDraft, ParsedPage, Region
from docparse_fast.drafted import DraftedPage
from docparse_fast.evidence import Certainty
from docparse_fast.page_result import page_result
from docparse_fast.quality.confidence import confidence_of, held_to, with_certainties
from docparse_fast.rendering.json import page_as_json, read_page
from docparse_fast.run.stored import _draft
from docparse_fast.timing import Timer

BOX = Box(10, 10, 500, 90)


def region(text: str, certainty: Certainty | None = None, source: str = "embedded") -> Region:
    return Region(BOX, Category.TEXT, (Draft(text, source, 0.97, certainty),))


def page_of(draft: PageDraft) -> ParsedPage:
    return page_result(DraftedPage(draft.number, draft, 600, 800, 72.0), None, None, Timer())


def test_a_page_is_as_likely_right_as_its_words_together():
    regions = region("a b c", Certainty(3.0, 3.0)), region("d", Certainty(1.0, 0.0))
    assert confidence_of(PageDraft(1, 600, 800, regions)) == 0.75


def test_words_that_were_left_out_count_as_wrong():
    draft = PageDraft(1, 600, 800, (region("a b c", Certainty(3.0, 3.0)),), unread_words=3.0)
    assert confidence_of(draft) == 0.5
    assert confidence_of(PageDraft(1, 600, 800, unread_words=9.0).failed(Failure("draft_failed", "none read"))) == 0.0
    assert confidence_of(PageDraft(1, 600, 800, unread_words=0.5)) is None, "a ruled page without a word is blank"


def test_a_few_known_words_do_not_speak_for_a_page_of_unknown_ones():
    known, unknown = region("a b", Certainty(2.0, 1.0)), region("c d e f g")
    assert confidence_of(PageDraft(1, 600, 800, (known, unknown))) is None
    assert confidence_of(PageDraft(1, 600, 800, (known, region("c")))) == 0.5


def test_a_few_words_that_were_left_out_do_not_make_a_page_of_unknown_ones_wrong():
    assert confidence_of(PageDraft(1, 600, 800, (region("c d e f g"),), unread_words=2.0)) is None


def test_lines_that_read_as_rubbish_are_a_doubt_on_a_page_that_is_not():
    good, bad = region("a b c", Certainty(90.0, 89.0)), region("AuUU vaANun 5Uua AvU wu", Certainty(5.0, 0.1))
    page = page_of(PageDraft(1, 600, 800, (good, bad)))
    assert [doubt.kind for doubt in page.evidence.doubts] == ["rubbish"]
    assert "AuUU" in page.evidence.warnings[0]
    few = replace(bad, drafts=(replace(bad.drafts[0], certainty=Certainty(2.0, 0.1)),))
    assert page_of(PageDraft(1, 600, 800, (good, few))).evidence.doubts == ()


def test_what_is_not_known_is_null():
    assert page_of(PageDraft(1, 600, 800, (region("a b c"),))).confidence is None


def test_a_sound_layer_is_trusted_but_for_characters_without_meaning():
    draft = PageDraft(
        1, 600, 800, (region("one two", source="text-layer"), region("na\ufffdve ok", source="text-layer"))
    )
    first, second = (block.confidence for block in page_of(draft).blocks)
    assert (first, second) == (0.99, 0.495)


def test_a_layer_of_unknown_worth_has_no_confidence():
    draft = PageDraft(1, 600, 800, (region("one two", source="text-layer"),), layer_trust=None)
    assert with_certainties(draft) == draft


def test_a_page_that_is_likely_wrong_is_a_doubt():
    page = page_of(PageDraft(1, 600, 800, (region("a b c d e f", Certainty(6.0, 4.0)),)))
    assert [doubt.kind for doubt in page.evidence.doubts] == ["low_confidence"]
    assert page.evidence.warnings == ("about 33 of 100 words are wrong or missing",)
    assert page.status == "ok"


def test_a_page_on_which_hardly_a_word_is_right_is_not_ok():
    page = page_of(PageDraft(1, 600, 800, (region("AuUU vaANun 5Uua AvU wu", Certainty(200.0, 1.0)),)))
    assert page.status == "partial"
    assert page.error.code == "low_confidence"
    assert "100 of 100 words are wrong" in page.error.message
    assert page_of(PageDraft(1, 600, 800, (region("AuU", Certainty(2.0, 0.0)),))).status == "ok", "a logo"


def test_one_wrong_word_of_a_photograph_is_no_doubt():
    page = page_of(PageDraft(1, 600, 800, (region("a b c", Certainty(3.0, 1.6)),)))
    assert (page.confidence, page.evidence.doubts) == (0.5333, ())


def test_a_stored_block_keeps_the_recognisers_own_score_for_a_targets_plan():
    page = page_of(PageDraft(1, 600, 800, (region("a b c", Certainty(3.0, 2.0)),), drafter="embedded"))
    stored = read_page(json.loads(json.dumps(page_as_json(page))))
    assert (stored.confidence, stored.blocks[0].confidence, stored.blocks[0].score) == (0.6667, 0.6667, 0.97)
    assert _draft(stored).regions[0].drafts[0].confidence == 0.97


@pytest.mark.parametrize(("least", "status"), [(0.7, "partial"), (0.6, "ok"), (0.0, "ok")])
def test_a_page_below_the_least_confidence_is_partial(least, status):
    page = held_to(page_of(PageDraft(1, 600, 800, (region("a b c", Certainty(3.0, 2.0)),))), least)
    assert page.status == status
    assert (page.error.code if page.error else None) == ("low_confidence" if status == "partial" else None)


def test_a_page_whose_rows_are_less_likely_whole_than_asked_is_partial():
    page = ParsedPage(1, confidence=0.99, structure=0.6)
    assert held_to(page, 0.9, 0.5).status == "ok"
    assert held_to(ParsedPage(1), 0.9, 0.9).status == "ok"
    held = held_to(page, 0.9, 0.7)
    assert held.error is not None
    assert (held.status, held.error.message) == (
        "partial",
        "its structure is 0.60, below --min-structure 0.7; look at the page",
    )


@pytest.mark.e2e
@pytest.mark.parametrize("command", ["convert", "batch"])
def test_a_run_can_be_held_to_its_structure(command, tmp_path, monkeypatch, capsys):
    """The judge is never sure of a page in columns with a table."""
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    shutil.copy(Path(__file__).parents[2] / "samples/paper.pdf", "in/a.pdf")
    source = "in/a.pdf" if command == "convert" else "in"
    assert run([command, source, "-o", "out", "--target", "none", "--min-structure", "1"]) == 3
    assert "below --min-structure 1; look at the page" in capsys.readouterr().err


@pytest.mark.usefixtures("workers_nearby")
@pytest.mark.parametrize("command", ["convert", pytest.param("batch", marks=pytest.mark.e2e)])
@pytest.mark.parametrize(("least", "code"), [("0.995", 3), ("0.9", 0)])
def test_a_run_with_pages_below_the_least_confidence_exits_with_3(command, least, code, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), "A sound page")
        document.save("in/a.pdf")
    source = "in/a.pdf" if command == "convert" else "in"
    assert run([command, source, "-o", "out", "--drafter", "text-layer", "--min-confidence", least]) == code
    assert ("low_confidence: in/a.pdf, page 1" in capsys.readouterr().err) == (code == 3)
