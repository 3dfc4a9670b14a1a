"""Helpers for the tests of `batch`: small documents, and trees of output to compare without timings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pymupdf
from kill_resume import NOTES, tree

ROOT = Path(__file__).parents[2]

__all__ = [
    "ROOT",
    "batch",
    "change_times",
    "how_each_ended",
    "pdf",
    "process",
    "the_run",
    "tree",
]


def pdf(path: str, *pages: str, password: str | None = None) -> Path:
    made = Path(path)
    made.parent.mkdir(parents=True, exist_ok=True)
    encryption = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "user_pw": password} if password else {}
    with pymupdf.open() as document:
        for words in pages:
            document.new_page(width=300, height=200).insert_text((30, 60), words)
        document.save(made, **encryption)
    return made


def batch(*arguments: str, jobs: int = 1) -> int:
    """Converts `in` to `out` in this process; its workers are still processes."""
    from docparse_fast.cli import run

    return run(["batch", "in", "-o", "out", "--target", "none", "-q", "--jobs", str(jobs), *arguments])


@contextmanager
def process(*arguments: str, fault: str = "", **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Ends with the test, even if the test fails."""
    command = [sys.executable, "-m", "docparse_fast", "batch", "in", "-o", "out", "--target", "none", "--jobs", "1"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "DOCPARSE_FAST_FAULT": fault}
    with subprocess.Popen(
        [*command, *arguments], text=True, stderr=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, **options
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def the_run() -> dict[str, Any]:
    return json.loads(Path("out/run.json").read_text("utf-8"))


def how_each_ended() -> dict[str, tuple[str, str | None]]:
    """Each input's status and error code."""
    inputs = the_run()["inputs"]
    return {Path(i["input"]).name: (i["status"], i["error"]["code"] if i["error"] else None) for i in inputs}


def change_times(out: str = "out") -> dict[str, int]:
    """The times of each document's files, without run.json, which every run writes, and the notes."""
    others = ("run.json", "lock", NOTES)
    files = (path for path in Path(out).rglob("*") if path.is_file() and path.name not in others)
    return {str(path.relative_to(out)): path.stat().st_mtime_ns for path in files if path.suffix != ".jsonl"}
