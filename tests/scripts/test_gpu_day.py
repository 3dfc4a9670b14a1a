"""The runner of `gpu_day.py`: a part that raises, crashes or hangs costs itself alone. The small run is slow."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="ends process groups the POSIX way")


@pytest.fixture
def gpu_day(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("gpu_day")


def parts_of(out: Path) -> dict[str, dict]:
    return {part["name"]: part for part in json.loads((out / "report.json").read_text())["parts"]}


def small(out: Path, *more: str) -> list[str]:
    return ["--device", "cpu", "--small", "--out", str(out), *more]


@pytest.mark.parametrize(
    ("kind", "status", "reason"),
    [
        ("raise", "failed", "RuntimeError: planted"),
        ("crash", "crashed", "signal 11: "),
        ("hang", "timed out", ""),
    ],
)
def test_a_part_that_fails_is_reported_and_the_others_go_on(gpu_day, tmp_path, monkeypatch, kind, status, reason):
    monkeypatch.setattr(gpu_day, "LEAST_SECONDS", 0.0)
    parts = [
        gpu_day.Part("engine_2b", 0.1 if kind == "hang" else 60, "fails"),
        gpu_day.Part("gpu_tests", 60, "is left"),
    ]
    monkeypatch.setattr(gpu_day, "PARTS", parts)
    assert gpu_day.main(small(tmp_path, "--plant", f"engine_2b:{kind}")) == 1
    found = parts_of(tmp_path)
    assert (found["engine_2b"]["status"], found["gpu_tests"]["status"]) == (status, "not run")
    assert reason in found["engine_2b"]["reason"]
    assert found["gpu_tests"]["reason"] == "there is no GPU for them"
    assert f"| engine_2b | fails | {status} |" in (tmp_path / "report.md").read_text()


def test_a_part_that_there_is_not_is_an_error(gpu_day, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        gpu_day.main(small(tmp_path / "out", "--only", "trial,engin_2b"))
    assert ended.value.code == 2
    assert "no part is called engin_2b; there are trial, gpu_tests" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_every_part_fails_alone(gpu_day, tmp_path):
    """A failure planted in all of them: each is tried, each is reported."""
    assert gpu_day.main(small(tmp_path, "--plant", "all:raise")) == 1
    found = parts_of(tmp_path)
    assert list(found) == [part.name for part in gpu_day.PARTS]
    assert {part["status"] for part in found.values()} == {"failed"}


def test_no_part_begins_when_the_time_is_over(gpu_day, tmp_path):
    assert gpu_day.main(small(tmp_path, "--minutes", "0")) == 0
    assert {(part["status"], part["reason"]) for part in parts_of(tmp_path).values()} == {("not run", "no time left")}


def test_all_parts_together_end_in_time(gpu_day):
    assert sum(part.seconds for part in gpu_day.PARTS) <= 60 * gpu_day.MINUTES


def test_a_small_run_waits_longer_and_gives_each_part_the_same_work(gpu_day, tmp_path, monkeypatch):
    waited = []

    def noted(argv, log, seconds):
        waited.append((float(argv[argv.index("--seconds") + 1]), seconds))
        return 1

    monkeypatch.setattr(gpu_day, "ended", noted)
    gpu_day.main(small(tmp_path, "--only", "trial"))
    gpu_day.main(["--device", "cpu", "--out", str(tmp_path), "--only", "trial"])
    assert waited == [(60, 60 * gpu_day.SLOWER), (60, 60)]


def test_every_part_has_its_function(gpu_day):
    functions = vars(importlib.import_module("gpu_day_parts"))
    assert all(callable(functions[part.name]) for part in gpu_day.PARTS)


@pytest.mark.slow
def test_the_small_run_ends_well_on_a_processor(gpu_day, tmp_path):
    assert gpu_day.main(small(tmp_path)) == 0
    statuses = {name: part["status"] for name, part in parts_of(tmp_path).items()}
    assert statuses.pop("gpu_tests") == "not run"
    assert set(statuses.values()) == {"ok"}
