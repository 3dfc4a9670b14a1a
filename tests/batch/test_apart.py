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
from docparse_fast.errors import InputError
from docparse_fast.options import DraftOptions, ParseOptions, RasterOptions
from docparse_fast.pages import open_pages
from docparse_fast.run.inputs import Input
from docparse_fast.timing import Timer

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the processes below this one")
OPTIONS = ParseOptions(drafting=DraftOptions("text-layer"))
DRAFTER = open_drafter(OPTIONS.drafting)
WANTED = Wanted(for_target=True)
WORDS = ("one", "two", "three", "four", "five")


@pytest.fixture
def document(tmp_path: Path) -> Path:
    with pymupdf.open() as file:
        for word in WORDS:
            file.new_page(width=300, height=200).insert_text((30, 60), f"This is page {word} of it.")
        file.save(tmp_path / "a.pdf")
    return tmp_path / "a.pdf"


@pytest.fixture
def scans(tmp_path: Path) -> list[Input]:
    """Files of one page."""
    found = []
    for word in WORDS:
        path = tmp_path / f"{word}.pdf"
        with pymupdf.open() as file:
            file.new_page(width=300, height=200).insert_text((30, 60), f"This is scan {word} of them.")
            file.save(path)
        found.append(Input(path, path.name, word))
    return found


def drafted(path: Path, **limits: float) -> Iterator[DraftedPage]:
    wanted, source = Wanted(for_target=True), Input(path, path.name, "out")
    with Apart(OPTIONS, Limits(jobs=3, **limits), wanted, lambda: False) as apart, apart.open(source) as distant:
        yield from apart.draft_pages(distant, distant.numbers, DRAFTER, wanted, Timer)


def texts(pages: Iterator[DraftedPage]) -> list[str]:
    return [page.error.code if page.error else page.regions[0].text for page in pages]


def opened(apart: Apart, source: Input) -> list[str] | str:
    try:
        with apart.open(source) as distant:
            return texts(apart.draft_pages(distant, distant.numbers, DRAFTER, WANTED, Timer))
    except InputError as error:
        return error.code


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


def test_documents_to_come_are_drafted_while_one_is_read(scans):
    with Apart(OPTIONS, Limits(jobs=3), WANTED, lambda: False, coming=scans) as apart:
        with apart.open(scans[0]) as distant:
            pages = apart.draft_pages(distant, distant.numbers, DRAFTER, WANTED, Timer)
            found = [texts(iter([next(pages)]))]
            assert workers() == 3, "a document of one page keeps one process busy"
            assert list(pages) == []
        for source in scans[1:]:
            with apart.open(source) as distant:
                found.append(texts(apart.draft_pages(distant, distant.numbers, DRAFTER, WANTED, Timer)))
    assert found == [[f"This is scan {word} of them."] for word in WORDS]


def test_a_document_to_come_that_is_broken_fails_at_its_turn(scans):
    scans[1].path.write_bytes(b"%PDF-1.7 and nothing else")
    with Apart(OPTIONS, Limits(jobs=3), WANTED, lambda: False, coming=scans) as apart:
        found = [opened(apart, source) for source in scans]
    assert found == [[f"This is scan {word} of them."] if word != "two" else "corrupt" for word in WORDS]


def test_documents_that_are_left_out_hold_no_process(scans):
    with Apart(OPTIONS, Limits(jobs=2), WANTED, lambda: False, coming=scans) as apart:
        found = [opened(apart, scans[number]) for number in (0, 3, 4)]
    assert found == [[f"This is scan {WORDS[number]} of them."] for number in (0, 3, 4)]


def test_within_a_limit_for_documents_none_is_begun_before_its_turn(scans):
    """Its time would run while others are read."""
    with Apart(OPTIONS, Limits(jobs=3, doc_timeout=60), WANTED, lambda: False, coming=scans) as apart:
        assert opened(apart, scans[0]) == ["This is scan one of them."]
        assert workers() == 1


def test_a_page_that_crashes_its_process_fails_alone(document, monkeypatch):
    monkeypatch.setenv("DOCPARSE_FAST_FAULT", "segfault@reading:a.pdf:2")
    found = texts(drafted(document))
    assert found == [f"This is page {word} of it." if word != "two" else "worker_crashed" for word in WORDS]


def test_a_page_that_hangs_fails_alone_within_its_limit(document, monkeypatch):
    monkeypatch.setenv("DOCPARSE_FAST_FAULT", "hang@reading:a.pdf:3")
    found = texts(drafted(document, page_timeout=4.0))
    assert found == [f"This is page {word} of it." if word != "three" else "timeout" for word in WORDS]


def test_a_reader_that_stops_leaves_no_process_and_no_answer_behind(document):
    with Apart(OPTIONS, Limits(jobs=2), Wanted(for_target=True), lambda: False) as apart:
        for _ in range(2):
            with apart.open(Input(document, document.name, "out")) as distant:
                pages = apart.draft_pages(distant, distant.numbers, DRAFTER, Wanted(for_target=True), Timer)
                assert next(pages).regions[0].text == "This is page one of it."
                pages.close()
    assert workers() == 0
