"""The judge: which drafts stand without being read, how they are marked, and what a failing target costs."""

from __future__ import annotations

import pytest
from scenes import Scene, region, texts, verified
from test_stages import ONE, RIGHT, THREE, TWO, misread, place_of, scene, whole

from docparse_fast.document import Category
from docparse_fast.errors import UsageError
from docparse_fast.options import ParseOptions, SpeculationOptions, TargetOptions
from docparse_fast.targets.dialects.markdown import MarkdownDialect


def test_a_likely_draft_stands_and_another_is_read():
    (outcome,), target = verified([scene(drafted=[ONE, misread(TWO), THREE])], stages="judge")
    assert texts(outcome) == list(RIGHT)
    assert [block.judged is not None for block in outcome.blocks] == [True, False, True]
    assert [target.identity.name in block.sources for block in outcome.blocks] == [False, True, False]
    assert [look.category for look in target.looks] == [None, Category.TEXT], "the page once, and one crop"


def test_a_page_with_a_judged_block_is_not_verified():
    outcomes = [
        verified([scene(drafted=drafted)], stages="judge")[0][0]
        for drafted in (RIGHT, [misread(text) for text in RIGHT])
    ]
    assert [outcome.verified for outcome in outcomes] == ["none", "region"]


def test_a_judged_page_says_how_many_drafts_stand():
    (outcome,), _ = verified([scene(drafted=[ONE, misread(TWO), THREE])], stages="judge")
    assert outcome.evidence.judge is not None
    assert (outcome.evidence.judge.alpha, outcome.evidence.judge.judged, outcome.evidence.judge.accepted) == (0.7, 3, 2)
    assert "judge" in outcome.seconds


@pytest.mark.parametrize(("alpha", "stands"), [(0.5, True), (0.7, False)])
def test_alpha_says_how_likely_a_draft_must_be(alpha, stands):
    """The target writes 'shrink' with 0.6, and 'recede' with 0.4."""
    doubts = {place_of("shrink", whole()): {"recede": 0.4}}
    (outcome,), _ = verified([scene(drafted=RIGHT)], stages="judge", alpha=alpha, doubts=doubts)
    assert (outcome.blocks[0].judged is not None) == stands
    assert outcome.blocks[1].judged == 1.0


def test_nothing_is_decoded_where_every_draft_stands():
    (outcome,), target = verified([scene(drafted=RIGHT)], stages="judge")
    assert texts(outcome) == list(RIGHT)
    assert target.decoder.passes == []


def test_a_target_of_single_elements_judges_crops():
    dialect = MarkdownDialect("elements", page_prompt=None, prompts=dict.fromkeys(Category, "Read."))
    (outcome,), _ = verified([scene(drafted=[ONE, misread(TWO), THREE])], stages="judge", dialect=dialect)
    assert texts(outcome) == list(RIGHT)
    assert [block.judged is not None for block in outcome.blocks] == [True, False, True]


def test_a_target_that_fails_at_judging_costs_its_page_alone():
    broken = scene(1, drafted=RIGHT, page=RuntimeError("lost the thread"))
    first, second = verified([broken, scene(2, drafted=RIGHT)], stages="judge")[0]
    assert (first.status, first.verified, texts(first)) == ("partial", "none", list(RIGHT))
    assert (second.status, len(second.blocks)) == ("ok", 3)


def test_a_draft_that_ends_too_early_does_not_stand():
    (outcome,), _ = verified([scene(drafted=[ONE, TWO, THREE.rsplit(" ", 3)[0]])], stages="judge")
    assert texts(outcome) == list(RIGHT)
    assert [block.judged is not None for block in outcome.blocks] == [True, True, False]


def test_a_figure_is_not_judged():
    page = Scene(1, [region(0, ONE), region(1, "", Category.FIGURE)], ONE, [ONE])
    (outcome,), _ = verified([page], stages="judge")
    assert [block.judged is not None for block in outcome.blocks] == [True, False]


@pytest.mark.parametrize(
    "options",
    [
        lambda: SpeculationOptions(stages="judge", check_exact=True),
        lambda: SpeculationOptions(stages="2", alpha=0.5),
        lambda: ParseOptions(
            target=TargetOptions("http://127.0.0.1:9/v1"), speculation=SpeculationOptions(stages="judge", tau=1.0)
        ),
    ],
    ids=["exact", "alpha alone", "a server"],
)
def test_what_a_judge_cannot_do_is_refused(options):
    with pytest.raises(UsageError, match="judge"):
        options()
