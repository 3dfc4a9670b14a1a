"""The instrument that says what a rule earns, on two small documents."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pymupdf
import pytest

ROOT = Path(__file__).parents[2]
SCORER = """
import json, pathlib, sys
print(json.dumps({"bullets": pathlib.Path(sys.argv[1], "b/document.md").read_text().count("\\n- ")}))
"""


def rules(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "scripts/rules.py", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)})


@pytest.fixture
def documents(tmp_path):
    """One of plain text; and one with items, the second of which stands deeper."""
    folder = tmp_path / "in"
    folder.mkdir()
    for name, lines in {
        "a": [(72, "Nothing but a line of text.")],
        "b": [
            (72, "• the first of three items"),
            (100, "• a deeper item of the list"),
            (72, "• the last of the items"),
        ],
    }.items():
        with pymupdf.open() as document:
            page = document.new_page()
            for n, (x, text) in enumerate(lines):
                page.insert_text((x, 72 + 20 * n), text)
            document.save(folder / f"{name}.pdf")
    return folder


def test_it_names_the_pages_that_differ_from_a_record(documents, tmp_path):
    record = tmp_path / "record.json"
    assert rules("digest", documents, "-o", record).returncode == 0
    same = rules("compare", record)
    assert same.returncode == 0 and "0 of 2 pages of 2 documents differ" in same.stdout
    stored = json.loads(record.read_text())
    stored["documents"][1]["markdown"]["1"] = "- something else\n"
    record.write_text(json.dumps(stored))
    other = rules("compare", record, "--show", 1)
    assert other.returncode == 1 and "b, page 1" in other.stdout and "-- something else" in other.stdout


def test_a_row_that_is_switched_off_moves_the_pages_that_it_made(documents, tmp_path):
    scorer, figures = tmp_path / "score.py", tmp_path / "figures.json"
    scorer.write_text(SCORER)
    score = f"{sys.executable} {scorer} {{out}}"
    function = "docparse_fast.drafting.blocks.paragraphs:item_text=None"
    row = ("--row", "with_nesting", "--row", "with_footnotes", "--row", function)
    said = rules("off", documents, *row, "--score", score, "--json", figures)
    assert said.returncode == 0, said.stderr
    deeper, notes, items = json.loads(figures.read_text())["rows"]
    assert (deeper["acted"], deeper["named"]) == (1, ["b, page 1"])
    assert (notes["acted"], notes["pages"], notes["scores"]) == (0, 0, [{}])
    assert items["documents"] == 1 and items["scores"] == [{"bullets": [2.0, 0.0]}]


def test_a_row_that_nobody_knows_is_refused(documents):
    assert "no row with_wings" in rules("off", documents, "--row", "with_wings").stderr


def test_every_row_can_be_switched_off(documents, tmp_path):
    """Rows that are called with names of arguments failed on every page, and so none seemed to act."""
    said = rules("off", documents, "--json", tmp_path / "figures.json")
    found = json.loads((tmp_path / "figures.json").read_text())
    assert said.stderr == "" and found["pages"] == 2
    assert "with_nesting" in {row["row"] for row in found["rows"] if row["acted"]}


def test_readers_labels_and_rules_are_rows():
    found = rules("rows").stdout.split("\n")
    assert {"with_nesting", "by_place", "tables_among_lines", "reader model", "rows by figures", "label table"} <= {
        *found
    }
    assert len(found) == len({*found})


def test_of_the_documents_that_a_row_touches_few_are_read_again_if_that_is_asked(documents, tmp_path):
    for name in "cde":
        (documents / f"{name}.pdf").write_bytes((documents / "b.pdf").read_bytes())
    said = rules("off", documents, "--row", "with_nesting", "--most", 2, "--json", tmp_path / "figures.json")
    (row,) = json.loads((tmp_path / "figures.json").read_text())["rows"]
    assert said.returncode == 0 and (row["on"], row["read"], row["documents"]) == (4, 2, 2)
