#!/usr/bin/env python3
"""Measures drafting on a folder's documents: CPU and wall seconds per page, seconds by stage, and peak memory.

    python scripts/bench_drafting.py FOLDER [--json FILE]
    python scripts/bench_drafting.py FOLDER --jobs 2        # `batch` over them all, and its memory over time

Each document is converted by its own process. Its seconds and memory are the kernel's for the whole process, with
start-up and model loading. A stage's seconds are wall seconds inside it; the rest is start-up, loading and writing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from docparse_fast.bench.tables import WIDTH, Heading, Table, show
from docparse_fast.run.inputs import Input, find_inputs
from docparse_fast.run.provenance import models
from docparse_fast.system.files import write

STAGES = ("raster", "text_layer", "draft", "figures")
LOOK_EVERY = 0.5  # seconds
COLUMNS = ("document", "pages", "CPU s/page", "wall s/page", "peak MB")
PRODUCT = (sys.executable, "-m", "docparse_fast")
DRAFTS_ONLY = ("--target", "none", "-q")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here as well")
    parser.add_argument("--jobs", type=int, help="time a whole batch with so many workers")
    given, options = parser.parse_known_args()
    if given.jobs:
        report = {"batch": batch(given.folder, given.jobs, options)}
        print(json.dumps(report["batch"]))
    else:
        documents = [converted(source, options) for source in find_inputs([given.folder], None)]
        report = {"summary": summary(documents), "documents": documents}
        show([table(documents, report["summary"])], Console(width=WIDTH))
    made = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "packages": models(),
        "options": options,
    }
    if given.json:
        write(given.json, json.dumps({"format": "docparse-fast/bench-drafting", "version": 2, **made, **report}) + "\n")


def converted(source: Input, options: Sequence[str]) -> dict[str, Any]:
    """Converts one document in its own process, and returns what the kernel says it used."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as out:
        command = [
            sys.executable,
            "-m",
            "docparse_fast",
            "convert",
            str(source.path),
            "-o",
            out,
            *DRAFTS_ONLY,
            *options,
        ]
        process = subprocess.Popen(command)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        files = [json.loads(path.read_text("utf-8")) for path in Path(out).rglob("document.json")]
    pages = [page for file in files for page in file["pages"]]
    seconds = sum((Counter(page["seconds"]) for page in pages), Counter())
    return {
        "document": source.name,
        "pages": len(pages),
        "failed_pages": sum(page["status"] == "failed" for page in pages),
        "stage_seconds": {stage: round(seconds[stage], 4) for stage in STAGES},
        "process_cpu_seconds": round(used.ru_utime + used.ru_stime, 3),
        "process_wall_seconds": round(time.perf_counter() - start, 3),
        "peak_mb": round(used.ru_maxrss / 1024, 1),
    }


def summary(documents: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Means over the pages that were read; the seconds include failed documents, which are listed."""
    pages = sum(document["pages"] for document in documents)

    def mean(name: str) -> float | None:
        return round(sum(document[name] for document in documents) / pages, 3) if pages else None

    return {
        "documents": len(documents),
        "pages": pages,
        "failed": [d["document"] for d in documents if d["failed_pages"] or not d["pages"]],
        "cpu_seconds_per_page": mean("process_cpu_seconds"),
        "wall_seconds_per_page": mean("process_wall_seconds"),
        "peak_mb": max((document["peak_mb"] for document in documents), default=0.0),
        "stage_seconds": {s: round(sum(d["stage_seconds"][s] for d in documents) / max(1, pages), 4) for s in STAGES},
    }


def table(documents: Sequence[Mapping[str, Any]], found: Mapping[str, Any]) -> Table:
    cells = [(d["document"], d["pages"], *_a_page(d), d["peak_mb"]) for d in documents]
    cells.append(
        ("all", found["pages"], found["cpu_seconds_per_page"], found["wall_seconds_per_page"], found["peak_mb"])
    )
    cells += [(f"of which {stage}", "", "", seconds, "") for stage, seconds in found["stage_seconds"].items()]
    return Table(tuple(map(Heading, COLUMNS)), tuple(tuple(map(str, row)) for row in cells))


def _a_page(document: Mapping[str, Any]) -> list[float]:
    pages = max(1, document["pages"])
    return [round(document[f"process_{kind}_seconds"] / pages, 3) for kind in ("cpu", "wall")]


def batch(folder: Path, jobs: int, options: Sequence[str]) -> dict[str, Any]:
    """Times a batch, and samples what it and its workers hold (pages they share count in each of them)."""
    before, start = os.times(), time.monotonic()
    own = workers = 0
    with tempfile.TemporaryDirectory() as out:
        command = [*PRODUCT, "batch", str(folder), "-o", out, "--jobs", str(jobs), *DRAFTS_ONLY, *options]
        with subprocess.Popen(command) as running:
            while running.poll() is None:
                own = max(own, _memory("--pid", running.pid))
                workers = max(workers, _memory("--ppid", running.pid))
                time.sleep(LOOK_EVERY)
        pages = len(list(Path(out).rglob("page-*.md")))
    after, seconds = os.times(), time.monotonic() - start
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    figures = {"seconds": seconds, "cpu_seconds": cpu, "batch_mb": own / 2**20, "workers_mb": workers / 2**20}
    return {"jobs": jobs, "pages": pages, **{name: round(value, 1) for name, value in figures.items()}}


def _memory(whose: str, pid: int) -> int:
    said = subprocess.run(["ps", "-o", "rss=", whose, str(pid)], capture_output=True)
    return 1024 * sum(map(int, said.stdout.split()))


if __name__ == "__main__":
    main()
