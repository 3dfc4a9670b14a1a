"""The drafting benchmark, run on one small page and one that can't be read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pymupdf

ROOT = Path(__file__).parents[2]


def test_it_tells_what_a_page_costs_and_names_what_failed(tmp_path, monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import bench_drafting

    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), "one line")
        document.save(tmp_path / "a.pdf")
    (tmp_path / "b.pdf").write_bytes(b"")
    monkeypatch.setattr(sys, "argv", ["bench_drafting.py", str(tmp_path)])
    assert bench_drafting.main() == 0
    said = capsys.readouterr()
    assert "a.pdf, page 1: text-layer ok" in said.out and "the usual one of 1 pages" in said.out
    assert "b.pdf" in said.err


def test_a_batch_is_timed_with_all_its_workers(tmp_path):
    (tmp_path / "in").mkdir()
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), "one line")
        document.save(tmp_path / "in" / "a.pdf")
    script, figures = ROOT / "scripts/bench_drafting.py", tmp_path / "figures.json"
    command = [sys.executable, script, tmp_path / "in", "--jobs", "1", "--json", figures]
    subprocess.run(command, check=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    found = json.loads(figures.read_text())
    assert (found["jobs"], found["pages"]) == (1, 1) and found["batch_mb"] > 0 and found["cpu_seconds"] > 0
