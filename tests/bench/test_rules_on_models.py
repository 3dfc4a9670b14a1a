"""`bench reproduce hsd-models`: the rules of verification with two models that draw."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from docparse_fast.bench.reproduction import rules_on_models
from docparse_fast.cli import run

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("pass_costs")
HOW = ["--device", "cpu", "--dtype", "float32", "-q"]


@pytest.fixture
def page(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    whole = Image.open(ROOT / "samples/nano/page-02.png")
    whole.crop((0, 0, whole.width, whole.height // 4)).save(folder / "top.png")
    return folder


def test_a_model_that_drafts_for_itself_writes_whole_blocks_by_every_rule(page, tmp_path, monkeypatch):
    monkeypatch.setattr(
        rules_on_models, "LONGEST", 1 + 4 * 11
    )  # the first token, and four blocks with what follows each
    file = tmp_path / "found.json"
    models = ["--target", "nano", "--draft-model", "nano", "--data", str(page)]
    assert run(["bench", "reproduce", "hsd-models", *models, *HOW, "--json", str(file)]) == 0
    [table] = json.loads(file.read_text())["tables"]
    assert [each["name"] for each in table["rows"]] == ["tokenwise", "blockwise", "hierarchical"]
    for each in table["rows"]:
        assert all(10 < value <= 11 for value in each["ours"])


def test_a_draft_model_is_needed(capsys):
    assert run(["bench", "reproduce", "hsd-models", "--target", "nano", *HOW]) == 2
    assert "--draft-model" in capsys.readouterr().err
