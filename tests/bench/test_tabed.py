"""`bench reproduce tabed1`: an ensemble of inputs drafts. nano drafts for itself, on the top of a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from docparse_fast.bench.reproduction.tabed import BLOCK, TABLES, M, T
from docparse_fast.cli import run

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("pass_costs")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    page = Image.open(ROOT / "samples/nano/page-02.png").convert("L")
    page.crop((0, 0, page.width, 44)).save(folder / "top.png")
    return folder


def reproduce(*words) -> int:
    return run(["bench", "reproduce", *words])


def test_all_inputs_together_write_the_targets_own_answer(folder, tmp_path, capsys):
    models = ("--target", "nano", "--draft-model", "nano", "--device", "cpu", "--dtype", "float32")
    code = reproduce("tabed3", *models, "--data", str(folder), "--json", str(tmp_path / "found.json"))
    [table] = json.loads((tmp_path / "found.json").read_text("utf-8"))["tables"]
    found = {row["name"]: row["counted"] for row in table["rows"]}
    assert code == 0
    assert set(found) == {method.name for method in TABLES["tabed3"]}
    assert all(blocks["same"] == blocks["pages"] == 1 for blocks in found.values())
    efficiency = {name: blocks["tokens"] / blocks["passes"] for name, blocks in found.items()}
    assert efficiency["M"] > BLOCK  # its own twin
    assert efficiency["T"] < 2
    assert efficiency["TABED MTCP"] > efficiency["T"]
    assert "of our own" in capsys.readouterr().out.splitlines()[1]


def test_the_first_table_holds_single_drafts_beside_their_ensemble():
    assert list(TABLES["tabed1"])[:2] == [M, T]


def test_a_model_takes_as_long_as_itself(tmp_path, capsys):
    models = ("--target", "nano", "--draft-model", "nano", "--device", "cpu", "--dtype", "float32")
    assert reproduce("tabed13", *models, "--json", str(tmp_path / "found.json")) == 0
    models, passes = json.loads((tmp_path / "found.json").read_text("utf-8"))["tables"]
    costs = {row["name"]: row["ours"] for row in passes["rows"]}
    assert models["rows"][0]["ours"] == costs["target, 1 tokens"] == costs["draft model, 1 rows"] == [1]
    assert "0.063" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words", [("tabed13",), ("tabed1",), ("table7", "--draft-model", "nano"), ("tabed9", "--draft-model", "nano")]
)
def test_a_table_without_its_models_is_a_usage_error(words, capsys):
    assert reproduce(*words) == 2
