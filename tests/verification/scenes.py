"""Pages in colours, so that a fake target recognises each page and each region by its colour."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from fake_document_target import FakeDocumentTarget
from PIL import Image

from docparse_fast.document import Box, Category, Draft, PageDraft, Region
from docparse_fast.drafted import DraftedPage
from docparse_fast.options import SpeculationOptions
from docparse_fast.timing import Timer
from docparse_fast.verification.outcome import Outcome
from docparse_fast.verification.stages import Stages
from docparse_fast.verification.windows import windows

WIDTH, HEIGHT = 200, 40  # of a region


@dataclass
class Scene:
    """A page's content and drafts; `crops` is what a target reads in each region."""

    number: int
    drafts: Sequence[Region]
    page: str | Exception = ""  # the target's answer to the page
    crops: Sequence[str | Exception] = field(default_factory=tuple)

    @property
    def draft(self) -> PageDraft:
        return PageDraft(self.number, WIDTH, self._height, tuple(self.drafts), drafter="recorded")

    @property
    def _height(self) -> int:
        return HEIGHT * max(1, len(self.drafts))

    @property
    def image(self) -> Image.Image:
        image = Image.new("RGB", (WIDTH, self._height), (self.number, 0, 0))
        for n, region in enumerate(self.drafts):
            box = region.box
            image.paste((self.number, n + 1, 0), (int(box.x0), int(box.y0), int(box.x1), int(box.y1)))
        return image

    @property
    def drafted(self) -> DraftedPage:
        return DraftedPage(self.number, self.draft, picture=self.image)


def region(
    n: int, text: str, category: Category = Category.TEXT, *, source: str = "embedded", sure: float = 0.5
) -> Region:
    """The n-th region of a page, one below the other."""
    box = Box(10, n * HEIGHT + 4, WIDTH - 10, (n + 1) * HEIGHT - 4)
    drafts = (Draft(text, source, sure),) if text else ()
    return Region(box, category, drafts, level=1 if category is Category.TITLE else 0)


def reader(scenes: Sequence[Scene]) -> Callable[[Image.Image, Category | None], str]:
    by_number = {scene.number: scene for scene in scenes}

    def read(image: Image.Image, category: Category | None) -> str:
        middle = (0, 0) if category is None else (image.width // 2, image.height // 2)
        number, part, _ = image.getpixel(middle)
        scene = by_number[number]
        answer = scene.page if category is None else scene.crops[part - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer

    return read


def verified(scenes: Sequence[Scene], **choices: Any) -> tuple[list[Outcome], FakeDocumentTarget]:
    """Sends all pages through both stages; keywords go to the options or to the fake target."""
    own = {name: choices.pop(name) for name in ("dialect", "doubts", "dtype", "slots") if name in choices}
    clock = choices.pop("clock", time.perf_counter)
    target = choices.pop("kind", FakeDocumentTarget)(reader(scenes), **own)
    options = SpeculationOptions(**{"tau": 1.0, **choices})
    stages = Stages(target, options, new_timer=lambda: Timer(clock))
    return list(outcomes(stages, scenes)), target


def outcomes(stages: Stages, scenes: Sequence[Scene]) -> Iterator[Outcome]:
    for window in windows((scene.drafted for scene in scenes), stages.waits):
        regions = stages.verify_regions(window)
        yield from stages.verify_pages(window, regions)


def texts(outcome: Outcome) -> list[str]:
    return [block.text for block in outcome.blocks]


def steps(outcome: Outcome, stage: str = "stage_2") -> float:
    """Passes after the prefill."""
    evidence = getattr(outcome.evidence, stage)
    return evidence.target_forwards - evidence.rows
