"""docs/samples.md: every sample, and what the tests hold the product to."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "scripts/show_samples.py"))


def test_the_page_shows_what_the_samples_are_held_to():
    assert (ROOT / "docs/samples.md").read_text("utf-8") == SCRIPT["page"]()


def test_every_sample_is_shown_with_its_pictures():
    assert set(SCRIPT["SAMPLES"]) == {path.name for path in (ROOT / "samples").iterdir() if path.is_file()}
    text = (ROOT / "docs/samples.md").read_text("utf-8")
    named = {part.partition('"')[0] for part in text.split("images/samples/")[1:]}
    assert named == {path.name for path in (ROOT / "docs/images/samples").iterdir()}
