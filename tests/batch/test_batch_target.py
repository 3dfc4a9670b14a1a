"""`batch` with a target: workers supply blocks of neighbouring pages; a resumed batch gives the same bytes."""

from __future__ import annotations

import shutil
import sys
import threading
from pathlib import Path

import pymupdf
import pytest
from batch_trees import tree
from fake_document_target import FakeDocumentTarget
from nearby import Nearby
from PIL import Image
from waiting import wait_until

from docparse_fast.batch.batch import Request, run_batch
from docparse_fast.batch.limits import Limits
from docparse_fast.document import Category, Failure
from docparse_fast.drafting import open_drafter
from docparse_fast.options import ParseOptions, RasterOptions, SpeculationOptions, TargetOptions
from docparse_fast.pipeline import Pipeline
from docparse_fast.progress import PlainLines
from docparse_fast.run.conversion import Conversion, convert
from docparse_fast.run.events import PageBegun, PageDone, Trouble
from docparse_fast.run.inputs import find_inputs
from docparse_fast.run.outputs import DocumentFolder, write_run
from docparse_fast.run.run_record import Run, exit_code

OPTIONS = ParseOptions(
    raster=RasterOptions(dpi=72),
    target=TargetOptions("fake"),
    speculation=SpeculationOptions(tau=1.0, stages="both"),
    formats=("md", "json", "html"),
)
JOURNAL = ".docparse-fast/journal.jsonl"


@pytest.fixture(scope="module")
def documents(tmp_path_factory):
    """A folder `in` of three; no file is the same when it is made again."""
    folder = tmp_path_factory.mktemp("documents")
    make(folder / "in/a.pdf", 10)
    make(folder / "in/b.pdf", 1)
    make(folder / "in/c.pdf", 6, blank=3)
    return folder


@pytest.fixture(autouse=True)
def here(documents, tmp_path, monkeypatch):
    shutil.copytree(documents / "in", tmp_path / "in")
    monkeypatch.chdir(tmp_path)


def make(path: Path, count: int, blank: int = 0) -> None:
    """Pages whose background shade encodes their number, so that the fake target knows which page it reads."""
    path.parent.mkdir(exist_ok=True)
    with pymupdf.open() as document:
        for number in range(1, count + 1):
            page = document.new_page(width=300, height=200)
            if number != blank:
                page.draw_rect(page.rect, fill=(1, 1, number * 10 / 255), color=None)
                page.insert_text((30, 60), f"The draft of page {number} says eight or nine words.")
                page.insert_text((30, 130), f"Another paragraph of page {number} stands here below.")
        document.save(path)


class Target(FakeDocumentTarget):
    """A target that changes one word of each page and fails at one page."""

    def __init__(self, break_at: int = 0, error: Exception | None = None) -> None:
        self.break_at = break_at
        self.error = error or ValueError("the model has a bad day")
        self.threads: set[str] = set()
        super().__init__(self._read)

    def _read(self, image: Image.Image, category: Category | None) -> str:
        self.threads.add(threading.current_thread().name)
        number = round(image.getpixel((1, 1))[2] / 10)
        if category is None and number == self.break_at:
            raise self.error
        first = f"The text of page {number} says eight or nine words."
        second = f"Another paragraph of page {number} stands here below."
        return f"{first}\n\n{second}" if category is None else first


class Breaking(PlainLines):
    """Acts like two Ctrl-C after a number of finished pages."""

    def __init__(self, after: int = 10**6) -> None:
        super().__init__(sys.stderr, "errors")
        self.pages: list[tuple[str, int]] = []
        self._after = after
        self.troubles: list[Failure] = []

    def tell(self, event) -> None:
        match event:
            case Trouble(failure):
                self.troubles.append(failure)
            case PageDone(record, page):
                self.pages.append((record.input.output, page.number))
                if len(self.pages) == self._after:
                    raise KeyboardInterrupt


def batch(out: str, watcher: Breaking | None = None, target: Target | None = None, jobs: int = 1) -> Run:
    target = target or Target()
    request, limits = Request(Path("in"), Path(out)), Limits(jobs=jobs)
    engine = Nearby() if jobs == 1 else None  # with more, processes
    return run_batch(request, OPTIONS, limits, watcher or Breaking(), lambda _: (target, "a fake"), engine)


@pytest.fixture(scope="module")
def converted(documents):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(documents)
        return converted_here()


def converted_here():
    pipeline = Pipeline(open_drafter(OPTIONS.drafting), Target(), OPTIONS.speculation)
    what = Conversion(
        find_inputs([Path("in")], None),
        OPTIONS,
        lambda _: pipeline,
        lambda source: DocumentFolder(Path("converted") / source.output, OPTIONS),
    )
    convert(what, Breaking(), lambda run: write_run(Path("converted"), run.as_json()))
    return tree(Path("converted"))


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_batch_verifies_is_what_convert_verifies(converted, jobs):
    target = Target()
    run = batch("out", target=target, jobs=jobs)
    assert run.status == "ok"
    assert [record.unverified for record in run.records] == [0, 0, 0]
    assert target.threads == {"target"}
    found = tree(Path("out"))
    del found[JOURNAL]
    assert found == converted


@pytest.mark.parametrize("after", [1, 6, 12])
def test_a_batch_stopped_within_a_block_resumes_to_the_same_output(converted, after):
    first, second = Breaking(after), Breaking()
    assert batch("out", first).status == "interrupted"
    assert batch("out", second).status == "ok"
    assert not set(first.pages[:-1]) & set(second.pages)  # nothing is verified twice; the last was being told of
    found = tree(Path("out"))
    del found[JOURNAL]
    assert found == converted


def test_pages_wait_for_the_target_and_not_in_memory():
    """While the target is busy, only a limited number of blocks is drafted."""
    begun: list[int] = []
    while_waiting: list[int] = []
    most = 4 * (1 + 1 + 2)  # in hand, and as many blocks ahead as workers and two more

    class Slow(Target):
        def _read(self, image, category):
            if not while_waiting:
                wait_until(lambda: len(begun) >= most)  # they go on without the target
            while_waiting.append(len(begun))
            return super()._read(image, category)

    class Counting(Breaking):
        def tell(self, event) -> None:
            super().tell(event)
            if isinstance(event, PageBegun):
                begun.append(event.number)

    Path("in/a.pdf").unlink()
    make(Path("in/a.pdf"), 25)
    batch("out", Counting(), Slow())
    assert while_waiting[0] == most
    assert all(count <= most for count in while_waiting[:4])


def test_a_target_that_fails_at_a_page_fails_no_other_document():
    run = batch("out", target=Target(break_at=10))
    assert [record.status for record in run.records] == ["partial", "ok", "ok"]
    assert run.records[0].pages == {"ok": 9, "partial": 1}
    page = Path("out/a/page-0010.md").read_text()
    assert "The draft of page 10 says eight or nine words." in page
    assert batch("out").status == "ok"


class AcceleratorError(RuntimeError):
    """Has the name of torch's own error."""


def test_a_lost_device_leaves_drafts_for_the_next_run_and_is_reported_once(converted):
    target = Target(break_at=6, error=AcceleratorError("CUDA error: an illegal memory access was encountered"))
    watcher = Breaking()
    run = batch("out", watcher, target)
    assert run.records[0].status == run.status == "partial"
    assert [record.pages["failed"] for record in run.records] == [0, 0, 0]
    assert [failure.code for failure in watcher.troubles] == ["worker_crashed"]
    assert (run.trouble, exit_code(run, "partial")) == (watcher.troubles[0], 3)
    assert batch("out").status == "ok"
    found = tree(Path("out"))
    del found[JOURNAL]
    assert found == converted


def test_a_bug_of_ours_at_a_page_fails_no_other_document():
    class Stumbling(Breaking):
        def tell(self, event) -> None:
            super().tell(event)
            if isinstance(event, PageDone) and event.record.input.output == "b":
                raise ValueError("nobody thought of this page")

    run = batch("out", Stumbling())
    assert [record.status for record in run.records] == ["ok", "failed", "ok"]
    assert str(run.records[1].error.code) == "worker_crashed"
    assert batch("out").status == "ok"


def test_a_batch_asked_to_stop_finishes_the_page_in_work():
    class Asking(Breaking):
        def tell(self, event) -> None:
            super().tell(event)
            if isinstance(event, PageDone) and len(self.pages) == 2:
                import os
                import signal

                os.kill(os.getpid(), signal.SIGINT)

    watcher = Asking()
    run = batch("out", watcher)
    assert run.status == "interrupted"
    assert 2 <= len(watcher.pages) <= 4
    assert batch("out").status == "ok"
