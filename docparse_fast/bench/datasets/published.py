"""Names and sources of the three published data sets, and the errors for folders that don't hold them.

Knows names and layouts in words, for messages; the readers beside it know the fields.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docparse_fast.bench.datasets.bench_page import BenchPage
from docparse_fast.errors import InputError
from docparse_fast.pages.kinds import shown


@dataclass(frozen=True, slots=True)
class Publication:
    """A published data set; in messages `expected` follows the word "expected", and `fetch` the word "fetch"."""

    title: str
    folder: str  # its name after this fetch
    expected: str
    fetch: str

    def missing(self, folder: Path) -> InputError:
        return InputError(
            "not_found", f"{shown(folder)} holds no {self.title}: expected {self.expected}", remedy=self.remedy
        )

    def misshapen(self, path: Path, what: str) -> InputError:
        return InputError("corrupt", f"{shown(path)} is not in the format of {self.title}: {what}", remedy=self.remedy)

    @property
    def remedy(self) -> str:
        return f"fetch it with `{self.fetch}`"


OMNIDOCBENCH = Publication(
    title="OmniDocBench v1.5",
    folder="OmniDocBench",
    expected="OmniDocBench.json beside images/ (1,355 pages)",
    fetch="hf download --repo-type dataset opendatalab/OmniDocBench --local-dir OmniDocBench",
)
OLMOCR_BENCH = Publication(
    title="olmOCR-Bench",
    folder="olmOCR-bench",
    expected="bench_data/ with pdfs/ and *.jsonl (1,403 PDFs, 7,010 tests)",
    fetch="hf download --repo-type dataset allenai/olmOCR-bench --local-dir olmOCR-bench",
)
OCEAN_OCR_BENCH = Publication(
    title="Ocean-OCR-Bench",
    folder="Ocean-OCR",
    expected="OCR_eval_data/ with document_en.json, document_zh.json and their folders of images (100 pages each)",
    fetch="git clone https://github.com/guoxy25/Ocean-OCR",
)


def read_json(path: Path, publication: Publication) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise publication.misshapen(path, f"it can't be read as JSON ({error})") from error


def text_field(record: Any, name: str, where: str, path: Path, publication: Publication) -> str:
    """The field's text; an InputError if there is none."""
    value = record.get(name) if isinstance(record, dict) else None
    if not isinstance(value, str):
        raise publication.misshapen(path, f"{where} has no text {name!r}")
    return value


def with_all_files(pages: Sequence[BenchPage], publication: Publication) -> tuple[BenchPage, ...]:
    """The pages, if every file exists and every id is unique: figures of an incomplete data set would mislead."""
    missing = [page.path for page in pages if not page.path.is_file()]
    if missing:
        raise InputError(
            "not_found",
            f"{shown(missing[0])} is missing, one of {len(missing)} missing files of {publication.title}",
            remedy=f"{publication.remedy}, or remove the missing pages from its list",
        )
    twice = [name for name, count in Counter(page.id for page in pages).items() if count > 1]
    if twice:
        raise InputError("corrupt", f"{publication.title} has two pages called {twice[0]}", remedy=publication.remedy)
    return tuple(pages)


def groups_of(pages: Iterable[BenchPage], columns: Iterable[str]) -> tuple[str, ...]:
    """The groups of these pages, the paper's columns first."""
    found = dict.fromkeys(page.group for page in pages if page.group)
    known = [column for column in columns if column in found]
    return tuple(dict.fromkeys([*known, *found]))
