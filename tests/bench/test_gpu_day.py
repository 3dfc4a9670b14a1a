"""`bench gpu-day`: a part that raises, crashes or hangs costs itself alone. The small run is slow."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from docparse_fast.bench.gpu_day import asked, day
from docparse_fast.bench.gpu_day import day_report as report
from docparse_fast.cli import run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="ends process groups the POSIX way")


def parts_of(out: Path) -> dict[str, dict]:
    return {part["name"]: part for part in json.loads((out / "report.json").read_text())["parts"]}


def small(out: Path, *more: str) -> list[str]:
    return ["bench", "gpu-day", "--device", "cpu", "--small", "--out", str(out), *more]


@pytest.mark.parametrize(
    ("kind", "status", "reason", "said"),
    [
        ("raise", "failed", "RuntimeError: planted", "RuntimeError: planted"),
        ("crash", "crashed", "signal 11", ""),
        ("hang", "timed out", "", ""),
    ],
)
def test_a_part_that_fails_is_reported_and_the_others_go_on(tmp_path, monkeypatch, kind, status, reason, said):
    monkeypatch.setattr(day, "LEAST_SECONDS", 0.0)
    parts = [
        asked.DayPart("engine_2b", 0.1 if kind == "hang" else 60, "fails"),
        asked.DayPart("gpu_tests", 60, "is left"),
    ]
    monkeypatch.setattr(asked, "PARTS", parts)
    assert run(small(tmp_path, "--plant", f"engine_2b:{kind}")) == 1
    found = parts_of(tmp_path)
    assert (found["engine_2b"]["status"], found["gpu_tests"]["status"]) == (status, "not run")
    assert found["engine_2b"]["reason"] == reason
    assert found["gpu_tests"]["reason"] == "there is no GPU for them"
    page = (tmp_path / "report.md").read_text()
    assert f"| engine_2b | fails | {status} |" in page and said in page.partition("what it said last")[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--only", "trial,engin_2b"), "no part is called engin_2b"),
        (("--plant", "engin_2b:raise"), "no part is called engin_2b"),
        (("--plant", "trial:melt"), "names no failure"),
        (("--data", "nowhere"), "nowhere is no folder"),
    ],
)
def test_a_part_or_a_folder_that_there_is_not_is_an_error(tmp_path, capsys, words, said):
    assert run(small(tmp_path / "out", *words)) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.e2e
def test_every_part_fails_alone(tmp_path):
    """A failure planted in all of them: each is tried, each is reported."""
    assert run(small(tmp_path, "--plant", "all:raise")) == 1
    found = parts_of(tmp_path)
    assert list(found) == [part.name for part in asked.PARTS]
    assert {part["status"] for part in found.values()} == {"failed"}


def test_no_part_begins_when_the_time_is_over(tmp_path):
    assert run(small(tmp_path, "--minutes", "0")) == 0
    assert {(part["status"], part["reason"]) for part in parts_of(tmp_path).values()} == {("not run", "no time left")}


def test_all_parts_together_end_in_time():
    assert sum(part.seconds for part in asked.PARTS) <= 60 * asked.MINUTES


def test_a_small_run_waits_longer_and_gives_each_part_the_same_work(tmp_path, monkeypatch):
    waited = []

    def noted(words, text, log, seconds):
        waited.append((float(words[1]), seconds))
        return 1

    monkeypatch.setattr(day, "ended", noted)
    run(small(tmp_path, "--only", "trial"))
    run(["bench", "gpu-day", "--device", "cpu", "--out", str(tmp_path), "--only", "trial"])
    assert waited == [(60, 60 * asked.SLOWER), (60, 60)]


def test_every_part_has_its_function():
    pytest.importorskip("torch")
    functions = vars(importlib.import_module("docparse_fast.bench.gpu_day.day_parts"))
    assert all(callable(functions[part.name]) for part in asked.PARTS)


def test_the_day_needs_nothing_of_a_checkout(tmp_path):
    """As on a rented machine, where only the package is installed."""
    words = [sys.executable, "-m", "docparse_fast", "bench", "gpu-day"]
    words += ["--device", "cpu", "--small", "--minutes", "0", "--out", "found"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "written: found/report.md, to paste" in done.stdout
    assert len(parts_of(tmp_path / "found")) == len(asked.PARTS)


def test_a_report_begins_with_the_machine_and_is_short(tmp_path):
    here = report.machine()
    outcome = day.PartOutcome("trial", "what", "ok", 1.0, found={"costs": [[1.0, 1.25]] * 1000, "same": {"of": 6}})
    report.write_report(asked.GpuDay(tmp_path), here, [outcome], 12.0)
    page = (tmp_path / "report.md").read_text()
    assert f"docparse-fast {here['docparse-fast']}, commit" in page and f"torch {here['torch']}" in page
    assert "- same: of 6" in page and max(map(len, page.splitlines())) < 450
    assert parts_of(tmp_path)["trial"]["found"]["costs"] == [[1.0, 1.25]] * 1000


@pytest.mark.slow
def test_the_small_run_ends_well_on_a_processor(tmp_path):
    assert run(small(tmp_path)) == 0
    statuses = {name: part["status"] for name, part in parts_of(tmp_path).items()}
    assert statuses.pop("gpu_tests") == "not run"
    assert set(statuses.values()) == {"ok"}
