"""`convert --draft-model` and `--drafter none`: the same page, and one line for a model that can't draft."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from docparse_fast.cli import run

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("pass_costs")
HOW = ["--target", "nano", "--device", "cpu", "--dtype", "float32", "--stages", "2", "--tau", "1", "-q"]


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> Path:
    whole = Image.open(ROOT / "samples/nano/page-02.png").convert("L")
    path = tmp_path_factory.mktemp("page") / "top.png"
    whole.crop((0, 0, whole.width, 112)).save(path)
    return path


@pytest.fixture(scope="module")
def alone(page, tmp_path_factory) -> str:
    """What nano writes of the page by the usual drafts."""
    return written(page, tmp_path_factory.mktemp("alone"))


def written(page: Path, out: Path, *more: str) -> str:
    assert run(["convert", str(page), "-o", str(out), *HOW, *more]) == 0
    return (out / "top" / "document.md").read_text("utf-8")


def test_a_draft_model_changes_no_letter_and_is_recorded(page, alone, tmp_path):
    assert written(page, tmp_path, "--draft-model", "nano") == alone
    record = json.loads((tmp_path / "top" / "document.json").read_text("utf-8"))
    assert record["options"]["draft_model"] == "nano"


def test_a_draft_model_in_a_process_of_its_own_changes_no_letter(page, alone, tmp_path):
    assert written(page, tmp_path, "--draft-model", "nano", "--draft-device", "cpu") == alone


def test_without_any_draft_the_target_reads_the_page_by_itself(page, alone, tmp_path):
    assert written(page, tmp_path / "bare", "--drafter", "none") == alone
    assert len(alone) > 50
    page_record = json.loads((tmp_path / "bare" / "top" / "document.json").read_text("utf-8"))["pages"][0]
    assert page_record["status"] == "ok"


def test_a_page_is_the_same_twice_and_without_the_page_before_it(tmp_path):
    whole = Image.open(ROOT / "samples/nano/page-02.png").convert("L")
    first, second = (whole.crop((0, top, whole.width, top + 112)) for top in (0, 112))
    path = tmp_path / "pages.tiff"
    first.save(path, save_all=True, append_images=[second])
    how = [*HOW, "--draft-model", "nano", "--tau", "0.75"]
    found = []
    for name, more in (("once", []), ("again", []), ("alone", ["--pages", "2"])):
        assert run(["convert", str(path), "-o", str(tmp_path / name), *how, *more]) == 0
        record = json.loads((tmp_path / name / "pages" / "document.json").read_text("utf-8"))
        found.append(without_seconds([page for page in record["pages"] if page["number"] == 2]))
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 1


def without_seconds(value: object) -> object:
    if isinstance(value, dict):
        return {name: without_seconds(each) for name, each in value.items() if name != "seconds"}
    return [without_seconds(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("named", [[], ["--draft-model", "none"]], ids=["none named", "none wanted"])
def test_a_draft_device_without_a_draft_model_is_refused(page, tmp_path, capsys, named):
    assert run(["convert", str(page), "-o", str(tmp_path), *HOW, *named, "--draft-device", "cpu"]) == 2
    assert "--draft-device is about a draft model" in capsys.readouterr().err


def test_a_model_that_is_not_there_is_one_line(page, tmp_path, capsys):
    assert run(["convert", str(page), "-o", str(tmp_path), *HOW, "--draft-model", "./nowhere"]) != 0
    assert len(capsys.readouterr().err.strip().splitlines()) <= 2


def test_a_server_takes_no_draft_model(page, tmp_path, capsys):
    words = ["--target", "http://localhost:9/v1", "--draft-model", "nano"]
    assert run(["convert", str(page), "-o", str(tmp_path), *words]) == 2
    assert "exclude each other" in capsys.readouterr().err
