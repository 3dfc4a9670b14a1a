"""Figures in README that its records don't say word for word; tests/test_docs_figures.py has the others."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
RECORD = json.loads((ROOT / "docs/figures/quality/round-trip-held-out.json").read_text("utf-8"))


def test_readme_says_how_many_documents_were_scored() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert {len(cases) for cases in RECORD.values()} == {int(re.findall(r"(\d+) born-digital documents", readme)[0])}


def test_readme_says_how_much_an_installation_takes() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    sizes = json.loads((ROOT / "docs/figures/peers/installed.json").read_text("utf-8"))
    assert f"# {sizes['tools']['docparse-fast'] / 1024:.1f} GB" in readme
    assert f"# or with targets: {sizes['docparse-fast[vlm]'] / 1024:.1f} GB" in readme
