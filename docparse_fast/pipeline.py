"""One page after the other: render, draft, verify, and hand on. Knows the order of things, not how they are done.

    open_pages -> Page -> Drafter.draft -> PageDraft -> Stage 1 -> Stage 2 -> ParsedPage -> ParsedDocument

Where there is a target, the next pages are rendered and drafted while it looks at this one. A page that can't be done
is marked and the next one is taken; only a file that can't be opened raises.
"""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib import metadata
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

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
    Status,
    TextLayer,
    block_of,
)
from docparse_fast.drafting import Drafter, open_drafter
from docparse_fast.drafting.recognizer_weights import recognizer_identity
from docparse_fast.errors import DocparseError, PageError, UsageError
from docparse_fast.options import ParseOptions, SpeculationOptions, TargetOptions
from docparse_fast.pages import OpenDocument, open_pages
from docparse_fast.prefetching import ahead
from docparse_fast.targets import best_here, open_target
from docparse_fast.timing import Timer
from docparse_fast.verification.failures import Device
from docparse_fast.verification.job import PAGES_TOGETHER, Job

if TYPE_CHECKING:
    from PIL import Image

    from docparse_fast.verification.outcome import Outcome
    from docparse_fast.verification.target import DocumentTarget

PAGES_AHEAD = 2  # drafted while the target is busy, beside those whose crops it reads together

KeepFigure = Callable[[int, int, "Image.Image"], str]  # page number, figure number, picture -> its link
KeepPage = Callable[[int, "Image.Image"], None]  # page number, the page as its boxes see it

log = logging.getLogger("docparse_fast")


def parse(path: str | Path, options: ParseOptions | None = None) -> ParsedDocument:
    """A PDF or an image, read.

    >>> parse("in.pdf").markdown()                                # doctest: +SKIP
    """
    options = options or ParseOptions()
    pipeline = open_pipeline(options)
    with open_pages(path, options.raster) as document:
        return parsed_document(document, str(path), tuple(pipeline.pages(document)), options, pipeline.models())


def open_pipeline(options: ParseOptions) -> Pipeline:
    """Loads what the options name; raises ModelError where it is not on this machine."""
    target, reason = open_target_of(options)
    return Pipeline(open_drafter(options.drafting), target, options.speculation, why_target=reason)


def open_target_of(options: ParseOptions) -> tuple[DocumentTarget | None, str]:
    """The target that the options come to on this machine, if any, and why."""
    target, reason = _open_target(options.target, options.speculation)
    if options.drafting.drafter == "none" and target is None:
        raise UsageError("--drafter none leaves nobody to read the pages", remedy="choose a drafter, or a target")
    return target, reason


def _open_target(options: TargetOptions, speculation: SpeculationOptions) -> tuple[DocumentTarget | None, str]:
    if options.name == "none":
        return None, "drafts only were asked for"
    name, reason = options.name, "asked for"
    if name == "auto":
        best, reason = best_here(options.device, options.dtype)
        if best is None:
            return None, f"drafts only: {reason}"
        name = best.name
    target = open_target(
        name,
        device=options.device,
        dtype=options.dtype,
        offline=options.offline,
        temperature=speculation.temperature,
        repetition_penalty=speculation.repetition_penalty,
    )
    return target, reason


class Noted(Protocol):
    """Whoever knows what was noticed while a page was read."""

    def warnings(self, number: int) -> tuple[str, ...]: ...

    def is_cut_off(self, number: int) -> bool: ...


@dataclass(frozen=True, slots=True)
class Drafted:
    """A page out of the drafter's hands: its job, or why there is none."""

    page: Page
    timer: Timer
    draft: PageDraft | None = None
    job: Job | None = None  # where there is something for a target to look at
    error: PageError | None = None


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Everything a page goes through, loaded once and used for page after page."""

    drafter: Drafter
    target: DocumentTarget | None = None
    speculation: SpeculationOptions = field(default_factory=SpeculationOptions)
    why_target: str = ""
    new_timer: Callable[[], Timer] = Timer
    device: Device = field(default_factory=Device)  # the target's

    def pages(
        self,
        document: OpenDocument,
        keep_figure: KeepFigure | None = None,
        keep_page: KeepPage | None = None,
        numbers: Sequence[int] | None = None,
    ) -> Iterator[ParsedPage]:
        """The document's selected pages, or those named, as they get done.

        `keep_figure` stores a picture and says how it is linked; `keep_page` is shown each page, on the drafter's
        thread and before the page comes out here: without it a page that nobody looks at is never rendered.
        """
        numbers = document.numbers if numbers is None else numbers
        stream = self.drafted(document, numbers, keep_page, for_target=self.target is not None)
        if self.target is None:
            for drafted in stream:
                yield parsed_page(drafted, None, document, keep_figure)
            return
        with ahead(stream, PAGES_AHEAD) as coming:
            for _ in range(0, len(numbers), PAGES_TOGETHER):
                for drafted, outcome in verified(
                    islice(coming, PAGES_TOGETHER), self.target, self.speculation, self.device
                ):
                    yield parsed_page(drafted, outcome, document, keep_figure)

    def models(self) -> dict[str, str]:
        return models_used(self.target)

    def drafted(
        self, document: OpenDocument, numbers: Sequence[int], keep_page: KeepPage | None = None, *, for_target: bool
    ) -> Iterator[Drafted]:
        for page in document.pages(numbers):
            timer = self.new_timer()
            _time_source(page, timer)
            try:
                drafted = self._draft(page, timer, for_target)
                if keep_page is not None:
                    _show(page, drafted.draft, keep_page, timer)
                yield drafted
            finally:
                page.close()

    def _draft(self, page: Page, timer: Timer, for_target: bool) -> Drafted:
        try:
            with _span(timer, "draft"), _as_page_error(page):
                draft = self.drafter.draft(page)
                wanted = for_target and not draft.blank
                return Drafted(page, timer, draft, _job(page, draft, timer) if wanted else None)
        except PageError as error:
            return Drafted(page, timer, error=error)


def verified(
    block: Iterable[Drafted],
    target: DocumentTarget,
    options: SpeculationOptions,
    device: Device,
    done: Container[int] = (),
) -> Iterator[tuple[Drafted, Outcome | None]]:
    """Up to PAGES_TOGETHER neighbours, in order; those that no target need look at keep their place among the others.

    Which pages share passes hangs on their places in the document alone: so a page comes out the same wherever a run
    was broken off. Those in `done` come with no outcome.
    """
    waiting: deque[Drafted] = deque()

    def jobs() -> Iterator[Job]:
        for drafted in block:
            waiting.append(drafted)
            if drafted.job is not None:
                yield drafted.job

    from docparse_fast.verification.stages import verify  # only here: most runs have drafts only

    for job, outcome in verify(jobs(), target, options, done, device):
        while waiting[0].job is not job:
            yield waiting.popleft(), None
        yield waiting.popleft(), outcome
    while waiting:
        yield waiting.popleft(), None


def parsed_document(
    document: OpenDocument,
    name: str,
    pages: tuple[ParsedPage, ...],
    options: ParseOptions,
    models: Mapping[str, str],
) -> ParsedDocument:
    return ParsedDocument(
        source=name,
        sha256=document.sha256,
        pages=pages,
        options=recorded_options(options),
        models=models,
        warnings=document.warnings(),
    )


def recorded_options(options: ParseOptions) -> dict[str, Any]:
    """By the names the command line has for them. A password is recorded nowhere."""
    raster, drafting, speculation = options.raster, options.drafting, options.speculation
    return {
        "target": options.target.name,
        "drafter": drafting.drafter,
        "ocr": drafting.ocr,
        "lang": drafting.lang,
        "pages": raster.pages,
        "max_pages": raster.max_pages,
        "dpi": raster.dpi,
        "max_pixels": raster.max_pixels,
        "format": list(options.formats),
        "tables": options.tables,
        "keep_furniture": options.keep_furniture,
        "device": options.target.device,
        "dtype": options.target.dtype,
        "stages": speculation.stages,
        "tau": speculation.tau,
        "window": speculation.window,
        "temperature": speculation.temperature,
        "repetition_penalty": speculation.repetition_penalty,
        "max_new_tokens": speculation.max_new_tokens,
        "page_timeout": speculation.page_timeout,
        "check_exact": speculation.check_exact,
        "min_acceptance": speculation.min_acceptance,
    }


def models_used(target: DocumentTarget | None) -> dict[str, str]:
    """Everything that decides what is read, by version; the target by its revision, device and dtype."""
    found = models(target)
    if target is not None:
        identity = target.identity
        found["target"] = f"{identity.name}@{identity.revision} on {identity.device} in {identity.dtype}"
    return found


def models(target: DocumentTarget | None = None) -> dict[str, str]:
    """The packages whose weights or rules decide what is read, by version; the recogniser by its own weights."""
    found = {"docparse-fast": __version__}
    for name in ("pymupdf", "rapidocr", "onnxruntime", *(("torch", "transformers") if target is not None else ())):
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    found["recogniser"] = recognizer_identity()
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
def _span(timer: Timer, name: str) -> Iterator[None]:
    """Spans stand side by side: what is asked of the page's source meanwhile is counted by itself, not here too."""

    def of_source() -> float:
        return timer.seconds.get("raster", 0.0) + timer.seconds.get("text_layer", 0.0)

    before = of_source()
    try:
        with timer.span(name):
            yield
    finally:
        timer.seconds[name] = max(0.0, timer.seconds[name] - (of_source() - before))


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


def parsed_page(
    drafted: Drafted, outcome: Outcome | None, document: Noted, keep_figure: KeepFigure | None
) -> ParsedPage:
    """All that came of a page."""
    page, draft, timer = drafted.page, drafted.draft, drafted.timer
    warnings = document.warnings(page.number)
    if draft is None:
        return _failed(page, drafted.error or PageError("draft_failed", "nothing was drafted"), warnings, timer)
    blocks = outcome.blocks if outcome is not None else tuple(block_of(region) for region in draft.regions)
    try:
        with _span(timer, "figures"), _as_page_error(page):
            blocks = _with_pictures(blocks, drafted, draft, keep_figure)
    except PageError as error:
        return _failed(page, error, warnings, timer)
    finally:
        page.close()
    return _finished(page, draft, blocks, outcome, document, timer)


def _with_pictures(
    blocks: Sequence[Block], drafted: Drafted, draft: PageDraft, keep_figure: KeepFigure | None
) -> tuple[Block, ...]:
    """Figures cut out of the page and stored, in order."""
    if keep_figure is None:
        return tuple(blocks)
    made = []
    figures = 0
    for block in blocks:
        if block.category is Category.FIGURE and block.box is not None:
            figures += 1
            image = drafted.job.image if drafted.job is not None else _upright(drafted.page, draft)
            block = replace(block, image=keep_figure(drafted.page.number, figures, _cut_out(image, block.box)))
        made.append(block)
    return tuple(made)


def _show(page: Page, draft: PageDraft | None, keep_page: KeepPage, timer: Timer) -> None:
    """A page that can't be rendered has no picture; what else came of it stands."""
    with suppress(PageError), _span(timer, "picture"), _as_page_error(page):
        keep_page(page.number, page.image if draft is None else _upright(page, draft))


def _job(page: Page, draft: PageDraft, timer: Timer) -> Job:
    return Job(page.number, _upright(page, draft), draft, timer)


def _upright(page: Page, draft: PageDraft) -> Image.Image:
    """Boxes are in the draft's own pixels: those of the page image turned upright."""
    return page.image.rotate(-draft.turned, expand=True) if draft.turned else page.image


def _cut_out(image: Image.Image, box: Box) -> Image.Image:
    box = box.clipped(image.width, image.height)
    left, top = math.floor(box.x0), math.floor(box.y0)
    return image.crop((left, top, max(left + 1, math.ceil(box.x1)), max(top + 1, math.ceil(box.y1))))


def _finished(
    page: Page,
    draft: PageDraft,
    blocks: tuple[Block, ...],
    outcome: Outcome | None,
    document: Noted,
    timer: Timer,
) -> ParsedPage:
    cut_off = document.is_cut_off(page.number)
    status: Status = "blank" if draft.blank else outcome.status if outcome is not None else "ok"
    error = outcome.error if outcome is not None else None
    return ParsedPage(
        number=page.number,
        width=draft.width,
        height=draft.height,
        dpi=round(page.dpi, 2),
        label=page.label,
        status="partial" if cut_off else status,
        error=Failure("truncated", "a part of the page is missing from the file") if cut_off else error,
        verified=outcome.verified if outcome is not None else "none",
        exact=outcome.exact if outcome is not None else None,
        blocks=tuple(_as_stored(block) for block in blocks),
        stats={
            "drafter": draft.drafter,
            "reason": draft.reason,
            "turned": draft.turned,
            "warnings": [*document.warnings(page.number), *draft.warnings],
            **(outcome.stats if outcome is not None else {}),
        },
        seconds=dict(timer.seconds),
    )


def _as_stored(block: Block) -> Block:
    """A page is the same whether it comes from here or from what was stored of it."""
    return replace(block, box=block.box.rounded()) if block.box is not None else block


def _failed(page: Page, error: PageError, warnings: Sequence[str], timer: Timer) -> ParsedPage:
    return ParsedPage(
        number=page.number,
        width=page.width,
        height=page.height,
        dpi=round(page.dpi, 2),
        label=page.label,
        status="failed",
        error=Failure(error.code, str(error)),
        stats={"warnings": list(warnings)},
        seconds=dict(timer.seconds),
    )
