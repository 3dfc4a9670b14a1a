#!/usr/bin/env python3
"""What drafting costs: CPU and wall seconds a page, by stage, and peak memory, over the documents of a folder.

    python scripts/bench_drafting.py FOLDER [--json FILE]

Every document is converted by a process of its own, start-up and model loading included, as `convert` does it: the
summary's seconds and memory are those of whole processes, as the kernel counts them. The seconds of the stages are CPU
seconds inside the process; what is left between them and the whole is start-up, loading and writing.
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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from docparse_fast import DocparseError, DraftOptions, ParsedDocument, ParseOptions, __version__
from docparse_fast.inputs import Input, find_inputs
from docparse_fast.opening import open_pipeline
from docparse_fast.options import DRAFTERS, OCR_MODES, TargetOptions
from docparse_fast.outputs import DocumentFolder, write
from docparse_fast.pages import open_pages
from docparse_fast.provenance import models
from docparse_fast.timing import Timer

STAGES = ("raster", "text_layer", "draft", "figures")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here as well")
    parser.add_argument("--drafter", choices=DRAFTERS, default="auto")
    parser.add_argument("--ocr", choices=OCR_MODES, default="auto")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)  # the process that does one document
    given = parser.parse_args()
    if given.one:
        try:
            convert_one(given.folder, DraftOptions(given.drafter, given.ocr))
        except DocparseError as error:
            sys.exit(f"{error.code}: {error}")
        return
    arguments = ("--drafter", given.drafter, "--ocr", given.ocr)
    documents = [measured(source, arguments) for source in find_inputs([given.folder], None)]
    report = {
        "format": "docparse-fast/bench-drafting",
        "version": 1,
        "environment": environment(),
        "options": {"drafter": given.drafter, "ocr": given.ocr},
        "summary": summary(documents),
        "documents": documents,
    }
    print(table(report))
    if given.json:
        write(given.json, json.dumps(report, ensure_ascii=False, indent=1) + "\n")


class CpuTimer(Timer):
    """Counts the process's CPU seconds of every span beside those of the clock."""

    def __init__(self) -> None:
        super().__init__()
        self.cpu = Timer(time.process_time)

    @contextmanager
    def span(self, name: str, *, aside: bool = False) -> Iterator[None]:
        with self.cpu.span(name, aside=aside), super().span(name, aside=aside):
            yield


def convert_one(path: Path, drafting: DraftOptions) -> None:
    """What `convert` does to one document, its stages timed; the figures go to stdout."""
    options = ParseOptions(drafting=drafting, target=TargetOptions("none"))
    timers: list[CpuTimer] = []

    def new_timer() -> CpuTimer:
        timers.append(CpuTimer())
        return timers[-1]

    pipeline = replace(open_pipeline(options), new_timer=new_timer)
    with tempfile.TemporaryDirectory() as out, open_pages(path, options.raster) as document:
        output = DocumentFolder(Path(out), options)
        output.begin()
        pages = []
        for page in pipeline.pages(document, output.keep_figure):
            output.page(page)
            pages.append(page)
        output.end(ParsedDocument(str(path), document.sha256, tuple(pages)))
    figures = {
        "pages": len(pages),
        "failed_pages": sum(page.status == "failed" for page in pages),
        "cpu_seconds": by_stage(timer.cpu.seconds for timer in timers),
        "wall_seconds": by_stage(timer.seconds for timer in timers),
    }
    print(json.dumps(figures))


def by_stage(pages: Iterable[Mapping[str, float]]) -> dict[str, float]:
    total: Counter[str] = Counter()
    for page in pages:
        total.update(page)
    return {name: round(total[name], 4) for name in STAGES}


def measured(source: Input, arguments: Sequence[str]) -> dict[str, Any]:
    """One document in a process of its own, waited for with what the kernel says it used."""
    start = time.perf_counter()
    command = [sys.executable, __file__, str(source.path), "--one", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    said = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    figures = json.loads(said) if process.returncode == 0 else {"pages": 0, "failed_pages": 0}
    return {
        "document": source.name,
        **figures,
        "process_cpu_seconds": round(used.ru_utime + used.ru_stime, 3),
        "process_wall_seconds": round(time.perf_counter() - start, 3),
        "peak_mb": round(used.ru_maxrss / 1024, 1),
    }


def summary(documents: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Means over the pages that were read; a document that failed counts in the seconds, and is named."""
    pages = sum(document["pages"] for document in documents)
    read = [document for document in documents if document["pages"]]
    per_page = {
        f"stage_{kind}": {stage: round(sum(d[kind][stage] for d in read) / pages, 4) for stage in STAGES}
        for kind in ("cpu_seconds", "wall_seconds")
        if pages
    }
    return {
        "documents": len(documents),
        "pages": pages,
        "failed": [d["document"] for d in documents if d["failed_pages"] or not d["pages"]],
        "cpu_seconds_per_page": mean_of(documents, "process_cpu_seconds", pages),
        "wall_seconds_per_page": mean_of(documents, "process_wall_seconds", pages),
        "peak_mb": max((document["peak_mb"] for document in documents), default=0.0),
        **per_page,
    }


def mean_of(documents: Sequence[Mapping[str, Any]], name: str, pages: int) -> float | None:
    return round(sum(document[name] for document in documents) / pages, 3) if pages else None


def environment() -> dict[str, Any]:
    return {
        "docparse_fast": __version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cpus": len(os.sched_getaffinity(0)),
        "load_average": os.getloadavg()[0],
        "packages": models(),
    }


def table(report: Mapping[str, Any]) -> str:
    lines = [f"{'document':<44}{'pages':>6}{'CPU s/page':>12}{'wall s/page':>12}{'peak MB':>9}"]
    for document in report["documents"]:
        pages = max(1, document["pages"])
        cpu, wall = document["process_cpu_seconds"] / pages, document["process_wall_seconds"] / pages
        name = Path(document["document"]).name[-42:]
        lines.append(f"{name:<44}{document['pages']:>6}{cpu:>12.2f}{wall:>12.2f}{document['peak_mb']:>9.0f}")
    found = report["summary"]
    if found["pages"]:
        cpu, wall = found["cpu_seconds_per_page"], found["wall_seconds_per_page"]
        lines.append(f"{'all':<44}{found['pages']:>6}{cpu:>12.2f}{wall:>12.2f}{found['peak_mb']:>9.0f}")
        stages = ", ".join(f"{stage} {found['stage_cpu_seconds'][stage]:.3f}" for stage in STAGES)
        lines.append(f"CPU s/page inside the process: {stages}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
