"""Trees that are added to those that ship, and what is said of the worst pages."""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "training"))  # the scripts are no package

import fit_structure  # noqa: E402
import fitting  # noqa: E402
import tearing  # noqa: E402

from docparse_fast.document import Block, Box, Category  # noqa: E402
from docparse_fast.text.html_cells import rows_of  # noqa: E402


@pytest.fixture
def shipped(monkeypatch, tmp_path):
    """One tree that asks for the second of two measures."""
    tree = [[1, 0.5, 1, 2, 0.0], [-1, -2.0, -1, -1, 0.25], [-1, -2.0, -1, -1, -0.25]]
    (tmp_path / "judge.json").write_text(json.dumps({"measures": ["rows", "turns"], "start": 0.5, "trees": [tree]}))
    monkeypatch.setattr(fitting, "DATA", tmp_path)
    return tmp_path / "judge.json"


def a_leaf(value: float) -> SimpleNamespace:
    tree = SimpleNamespace(
        feature=[-2], threshold=[-2.0], children_left=[-1], children_right=[-1], value=np.array([[[value]]])
    )
    return SimpleNamespace(
        estimators_=[(SimpleNamespace(tree_=tree),)], init_=SimpleNamespace(constant_=np.array([[0.1]]))
    )


def test_trees_that_ship_ask_for_the_same_measures_when_new_ones_are_added(shipped):
    """Trees could be added for the same measures alone: a new measure asked for all the papers ever fitted on."""
    fitting.write_weights("judge.json", a_leaf(1.0), ["cuts", "turns", "rows"], 0.05, onto=True)
    found = json.loads(shipped.read_text())
    assert [tree[0][0] for tree in found["trees"]] == [1, -1]
    assert found["start"] == 0.6 and found["measures"] == ["cuts", "turns", "rows"]


def test_trees_that_ask_for_a_measure_that_is_no_more_are_not_added_to(shipped):
    with pytest.raises(SystemExit, match="asks for turns"):
        fitting.write_weights("judge.json", a_leaf(1.0), ["rows"], 0.05, onto=True)


def test_torn_pages_and_tables_among_the_worst_are_told(tmp_path, capsys):
    rows = [
        {"structure": (n + 1) / 10, "stands": int(n > 0), "torn_tables": 2 * int(n == 0), "doubted": 0}
        for n in range(10)
    ]
    (tmp_path / "rows").write_text("\n".join(json.dumps(row) for row in rows))
    fit_structure.trade([tmp_path / "rows"])
    assert "the worst 10%: 1 of 1 torn pages, 2 of 2 torn tables" in capsys.readouterr().out


HEADS_AND_ROWS = [["Item", "Qty", "Price"], *([f"Lamp {n}", f"{n}", f"{n}.50"] for n in range(1, 5))]


def a_page(columns: int = 2) -> list[Block]:
    texts = [Block(Category.TEXT, f"Part {n}", Box(300 * (n % columns), 90 * n, 250, 90 * n + 60)) for n in range(8)]
    rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in HEADS_AND_ROWS)
    return [*texts, Block(Category.TABLE, f"<table>{rows}</table>", Box(0, 800, 600, 990))]


def test_a_copy_of_a_page_is_torn_and_has_no_word_of_its_own():
    page = a_page()
    kinds = set()
    for seed in range(40):
        kind, copy = tearing.torn(page, random.Random(seed))
        if not kind:
            continue
        kinds.add(kind)
        assert fit_structure.stands(page, truth_of(page)) == 1 > fit_structure.stands(copy, truth_of(page)), kind
        assert Counter("".join(fit_structure._words(copy))) <= Counter("".join(fit_structure._words(page)))
    assert kinds == {"table", "order"}


def truth_of(page: list[Block]) -> dict[str, object]:
    rows = [rows_of(block.text) for block in page if block.category is Category.TABLE]
    order = [block.text for block in page if block.category is Category.TEXT]
    return {"tables": [{"rows": rows[0], "header_rows": 1}], "order": [*order, "Lamp 4"]}


def test_a_page_that_tore_a_paragraph_alone_stands_half():
    halves = [Block(Category.TEXT, "One paragraph, which is"), Block(Category.TEXT, "in two.")]
    assert fit_structure.stands(halves, {"paragraphs": ["One paragraph, which is in two."]}) == fit_structure.HALF
    assert fit_structure.stands(halves, {"paragraphs": ["in two."]}) == 1
