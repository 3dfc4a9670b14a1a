"""Which stages a page goes through, and the recorded reason."""

from __future__ import annotations

import pytest
from fake_document_target import MARKDOWN, FakeDocumentTarget
from scenes import HEIGHT, WIDTH, Scene, reader, region

from docparse_fast.document import Box, Category, Region
from docparse_fast.options import SpeculationOptions
from docparse_fast.speculative.costs import CostTable
from docparse_fast.targets.loading.catalog import BY_NAME
from docparse_fast.targets.reading import ReadingCosts, StageCosts
from docparse_fast.timing import Timer
from docparse_fast.verification.policy import StagePlan, misread_letters, plan
from docparse_fast.verification.regions import verify_regions

LONG = "word " * 40
FLAT = CostTable(rows=(1, 8), widths=(1, 64), costs=((1.0, 1.0), (1.0, 1.0)))  # rows and nodes cost nothing
AS_ON_A_CPU = CostTable(rows=(1, 8), widths=(1, 8), costs=((1.0, 1.7), (1.0, 1.7)))
CHEAP = ReadingCosts(each=2.0, together=0.5, pixel=0.0)


def planned(
    regions: list[Region],
    stages: str = "auto",
    dialect=MARKDOWN,
    reading: ReadingCosts = CHEAP,
    costs: CostTable = FLAT,
) -> StagePlan:
    scene = Scene(1, regions)
    target = FakeDocumentTarget(reader([scene]), dialect=dialect, costs=StageCosts(costs, reading, slots=8))
    return plan(scene.drafted, target, stages)


def misread(n: int, letters: float, category: Category = Category.TEXT) -> Region:
    """A region of 200 letters, so many of them misread."""
    return region(n, LONG, category, sure=1 - letters / len(LONG))


def test_crops_that_should_save_more_than_they_cost_are_read():
    chosen = planned([misread(n, 20) for n in range(6)])
    assert (chosen.regions, chosen.page) == (tuple(range(6)), True)
    assert chosen.reason.startswith("Stage 1 reads 6 of 6 regions, which should save ")


def test_drafts_that_are_sure_leave_stage_1_out():
    assert planned([misread(n, 0.5) for n in range(6)]).regions == ()


def test_regions_that_are_sure_are_left_to_the_page():
    assert planned([*(misread(n, 20) for n in range(6)), misread(6, 0.2)]).regions == tuple(range(6))


def test_dear_images_leave_stage_1_out():
    """The same page, for a target whose vision tower costs more than the passes that better drafts save."""
    regions = [misread(n, 20) for n in range(6)]
    dear = planned(regions, reading=ReadingCosts(each=2.0, together=0.5, pixel=30 / (WIDTH * HEIGHT)))
    assert dear == StagePlan((), True, "Stage 1 is left out: it would cost more passes than it should save")


def test_unknown_costs_leave_stage_1_out():
    scene = Scene(1, [misread(n, 20) for n in range(6)])
    assert plan(scene.drafted, FakeDocumentTarget(reader([scene])), "auto").regions == ()


def test_passes_that_grow_dear_with_their_rows_leave_stage_1_out():
    steep = CostTable(rows=(1, 8), widths=(1, 64), costs=((1.0, 1.0), (8.0, 8.0)))
    assert planned([misread(n, 20) for n in range(4)], costs=steep).regions == ()


def test_a_row_much_longer_than_the_others_does_not_hold_them_up_where_wide_trees_are_dear():
    """It would save as many passes as it takes alone, after all others have ended."""
    regions = [misread(0, 80, Category.TABLE), *(misread(n, 20) for n in range(1, 7))]
    assert planned(regions, costs=AS_ON_A_CPU).regions == tuple(range(1, 7))


def test_a_long_row_pays_where_wide_trees_cost_little():
    """Then its own draft is found again sooner than the page's would be."""
    regions = [misread(0, 80), *(misread(n, 20) for n in range(1, 7))]
    assert planned(regions).regions == tuple(range(7))
    assert planned(regions, costs=AS_ON_A_CPU).regions == tuple(range(1, 7))


def test_a_draft_without_a_confidence_counts_as_nearly_sure():
    assert misread_letters(region(0, LONG, sure=None)) == pytest.approx(0.02 * len(LONG))


def test_the_same_page_gets_the_same_plan_whatever_the_target_read_before():
    regions = [misread(n, 20) for n in range(6)]
    scene = Scene(1, regions, crops=[LONG] * len(regions))
    target = FakeDocumentTarget(reader([scene]), costs=StageCosts(FLAT, CHEAP, slots=8))
    first = plan(scene.drafted, target, "auto")
    list(verify_regions([(scene.drafted, first.regions)], target, SpeculationOptions(), Timer()))
    assert plan(scene.drafted, target, "auto") == first


def test_a_sound_text_layer_leaves_stage_1_out():
    layer = [region(n, LONG, source="text-layer", sure=None) for n in range(3)]
    assert planned(layer) == StagePlan((), True, "Stage 1 is left out: the drafts are sure of themselves")


def test_a_page_of_one_region_skips_stage_1():
    assert planned([misread(0, 100)]) == StagePlan(
        (), True, "Stage 1 is left out: it would look at the same thing twice"
    )


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
