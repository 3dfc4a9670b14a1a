"""What passes cost decides how wide trees are and whether crops are read, never what is written."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from PIL import Image

from docparse_fast.cli import run
from docparse_fast.speculative.costs import CostTable
from docparse_fast.system.typed_json import read, written
from docparse_fast.targets import open_target
from docparse_fast.targets.reading import ReadingCosts

pytest.importorskip("torch")
from docparse_fast.targets.decoder.measuring_passes import assumed_costs
from docparse_fast.targets.loading.reading_costs import reading_costs_path

PAGE = Path(__file__).parents[2] / "samples" / "nano" / "page-02.png"
LINES = 112  # of its pixels: a page of plain passes takes long
HOW = ["-q", "--target", "nano", "--device", "cpu", "--dtype", "float32"]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the first run on a machine keeps, without its measuring."""
    folder = tmp_path_factory.mktemp("costs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        nano = open_target("nano", device="cpu", dtype="float32", offline=True)
        tables = {nano.decoder.costs_path: written(assumed_costs(nano.decoder.network))}
        tables[reading_costs_path(nano, None)] = written(ReadingCosts(4.0, 2.0, 1e-4))
    for path, table in tables.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(table, "utf-8")
    return folder


def converted(out: Path, costs: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, bytes], dict]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(costs))
    out.mkdir(parents=True)
    with Image.open(PAGE) as whole:
        whole.crop((0, 0, whole.width, LINES)).save(out.parent / PAGE.name)
    assert run(["convert", str(out.parent / PAGE.name), "-o", str(out), *HOW]) == 0
    document = json.loads((out / "page-02" / "document.json").read_text("utf-8"))
    return {path.name: path.read_bytes() for path in out.rglob("*.md")}, document["pages"][0]


def replace_costs(folder: Path, *, dear: bool) -> None:
    """Wide passes cost as much as they have tokens, or nothing."""
    for path in folder.rglob("*.json"):
        if "-reading-" in path.name:
            continue
        table = read(CostTable, json.loads(path.read_text("utf-8")))
        costs = [[width if dear else 1.0 for width in table.widths] for _ in table.rows]
        path.write_text(json.dumps({**asdict(table), "costs": costs}), "utf-8")


def test_a_page_has_the_same_bytes_on_two_different_cost_tables(kept, tmp_path, monkeypatch):
    found = {}
    for name in ("free", "dear"):
        shutil.copytree(kept, tmp_path / name)
        replace_costs(tmp_path / name, dear=name == "dear")
        found[name] = converted(tmp_path / f"out-{name}", tmp_path / name, monkeypatch)
    (free, free_page), (dear, dear_page) = found.values()
    assert free == dear and len(free) == 2
    passes = [page["stats"]["stage_2"]["target_forwards"] for page in (free_page, dear_page)]
    assert 2 * passes[0] < passes[1], "the tables did decide how wide the trees were"
    for page in (free_page, dear_page):
        del page["seconds"], page["stats"]["plan"], page["stats"]["stage_2"]
    assert free_page["blocks"] and free_page == dear_page


def test_doctor_measures_a_targets_costs_again_where_the_first_run_was_disturbed(kept, tmp_path, monkeypatch, capsys):
    shutil.copytree(kept, tmp_path / "costs")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "costs"))
    (passes,) = (path for path in (tmp_path / "costs").rglob("*.json") if "-reading-" not in path.name)
    (looks,) = (tmp_path / "costs").rglob("*-reading-*.json")
    disturbed = replace(read(CostTable, json.loads(passes.read_text("utf-8"))), seconds=123.0)
    passes.write_text(written(disturbed), "utf-8")
    looks.write_text(written(ReadingCosts(123.0, 0.0, 0.0)), "utf-8")
    capsys.readouterr()
    assert run(["doctor", "--measure", "nano", "--device", "cpu", "--dtype", "float32"]) == 0
    assert "in float32: a plain pass takes" in capsys.readouterr().out
    assert read(CostTable, json.loads(passes.read_text("utf-8"))).seconds < 100
    assert read(ReadingCosts, json.loads(looks.read_text("utf-8"))).each < 100


def test_a_device_without_a_target_to_measure_is_refused(capsys):
    assert run(["doctor", "--device", "cpu"]) == 2
    assert "--measure" in capsys.readouterr().err
