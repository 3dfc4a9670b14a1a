"""Both stages counted on a stored answer: crops' answers follow from it, and their readings save passes."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("tokenizers")
pytest.importorskip("torch")

from docparse_fast.bench.replay.kit import Entry, words_of
from docparse_fast.document import Box, Category, Draft, PageDraft, Region
from docparse_fast.options import RasterOptions
from docparse_fast.targets.loading.catalog import BY_NAME

READ = ("Herrings were landed at night, and cod at noon.", "The storehouse burned down in autumn.")
MISREAD = ("Hezzings vveze landcd at nlght, anb ccd ot nocn.", "Tne stozehcuse buzncd dovvn ln autvmn.")


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "scripts"))
    import stages_of_answers

    return stages_of_answers


def test_readings_of_crops_save_passes_of_the_page_and_cost_their_own(script, tmp_path):
    entry = Entry("a/b", tmp_path, 1, "\n\n".join(READ), BY_NAME["glm-ocr"].dialect(), "", RasterOptions())
    regions = tuple(
        Region(Box(0, 40 * n, 400, 40 * n + 30), Category.TEXT, (Draft(text, "embedded", 0.6),))
        for n, text in enumerate(MISREAD)
    )
    found = script.counted(entry, (400, 90), PageDraft(1, 400, 90, regions), words_of(tmp_path, None))
    alone, both = found["2"], found["both"]
    assert (alone["crops"], alone["stage 1"], alone["looks"]) == (0, 0.0, 0.0)
    assert both["crops"] == 2 and both["stage 1"] > 0 and both["looks"] > 0
    assert both["stage 2"] < alone["stage 2"]


def test_a_region_that_the_answer_does_not_have_is_not_read(script):
    region = Region(Box(0, 0, 9, 9), Category.TEXT, (Draft("wholly other words", "embedded"),))
    assert script.stretch(region, "12 34 56 78 90 12 34 56") == ""
