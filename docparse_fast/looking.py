"""Shows a target that waits for drafts the next page, so that it has looked at it when they come. Knows no draft.

A look is what the target would do first with the page; one at a page that is then turned or blank was in vain, but
nothing else was there to do.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from docparse_fast.drafted import DraftedPage
from docparse_fast.timing import Timer

if TYPE_CHECKING:
    from PIL import Image

    from docparse_fast.verification.target import DocumentTarget

log = logging.getLogger("docparse_fast")


@dataclass(frozen=True, slots=True)
class EarlyLook:
    image: Image.Image
    view: object
    seconds: float


class EarlyLooks:
    """Images come from the drafter's thread, all else happens on the reader's."""

    def __init__(self, target: DocumentTarget, numbers: Sequence[int], new_timer: Callable[[], Timer] = Timer) -> None:
        self._target = target
        self._awaited = deque(numbers)
        self._new_timer = new_timer
        self._sights: dict[int, Image.Image] = {}
        self._look: EarlyLook | None = None  # at the page that is awaited

    def offer(self, number: int, image: Image.Image) -> None:
        self._sights[number] = image

    def look(self) -> None:
        """At the page that is awaited, if it can be seen already."""
        image = self._sights.pop(self._awaited[0], None) if self._awaited else None
        if image is None:
            return
        timer = self._new_timer()
        try:
            with timer.span("look"):
                view = self._target.look(image)
        except Exception:  # the page will be looked at again, and then it counts
            log.debug("page %d could not be looked at early", self._awaited[0], exc_info=True)
        else:
            self._look = EarlyLook(image, view, timer.seconds["look"])

    def taken(self, pages: Iterable[DraftedPage]) -> Iterator[DraftedPage]:
        """The drafted pages, with the looks at them."""
        for page in pages:
            self._awaited.popleft()
            self._sights.pop(page.number, None)
            look, self._look = self._look, None
            yield page if look is None or look.image is not page.seen else _with(page, look)


def _with(page: DraftedPage, look: EarlyLook) -> DraftedPage:
    return replace(page, view=look.view, seconds={**page.seconds, "look": look.seconds})
