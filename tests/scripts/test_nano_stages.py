"""What stages cost is counted: every pass and every look, at the costs that were given."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "training" / "nano"))  # the scripts are no package

pytest.importorskip("torch")
import stages  # noqa: E402

from docparse_fast.bench.datasets import load  # noqa: E402
from docparse_fast.bench.reproduction.subjects import subjects  # noqa: E402
from docparse_fast.drafted import DraftedPage  # noqa: E402
from docparse_fast.drafting import open_drafter  # noqa: E402
from docparse_fast.options import DraftOptions  # noqa: E402
from docparse_fast.targets.reading import ReadingCosts  # noqa: E402

FREE = replace(stages.ON_A_GPU, rows=(1,), widths=(1,), costs=((1.0,),))  # every pass costs one


def test_a_look_costs_what_it_was_given_and_drafts_made_worse_cost_more(tmp_path):
    with Image.open(ROOT / "samples" / "nano" / "page-01.png") as whole:  # two headings and a paragraph of it
        whole.crop((0, 0, whole.width, 142)).save(tmp_path / "top.png")
    (subject,) = subjects(load(tmp_path), 1)
    drafter = open_drafter(DraftOptions("embedded", ocr="always"))
    pages = {
        kind.name: DraftedPage(1, replace(kind.draft(drafter, subject.page), number=1), picture=subject.page.image)
        for kind in stages.KINDS
        if kind.name in ("as read", "30 % spoilt")
    }
    counter = stages.Counter("nano", FREE, ReadingCosts(each=1000.0, together=0.0, pixel=0.0))
    found = {name: stages.measured(counter, [page], ("2", "both", "free")) for name, page in pages.items()}
    assert all(each["alike"] for each in found.values())
    read, spoilt = found["as read"], found["30 % spoilt"]
    assert 1000 < read["2"]["cost"] < spoilt["2"]["cost"] < 2000, "one look at the page, and its passes"
    assert read["both"]["cost"] - read["free"]["cost"] == pytest.approx(1000.0 * round(read["both"]["stage_1"] / 1000))
    assert read["misread"][0] < spoilt["misread"][0]
