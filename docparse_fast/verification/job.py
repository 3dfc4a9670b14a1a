"""One page on its way through the stages: what is known of it before a target looks. Knows no model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docparse_fast.document import PageDraft, Region
from docparse_fast.timing import Timer

if TYPE_CHECKING:
    from PIL import Image

PAGES_TOGETHER = 4  # whose crops share Stage 1's passes: more pages would hold more images


@dataclass(slots=True, eq=False)
class Job:
    """`image` stands upright: the draft's boxes are in its pixels."""

    number: int
    image: Image.Image
    draft: PageDraft
    timer: Timer = field(default_factory=Timer)

    @property
    def regions(self) -> tuple[Region, ...]:
        return self.draft.regions

    @property
    def size(self) -> tuple[int, int]:
        return self.image.width, self.image.height
