"""`bench run` from the command line with nano: two small pages, every baseline, and errors."""

from __future__ import annotations

import inspect
import io
import re
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, fields
from pathlib import Path

import pytest
from PIL import Image

from docparse_fast.bench.record import (
    PLAIN,
    Measurement,
    PageRecord,
    RunSettings,
    Steps,
    TogetherRecord,
    WayRecord,
    from_json,
)
from docparse_fast.bench.speedups import Figures, summary
from docparse_fast.bench.ways import SPECULATIVE
from docparse_fast.cli import run

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("pass_costs")
SHORT = ("--repeats", "1", "--max-new-tokens", "24")
BASELINES = ("hf-generate", "prompt-lookup", "chain", "draft-model:nano")


@dataclass
class Said:
    """A command's output and files."""

    code: int
    out: str
    errors: str


def say(*arguments: str) -> Said:
    out, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        code = run(["bench", "run", *arguments])
    return Said(code, out.getvalue(), errors.getvalue())


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The upper parts of two samples, about sixty tokens each, of which the first are read."""
    folder = tmp_path_factory.mktemp("pages")
    for number in (1, 2):
        page = Image.open(ROOT / f"samples/nano/page-{number:02d}.png")
        page.crop((0, 0, page.width, page.height // 4)).save(folder / f"page-{number}.png")
    return folder


@pytest.fixture(scope="module")
def said(folder) -> Said:
    figures = folder.parent / "figures.json"
    pages = [str(folder), "--target", "nano", "--device", "cpu", "--drafter", "embedded"]
    how = ["--tau", "1", *SHORT, "--baselines", ",".join(BASELINES)]
    return say(*pages, *how, "--json", str(figures))


@pytest.fixture(scope="module")
def found(said, folder) -> Measurement:
    return from_json((folder.parent / "figures.json").read_text("utf-8"))


def test_all_ways_write_what_the_model_writes_by_itself(said, found):
    assert (said.code, said.errors) == (0, "")
    for page in found.pages:
        assert list(page.ways) == [PLAIN, SPECULATIVE, *BASELINES]
        assert page.generate_tokens == len(page.ways[PLAIN].tokens) > 15
        for way in page.ways.values():
            assert way.error is None
            assert way.same_as_plain
            assert way.same_as_generate


def test_figures_of_every_way_are_consistent(found):
    for page in found.pages:
        for name, way in page.ways.items():
            figures = Figures.of(page, name)
            assert way.written == len(way.tokens) - 1
            assert figures.tokens_per_step == way.written / way.passes
            assert figures.efficiency == pytest.approx(figures.engine_speedup / figures.tokens_per_step)
            assert figures.decode_seconds <= figures.counted_seconds <= figures.full_seconds
            assert 0 < way.rounds[0]["decode"] < way.rounds[0]["full"]
        assert Figures.of(page, PLAIN).engine_speedup == 1
        assert (
            Figures.of(page, "draft-model:nano").tokens_per_step > 5
        )  # its own twin, which guesses no further than it is sure


def test_peaks_of_memory_are_those_of_a_process_that_holds_a_model(found):
    peaks = [way.peak_bytes for page in found.pages for way in page.ways.values()]
    assert all(peak is not None and 50e6 < peak < 50e9 for peak in peaks)


def test_the_run_says_where_and_how_it_was_made(found):
    settings = found.settings
    assert (settings.target, settings.dtype, settings.clock, settings.repeats) == ("nano", "float32", "cpu", 1)
    assert settings.options["tau"] == 1
    assert settings.options["baselines"] == list(BASELINES)
    assert {"python", "torch", "transformers", "docparse-fast"} <= set(settings.versions)
    assert settings.costs["costs"]
    assert "password" not in settings.options


def test_the_table_names_every_way_and_page(said, found):
    for name in (PLAIN, "2 pages at once", SPECULATIVE, *BASELINES, "page-1.png", "page-2.png"):
        assert name in said.out
    assert f"{summary(found)['ways'][SPECULATIVE]['tokens_per_step']:.2f}" in said.out
    assert max(map(len, said.out.splitlines())) <= 160


def test_every_key_of_the_json_has_its_meaning_beside_it():
    kept = [RunSettings, PageRecord, WayRecord, TogetherRecord, Steps]
    for kind in kept:
        lines = inspect.getsource(kind).splitlines()
        bare = {line.split(":")[0].strip() for line in lines if re.match(r"    \w+: ", line) and "  # " not in line}
        assert bare & {field.name for field in fields(kind)} == set(), kind.__name__


def test_both_stages_count_stage_1(folder, tmp_path):
    figures = tmp_path / "both.json"
    page = str(folder / "page-1.png")
    done = say(page, "--target", "nano", "--stages", "both", *SHORT, "--json", str(figures), "-q")
    assert (done.code, done.out) == (0, "")
    record = from_json(figures.read_text("utf-8")).pages[0]
    way = record.ways[SPECULATIVE]
    assert len(way.stage_1) > 0
    assert 0 < way.rounds[0]["stage_1_decode"] < way.rounds[0]["stage_1"] < way.rounds[0]["full"]
    counted = Figures.of(record, SPECULATIVE).counted_seconds
    seconds = record.drafts[way.drafts].seconds + way.rounds[0]["stage_1"] + way.rounds[0]["decode"]
    assert counted == pytest.approx(seconds)


# -------------------------------------------------------------------------------------------- what goes wrong


def test_an_unknown_baseline_is_a_usage_error_with_a_hint(folder):
    done = say(str(folder), "--target", "nano", "--baselines", "chian")
    assert done.code == 2
    assert "did you mean 'chain'?" in done.errors
    assert say(str(folder), "--target", "nano", "--baselines", "draft-model").code == 2


def test_a_missing_draft_model_gives_one_error_line(folder):
    done = say(str(folder), "--target", "nano", "--baselines", "draft-model:./nowhere")
    assert done.code == 1
    assert done.errors.count("\n") == 1
    assert "model_missing" in done.errors


def test_without_a_target_there_is_nothing_to_measure(folder):
    done = say(str(folder), "--target", "none")
    assert (done.code, done.out) == (1, "")
    assert "name a --target" in done.errors


def test_a_bad_page_is_reported_and_the_others_are_measured(folder, tmp_path):
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n and no more")
    done = say(str(tmp_path / "broken.png"), str(folder / "page-1.png"), "--target", "nano", *SHORT, "--tau", "1")
    assert done.code == 3
    assert "corrupt" in done.errors
    assert "1 page" in done.out


def test_bad_pages_alone_are_a_failure(tmp_path):
    done = say(str(tmp_path / "nothing.png"), "--target", "nano")
    assert done.code == 1
    assert "not_found" in done.errors
    assert "nothing.png: does not exist" in done.errors


def test_a_json_file_without_a_folder_is_refused_before_anything_is_run(folder):
    done = say(str(folder), "--target", "nano", "--json", "no/such/folder/figures.json")
    assert done.code == 2
    assert "no such folder" in done.errors
