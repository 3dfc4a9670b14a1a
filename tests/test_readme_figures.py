"""The figures in README and in tables of the docs are those of the kept records."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
RECORD = json.loads((ROOT / "docs/figures/quality/round-trip-held-out.json").read_text("utf-8"))
TABLES = runpy.run_path(str(ROOT / "scripts/docs_tables.py"))


@pytest.mark.parametrize("page", TABLES["MADE"])
def test_a_table_of_figures_says_what_was_scored_and_measured(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert TABLES["with_table"](text, TABLES["MADE"][page]()) == text


def test_readme_says_how_many_documents_and_pages_were_measured() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for name, kind in (("born-digital", "born-digital"), ("scans", "scanned")):
        kept = json.loads((ROOT / f"docs/figures/peers/{name}.json").read_text("utf-8"))
        assert f"{kept['pages']} {kind} pages" in readme


def test_readme_says_how_many_documents_were_scored() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert {len(cases) for cases in RECORD.values()} == {int(re.findall(r"(\d+) born-digital documents", readme)[0])}


def test_readme_says_what_stored_answers_gave() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    kept = json.loads((ROOT / "docs/figures/bench-replay.json").read_text("utf-8"))["summary"]
    ((pages, tokens),) = re.findall(r"for (\d+) pages: ([\d.]+) tokens a pass", readme)
    assert (int(pages), tokens) == (kept["pages"], f"{kept['tokens_per_step']:.1f}")


def test_readme_says_what_whole_pages_gained() -> None:
    readme = " ".join((ROOT / "README.md").read_text("utf-8").split())
    runs = [ways_of(f"bench-run-nano-0.3b{which}.json") for which in ("-matrix-units", "")]
    found = re.findall(r"(\d+) of its pages: ([\d.]+) tokens a pass, whole pages ([\d.]+)x", readme)
    assert found == [
        (str(way["pages"]), f"{way['tokens_per_step']:.1f}", f"{way['end_to_end_speedup']:.1f}")
        for way in (run["speculative"] for run in runs)
    ]
    ours, theirs = (runs[1][way]["end_to_end_speedup"] for way in ("speculative", "hf-generate"))
    assert f"{ours / theirs:.1f}x as fast as transformers' `generate()`" in readme


def ways_of(record: str) -> dict[str, Any]:
    ways: dict[str, Any] = json.loads((ROOT / "docs/figures" / record).read_text("utf-8"))["summary"]["ways"]
    return ways


def test_readme_says_what_the_page_on_servers_measured() -> None:
    readme, hosts = ((ROOT / page).read_text("utf-8") for page in ("README.md", "docs/hosts.md"))
    ((drafted, plain),) = re.findall(r"([\d.]+) CPU seconds for 12 pages instead of ([\d.]+)", readme)
    assert f"| one page at a time, with drafts | 12 of 12 | {drafted} |" in hosts
    assert f"| one page at a time, without drafts | 12 of 12 | {plain} |" in hosts


def test_readme_says_how_much_an_installation_takes() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    sizes = json.loads((ROOT / "docs/figures/peers/installed.json").read_text("utf-8"))
    assert f"# drafts: {sizes['tools']['docparse-fast'] / 1024:.1f} GB" in readme
    assert f"# and targets: {sizes['docparse-fast[vlm]'] / 1024:.1f} GB" in readme
