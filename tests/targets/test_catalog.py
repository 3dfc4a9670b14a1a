"""The page about targets says what the catalogue has."""

import re
from pathlib import Path

from docparse_fast.targets.loading.catalog import CATALOG, Recipe, recipe_of

PAGE = Path(__file__).parents[2] / "docs/targets.md"
ROWS = re.findall(r"^\| `([^`]+)` \| (\S+).*? \| (.+?) \| (.+) \|$", PAGE.read_text("utf-8"), re.MULTILINE)[1:]
OF_THE_MODEL = {"prompt included", "needs torchvision", "its penalties are left out"}  # no setting of the catalogue


def limits(recipe: Recipe) -> set[str]:
    """In the words of the page."""
    found = {f"{recipe.longest} tokens"}
    if recipe.longer_side:
        found.add(f"longer side {recipe.longer_side}")
    if recipe.pixels:
        found.add("{:,} to {:,} pixels".format(*recipe.pixels))
    if recipe.repetition_penalty != 1:
        found.add(f"repetition penalty {recipe.repetition_penalty}")
    if recipe.no_repeats:
        found.add(f"no {recipe.no_repeats.size}-gram twice within {recipe.no_repeats.window}")
    if recipe.system is not None:
        found.add("its system message" if recipe.system else "empty system message")
    if recipe.prompt_first:
        found.add("prompt before the image")
    if recipe.thinks is False:
        found.add("no thinking")
    if not recipe.may_be_auto:
        found.add("never chosen by `auto`")
    return found


def test_every_target_is_in_its_docs_with_its_weights():
    assert [row[:2] for row in ROWS] == [(recipe.name, recipe.hub or "in") for recipe in CATALOG]


def test_a_folder_of_each_architecture_is_asked_as_the_docs_say():
    known = {kind: found.name for kind in {recipe.model_type for recipe in CATALOG} if (found := recipe_of(kind))}
    sentence = re.search(r"asked as this target: (.*?)\.\n\n", PAGE.read_text("utf-8"), re.DOTALL)
    assert sentence is not None
    assert dict(re.findall(r"`(\w+)`\s(\S+?)(?:,|$)", sentence[1])) == known


def test_limits_in_the_docs_are_the_catalogues():
    said: set[str] = set()
    for (name, _, _, cell), recipe in zip(ROWS, CATALOG, strict=True):
        above = said if cell.startswith("the same") else set()
        said = above | (set(re.split("[;,] ", cell)) - {"the same"})
        assert said - OF_THE_MODEL == limits(recipe), name


def test_targets_said_to_answer_as_the_one_above_share_its_dialect():
    dialects = [recipe.dialect().name for recipe in CATALOG]
    repeated = [name for (name, _, answers, _) in ROWS if answers == "the same"]
    assert repeated == [
        recipe.name for recipe, own, above in zip(CATALOG[1:], dialects[1:], dialects, strict=False) if own == above
    ]
