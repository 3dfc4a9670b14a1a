"""document.json reads back unchanged, and does not depend on when or how fast it was made."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docparse_fast.document import Block, Box, Category, Failure, ParsedDocument, ParsedPage
from docparse_fast.evidence import (
    CandidateCount,
    Correction,
    Difference,
    Exactness,
    Invention,
    JudgeEvidence,
    Omission,
    PageEvidence,
    StageEvidence,
)
from docparse_fast.rendering.json import read_json, render_json

tenths = st.integers(0, 50_000).map(lambda n: n / 10)
boxes = st.builds(Box, tenths, tenths, tenths, tenths)
blocks = st.builds(
    Block,
    category=st.sampled_from(Category),
    text=st.text(),
    box=st.none() | boxes,
    level=st.integers(0, 6),
    sources=st.lists(st.sampled_from(["embedded", "text-layer"])).map(tuple),
    confidence=st.none() | st.floats(0, 1),
    image=st.none() | st.just("images/page-0001-figure-1.png"),
    judged=st.none() | st.floats(0.1, 1),
)
pages = st.builds(
    ParsedPage,
    number=st.integers(1, 9999),
    width=st.integers(0, 9999),
    height=st.integers(0, 9999),
    dpi=st.just(200.0),
    label=st.text(max_size=5),
    status=st.sampled_from(["ok", "blank", "partial", "failed"]),
    error=st.none() | st.builds(Failure, st.just("render_failed"), st.text()),
    exact=st.none() | st.booleans(),
    blocks=st.lists(blocks, max_size=4).map(tuple),
)


@settings(max_examples=settings().max_examples // 2)  # each is large
@given(st.builds(ParsedDocument, st.text(), st.text(), st.lists(pages, max_size=3).map(tuple)))
def test_what_is_written_is_read_back_as_it_was(document):
    assert read_json(render_json(document)) == document


def test_evidence_is_read_back_as_it_was():
    box = Box(1, 2, 3, 4)
    stage = StageEvidence(2, {"written": 9, "own": 4}, 5.5, 1.25, 2.25, {"eos": 2}, {"window": CandidateCount(7, 5)})
    evidence = PageEvidence(
        drafter="embedded",
        reason="no text layer",
        turned=90,
        warnings=("dark",),
        plan="both stages were asked for",
        stage_1=stage,
        stage_2=replace(stage, rows=1),
        agreement=0.5,
        corrections=(Correction("a", "b", box), Correction("c", "d", None)),
        omissions=(Omission("e", box),),
        inventions=(Invention(1, "f"),),
        lost="[{",
        check=Exactness(False, 9, 0.5, 1.0, 2.0, Difference(3, "g", "h", 0.125, True)),
        judge=JudgeEvidence(0.7, 5, 3),
    )
    for each in (evidence, replace(evidence, stage_1=None, check=None), PageEvidence(), PageEvidence(plan="no")):
        document = ParsedDocument("a", "", (ParsedPage(1, evidence=each),))
        assert read_json(render_json(document)) == document


def test_seconds_stand_apart_and_are_all_that_two_runs_differ_in():
    page = ParsedPage(1, blocks=(Block(Category.TEXT, "a", Box(1, 2, 3, 4)),), seconds={"draft": 1.0})
    first, second = (
        json.loads(render_json(ParsedDocument("a", "5d41", (p,))))
        for p in (page, replace(page, seconds={"draft": 2.0}))
    )
    for found in (first, second):
        assert found["pages"][0].pop("seconds")
    assert first == second


def test_evidence_is_written_with_the_keys_that_are_promised():
    """docs/keys.md: an unverified page has the first four keys, a failed page only its warnings."""
    failed, drafted = PageEvidence(), PageEvidence(drafter="embedded", reason="no text layer")
    compared = replace(drafted, plan="both", stage_2=StageEvidence(), agreement=1.0)
    assert list(failed.as_json()) == ["warnings"]
    assert list(drafted.as_json()) == ["drafter", "reason", "turned", "warnings"]
    lists = ["agreement", "corrections", "omissions", "inventions", "lost"]
    assert list(compared.as_json()) == [*drafted.as_json(), "plan", "stage_2", *lists]
    correction = replace(compared, corrections=(Correction("a", "b", Box(1, 2, 3, 4)),)).as_json()["corrections"][0]
    assert correction == {"drafted": "a", "target": "b", "box": {"x0": 1, "y0": 2, "x1": 3, "y1": 4}}


@pytest.mark.parametrize(
    "category, text, struck",
    [
        (Category.TEXT, "The fee is ~~100 euro~~ per month", ["100 euro"]),
        (
            Category.TABLE,
            "<table><tr><td><del>12.50</del> 11.00</td><td><del>a</del></td></tr></table>",
            ["12.50", "a"],
        ),
        (Category.CODE, "a ~~b~~", None),
    ],
)
def test_a_block_says_which_of_its_words_are_crossed_out(category, text, struck):
    """A reader of the JSON alone had to know Markdown's tildes to tell a fee that no longer holds."""
    page = ParsedPage(1, blocks=(Block(category, text),))
    found = json.loads(render_json(ParsedDocument("a", "", (page,))))["pages"][0]["blocks"][0].get("struck")
    assert (found and [text[start:end] for start, end in found]) == struck


def test_a_box_takes_one_line():
    page = ParsedPage(1, blocks=(Block(Category.TEXT, "[ 1, 2 ]", Box(1, 2, 3, 4.25)),))
    text = render_json(ParsedDocument("a", "", (page,)))
    assert '"box": [1, 2, 3, 4.2]' in text
    assert '"text": "[ 1, 2 ]"' in text
