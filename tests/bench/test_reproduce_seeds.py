"""Tables of other papers: what they say first, and that their figures follow from what was measured."""

from __future__ import annotations

import json

import pytest

from docparse_fast.bench.reproduction.comparing import Compared
from docparse_fast.bench.reproduction.judge_sweep import ALPHAS, JudgedPage, area_under_roc, table_of
from docparse_fast.bench.reproduction.other_papers import TABLES as OF_OTHERS
from docparse_fast.bench.tables import Table
from docparse_fast.cli import run
from docparse_fast.cli.bench_reproduce import TABLES


def rows_of(pages: list[JudgedPage]) -> dict[str, tuple[str, ...]]:
    (table,) = [part for part in table_of("drafts", pages).parts() if isinstance(part, Table)]
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
    found = json.loads(Compared("dream-r7", "", [table_of("drafts", [page])], ()).to_json())
    assert (found["format"], found["version"]) == ("docparse-fast/other-table", 2)
    assert found["tables"][0]["counted"][0]["spoilt"] == [1, 7, 12]


def test_the_rules_are_compared_without_a_model(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("docparse_fast.bench.reproduction.rules_table.PAIRS", 2)
    assert run(["bench", "reproduce", "hsd-rules", "--json", str(tmp_path / "rules.json")]) == 0
    assert "toy models" in capsys.readouterr().out.split("theirs")[0]
    [table] = json.loads((tmp_path / "rules.json").read_text())["tables"]
    rules = {rule["name"]: rule["counted"] for rule in table["rows"]}
    assert rules["blockwise"].pop("distance") < 1e-12 < rules["hierarchical"]["distance"]
    for name, efficiency in rules["blockwise"].items():
        assert efficiency >= rules["tokenwise"][name]


TWO_TARGETS, TWO_SETS = ["--target", "nano", "--target", "other"], ["--data", "a", "--data", "b"]
DRAFT_MODEL = ["--draft-model", "nano"]


@pytest.mark.parametrize(
    ("table", "arguments", "needs"),
    [
        ("dream-r7", TWO_TARGETS, "one --target, at most one --data, no --draft-model"),
        ("dream-r7", TWO_SETS, "one --target, at most one --data, no --draft-model"),
        ("hsd-rules", DRAFT_MODEL, "one --target, at most one --data, no --draft-model"),
        ("hsd-models", [*DRAFT_MODEL, *TWO_SETS], "one --target, at most one --data, a --draft-model"),
        ("double3", DRAFT_MODEL, "one --target, one --data, a --draft-model"),
        ("tabed3", [*DRAFT_MODEL, *TWO_TARGETS], "one --target, a --draft-model"),
    ],
)
def test_a_table_says_what_it_is_measured_with(table, arguments, needs, capsys):
    assert run(["bench", "reproduce", table, *arguments]) == 2
    assert f"{table} is measured with {needs};" in capsys.readouterr().err.replace("\n", " ")


def test_the_help_names_every_table_of_other_papers():
    named = TABLES.split(", ")
    assert set(named[named.index("tabed1") :]) == set(OF_OTHERS)
