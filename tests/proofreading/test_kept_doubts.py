"""Doubts that were kept belong to the page as it read then."""

from __future__ import annotations

from docparse_fast.document import Block, Box, Category, ParsedPage
from docparse_fast.proofreading.kept import doubts_of_page, keep, read_kept
from docparse_fast.proofreading.proofreader import DoubtfulWord, ProofreadPage
from docparse_fast.run.edits import digest_of

PAGE = ParsedPage(1, blocks=(Block(Category.TEXT, "a word"),))
DOUBTS = (
    DoubtfulWord(0, "word", 0.25, "work", Box(1, 2, 3, 4), None),
    DoubtfulWord(0, "", 0.5, "more", None, Box(5, 6, 7, 8)),
)
PROOFREAD = ProofreadPage(1, 2, DOUBTS, digest=digest_of(PAGE))


def test_a_page_that_reads_otherwise_now_has_no_doubts():
    changed = ParsedPage(1, blocks=(Block(Category.TEXT, "a work"),))
    assert doubts_of_page({1: PROOFREAD}, PAGE) == DOUBTS
    assert doubts_of_page({1: PROOFREAD}, changed) == doubts_of_page({}, PAGE) == ()


def test_doubts_with_and_without_places_are_read_as_they_were_kept(tmp_path):
    keep(tmp_path, "nano", [PROOFREAD])
    assert read_kept(tmp_path) == {1: PROOFREAD}
