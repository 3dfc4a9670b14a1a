"""The page about targets says what the catalogue has."""

import re
from pathlib import Path

from docparse_fast.targets.loading.catalog import CATALOG

PAGE = Path(__file__).parents[2] / "docs/targets.md"


def test_every_target_is_in_its_docs_with_its_weights():
    rows = re.findall(r"^\| `([^`]+)` \| (\S+)", PAGE.read_text("utf-8"), re.MULTILINE)
    assert rows[1:] == [(recipe.name, recipe.hub or "in") for recipe in CATALOG]


def test_limits_in_the_docs_are_the_catalogues():
    said = dict(re.findall(r"^\| `([^`]+)` .*?\b(\d{4,5}) tokens", PAGE.read_text("utf-8"), re.MULTILINE))
    assert said == {recipe.name: str(recipe.longest) for recipe in CATALOG if recipe.name in said}
    assert len(said) > len(CATALOG) / 2
