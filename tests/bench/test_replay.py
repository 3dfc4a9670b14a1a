"""`bench replay`: stored answers against our drafts, with no weights. The kit is ours; the answers are made up."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from docparse_fast.bench.replay.causes import Cause, Causes
from docparse_fast.bench.replay.kept_drafts import code_of
from docparse_fast.bench.replay.kit import read_kit
from docparse_fast.bench.replay.replaying import from_json, summary
from docparse_fast.cli import run
from docparse_fast.errors import DocparseError, UsageError

pytest.importorskip("tokenizers")

KIT = Path(__file__).parent / "replay_kit"


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    file = tmp_path_factory.mktemp("replay") / "replay.json"
    assert run(["bench", "replay", str(KIT), "--drafter", "text-layer", "--examples", "--json", str(file), "-q"]) == 0
    return json.loads(file.read_text("utf-8"))


def test_every_stored_answer_is_written_whatever_the_drafts_say(record):
    assert [page["same"] for page in record["pages"]] == [True, True]
    assert record["summary"]["same"]


def test_figures_are_given_for_all_pages_and_by_set(record):
    pages = record["pages"]
    each = sorted(page["tokens_per_step"] for page in pages)
    summary = record["summary"]
    assert summary["tokens_per_step"] == sum(p["tokens"] for p in pages) / sum(p["steps"] for p in pages)
    assert (summary["worst"], summary["median"]) == (each[0], each[1])
    assert list(record["sets"]) == ["chat", "pipes"]
    assert record["sets"]["chat"]["tokens_per_step"] == pages[0]["tokens_per_step"]


def test_drafts_save_steps_on_answers_in_other_habits(record):
    assert all(page["tokens_per_step"] > 1.5 for page in record["pages"])


def test_every_step_but_the_last_has_a_cause(record):
    for page in record["pages"]:
        assert page["steps"] - 1 <= sum(page["causes"].values()) <= page["steps"]
        assert set(page["causes"]) == set(Cause)
        assert {cause: len(places) for cause, places in page["examples"].items()} == {
            cause: count for cause, count in page["causes"].items() if count
        }


def test_drafts_are_kept_and_not_made_again(tmp_path, record):
    """The second run has no inputs to draft: only their bytes, which tell the drafts apart, are read."""
    command = ["bench", "replay", str(KIT), "--drafter", "text-layer", "--drafts", str(tmp_path / "drafts"), "-q"]
    found = []
    for name in ("first.json", "second.json"):
        assert run([*command, "--json", str(tmp_path / name)]) == 0
        found.append([(page["name"], page["steps"]) for page in json.loads((tmp_path / name).read_text())["pages"]])
        for kept in (tmp_path / "drafts").iterdir():  # whatever stands there is believed
            kept.write_text(re.sub(r'"regions": \[.*?\], "drafter"', '"regions": [], "drafter"', kept.read_text()))
    assert found[0] == [(page["name"], page["steps"]) for page in record["pages"]]
    assert all(after > 2 * before for (_, before), (_, after) in zip(*found, strict=True))


def test_drafts_of_another_page_or_with_other_options_are_others(tmp_path):
    for drafter in ("text-layer", "none"):
        run(["bench", "replay", str(KIT), "--drafter", drafter, "--drafts", str(tmp_path), "-q"])
    assert len(list(tmp_path.iterdir())) == 4


def test_a_change_of_the_drafters_code_or_of_what_was_fitted_for_it_makes_other_drafts(tmp_path):
    places = {
        name: tmp_path / name for name in ("as it is", "a reader changed", "a judge changed", "a command changed")
    }
    for name, package in places.items():
        (package / "drafting").mkdir(parents=True)
        (package / "data").mkdir()
        (package / "cli").mkdir()
        (package / "drafting" / "lines.py").write_text("NEAR = 0.4" if name == "a reader changed" else "NEAR = 0.3")
        (package / "data" / "judge.json").write_text("[2]" if name == "a judge changed" else "[1]")
        (package / "cli" / "convert.py").write_text("pass" if name == "a command changed" else "")
    digests = {name: code_of(package) for name, package in places.items()}
    assert digests["as it is"] == digests["a command changed"]
    assert len(set(digests.values())) == 3


@pytest.mark.parametrize(
    ("answer", "drafts", "part", "cause"),
    [
        ("a | b", ["a b"], "|", Cause.MARKUP),
        ("<th>cat</th>", ["<td>cat</td>"], "th", Cause.MARKUP),
        (r"\frac{a}{b}", ["a b"], "frac", Cause.MARKUP),
        ("the Cat sat", ["the cat sat"], "Cat", Cause.MISREAD),
        ("the queue", ["the qucue"], "queue", Cause.MISREAD),
        ("one two", ["one two"], "two", Cause.RESYNC),
        ("two one", ["one two"], "two", Cause.ORDER),
        ("one two", ["one"], "two", Cause.MISSING),
        ('{"bbox": [1, 2, 3, 4]', ["one"], "3", Cause.OWN),
        ("![A chart](a.png)", ["one"], "chart", Cause.OWN),
    ],
)
def test_a_steps_cause_is_what_the_drafts_lacked(answer, drafts, part, cause):
    start = answer.index(part)
    assert Causes(answer, drafts).at(start, start + len(part)) is cause


def test_the_table_says_where_the_steps_went(capsys):
    assert run(["bench", "replay", str(KIT), "--drafter", "text-layer", "--examples"]) == 0
    said = capsys.readouterr().out
    assert "assumed for a GPU" in said, "no cost was measured on one"
    assert "chat/slide" in said and "Steps by why they ended" in said and "\nchat/slide\n  " in said


def test_an_answer_that_differs_from_the_stored_one_is_a_failure(tmp_path, monkeypatch):
    kit = tmp_path / "kit"
    shutil.copytree(KIT, kit)
    listed = json.loads((kit / "pages.json").read_text("utf-8"))
    listed[0]["input"] = str(KIT / listed[0]["input"])
    (kit / "pages.json").write_text(json.dumps(listed[:1]), "utf-8")
    (kit / "slide.md").write_text("word " * 40_000, "utf-8")  # longer than a page's answer may be
    assert run(["bench", "replay", str(kit), "--drafter", "text-layer", "-q"]) == 3


@pytest.mark.parametrize(
    "pages", [None, "{", '[{"id": "a"}]', '[{"id": "a", "input": "", "answer": "none.md", "dialect": "b"}]']
)
def test_a_folder_that_is_not_a_kit_is_refused(tmp_path, pages):
    if pages is not None:
        (tmp_path / "pages.json").write_text(pages, "utf-8")
    with pytest.raises(DocparseError):
        read_kit(tmp_path)


def test_kept_figures_are_read_back_without_the_answers_that_examples_quote(tmp_path):
    kept = tmp_path / "kept.json"
    assert run(["bench", "replay", str(KIT), "--drafter", "text-layer", "--json", str(kept), "-q"]) == 0
    found = json.loads(kept.read_text())
    assert not any("examples" in page for page in found["pages"])
    assert summary(from_json(kept.read_text())) == found["summary"]


def test_other_figures_are_no_replay():
    with pytest.raises(UsageError, match="no figures of a replay"):
        from_json('{"format": "docparse-fast/other", "version": 1}')
