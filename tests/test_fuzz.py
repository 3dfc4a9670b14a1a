"""The fuzz, a little of it: a dozen damaged files through `convert`, and what the fuzz itself would notice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import damage
import fuzz
import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "tests" / "fuzz.py"
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="watches its workers the Linux way")


def test_a_dozen_damaged_files_all_end_as_documented(tmp_path):
    asked = [sys.executable, SCRIPT, "--cases", "12", "--seconds", "60", "--seed", "60", "--keep", tmp_path]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 of them offenders" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_fuzz_that_is_ended_tells_its_totals():
    """Half an hour of it once ended without a word."""
    asked = [sys.executable, SCRIPT, "--seconds", "300"]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout.readline() == "seed 0\n"
        running.terminate()
        said = running.stdout.read()
    assert said.startswith("interrupted")
    assert "of them offenders" in said


def test_a_case_is_the_same_whenever_it_is_made():
    whole = damage.seeds(ROOT / "samples")
    cases = [fuzz.case_of(5, number, whole) for number in range(15)]
    assert cases == [fuzz.case_of(5, number, whole) for number in range(15)]
    assert len({case.data for case in cases}) > 12


def test_odd_pages_are_among_the_cases_and_their_words_are_missed(tmp_path):
    whole = damage.seeds(ROOT / "samples")
    cases = [fuzz.case_of(5, number, whole, odd_share=1) for number in range(20)]
    case = next(case for case in cases if case.words)
    (tmp_path / "case").mkdir()
    document = tmp_path / "case" / "document.md"
    document.write_text(" ".join(case.words))
    assert fuzz._unsaid(case.words, tmp_path) == ""
    document.write_text(" ".join(case.words[::2]))
    assert "of" in fuzz._unsaid(case.words, tmp_path)


def test_every_family_of_changes_is_made():
    whole = damage.seeds(ROOT / "samples")
    told = " ".join(damage.mutated(Random(number), whole)[0] for number in range(150))
    for change in (
        "flip",
        "splice",
        "cut_off",
        "turn_reference",
        "bomb_stream",
        "png_chunk",
        "tiff_tag",
        "jpeg_segment",
    ):
        assert f" {change}" in told


def test_rebuilt_objects_are_a_pdf_that_needs_no_repair():
    """Or the fuzz would only ever try MuPDF's repair."""
    import pymupdf

    whole = damage.seeds(ROOT / "samples")["unpacked slide.pdf"]
    swapped = damage._on_objects(lambda random, objects: None)(Random(1), whole, {})
    with pymupdf.open(stream=swapped, filetype="pdf") as document:
        assert (document.is_repaired, document.page_count) == (False, 1)


@pytest.mark.parametrize(
    ("code", "said", "status", "complaint"),
    [
        (0, "", "ok", ""),
        (1, "docparse-fast: error: corrupt: a.pdf can't be read; ask", "failed", ""),
        (1, "Traceback (most recent call last):", "failed", "said 'Traceback"),
        (1, "docparse-fast: error: worker_crashed: KeyError: 'x'", "failed", "docparse-fast: error: worker_crashed"),
        (3, "docparse-fast: error: draft_failed: ValueError: x", "partial", "docparse-fast: error: draft_failed"),
        (134, "", "ok", "exit code 134"),
        (0, "", "failed", "run.json says failed"),
        (1, "", "failed", "exit code 1 without a word"),
    ],
)
def test_it_complains_of_what_is_not_documented(tmp_path, code, said, status, complaint):
    (tmp_path / "case").mkdir()
    (tmp_path / "case" / "document.json").write_text("{}")
    (tmp_path / "run.json").write_text(json.dumps({"inputs": [{"status": status}]}))
    found = fuzz._complaint(code, said, tmp_path)
    assert found.startswith(complaint) if complaint else found == ""


def test_a_worker_that_hangs_or_dies_is_an_offender(tmp_path):
    limits = fuzz.Limits(megabytes=1200, cpu_seconds=0.0, wall_seconds=0.5)
    worker = fuzz.Worker(tmp_path, limits)
    os.kill(worker._process.pid, signal.SIGSTOP)  # it never answers, however quick the machine
    case = fuzz.Case(0, "", (ROOT / "samples" / "scanned-table.pdf").read_bytes(), reads=True)
    outcome = worker.convert(case)
    assert (outcome.name, outcome.good, worker.alive) == ("hang", False, False)


def test_what_a_child_computed_counts_to_the_case_and_is_held_to_the_limit(tmp_path):
    """Pages are read in a process of their own: for a while only the parent's work was seen."""
    before = fuzz._cpu_seconds()
    subprocess.run([sys.executable, "-c", "import time\nwhile time.process_time() < 0.3: pass"], check=True)
    assert fuzz._cpu_seconds() - before > 0.25  # counted in ticks
    (tmp_path / "case").mkdir()
    (tmp_path / "case" / "document.json").write_text("{}")
    (tmp_path / "run.json").write_text(json.dumps({"inputs": [{"status": "ok"}]}))
    worker = fuzz.Worker(tmp_path, fuzz.Limits(megabytes=1200, cpu_seconds=30, wall_seconds=60))
    outcomes = [worker._judged({"code": 0, "mb": 80, "cpu": cpu}, "", tmp_path) for cpu in (29, 31)]
    worker.close()
    assert [(outcome.good, outcome.why) for outcome in outcomes] == [(True, ""), (False, "31 s of CPU")]
