"""Which stages a page goes through, and the recorded reason."""

from __future__ import annotations

import pytest
from scenes import Scene, reader, region

from docparse_fast.document import Box, Category, Region
from docparse_fast.targets.loading.catalog import BY_NAME
from docparse_fast.verification.fakes import MARKDOWN, FakeDocumentTarget
from docparse_fast.verification.policy import StagePlan, plan

LONG = "word " * 40


def planned(regions: list[Region], stages: str = "auto", dialect=MARKDOWN) -> StagePlan:
    scene = Scene(1, regions)
    return plan(scene.drafted, FakeDocumentTarget(reader([scene]), dialect=dialect), stages)


def test_doubtful_regions_are_read_and_sure_ones_are_not():
    chosen = planned([region(0, LONG, sure=0.99), region(1, LONG, sure=0.8), region(2, LONG, sure=0.5)])
    assert (chosen.regions, chosen.page) == ((1, 2), True)
    assert chosen.reason == "Stage 1 reads 2 of 3 regions, whose drafts are doubtful"


def test_a_draft_without_a_confidence_is_doubted():
    assert planned([region(0, LONG, sure=None), region(1, LONG, sure=0.99)]).regions == (0,)


@pytest.mark.parametrize("category", [Category.TABLE, Category.FORMULA])
def test_tables_and_formulas_are_read_at_any_confidence(category):
    assert planned([region(0, LONG, sure=0.99), region(1, LONG, category, sure=0.99)]).regions == (1,)


def test_a_sound_text_layer_leaves_stage_1_out():
    layer = [region(n, LONG, source="text-layer", sure=None) for n in range(3)]
    assert planned(layer) == StagePlan((), True, "Stage 1 is left out: the drafts are sure of themselves")


def test_a_page_of_one_region_skips_stage_1():
    assert planned([region(0, LONG)]) == StagePlan(
        (), True, "Stage 1 is left out: it would look at the same thing twice"
    )


def test_a_page_of_few_words_skips_stage_1():
    chosen = planned([region(n, "one two three") for n in range(4)])
    assert chosen == StagePlan((), True, "Stage 1 is left out: 12 words are too few for it to pay")


def test_the_stages_asked_for_are_planned():
    regions = [region(0, LONG, sure=0.99), region(1, LONG, sure=0.99)]
    found = [planned(regions, stages) for stages in ("1", "2", "both")]
    assert [(chosen.regions, chosen.page) for chosen in found] == [((0, 1), False), ((), True), ((0, 1), True)]
    assert all("asked for" in chosen.reason for chosen in found)


def test_figures_empty_drafts_and_tiny_crops_are_left_to_the_page():
    tiny = Region(Box(0, 0, 100, 11), Category.TEXT, region(0, "x").drafts)
    odd = [region(0, "a chart", Category.FIGURE), region(1, ""), tiny, region(3, LONG)]
    assert planned(odd, "both").regions == (3,)


def test_a_target_that_reads_elements_gets_stage_1_alone_whatever_is_asked():
    dialect = BY_NAME["paddleocr-vl"].dialect()
    found = [planned([region(0, LONG), region(1, LONG)], stages, dialect) for stages in ("auto", "2", "both")]
    assert {(chosen.regions, chosen.page) for chosen in found} == {((0, 1), False)}
    assert "element by element" in found[0].reason
