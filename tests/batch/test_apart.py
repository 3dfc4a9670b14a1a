"""Pages of a document are drafted by several processes at once, and come out in order and as one would draft them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pymupdf
import pytest

from docparse_fast.batch.apart import Apart
from docparse_fast.batch.limits import Limits
from docparse_fast.drafted import DraftedPage, Wanted, draft_pages
from docparse_fast.drafting import open_drafter
from docparse_fast.options import DraftOptions, ParseOptions, RasterOptions
from docparse_fast.pages import open_pages
from docparse_fast.run.inputs import Input
from docparse_fast.timing import Timer

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the processes below this one")
OPTIONS = ParseOptions(drafting=DraftOptions("text-layer"))
DRAFTER = open_drafter(OPTIONS.drafting)
WORDS = ("one", "two", "three", "four", "five")


@pytest.fixture
def document(tmp_path: Path) -> Path:
    with pymupdf.open() as file:
        for word in WORDS:
            file.new_page(width=300, height=200).insert_text((30, 60), f"This is page {word} of it.")
        file.save(tmp_path / "a.pdf")
    return tmp_path / "a.pdf"


def drafted(path: Path, **limits: float) -> Iterator[DraftedPage]:
    wanted, source = Wanted(for_target=True), Input(path, path.name, "out")
    with Apart(OPTIONS, Limits(jobs=3, **limits), wanted, lambda: False) as apart, apart.open(source) as distant:
        yield from apart.draft_pages(distant, distant.numbers, DRAFTER, wanted, Timer)


def texts(pages: Iterator[DraftedPage]) -> list[str]:
    return [page.error.code if page.error else page.regions[0].text for page in pages]


def workers() -> int:
    listed = subprocess.run(["ps", "-o", "args=", "--ppid", str(os.getpid())], capture_output=True, text=True)
    return listed.stdout.count("docparse_fast.batch.worker")


def test_three_processes_draft_what_one_would_in_order(document):
    pages = drafted(document)
    first = next(pages)
    assert workers() == 3, "the next pages are drafted while the first one is read"
    found = [first, *pages]
    assert workers() == 0
    with open_pages(document, RasterOptions()) as here:
        expected = list(draft_pages(here, here.numbers, DRAFTER, Wanted(for_target=True)))
    assert [page.draft for page in found] == [page.draft for page in expected]
    assert [page.picture.tobytes() for page in found] == [page.picture.tobytes() for page in expected]


def test_a_page_that_crashes_its_process_fails_alone(document, monkeypatch):
    monkeypatch.setenv("DOCPARSE_FAST_FAULT", "segfault@reading:a.pdf:2")
    found = texts(drafted(document))
    assert found == [f"This is page {word} of it." if word != "two" else "worker_crashed" for word in WORDS]


def test_a_page_that_hangs_fails_alone_within_its_limit(document, monkeypatch):
    monkeypatch.setenv("DOCPARSE_FAST_FAULT", "hang@reading:a.pdf:3")
    found = texts(drafted(document, page_timeout=3.0))
    assert found == [f"This is page {word} of it." if word != "three" else "timeout" for word in WORDS]


def test_a_reader_that_stops_leaves_no_process_and_no_answer_behind(document):
    with Apart(OPTIONS, Limits(jobs=2), Wanted(for_target=True), lambda: False) as apart:
        for _ in range(2):
            with apart.open(Input(document, document.name, "out")) as distant:
                pages = apart.draft_pages(distant, distant.numbers, DRAFTER, Wanted(for_target=True), Timer)
                assert next(pages).regions[0].text == "This is page one of it."
                pages.close()
    assert workers() == 0
