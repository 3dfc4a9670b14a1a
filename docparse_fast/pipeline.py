"""One page after the other: render, draft, and hand on what was read. Knows the order of things, not how they are done.

    open_pages -> Page -> Drafter.draft -> PageDraft -> ParsedPage -> ParsedDocument

A page that can't be done is marked and the next one is taken; only a file that can't be opened raises.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docparse_fast import __version__
from docparse_fast.document import (
    Block,
    Box,
    Category,
    Failure,
    Page,
    PageDraft,
    PageSource,
    ParsedDocument,
    ParsedPage,
    Region,
    TextLayer,
)
from docparse_fast.drafting import Drafter, open_drafter
from docparse_fast.errors import DocparseError, ModelError, PageError, UsageError
from docparse_fast.options import ParseOptions
from docparse_fast.pages import OpenDocument, open_pages
from docparse_fast.timing import Timer

if TYPE_CHECKING:
    from PIL import Image

DRAFTS_ONLY = ("auto", "none")  # targets that mean: nothing verifies

KeepFigure = Callable[[int, int, "Image.Image"], str]  # page number, figure number, picture -> its link

log = logging.getLogger("docparse_fast")


def parse(path: str | Path, options: ParseOptions | None = None) -> ParsedDocument:
    """A PDF or an image, read.

    >>> parse("in.pdf").markdown()                                # doctest: +SKIP
    """
    options = options or ParseOptions()
    pipeline = open_pipeline(options)
    with open_pages(path, options.raster) as document:
        return parsed_document(document, str(path), tuple(pipeline.pages(document)), options)


def open_pipeline(options: ParseOptions) -> Pipeline:
    """Loads what the options name; raises ModelError where it is not on this machine."""
    if options.target.name not in DRAFTS_ONLY:
        raise ModelError(
            "model_missing",
            f"--target {options.target.name!r}: this version has no model that verifies",
            remedy="leave --target out, or say --target none, to have the drafts alone",
        )
    if options.drafting.drafter == "none":
        raise UsageError("--drafter none leaves nobody to read the pages", remedy="choose a drafter")
    return Pipeline(open_drafter(options.drafting))


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Everything a page goes through, loaded once and used for page after page."""

    drafter: Drafter
    clock: Callable[[], float] = time.perf_counter

    def pages(self, document: OpenDocument, keep_figure: KeepFigure | None = None) -> Iterator[ParsedPage]:
        """The document's selected pages as they get done. `keep_figure` stores a picture and says how it is linked."""
        for page in document.pages():
            timer = Timer(self.clock)
            try:
                yield self._parse(page, document, keep_figure, timer)
            finally:
                page.close()

    def _parse(self, page: Page, document: OpenDocument, keep_figure: KeepFigure | None, timer: Timer) -> ParsedPage:
        _time_source(page, timer)
        try:
            with timer.span("draft"), _as_page_error(page):
                draft = self.drafter.draft(page)
            with timer.span("figures"), _as_page_error(page):
                blocks = _blocks(page, draft, keep_figure)
        except PageError as error:
            return _failed(page, error, document.warnings(page.number), timer)
        return _drafted(page, draft, blocks, document, timer)


def parsed_document(
    document: OpenDocument, name: str, pages: tuple[ParsedPage, ...], options: ParseOptions
) -> ParsedDocument:
    return ParsedDocument(
        source=name,
        sha256=document.sha256,
        pages=pages,
        options=recorded_options(options),
        models=models(),
        warnings=document.warnings(),
    )


def recorded_options(options: ParseOptions) -> dict[str, Any]:
    """By the names the command line has for them. A password is recorded nowhere."""
    raster, drafting = options.raster, options.drafting
    return {
        "target": options.target.name,
        "drafter": drafting.drafter,
        "ocr": drafting.ocr,
        "lang": drafting.lang,
        "pages": raster.pages,
        "max_pages": raster.max_pages,
        "dpi": raster.dpi,
        "max_pixels": raster.max_pixels,
        "tables": options.tables,
        "keep_furniture": options.keep_furniture,
    }


def models() -> dict[str, str]:
    """The packages whose weights or rules decide what is read, by version."""
    found = {"docparse-fast": __version__}
    for name in ("pymupdf", "rapidocr", "onnxruntime"):
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


# --------------------------------------------------------------------------------------------- one page


def _time_source(page: Page, timer: Timer) -> None:
    """Rendering and reading the text layer happen when a drafter asks for them; they are counted by themselves."""

    source = page.source

    def render() -> Image.Image:
        with timer.span("raster"):
            return source.render()

    def text_layer() -> TextLayer | None:
        with timer.span("text_layer"):
            return source.text_layer()

    page.source = PageSource(render, text_layer)


@contextmanager
def _as_page_error(page: Page) -> Iterator[None]:
    """Whatever goes wrong with a page ends with it: drafters rest on native code that fails in ways of its own."""
    try:
        yield
    except PageError:
        raise
    except MemoryError as error:
        raise PageError("out_of_memory", "no memory left for it", remedy="try a smaller --max-pixels") from error
    except DocparseError:
        raise  # a model that is missing is missing for every page
    except Exception as error:
        log.debug("page %d", page.number, exc_info=True)
        raise PageError("draft_failed", f"{type(error).__name__}: {error}") from error


def _blocks(page: Page, draft: PageDraft, keep_figure: KeepFigure | None) -> tuple[Block, ...]:
    blocks = []
    figures = 0
    for region in draft.regions:
        image = None
        if region.category is Category.FIGURE and keep_figure is not None:
            figures += 1
            image = keep_figure(page.number, figures, _cut_out(page, draft, region.box))
        blocks.append(_block(region, image))
    return tuple(blocks)


def _block(region: Region, image: str | None) -> Block:
    return Block(
        category=region.category,
        text=region.text,
        box=region.box,
        level=region.level,
        sources=tuple(draft.source for draft in region.drafts[:1]),
        confidence=region.drafts[0].confidence if region.drafts else None,
        image=image,
    )


def _cut_out(page: Page, draft: PageDraft, box: Box) -> Image.Image:
    """Boxes are in the draft's own pixels: those of the page image turned upright."""
    upright = page.image.rotate(-draft.turned, expand=True) if draft.turned else page.image
    box = box.clipped(upright.width, upright.height)
    left, top = math.floor(box.x0), math.floor(box.y0)
    return upright.crop((left, top, max(left + 1, math.ceil(box.x1)), max(top + 1, math.ceil(box.y1))))


def _drafted(
    page: Page, draft: PageDraft, blocks: tuple[Block, ...], document: OpenDocument, timer: Timer
) -> ParsedPage:
    cut_off = document.is_cut_off(page.number)
    return ParsedPage(
        number=page.number,
        width=draft.width,
        height=draft.height,
        dpi=page.dpi,
        label=page.label,
        status="partial" if cut_off else "blank" if draft.blank else "ok",
        error=Failure("truncated", "a part of the page's image is missing from the file") if cut_off else None,
        blocks=blocks,
        stats={
            "drafter": draft.drafter,
            "reason": draft.reason,
            "turned": draft.turned,
            "warnings": [*document.warnings(page.number), *draft.warnings],
        },
        seconds=_seconds(timer),
    )


def _failed(page: Page, error: PageError, warnings: Sequence[str], timer: Timer) -> ParsedPage:
    return ParsedPage(
        number=page.number,
        width=page.width,
        height=page.height,
        dpi=page.dpi,
        label=page.label,
        status="failed",
        error=Failure(error.code, str(error)),
        stats={"warnings": list(warnings)},
        seconds=_seconds(timer),
    )


def _seconds(timer: Timer) -> Mapping[str, float]:
    """Spans side by side: what was asked of the page's source is taken out of the span that asked for it."""
    seconds = dict(timer.seconds)
    inner = seconds.get("raster", 0.0) + seconds.get("text_layer", 0.0)
    seconds["draft"] = max(0.0, seconds.get("draft", 0.0) - inner)
    return seconds
