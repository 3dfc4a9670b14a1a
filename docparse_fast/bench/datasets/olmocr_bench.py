"""olmOCR-Bench: PDFs, and one file of unit tests for each of its seven groups.

Knows the layout of `bench_data` and the fields of its JSON lines: `pdf`, `page`, `id`, `type`, `max_diffs`, and what
each type asks for. As in the official run, a PDF without a baseline test gets one, in a group of its own ("Base").
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docparse_fast.bench.datasets.bench_page import (
    BaselineTest,
    BenchPage,
    Dataset,
    MathTest,
    OrderTest,
    PresenceTest,
    TableTest,
    UnitTest,
)
from docparse_fast.bench.datasets.published import OLMOCR_BENCH, groups_of, with_all_files

# The files as the paper's Table 2 names its columns, in its order.
COLUMNS = {
    "arxiv_math": "arXiv Math",
    "old_scans_math": "Old Scans Math",
    "table_tests": "Tables",
    "old_scans": "Old Scans",
    "headers_footers": "Headers Footers",
    "multi_column": "Multi Column",
    "long_tiny_text": "Long Tiny Text",
}
NEIGHBOURS = ("up", "down", "left", "right", "top_heading", "left_heading")
BASE = "Base"  # the group of the baseline tests that no file has; the published table's eighth column


@dataclass(frozen=True, slots=True)
class _Line:
    pdf: str
    page: int
    test: UnitTest


def find_bench_data(folder: Path) -> Path | None:
    """The folder that holds `pdfs` and the tests: this one, or its `bench_data`."""
    for at in (folder, folder / "bench_data"):
        if (at / "pdfs").is_dir() and any(at.glob("*.jsonl")):
            return at
    return None


def load_olmocr_bench(folder: Path) -> Dataset:
    data = find_bench_data(folder)
    if data is None:
        raise OLMOCR_BENCH.missing(folder)
    tests: dict[tuple[str, int], list[UnitTest]] = {}
    for path in sorted(data.glob("*.jsonl")):
        for line in _lines(path):
            tests.setdefault((line.pdf, line.page), []).append(line.test)
    if not tests:
        raise OLMOCR_BENCH.misshapen(data, "there is no test in its *.jsonl")
    for pdf in _without_baseline(tests):
        tests.setdefault((pdf, 1), []).append(BaselineTest(id=f"{pdf}_baseline", group=BASE))
    pages = with_all_files([_page(data, *place, found) for place, found in sorted(tests.items())], OLMOCR_BENCH)
    return Dataset("olmocr-bench", folder, pages, groups_of(pages, COLUMNS.values()))


def _page(data: Path, pdf: str, number: int, tests: list[UnitTest]) -> BenchPage:
    return BenchPage(
        id=f"{pdf.removesuffix('.pdf')}_pg{number}",
        path=data / "pdfs" / pdf,
        number=number,
        group=tests[0].group,
        tests=tuple(tests),
    )


def _without_baseline(tests: Mapping[tuple[str, int], list[UnitTest]]) -> list[str]:
    have = {pdf for (pdf, _), found in tests.items() if any(isinstance(test, BaselineTest) for test in found)}
    return [pdf for pdf in dict.fromkeys(pdf for pdf, _ in tests) if pdf not in have]


def _lines(path: Path) -> Iterator[_Line]:
    group = COLUMNS.get(path.stem, path.stem)
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            yield _Line(str(record["pdf"]), int(record.get("page", 1)), _test(record, group))
        except KeyError as error:
            raise OLMOCR_BENCH.misshapen(path, f"line {number} has no {error}") from error
        except (ValueError, TypeError, AttributeError) as error:
            raise OLMOCR_BENCH.misshapen(path, f"line {number}: {error}") from error


def _test(record: Mapping[str, Any], group: str) -> UnitTest:
    kind = record["type"]
    if kind not in READERS:
        raise ValueError(f"{kind!r} is none of the tests {', '.join(READERS)}")
    common = {"id": str(record["id"]), "group": group, "max_diffs": int(record.get("max_diffs") or 0)}
    return READERS[kind](record, common)


def _presence(record: Mapping[str, Any], common: dict[str, Any]) -> UnitTest:
    return PresenceTest(
        **common,
        text=_text(record, "text"),
        present=record["type"] == "present",
        case_sensitive=bool(record.get("case_sensitive", True)),
        first=record.get("first_n"),
        last=record.get("last_n"),
    )


def _order(record: Mapping[str, Any], common: dict[str, Any]) -> UnitTest:
    return OrderTest(**common, before=_text(record, "before"), after=_text(record, "after"))


def _table(record: Mapping[str, Any], common: dict[str, Any]) -> UnitTest:
    asked: dict[str, Any] = {name: str(record.get(name) or "") for name in NEIGHBOURS}
    pipes = not record.get("ignore_markdown_tables", False)
    return TableTest(**common, **asked, cell=_text(record, "cell"), pipes=pipes)


def _math(record: Mapping[str, Any], common: dict[str, Any]) -> UnitTest:
    return MathTest(**common, latex=_text(record, "math"), dollars=not record.get("ignore_dollar_delimited", False))


def _baseline(record: Mapping[str, Any], common: dict[str, Any]) -> UnitTest:
    return BaselineTest(
        **common,
        max_length=record.get("max_length"),
        max_length_without_pictures=bool(record.get("max_length_skips_image_alt_tags", False)),
        max_repeats=int(record.get("max_repeats", 30)),
        foreign_letters=not record.get("check_disallowed_characters", True),
    )


def _text(record: Mapping[str, Any], name: str) -> str:
    text = record[name]
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"{name!r} is empty")
    return text


READERS: dict[str, Callable[[Mapping[str, Any], dict[str, Any]], UnitTest]] = {
    "present": _presence,
    "absent": _presence,
    "order": _order,
    "table": _table,
    "math": _math,
    "baseline": _baseline,
}
