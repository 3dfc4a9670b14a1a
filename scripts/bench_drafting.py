#!/usr/bin/env python3
"""What drafting costs: which pages of any documents take the most CPU seconds, or a whole batch and its memory.

    python scripts/bench_drafting.py FOLDER FILE.pdf --most-pages 4
    python scripts/bench_drafting.py FOLDER --jobs 2 [--json FILE]       # further options are `batch`'s

A page's own seconds in document.json are by the clock; on a machine that does other things they say little. What a
folder costs beside other tools, start-up included: scripts/peers.py.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from docparse_fast import DocparseError, ParseOptions, Parser
from docparse_fast.options import RasterOptions, TargetOptions
from docparse_fast.run.inputs import find_inputs

LOOK_EVERY = 0.5  # seconds


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("documents", nargs="+", type=Path, help="files, or folders of them")
    asked.add_argument("--most-pages", type=int, help="of each document")
    asked.add_argument("--show", type=int, default=5)
    asked.add_argument("--jobs", type=int, help="time a batch of the folder with so many workers")
    asked.add_argument("--json", type=Path, metavar="FILE", help="write a batch's figures here as well")
    given, options = asked.parse_known_args()
    if given.jobs:
        said = json.dumps(batch(given.documents[0], given.jobs, options))
        print(said)
        if given.json:
            given.json.write_text(said + "\n", encoding="utf-8")
        return 0
    raster = RasterOptions(max_pages=given.most_pages)
    parser = Parser(ParseOptions(raster=raster, target=TargetOptions(name="none")))
    found: list[tuple[float, str]] = []
    try:
        for source in find_inputs(given.documents, None):
            found += costs_of(source.path, parser)
    except KeyboardInterrupt:
        print("interrupted; so far:")
    found.sort(reverse=True)
    for seconds, name in found[: given.show]:
        print(f"{seconds:8.2f}  {name}")
    if found:
        print(f"{median(seconds for seconds, _ in found):8.2f}  the usual one of {len(found)} pages")
    return 0


def costs_of(path: Path, parser: Parser) -> Iterator[tuple[float, str]]:
    """CPU seconds and a name, for each page; a document that can't be read has none."""
    before = time.process_time()
    try:
        for page in parser.pages(path):
            after = time.process_time()
            yield after - before, f"{path}, page {page.number}: {page.evidence.drafter} {page.status}"
            before = after
    except DocparseError as error:
        print(f"{path}: {error}", file=sys.stderr)


def batch(folder: Path, jobs: int, options: Sequence[str]) -> dict[str, Any]:
    """Times a batch, and samples what it and its workers hold (pages they share count in each of them)."""
    before, start = os.times(), time.monotonic()
    own = workers = 0
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, "-m", "docparse_fast", "batch", str(folder), "-o", out, "--jobs", str(jobs)]
        with subprocess.Popen([*command, "--target", "none", "-q", *options]) as running:
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
    sys.exit(main())
