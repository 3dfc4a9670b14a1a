"""Every measured figure in README and the docs stands in a record under docs/figures.

scripts/docs_tables.py makes tables of records, and fills in sentences with figures by records (`says`). What is left of
a page without both may hold no figure: no number with a unit, with a decimal point or of more than three digits, and no
cell of a table that is a number. Settings and limits are no measurements: docs_settings.py has them from the code.
What a command printed stands in fences and is as it was printed.
"""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest

from tests import docs_settings

ROOT = Path(__file__).parents[1]
TABLES = runpy.run_path(str(ROOT / "scripts/docs_tables.py"))
PAGES = {path.stem: path for path in TABLES["pages"]()}
MADE_WHOLE = {"commands", "samples"}  # made by scripts/make_reference.py and scripts/show_samples.py

CHECKED = sorted(PAGES.keys() - MADE_WHOLE)
MADE = re.compile(r"<!-- scripts/docs_tables\.py makes .*?ends here -->", re.DOTALL)
CODE = re.compile(r"```.*?```|`[^`]*`|\]\([^)]*\)|<!--.*?-->", re.DOTALL)
NUMBER = r"(?<![\w.,/:×²-])\d[\d,]*(?:\.\d+)?"
UNIT = r"ms|µs|s|seconds?|minutes?|CPU seconds|KB|MB|GB|%|x|times|tokens|passes|steps|million|billion|of (?:its )?\d+"
FIGURE = re.compile(rf"{NUMBER}\s?(?:{UNIT})(?!\w)|(?<![\w.,/:-])\d*\.\d+(?![.\w])|(?<![\w.,/:-])\d+(?:,\d{{3}})+")
CELL = re.compile(rf"{NUMBER}(?:,? {NUMBER}|\s?%?)")


def figures_in(text: str) -> list[str]:
    text = CODE.sub("`", text)
    cells = [cell.strip() for line in text.splitlines() if line.startswith("|") for cell in line.strip(" |").split("|")]
    return [cell for cell in cells if CELL.fullmatch(cell)] + FIGURE.findall(text)


def left(name: str, text: str) -> list[str]:
    """Figures in a page that neither a table nor a sentence of a record holds, nor a setting."""
    text = without_blanks(MADE.sub("", text))
    for words in (*TABLES["said"](name), *docs_settings.said(name)):
        text = text.replace(without_blanks(words), "·")
    return figures_in(text)


def without_blanks(text: str) -> str:
    """Each paragraph on a line of its own, as sentences are broken anywhere; rows of tables stay lines."""
    return re.sub(r"\s*\n(?![\n|])\s*", " ", text)


@pytest.mark.parametrize("name", CHECKED)
def test_no_figure_stands_in_a_page_without_a_record(name: str) -> None:
    assert left(name, PAGES[name].read_text("utf-8")) == []


@pytest.mark.parametrize("name", CHECKED)
def test_every_table_and_sentence_of_a_record_stands_in_its_page(name: str) -> None:
    text = PAGES[name].read_text("utf-8")
    assert TABLES["with_tables"](text) == text
    words = [*TABLES["said"](name), *docs_settings.said(name)]
    assert [one for one in words if without_blanks(one) not in without_blanks(text)] == []


def test_a_table_that_was_never_written_is_missed():
    mark = "<!-- scripts/docs_tables.py makes this table of docs/figures/: gpu-day/h200 -->\n"
    page = f"{mark}<!-- it ends here -->"
    assert TABLES["with_tables"](page) == f"{mark}\n{TABLES['made']('gpu-day/h200')}\n\n<!-- it ends here -->"


@pytest.mark.parametrize("path", sorted((ROOT / "docs/figures/pages").glob("*.json")), ids=lambda path: path.stem)
def test_every_record_tells_when_how_and_where_it_was_measured(path: Path) -> None:
    assert path.stem in CHECKED
    for name, record in json.loads(path.read_text("utf-8")).items():
        of_other_records = record.keys() == {"says"}
        assert of_other_records or record.keys() > {"on", "by", "machine"}, name
        marked = f"docs/figures/: {path.stem}/{name} -->" in PAGES[path.stem].read_text("utf-8")
        assert marked == ("rows" in record), name


OURS = r"docparse-fast (?:convert|verify|proofread|serve|doctor|bench \w+)|(?:scripts|tests)/[\w/]+(?:\.py)?"
COMMAND = re.compile(rf"{OURS}|pip install")


@pytest.mark.parametrize("path", sorted((ROOT / "docs/figures/pages").glob("*.json")), ids=lambda path: path.stem)
def test_every_record_of_a_page_names_a_command_of_ours_that_makes_it(path: Path) -> None:
    for name, record in json.loads(path.read_text("utf-8")).items():
        if record.keys() != {"says"}:
            assert re.search(OURS, record["by"]), name
            named = re.findall(r"[\w/]+\.py|(?:scripts|tests)/[\w/-]+(?:\.\w+)?", record["by"])
            assert [file for file in named if not (ROOT / file).exists()] == [], name


def test_every_other_record_is_listed_with_the_command_that_makes_it() -> None:
    rows = [line.split("|") for line in (ROOT / "docs/figures/README.md").read_text("utf-8").splitlines()]
    listed = {name: row[2] for row in rows if len(row) == 6 for name in re.findall(r"[\w/.-]+\.json", row[1])}
    kept = {path.relative_to(ROOT / "docs/figures").as_posix() for path in (ROOT / "docs/figures").rglob("*.json")}
    assert listed.keys() == {name for name in kept if not name.startswith("pages/")}
    assert [name for name, command in listed.items() if not COMMAND.search(command)] == []


@pytest.mark.parametrize(
    "planted",
    [
        "It takes 7.3 seconds a page.",
        "It is 12 x as fast.",
        "Nine of ten, or 88 %, are right.",
        "It needs 140 MB.",
        "Of 31,215 words all are right.",
        "It accepts 18 tokens a step.",
        "Right are 12 of 13 pages.",
        "| | words |\n| --- | ---: |\n| ours | 97 |",
        "| | words |\n| --- | ---: |\n| ours | .97 |",
        "    docparse-fast bench enlarge 0.3b OUT     422 million parameters",
    ],
)
def test_a_figure_of_no_record_is_found(planted: str) -> None:
    text = PAGES["confidence"].read_text("utf-8")
    assert len(left("confidence", f"{text}\n\n{planted}\n")) == 1


@pytest.mark.parametrize("name", CHECKED)
def test_a_figure_of_no_record_is_found_between_any_two_paragraphs(name: str) -> None:
    text = MADE.sub("", re.sub(r"```.*?```", "", PAGES[name].read_text("utf-8"), flags=re.DOTALL))
    for gap in re.finditer(r"\n\n(?=[A-Z#*-])", text):
        planted = f"{text[: gap.start()]}\n\nIt takes 7.3 seconds.{text[gap.start() :]}"
        assert "7.3 seconds" in left(name, planted), text[gap.start() : gap.end() + 50]


def test_a_figure_that_was_changed_in_a_sentence_or_a_setting_is_found() -> None:
    text = PAGES["confidence"].read_text("utf-8")
    assert left("confidence", text.replace("99.2 %", "99.9 %")) != []
    assert left("confidence", text.replace("below 0.85 is", "below 0.80 is")) != []
