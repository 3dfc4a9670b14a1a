"""olmOCR-Bench: PDFs, and one file of unit tests for each of its seven groups.

Knows the layout of `bench_data` and which page each test belongs to; the official tool knows what the tests ask.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from docparse_fast.bench.datasets.bench_page import BenchPage, Dataset
from docparse_fast.bench.datasets.published import OLMOCR_BENCH, groups_of, with_all_files

# By file name, the columns of the paper's Table 2, in its order.
COLUMNS = {
    "arxiv_math": "arXiv Math",
    "old_scans_math": "Old Scans Math",
    "table_tests": "Tables",
    "old_scans": "Old Scans",
    "headers_footers": "Headers Footers",
    "multi_column": "Multi Heading",
    "long_tiny_text": "Long Tiny Text",
}


def find_bench_data(folder: Path) -> Path | None:
    """The folder with `pdfs` and the tests: `folder` itself or its `bench_data`."""
    for at in (folder, folder / "bench_data"):
        if (at / "pdfs").is_dir() and any(at.glob("*.jsonl")):
            return at
    return None


def load_olmocr_bench(folder: Path) -> Dataset:
    data = find_bench_data(folder)
    if data is None:
        raise OLMOCR_BENCH.missing(folder)
    groups: dict[tuple[str, int], str] = {}
    for path in sorted(data.glob("*.jsonl")):
        for place in _tested_pages(path):
            groups.setdefault(place, COLUMNS.get(path.stem, path.stem))
    if not groups:
        raise OLMOCR_BENCH.misshapen(data, "its *.jsonl files hold no test")
    pages = with_all_files([_page(data, *place, group) for place, group in sorted(groups.items())], OLMOCR_BENCH)
    return Dataset("olmocr-bench", folder, pages, groups_of(pages, COLUMNS.values()))


def _page(data: Path, pdf: str, number: int, group: str) -> BenchPage:
    return BenchPage(f"{pdf.removesuffix('.pdf')}_pg{number}", data / "pdfs" / pdf, number, group)


def _tested_pages(path: Path) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            yield str(record["pdf"]), int(record.get("page", 1))
        except KeyError as error:
            raise OLMOCR_BENCH.misshapen(path, f"line {number} has no {error}") from error
        except (ValueError, TypeError, AttributeError) as error:
            raise OLMOCR_BENCH.misshapen(path, f"line {number}: {error}") from error
