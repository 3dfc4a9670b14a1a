"""The documents in samples/ against what was agreed to be made of them: tests/golden/samples.

Born-digital pages are held to the letter. Scans are read by networks whose last digits, and now and then a character,
depend on the processor, so their text need only be as good as the same. `pytest --update-golden` rewrites both.
"""

from __future__ import annotations

import difflib
import json
from pathlib import Path

import pytest

from docparse_fast import DraftOptions, ParseOptions, parse
from docparse_fast.options import TargetOptions

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests/golden/samples"
BORN_DIGITAL = ("arabic.pdf", "form.pdf", "invoice.pdf", "paper.pdf", "slide.pdf", "two-page-table.pdf")
SCANNED = ("chinese.pdf", "mixed.pdf", "scanned-table.pdf", "turned-letter.tif")
SAME = 0.98  # share of characters in common: a changed character or two, not a lost line

DRAFTS_ONLY = ParseOptions(drafting=DraftOptions(), target=TargetOptions("none"))


def parsed(name: str):
    return parse(ROOT / "samples" / name, DRAFTS_ONLY)


def lasting(json_text: str) -> str:
    """Without what differs from run to run or from one release of a library to the next."""
    document = json.loads(json_text)
    document["source"]["name"] = Path(document["source"]["name"]).name
    del document["models"], document["options"]
    for page in document["pages"]:
        del page["seconds"]
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


@pytest.mark.parametrize("name", BORN_DIGITAL)
def test_a_born_digital_sample_becomes_what_was_agreed(name, golden):
    document = parsed(name)
    golden(GOLDEN / f"{name}.md", document.markdown())
    golden(GOLDEN / f"{name}.json", lasting(document.json()))


@pytest.mark.parametrize("name", SCANNED)
def test_a_scanned_sample_is_read_as_well_as_was_agreed(name, request):
    document = parsed(name)
    path = GOLDEN / f"{name}.md"
    if request.config.getoption("--update-golden"):
        path.write_text(document.markdown(), "utf-8")
    expected = path.read_text("utf-8")
    assert difflib.SequenceMatcher(None, document.markdown(), expected, autojunk=False).ratio() > SAME
    assert document.status == "ok"


def test_every_sample_is_held_against_something():
    assert sorted(path.name for path in (ROOT / "samples").iterdir() if path.is_file()) == sorted(
        BORN_DIGITAL + SCANNED
    )
