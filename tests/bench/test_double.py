"""`bench reproduce double9`: a store of n-grams on both sides. nano drafts for itself, on the tops of pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from docparse_fast.bench.reproduction.double import TABLES
from docparse_fast.cli import run

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("pass_costs")
MODELS = ("--target", "nano", "--draft-model", "nano", "--device", "cpu", "--dtype", "float32")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    for number in range(1, 12):
        page = Image.open(ROOT / f"samples/nano/page-{number:02}.png").convert("L")
        page.crop((0, 0, page.width, 48)).save(folder / f"{number:02}.png")
    return folder


def reproduce(*words) -> int:
    return run(["bench", "reproduce", *map(str, words)])


def test_every_method_writes_the_targets_own_answer(folder, tmp_path, capsys):
    assert reproduce("double9", *MODELS, "--data", folder, "--json", tmp_path / "found.json") == 0
    [table] = json.loads((tmp_path / "found.json").read_text("utf-8"))["tables"]
    found = {row["name"]: row["counted"] for row in table["rows"]}
    assert set(found) == {method.name for method in TABLES["double9"]}
    assert all(each["same"] == each["pages"] == 1 for each in found.values())
    assert all(each["tokens"] > each["passes"] for each in found.values())  # its own twin is right
    assert "of our own" in capsys.readouterr().out.splitlines()[1]


def test_too_few_pages_for_a_prior_is_a_usage_error(folder, capsys):
    assert reproduce("double3", *MODELS, "--data", folder) == 2
    assert "more than 20 pages" in capsys.readouterr().err


def test_a_table_without_its_draft_model_is_a_usage_error(folder):
    assert reproduce("double9", "--data", folder) == 2
