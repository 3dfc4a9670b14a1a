"""The figures in README are those of the kept records."""

from __future__ import annotations

import json
import re
from pathlib import Path
from statistics import mean

import pytest

ROOT = Path(__file__).parents[1]
RECORD = json.loads((ROOT / "docs/figures/quality/round-trip-held-out.json").read_text("utf-8"))
COLUMNS = ("words", "headings", "paragraphs", "items", "tables", "code")


@pytest.mark.parametrize("tool", sorted(RECORD))
def test_readmes_table_of_quality_says_what_was_scored(tool: str) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    (row,) = re.findall(rf"^\| {tool} \|(.*)\|$", readme, re.MULTILINE)
    means = (mean(scores[name] for scores in RECORD[tool].values() if name in scores) for name in COLUMNS)
    assert [cell.strip() for cell in row.split("|")] == [f"{value:.1f}" for value in means]


def test_readme_says_how_many_documents_were_scored() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert {len(cases) for cases in RECORD.values()} == {
        int(re.findall(r"^(\d+) born-digital documents", readme, re.M)[0])
    }


def test_readme_says_what_stored_answers_gave() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    kept = json.loads((ROOT / "docs/figures/bench-replay.json").read_text("utf-8"))["summary"]
    ((pages, tokens),) = re.findall(r"for (\d+) pages: ([\d.]+) tokens a pass", readme)
    assert (int(pages), tokens) == (kept["pages"], f"{kept['tokens_per_step']:.1f}")
