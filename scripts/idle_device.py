"""How long a device waits for drafts, by who drafts: a simulation in which drafters and device only sleep.

    python scripts/idle_device.py --json idle.json

Pages, processes, messages and the order of work are `convert`'s own; a page is 2.5 seconds of a drafter, as a scan is
of a processor, and 1, 2 or 4 seconds of the device, a quarter of them for a look at it, which comes before the drafts
if the device has nothing else to do (`--late`: never). A thread is one drafter in the device's own process. It sleeps
too, so that it doesn't share Python's lock with decoding: a real thread is slower. The first eight pages are left out:
until then workers start, on however many processors this machine has.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pymupdf
from PIL import Image

from docparse_fast.batch import worker
from docparse_fast.batch.apart import Apart
from docparse_fast.batch.limits import Limits
from docparse_fast.batch.processes import LocalProcess
from docparse_fast.document import Box, Category, Draft, Page, PageDraft, Region
from docparse_fast.drafted import Wanted
from docparse_fast.options import ParseOptions, RasterOptions, SpeculationOptions
from docparse_fast.pages import open_pages
from docparse_fast.pipeline import Pipeline
from docparse_fast.run.inputs import Input
from docparse_fast.speculative.decoding import Speculation
from docparse_fast.speculative.growing_answer import Decoded, Row
from docparse_fast.system.child_process import ChildProcess
from docparse_fast.timing import Timer

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from fake_document_target import FakeDocumentTarget

DRAFTING = 2.5  # seconds of a processor, as for a scan
LOOK = 0.25  # of the device's seconds for a page
FIRST = 8  # the page from whose end on it counts, from 0
THREAD = "thread"


class SleepingDrafter:
    name = "sleeping"

    def draft(self, page: Page) -> PageDraft:
        time.sleep(DRAFTING)
        region = Region(Box(0, 0, 9, 9), Category.TEXT, (Draft(f"page {page.number}", "sleeping"),))
        return PageDraft(page.number, page.width, page.height, (region,))


class SleepingDevice(FakeDocumentTarget):
    """Notes when it was busy."""

    def __init__(self, seconds: float, *, early: bool) -> None:
        super().__init__(lambda image, category: "page")
        self.looks_early = early
        self._seconds = seconds
        self._has_looked = False  # at the page whose drafts come next
        self._busy: list[tuple[float, float]] = []
        self._ends: list[float] = []  # of pages

    def look(self, image: Image.Image) -> object | None:
        self._work(LOOK * self._seconds)
        self._has_looked = True
        return super().look(image)

    def decode_rows(self, rows: Iterable[Row], speculation: Speculation, timer: Timer) -> Iterator[Decoded]:
        self._work(self._seconds * (1 - LOOK if self._has_looked else 1))
        self._has_looked = False
        self._ends.append(time.monotonic())
        yield from super().decode_rows(rows, speculation, timer)

    def _work(self, seconds: float) -> None:
        start = time.monotonic()
        time.sleep(seconds)
        self._busy.append((start, time.monotonic()))

    @property
    def idle(self) -> float:
        """The share of the time, from one page's end to the last one's, in which it had nothing to do."""
        begin, end = self._ends[FIRST], self._ends[-1]
        return 1 - sum(stop - start for start, stop in self._busy if start >= begin) / (end - begin)

    def first(self, start: float) -> float:
        """Seconds until the first page was done."""
        return self._ends[0] - start


class SleepingProcess(LocalProcess):
    """A worker of this file: the product's, with a drafter that sleeps."""

    def __init__(self, *, quiet: bool) -> None:
        here = str(Path(__file__).parent)
        if here not in (before := os.environ.get("PYTHONPATH", "")).split(os.pathsep):
            os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (here, before)))
        ChildProcess.__init__(self, "idle_device", quiet=quiet)


class SleepingEngine:
    places = sys.maxsize

    def start(self, *, quiet: bool) -> SleepingProcess:
        return SleepingProcess(quiet=quiet)

    def close(self) -> None:
        pass


def simulated(path: Path, drafters: str, seconds: float, *, early: bool) -> dict[str, Any]:
    device = SleepingDevice(seconds, early=early)
    pipeline = Pipeline(SleepingDrafter(), device, SpeculationOptions(stages="2"))
    start = time.monotonic()
    if drafters == THREAD:
        with open_pages(path, RasterOptions()) as document:
            pages = list(pipeline.pages(document))
    else:
        wanted, limits = Wanted(for_target=True), Limits(jobs=int(drafters))
        with Apart(ParseOptions(), limits, wanted, lambda: False, engine=SleepingEngine(), quiet=False) as apart:
            beside = replace(pipeline, draft_pages=apart.draft_pages)
            with apart.open(Input(path, path.name, "out")) as distant:
                pages = list(beside.pages(distant))
    assert all(page.error is None for page in pages), [page.error for page in pages]
    return {
        "drafters": drafters,
        "device": seconds,
        "idle": round(device.idle, 3),
        "first page": round(device.first(start), 2),
        "seconds": round(time.monotonic() - start, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=24)
    parser.add_argument("--drafters", default=f"{THREAD},1,2,4,8")
    parser.add_argument("--device", default="1,2,4", help="seconds that it takes for a page")
    parser.add_argument("--late", action="store_true", help="look at a page when its drafts are there")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory() as folder, pymupdf.open() as document:
        for number in range(1, asked.pages + 1):
            document.new_page(width=300, height=200).insert_text((30, 60), f"page {number}")
        document.save(path := Path(folder) / "pages.pdf")
        for seconds in map(float, asked.device.split(",")):
            for drafters in asked.drafters.split(","):
                found.append(simulated(path, drafters, seconds, early=not asked.late))
                print(found[-1], flush=True)
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    if len(sys.argv) == 3 and all(word.isdigit() for word in sys.argv[1:]):
        worker.open_drafter = lambda *_: SleepingDrafter()  # as a worker: the descriptor and the parent
        worker.main(int(sys.argv[1]), int(sys.argv[2]))
    else:
        main()
