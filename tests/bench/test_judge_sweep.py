"""DREAM-R's figure with the judge of drafts: its rows follow from what was measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from docparse_fast.bench.reproduction.judge_sweep import ALPHAS, JudgedPage, JudgeSweep, SweptDrafts, area_under_roc
from docparse_fast.bench.tables import Table
from docparse_fast.cli import run

ROOT = Path(__file__).parents[2]


def rows_of(pages: list[JudgedPage]) -> dict[str, tuple[str, ...]]:
    (table,) = [part for part in SweptDrafts.of("drafts", pages).report("pages") if isinstance(part, Table)]
    return {row[0]: row[1:] for row in table.rows}


def test_a_higher_alpha_accepts_less_and_reads_more():
    page = JudgedPage(
        shares={0: 0.95, 1: 0.6, 2: 0.02},
        spoilt=frozenset({2}),
        tokens={0: 10, 1: 10, 2: 20},
        judge_seconds=1.0,
        reading_seconds=4.0,
        likeness=dict.fromkeys(ALPHAS, 99.0),
    )
    rows = rows_of([page])
    assert rows["0"][:3] == ("3/3", "1/1", "1/3")
    assert rows["0.5"] == ("2/3", "0/1", "0/2", "99.00", "1.33x")  # 4 s of 1 s and half of 4 s
    assert rows["1"][:3] == ("0/3", "0/1", "-")


def test_the_area_under_roc_is_the_share_of_pairs_in_the_right_order():
    def page(shares, spoilt):
        return JudgedPage(dict(enumerate(shares)), frozenset(spoilt), dict.fromkeys(range(4), 5), 1.0, 1.0, {})

    assert area_under_roc([page([0.9, 0.8, 0.1, 0.85], [2, 3])]) == 0.75
    assert area_under_roc([page([0.5, 0.5], [1])]) == 0.5
    assert area_under_roc([page([0.9, 0.8], [])]) is None


def test_a_page_without_a_truth_has_no_likeness():
    page = JudgedPage({0: 0.9}, frozenset(), {0: 5}, 1.0, 1.0, {})
    assert rows_of([page])["0.7"][3] == "-"


def test_the_record_names_its_format_and_lists_regions_in_order():
    page = JudgedPage({0: 0.9}, frozenset({7, 1, 12}), {0: 5}, 1.0, 1.0, {})
    found = json.loads(JudgeSweep("nano", "cpu", "pages", (SweptDrafts.of("drafts", [page]),)).to_json())
    assert (found["format"], found["version"]) == ("docparse-fast/judge-sweep", 1)
    [drafts] = found["drafts"]
    assert drafts["pages"][0]["spoilt"] == [1, 7, 12]
    assert [row["accepted"] for row in drafts["rows"] if row["alpha"] in (0.7, 0.9)] == [1, 0]


@pytest.mark.parametrize("twice", [["--target", "nano", "--target", "other"], ["--data", "a", "--data", "b"]])
def test_the_sweep_says_what_it_is_measured_with(twice, capsys):
    assert run(["bench", "reproduce", "dream-r7", *twice]) == 2
    assert "one --target and at most one --data" in capsys.readouterr().err.replace("\n", " ")


@pytest.mark.e2e
@pytest.mark.usefixtures("pass_costs")
def test_nano_judges_the_drafts_of_a_strip_of_a_page(tmp_path):
    page = Image.open(ROOT / "samples/nano/page-02.png").convert("L")
    (tmp_path / "pages").mkdir()
    page.crop((0, 0, page.width, 112)).save(tmp_path / "pages/top.png")
    words = ["--data", str(tmp_path / "pages"), "--device", "cpu", "--dtype", "float32", "-q"]
    assert run(["bench", "reproduce", "dream-r7", *words, "--json", str(tmp_path / "found.json")]) == 0
    found = json.loads((tmp_path / "found.json").read_text("utf-8"))
    assert (found["target"], found["data"]) == ("nano", "pages")
    as_read, spoilt = found["drafts"]
    assert as_read["regions"] == spoilt["regions"] > 0 == as_read["spoilt"]
    for drafts in (as_read, spoilt):
        accepted = [row["accepted"] for row in drafts["rows"]]
        assert accepted == sorted(accepted, reverse=True)
        assert accepted[-1] == 0  # nothing is surer than 1
        assert all(row["speedup"] > 0 for row in drafts["rows"])
