"""A drafted page as a value: it needs no open file and can be sent to another process.

Knows pages and drafters; knows no target. An error here fails its page alone.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from docparse_fast.document import Box, Category, FormField, OutlineEntry, Page, PageDraft, Region
from docparse_fast.drafting import Drafter
from docparse_fast.errors import DocparseError, PageError
from docparse_fast.pages import OpenDocument
from docparse_fast.rendering.picture import page_picture
from docparse_fast.system.memory import give_back
from docparse_fast.timing import Timer
from docparse_fast.work import one_page

if TYPE_CHECKING:
    from PIL import Image

KeepPage = Callable[[int, bytes], None]  # page number, the upright page as a file
TellImage = Callable[[int, "Image.Image"], None]  # page number, the page as it was drawn
DraftPages = Callable[[Any, Sequence[int], Drafter, "Wanted", Callable[[], Timer]], Iterator["DraftedPage"]]

log = logging.getLogger("docparse_fast")

PAGES_KEPT = 8  # after so many pages, free memory is given back: that costs 0.07 CPU seconds


class Source(Protocol):
    """An open document: in this process, or in another that has it open."""

    @property
    def numbers(self) -> Sequence[int]:
        """Its selected pages."""

    @property
    def sha256(self) -> str: ...

    @property
    def bookmarks(self) -> tuple[OutlineEntry, ...]: ...

    def warnings(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class DraftedPage:
    """Everything known of a page before a target reads it."""

    number: int
    draft: PageDraft
    width: int = 0  # pixels of the rendered image before it was turned upright
    height: int = 0
    dpi: float = 0.0
    label: str = ""
    warnings: tuple[str, ...] = ()  # about the page in the file
    cut_off: bool = False  # a part of the page is missing from the file
    form: tuple[FormField, ...] = ()  # the file's own fields; without boxes where the page was turned
    picture: Image.Image | None = None  # upright; None if it was not wanted
    seconds: Mapping[str, float] = field(default_factory=dict)
    error: PageError | None = None  # why the page has no draft
    view: object = None  # what the target has looked at already, if it looked before the draft was there

    @property
    def is_to_verify(self) -> bool:
        """A target reads only pages that have content."""
        return self.error is None and not self.draft.blank

    @property
    def seen(self) -> Image.Image | None:
        return self.picture if self.draft.flat is None else self.draft.flat.image

    @property
    def image(self) -> Image.Image:
        """What a target sees: the upright page, or a photograph flattened; `regions` have boxes in its pixels."""
        if (seen := self.seen) is None:
            raise ValueError(f"page {self.number} was drafted without its image")
        return seen

    @property
    def regions(self) -> tuple[Region, ...]:
        return self.draft.regions if self.draft.flat is None else self.draft.flat.regions

    @property
    def size(self) -> tuple[int, int]:
        return self.image.width, self.image.height

    def crop(self, box: Box, margin: int = 0) -> Image.Image:
        return cropped(self.image, box, margin)


def cropped(image: Image.Image, box: Box, margin: int = 0) -> Image.Image:
    """The part of the image inside the box, plus `margin` pixels around it; at least one pixel."""
    around = box.expanded(margin).clipped(image.width, image.height)
    left, top = math.floor(around.x0), math.floor(around.y0)
    return image.crop((left, top, max(left + 1, math.ceil(around.x1)), max(top + 1, math.ceil(around.y1))))


@dataclass(frozen=True, slots=True)
class Wanted:
    """Who needs the page's image. A page is never rendered if neither its drafter nor anything else needs its image."""

    for_target: bool = False
    for_figures: bool = False
    show: KeepPage | None = None  # called with every page
    sight: TellImage | None = None  # called with every page before it is drafted

    def wants_image(self, draft: PageDraft) -> bool:
        has_figures = any(region.category is Category.FIGURE for region in draft.regions)
        return (self.for_target and not draft.blank) or (self.for_figures and has_figures)


def draft_pages(
    document: OpenDocument,
    numbers: Iterable[int],
    drafter: Drafter,
    wanted: Wanted,
    new_timer: Callable[[], Timer] = Timer,
) -> Iterator[DraftedPage]:
    for count, page in enumerate(document.pages(numbers, new_timer), 1):
        try:
            drafted = _draft_page(page, document, drafter, wanted)
        finally:
            page.close()
        if count % PAGES_KEPT == 0:
            give_back()
        yield drafted


def _draft_page(page: Page, document: OpenDocument, drafter: Drafter, wanted: Wanted) -> DraftedPage:
    draft = PageDraft(page.number, page.width, page.height)
    picture, error = None, None
    if wanted.sight is not None:  # one that can't be drawn fails below
        with suppress(PageError), as_page_error(page.number):
            page.image.load()  # two threads may not do that at once
            wanted.sight(page.number, page.image)
    try:
        with page.timer.span("draft"), as_page_error(page.number), one_page() as work:
            draft = drafter.draft(page)
            draft = replace(draft, warnings=(*draft.warnings, *work.warnings))
            picture = _upright(page, draft) if wanted.wants_image(draft) else None
    except PageError as reason:
        error = reason
    if wanted.show is not None:  # a page that can't be rendered has no picture, but its draft stays
        with suppress(PageError), page.timer.span("picture"), as_page_error(page.number):
            wanted.show(page.number, page_picture(picture or _upright(page, draft)))
    return DraftedPage(
        page.number,
        draft,
        page.width,
        page.height,
        page.dpi,
        page.label,
        document.warnings(page.number),
        document.is_cut_off(page.number),
        _form(document.fields(page.number), draft),
        picture,
        dict(page.timer.seconds),
        error,
    )


def _form(fields: Sequence[FormField], draft: PageDraft) -> tuple[FormField, ...]:
    return tuple(replace(field, box=None) if draft.turned else field for field in fields)


def _upright(page: Page, draft: PageDraft) -> Image.Image:
    return page.image.rotate(-draft.turned, expand=True) if draft.turned else page.image


@contextmanager
def as_page_error(number: int) -> Iterator[None]:
    """Turns any exception into an error of this page; drafters rest on native code that fails in many ways."""
    try:
        yield
    except PageError:
        raise
    except MemoryError as error:
        raise PageError("out_of_memory", "no memory left for it", remedy="try a smaller --max-pixels") from error
    except DocparseError:
        raise  # a missing model is missing for every page
    except Exception as error:
        log.debug("page %d", number, exc_info=True)
        raise PageError("draft_failed", f"{type(error).__name__}: {error}") from error
