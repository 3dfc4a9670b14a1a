"""Verified pages in the pipeline and the run: order, overlap, memory, exit code."""

from __future__ import annotations

import json
import sys
import threading
import weakref
from pathlib import Path

import pytest
from fake_document_target import FakeDocumentTarget
from PIL import Image
from recorded_drafts import RecordedDrafter
from scenes import Scene, reader, region

from docparse_fast.document import Box, Category, Draft, Page, PageDraft, ParsedPage, Region, with_instead
from docparse_fast.options import ParseOptions, RasterOptions, SpeculationOptions
from docparse_fast.pages import open_pages
from docparse_fast.pipeline import PAGES_AHEAD, Pipeline
from docparse_fast.progress import PlainLines
from docparse_fast.run.conversion import Conversion, convert
from docparse_fast.run.inputs import find_inputs
from docparse_fast.run.outputs import DocumentFolder
from docparse_fast.run.run_record import Run, exit_code
from docparse_fast.verification.page import page_drafts
from docparse_fast.verification.windows import PAGES_TOGETHER

PATIENCE = 20  # seconds after which a test has failed


def text(number: int, line: str = "body") -> str:
    return f"The {line} of page {number} holds a dozen words that nobody else has written."


def scene(number: int, **changes) -> Scene:
    regions = [region(0, text(number)), region(1, text(number, "foot"))]
    answers = (text(number), text(number, "foot"))
    return Scene(number, **{"drafts": regions, "page": "\n\n".join(answers), "crops": answers, **changes})


def blank(number: int) -> Scene:
    return Scene(number, [])


@pytest.fixture
def document(tmp_path):
    """Makes scenes the pages of one TIFF, and their reader."""

    def make(scenes: list[Scene]) -> Path:
        path = tmp_path / "pages.tiff"
        first, *others = (scene.image for scene in scenes)
        first.save(path, save_all=True, append_images=others)
        return path

    return make


def pages_of(path, scenes, drafter=None, target=None, **options) -> list[ParsedPage]:
    drafter = drafter or RecordedDrafter([scene.draft for scene in scenes])
    target = target or FakeDocumentTarget(reader(scenes))
    with open_pages(path, RasterOptions()) as opened:
        return list(Pipeline(drafter, target, SpeculationOptions(**options)).pages(opened))


# ---------------------------------------------------------------------------------------------------- order


def test_blank_and_failed_pages_keep_their_place_among_the_verified(document):
    scenes = [blank(1), scene(2), scene(3), blank(4), scene(5), scene(6), scene(7), scene(8), blank(9)]
    drafter = RecordedDrafter([s.draft for s in scenes if s.number not in (3, 8)])  # of which nothing is recorded
    pages = pages_of(document(scenes), scenes, drafter, stages="both")
    assert [page.number for page in pages] == list(range(1, 10))
    expected = ["blank", "ok", "failed", "blank", "ok", "ok", "ok", "failed", "blank"]
    assert [page.status for page in pages] == expected
    assert [page.verified for page in pages] == ["page" if status == "ok" else "none" for status in expected]
    assert all(page.blocks[0].text == text(page.number) for page in pages if page.status == "ok")


def test_a_blank_page_is_never_sent_to_the_target(document):
    scenes = [blank(1), scene(2), blank(3)]
    target = FakeDocumentTarget(reader(scenes))
    pages_of(document(scenes), scenes, target=target, stages="2")
    assert len(target.looks) == 1


def test_a_document_of_blank_pages_needs_no_target(document):
    scenes = [blank(1), blank(2)]
    assert [page.status for page in pages_of(document(scenes), scenes)] == ["blank", "blank"]


def test_a_figure_is_cut_out_of_a_verified_page(document):
    scenes = [scene(1, drafts=[region(0, text(1)), region(1, "", Category.FIGURE)], page=text(1))]
    kept = []

    def keep(page: int, figure: int, picture: Image.Image) -> str:
        kept.append(picture.getpixel((0, 0)))
        return f"{page}-{figure}"

    target = FakeDocumentTarget(reader(scenes))
    with open_pages(document(scenes), RasterOptions()) as opened:
        (page,) = Pipeline(RecordedDrafter([scenes[0].draft]), target).pages(opened, keep)
    assert (page.blocks[1].image, kept) == ("1-1", [(1, 2, 0)])


# --------------------------------------------------------------------------------------------------- overlap


def test_the_next_pages_are_drafted_while_one_is_verified(document):
    """The target waits with the first page until the page after its window is drafted."""
    scenes = [scene(n) for n in range(1, PAGES_TOGETHER + 3)]
    drafted = {s.number: threading.Event() for s in scenes}

    class Telling(RecordedDrafter):
        def draft(self, page: Page) -> PageDraft:
            drafted[page.number].set()
            return super().draft(page)

    in_time = []
    read = reader(scenes)

    def waiting(image: Image.Image, category: Category | None) -> str:
        if not in_time:
            in_time.append(drafted[PAGES_TOGETHER + 1].wait(PATIENCE))
        return read(image, category)

    drafter = Telling([s.draft for s in scenes])
    pages_of(document(scenes), scenes, drafter, FakeDocumentTarget(waiting), stages="2")
    assert in_time == [True]


def test_a_page_whose_crops_are_not_read_waits_for_no_other_page(document):
    """The second page is drafted only after the target has looked at the first one."""
    scenes = [scene(n) for n in range(1, 4)]
    looked = threading.Event()

    class Waiting(RecordedDrafter):
        def draft(self, page: Page) -> PageDraft:
            if page.number == 2:
                in_time.append(looked.wait(PATIENCE))
            return super().draft(page)

    in_time: list[bool] = []
    read = reader(scenes)

    def telling(image: Image.Image, category: Category | None) -> str:
        looked.set()
        return read(image, category)

    drafter = Waiting([s.draft for s in scenes])
    pages_of(document(scenes), scenes, drafter, FakeDocumentTarget(telling), stages="2")
    assert in_time == [True]


def test_a_reader_that_stops_early_leaves_no_thread(document):
    scenes = [scene(n) for n in range(1, 13)]
    with open_pages(document(scenes), RasterOptions()) as opened:
        drafter = RecordedDrafter([s.draft for s in scenes])
        pages = Pipeline(drafter, FakeDocumentTarget(reader(scenes))).pages(opened)
        next(pages)
        pages.close()
        assert "prefetch" not in {thread.name for thread in threading.enumerate()}


# ---------------------------------------------------------------------------------------------------- memory


def most_images(path: Path, scenes: list[Scene]) -> int:
    """The most page images in memory at once, counted whenever a page is drafted or verified."""
    images: list[weakref.ref[Image.Image]] = []
    most = 0

    def count() -> None:
        nonlocal most
        most = max(most, sum(image() is not None for image in images))

    class Counting(RecordedDrafter):
        def draft(self, page: Page) -> PageDraft:
            images.append(weakref.ref(page.image))
            count()
            return super().draft(page)

    read = reader(scenes)

    def counting(image: Image.Image, category: Category | None) -> str:
        count()
        return read(image, category)

    drafter = Counting([s.draft for s in scenes])
    pages = pages_of(path, scenes, drafter, FakeDocumentTarget(counting), stages="both")
    assert {page.status for page in pages} == {"ok"}
    assert len(images) == len(scenes)
    return most


def test_a_long_document_holds_no_more_pages_than_its_windows(document):
    """The pages read together, those drafted ahead, and one each with the drafter and the writer."""
    scenes = [scene(n) for n in range(1, 61)]
    assert most_images(document(scenes), scenes) <= PAGES_TOGETHER + PAGES_AHEAD + 2


# -------------------------------------------------------------------------------------------------- exit code


def run_of(path: Path, scenes: list[Scene], out: Path, target=None, watcher=None, **options) -> Run:
    chosen = ParseOptions(speculation=SpeculationOptions(**options))
    pipeline = Pipeline(
        RecordedDrafter([s.draft for s in scenes]), target or FakeDocumentTarget(reader(scenes)), chosen.speculation
    )
    with open("/dev/null", "w") as nowhere:  # noqa: PTH123
        watcher = watcher or PlainLines(nowhere, "errors", str(out))
        inputs = find_inputs([path], out)
        what = Conversion(inputs, chosen, lambda _: pipeline, lambda to: DocumentFolder(out / to.output, chosen))
        return convert(what, watcher)


def test_a_run_of_whole_pages_ends_well(document, tmp_path):
    scenes = [scene(1), blank(2), scene(3)]
    run = run_of(document(scenes), scenes, tmp_path / "out", check_exact=True, tau=1.0)
    assert (exit_code(run, "unverified"), run.status, run.records[0].inexact) == (0, "ok", 0)


@pytest.mark.parametrize("broken", ["loop", "cut off", "out of memory"])
def test_a_page_that_was_not_read_whole_is_exit_code_3_and_all_pages_are_there(document, tmp_path, broken):
    answer = {"loop": "round and round it goes. " * 90, "cut off": "word " * 500, "out of memory": MemoryError()}[
        broken
    ]
    scenes = [scene(1), scene(2, page=answer), scene(3)]
    run = run_of(document(scenes), scenes, tmp_path / "out", stages="2", max_new_tokens=600)
    assert (exit_code(run, "partial"), run.status) == (3, "partial")
    written = [(tmp_path / f"out/pages/page-000{n}.md").read_text() for n in (1, 2, 3)]
    assert all(text(n) in page and text(n, "foot") in page for n, page in enumerate(written, start=1))


@pytest.mark.parametrize("stages", ["1", "2", "both"])
def test_a_target_that_raises_at_a_page_leaves_its_draft_and_all_other_pages(document, tmp_path, stages):
    broken = RuntimeError("shapes do not match")
    scenes = [scene(1), scene(2, page=broken, crops=(broken, broken)), scene(3)]
    run = run_of(document(scenes), scenes, tmp_path / "out", stages=stages)
    assert (exit_code(run, "partial"), run.status, run.trouble) == (3, "partial", None)
    assert run.records[0].pages == {"ok": 2, "partial": 1}
    written = [(tmp_path / f"out/pages/page-000{n}.md").read_text() for n in (1, 2, 3)]
    assert all(text(n) in page and text(n, "foot") in page for n, page in enumerate(written, start=1))
    page = json.loads((tmp_path / "out/pages/document.json").read_text())["pages"][1]
    assert (page["status"], page["error"]["code"], page["verified"]) == ("partial", "worker_crashed", "none")
    assert "shapes do not match" in page["error"]["message"]


def test_a_lost_device_is_reported_once_and_later_pages_keep_their_drafts(document, tmp_path, capsys):
    lost = RuntimeError("CUDA error: device-side assert triggered")
    scenes = [scene(1), scene(2, page=lost), *(scene(n) for n in range(3, 10))]
    run = run_of(document(scenes), scenes, tmp_path / "out", stages="2", watcher=PlainLines(sys.stdout, "errors"))
    assert (exit_code(run, "partial"), run.records[0].pages) == (3, {"ok": 1, "partial": 8})
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 2
    assert "page 2: the target failed (RuntimeError: CUDA error: device-side assert triggered)" in told[0]
    assert "the pages from here on are drafts only" in told[1]
    assert text(9) in (tmp_path / "out/pages/page-0009.md").read_text()


def test_too_little_agreement_is_exit_code_3_where_it_was_asked_for(document, tmp_path):
    scenes = [scene(1), scene(2, page="Something else entirely.")]
    path = document(scenes)
    codes = [exit_code(run_of(path, scenes, tmp_path / "out", min_acceptance=least), "partial") for least in (0.0, 0.9)]
    assert codes == [0, 3]
    assert run_of(path, scenes, tmp_path / "out", min_acceptance=0.9).records[0].disagreed == 1


def test_an_answer_that_is_not_the_targets_own_is_exit_code_3(document, tmp_path):
    class Astray(FakeDocumentTarget):
        def generate(self, view: object, max_tokens: int) -> tuple[int, ...]:
            return (*self.encode("Another answer."), self.end)

    scenes = [scene(1)]
    path = document(scenes)
    run = run_of(path, scenes, tmp_path / "out", Astray(reader(scenes)), check_exact=True, tau=1.0)
    assert (exit_code(run, "partial"), run.records[0].inexact) == (3, 1)


def test_what_regions_may_be_instead_is_a_draft_of_all_of_them():
    target = FakeDocumentTarget(lambda _image, _category: "")
    boxes = [Box(0, top, 9, top + 9) for top in (0, 10, 20, 30)]
    lines = [Region(box, Category.TEXT, (Draft(text, "embedded"),)) for box, text in zip(boxes, "abcd", strict=True)]
    html = "<table><tr><td>b</td><td>c</td></tr></table>"
    table = Region(Box(0, 10, 9, 29), Category.TABLE, (Draft(html, "embedded"),))
    regions = with_instead(lines, [table])
    assert [region.text for region in regions] == ["a", "b", "c", "d"]
    phrases, drafts = page_drafts(regions, target, (9, 9))
    (found,) = (n for n, phrase in enumerate(phrases) if phrase.text == f"{html}\n\n")
    assert (drafts[found].region, drafts[found].last) == (1, 2)


def test_an_answer_may_end_before_what_stands_in_the_margins():
    """Most Markdown models leave out page numbers; the break before one is often one token with the last full stop."""
    target = FakeDocumentTarget(lambda _image, _category: "")
    texts = {Category.TEXT: "First.", Category.CAPTION: "Last.", Category.PAGE_NUMBER: "7"}
    regions = [Region(Box(0, 0, 9, 9), category, (Draft(text, "embedded"),)) for category, text in texts.items()]
    _, drafts = page_drafts(regions, target, (9, 9))
    ends = {target.decode(draft.tokens[:-1]) for draft in drafts if draft.tokens[-1] == target.end}
    assert ends == {"Last.", "7"}
