"""Makes a page's result: its blocks, its figures cut out, its status and its evidence. Knows drafts and outcomes.

A page that no target read is its draft. An error here fails its page alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from docparse_fast.document import Block, Category, Failure, FlatPage, ParsedPage, Status, block_of
from docparse_fast.drafted import DraftedPage, as_page_error, cropped
from docparse_fast.errors import PageError
from docparse_fast.evidence import PageEvidence
from docparse_fast.quality.adding_up import with_sums
from docparse_fast.quality.confidence import confidence_of, expected_of, rubbish, with_certainties
from docparse_fast.quality.doubts import doubts_of, unanswered
from docparse_fast.quality.proven_figures import changed_figures
from docparse_fast.quality.structure import structure_of
from docparse_fast.text.placed_words import PlacedWords, moved
from docparse_fast.timing import Timer

if TYPE_CHECKING:
    from PIL import Image

    from docparse_fast.verification.outcome import Outcome

# page number, figure number (None: the whole page, flattened), picture -> its link; "": not kept
KeepFigure = Callable[[int, int | None, "Image.Image"], str]

CUT_OFF = Failure("truncated", "a part of the page is missing from the file")


def page_result(page: DraftedPage, outcome: Outcome | None, keep_figure: KeepFigure | None, timer: Timer) -> ParsedPage:
    """`outcome` is the target's reading; None if no target read the page."""
    if page.error is not None:
        return _failed(page, page.error)
    page = replace(page, draft=with_certainties(page.draft))
    if outcome is None:
        blocks = tuple(block_of(region) for region in page.draft.regions)
    else:
        blocks = tuple(_on_photograph(block, page.draft.flat) for block in outcome.blocks)
    try:
        with timer.span("figures"), as_page_error(page.number):
            blocks = tuple(_with_figures(page, blocks, keep_figure))
            flat = page.draft.flat
            flattened = keep_figure(page.number, None, flat.image) if flat and keep_figure else None
    except PageError as error:
        return _failed(page, error)
    seconds = {**page.seconds, **(outcome.seconds if outcome is not None else {}), **timer.seconds}
    return replace(_finished(page, blocks, outcome), seconds=seconds, flattened=flattened or None)


def _on_photograph(block: Block, flat: FlatPage | None) -> Block:
    """What a target read on a flattened page, at its place on the photograph."""
    if flat is None:
        return block
    words = PlacedWords.of(moved(block.words, flat.placed))
    return replace(block, box=flat.placed(block.box) if block.box else None, words=words)


def _with_figures(page: DraftedPage, blocks: Sequence[Block], keep_figure: KeepFigure | None) -> Iterator[Block]:
    """Cuts out each figure and stores it, in order."""
    number = 0
    for block in blocks:
        if keep_figure is None or block.category is not Category.FIGURE or block.box is None:
            yield block
            continue
        if page.picture is None:
            raise ValueError(f"page {page.number} was drafted without its picture")
        number += 1
        yield replace(block, image=keep_figure(page.number, number, cropped(page.picture, block.box)))


def _finished(page: DraftedPage, blocks: Sequence[Block], outcome: Outcome | None) -> ParsedPage:
    draft = page.draft
    status: Status = "blank" if draft.blank else outcome.status if outcome is not None else "ok"
    error = outcome.error if outcome is not None else None
    answered = outcome is not None and outcome.verified == "page"
    if draft.failure is not None and error is None and not answered:
        status, error = "partial", draft.failure  # a target that read the whole page made up for it
    expected = expected_of(draft) if outcome is None else None
    if error is None and (failure := rubbish(expected)):
        status, error = "partial", failure
    blocks = with_sums(blocks)
    structure = structure_of(blocks) if outcome is None else None
    doubts = doubts_of(blocks, draft, expected, structure, cut_off=page.cut_off, answered=answered)
    if outcome is not None:
        doubts += (*unanswered(blocks, draft), *changed_figures(blocks, draft))
    evidence = outcome.evidence if outcome is not None else PageEvidence()
    warned = (*page.warnings, *draft.warnings, *evidence.warnings, *(doubt.message for doubt in doubts))
    return ParsedPage(
        number=page.number,
        width=draft.width,
        height=draft.height,
        dpi=round(page.dpi, 2),
        label=page.label,
        status="partial" if page.cut_off else status,
        error=CUT_OFF if page.cut_off else error,
        verified=outcome.verified if outcome is not None else "none",
        exact=outcome.exact if outcome is not None else None,
        confidence=confidence_of(draft) if outcome is None else None,
        structure=structure,
        blocks=tuple(_as_stored(block, draft.width, draft.height) for block in blocks),
        form=page.form,
        evidence=replace(
            evidence,
            drafter=draft.drafter,
            reason=draft.reason,
            turned=draft.turned,
            flattened=draft.flat is not None,
            warnings=tuple(dict.fromkeys(warned)),
            doubts=doubts,
        ),
    )


def _as_stored(block: Block, width: int, height: int) -> Block:
    """Within the page, and rounded as stored pages are, so that fresh pages and stored ones are equal.

    A letter that runs over the page's edge has a box that does.
    """
    if block.box is None:
        return block
    words, box = block.words, block.box.clipped(width, height)
    if box != block.box:
        words = PlacedWords.of((each.clipped(width, height), word) for each, word in words)
    return replace(block, box=box.rounded(), words=words)


def _failed(page: DraftedPage, error: PageError) -> ParsedPage:
    return ParsedPage(
        number=page.number,
        width=page.width,
        height=page.height,
        dpi=round(page.dpi, 2),
        label=page.label,
        status="failed",
        error=Failure(error.code, str(error)),
        evidence=PageEvidence(warnings=page.warnings),
        seconds=dict(page.seconds),
    )
