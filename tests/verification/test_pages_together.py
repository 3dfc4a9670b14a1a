"""`--pages-together`: neighbours share Stage 2's passes, and nothing else."""

from __future__ import annotations

import pytest
from fake_document_target import FakeDocumentTarget
from scenes import outcomes, reader, texts, verified
from test_stages import RIGHT, misread, scene

from docparse_fast.options import SpeculationOptions
from docparse_fast.verification.stages import Stages


@pytest.mark.parametrize(("stages", "tau"), [("2", 0.75), ("both", 1.0)])
def test_pages_that_are_read_together_are_written_as_alone_in_fewer_passes(stages, tau):
    pages = [scene(n, drafted=RIGHT[:1] if n == 2 else [misread(text) for text in RIGHT]) for n in range(1, 7)]
    alone, alones_target = verified(pages, stages=stages, tau=tau)
    together, target = verified(pages, stages=stages, tau=tau, pages_together=True)
    assert [texts(each) for each in together] == [texts(each) for each in alone]
    assert [each.evidence.stage_2.tokens for each in together] == [each.evidence.stage_2.tokens for each in alone]
    assert len(target.decoder.passes) < len(alones_target.decoder.passes)
    again, _ = verified(pages, stages=stages, tau=tau, pages_together=True)
    assert [(texts(each), each.evidence.stage_2) for each in again] == [
        (texts(each), each.evidence.stage_2) for each in together
    ]


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("no kernel")])
def test_a_page_that_fails_among_others_fails_alone(error):
    """What was begun together is dropped, and each page is read by itself."""
    found, _ = verified([scene(1), scene(2, page=error), scene(3)], stages="2", pages_together=True)
    assert [each.status for each in found] == ["ok", "partial", "ok"]
    assert texts(found[0]) == texts(found[2]) == list(RIGHT)


def test_a_target_with_one_slot_reads_them_one_after_the_other():
    found, _ = verified([scene(1), scene(2)], stages="2", pages_together=True, slots=1)
    assert [texts(each) for each in found] == [list(RIGHT)] * 2


def test_pages_share_the_seconds_by_what_they_wrote():
    pages = [scene(1), scene(2, drafted=RIGHT[:1], page=RIGHT[0])]
    stages = Stages(FakeDocumentTarget(reader(pages)), SpeculationOptions(stages="2", pages_together=True))
    long, short = (each.seconds["decode"] for each in outcomes(stages, pages))
    assert long > short > 0
