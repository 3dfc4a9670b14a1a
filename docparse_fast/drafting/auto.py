"""Who drafts a page: its own text layer, the embedded models, or both. Decides page by page and says why.

Knows the two drafters and the verdicts on a text layer; measures nothing itself.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING

from docparse_fast.document import SOUND_LAYER, Box, Failure, Page, PageDraft, TextLayer
from docparse_fast.drafting.born_digital.soundness import Soundness, judge, stand_alone
from docparse_fast.drafting.born_digital.text_layer import TextLayerDrafter, as_it_stands
from docparse_fast.drafting.born_digital.unmapped import completed_layer
from docparse_fast.drafting.learned import readers
from docparse_fast.drafting.lines import Line, letters_of
from docparse_fast.drafting.measures import MOST
from docparse_fast.drafting.rivals import agreement, draft_pieces, layer_pieces, text_of, with_rivals
from docparse_fast.drafting.scans.languages import check_languages, reads
from docparse_fast.errors import DocparseError
from docparse_fast.geometry import parted
from docparse_fast.options import DraftOptions
from docparse_fast.text.unknown_letters import lacks_letters

if TYPE_CHECKING:
    from docparse_fast.drafting.scans.embedded import EmbeddedDrafter

log = logging.getLogger(__name__)

FEWEST_READ_LINES = 5  # in a picture, from which it is a scanned piece of text and no figure
FEWEST_READ_LETTERS = 150


@dataclass(frozen=True, slots=True)
class _ReadPicture:
    """What an OCR found in a picture of a page that has words of its own."""

    lines: list[Line]  # the page's text, if it is a piece of text; of a figure none
    failure: Failure | None  # why some of it can't be read
    is_needed: bool  # without it, something of the page is missing


class AutoDrafter:
    """Takes a sound text layer, or reads the page's picture."""

    name = "auto"

    def __init__(self, options: DraftOptions, threads: int = 1) -> None:
        if options.ocr != "never":
            check_languages(options.lang)
        self._options = options
        self._threads = threads
        self._learned = readers(threads)
        learned = self._learned if options.layout != "never" else None
        self._text_layer = TextLayerDrafter(learned, always=options.layout == "always")
        self._plain_layer = TextLayerDrafter()

    @cached_property
    def _embedded(self) -> EmbeddedDrafter:
        from docparse_fast.drafting.scans.embedded import EmbeddedDrafter  # loads models: only where a page needs them

        return EmbeddedDrafter(self._threads, self._options.lang, self._learned)

    def draft(self, page: Page) -> PageDraft:
        try:
            return self._by_its_reader(page, self._text_layer)
        except (DocparseError, MemoryError):  # a missing model, or a machine at its end: no other reader helps
            raise
        except Exception as error:  # a mistake of ours, in whatever reader: another one keeps the page
            log.debug("page %d", page.number, exc_info=True)
            return self._by_another(page, error)

    def _by_another(self, page: Page, error: Exception) -> PageDraft:
        """By the layer without trained readers, an OCR, or line by line; the first error if all of them fail."""
        failed = f"its reader failed ({type(error).__name__}: {error})"
        said = f"{failed}; read in a plainer way"
        for reader in self._others():
            with suppress(Exception):
                draft = reader(page)
                return replace(draft, reason=said, warnings=(*draft.warnings, said))
        torn = Failure("low_confidence", f"{failed}; read line by line")
        for read_lines in (self._by_lines, self._by_read_lines):
            with suppress(Exception):
                return replace(read_lines(page), reason=torn.message).failed(torn)
        raise error

    def _others(self) -> list[Callable[[Page], PageDraft]]:
        if self._options.ocr == "always":
            return [self._by_ocr]
        return [self._by_plain_layer] if self._options.ocr == "never" else [self._by_plain_layer, self._by_ocr]

    def _by_plain_layer(self, page: Page) -> PageDraft:
        if page.text_layer is None:
            raise ValueError("no text layer")
        return self._by_its_reader(page, self._plain_layer)

    def _by_ocr(self, page: Page) -> PageDraft:
        return self._embedded.draft(page)

    def _by_lines(self, page: Page) -> PageDraft:
        if page.text_layer is None or not (draft := as_it_stands(page.text_layer, page)).regions:
            raise ValueError("no text layer")
        return draft

    def _by_read_lines(self, page: Page) -> PageDraft:
        if self._options.ocr == "never":
            raise ValueError("OCR is switched off")
        return self._embedded.draft_of_lines(page)

    def _by_its_reader(self, page: Page, own: TextLayerDrafter) -> PageDraft:
        if self._options.ocr == "always":
            return replace(self._embedded.draft(page), reason="OCR is asked for on every page")
        if page.text_layer is None:
            return self._without_layer(page)
        soundness = judge(page.text_layer, page.width, page.height)
        if self._options.ocr == "never":
            return self._unread(page, soundness, own)
        if soundness.verdict in ("empty", "sound"):
            return self._complete(page, page.text_layer, soundness, own)
        if soundness.verdict == "partial":
            return self._both(page, page.text_layer, soundness, own)
        if soundness.verdict == "missing":
            return replace(self._embedded.draft(page), reason=soundness.reason)
        return self._weighed(page, page.text_layer, soundness, own)

    def _without_layer(self, page: Page) -> PageDraft:
        if self._options.ocr == "never":
            warning = "the page is an image and OCR is switched off: nothing was read"
            return PageDraft(page.number, page.width, page.height, drafter="none", reason=warning, warnings=(warning,))
        return replace(self._embedded.draft(page), reason="the page is an image")

    def _complete(self, page: Page, layer: TextLayer, soundness: Soundness, own: TextLayerDrafter) -> PageDraft:
        """The layer's own words; letters that have no meaning there are read, where the picture stands as the page."""
        if not any(lacks_letters(line.text) for line in layer.lines):
            return replace(own.draft(page), reason=soundness.reason)
        whole = completed_layer(layer, [] if (read := self._embedded.read(page.image)).turned else read.lines)
        return replace(own.draft(page, layer=whole), reason=f"{soundness.reason}; an OCR read letters that it lacks")

    def _unread(self, page: Page, soundness: Soundness, own: TextLayerDrafter) -> PageDraft:
        reason = f"OCR is switched off; {soundness.reason}"
        warnings = () if soundness.verdict in ("empty", "sound") else (reason,)
        trust = None if warnings else SOUND_LAYER
        return replace(own.draft(page), reason=reason, warnings=warnings, layer_trust=trust)

    def _weighed(self, page: Page, layer: TextLayer, soundness: Soundness, own: TextLayerDrafter) -> PageDraft:
        """Both readings, the likelier first: an OCR's, unless it says what the layer says or sees little of it."""
        claimed = " ".join(text for _, text in layer_pieces(layer))
        if not reads(claimed) and (soundness.verdict != "broken" or soundness.legible):
            reason = f"{soundness.reason}; its script is one that the recogniser reads badly"
            return replace(own.draft(page), reason=reason, warnings=(reason,), layer_trust=None)
        read = self._embedded.draft(page)
        is_seen = len(seen := text_of(read)) >= MOST * len(claimed)
        if soundness.verdict == "doubtful":
            draft = own.draft(page)
            agreed = agreement(said := text_of(draft), seen)
            if not is_seen or (agreed >= MOST and stand_alone(said) is stand_alone(seen)):
                other = [] if read.turned != draft.turned else draft_pieces(read)
                reason = f"{soundness.reason}; an OCR reads {agreed:.0%} of them so"
                return replace(with_rivals(draft, other, read.drafter), reason=reason, layer_trust=agreed)
        unseen = Failure("low_confidence", f"{soundness.reason}, and an OCR sees little of it; look at the page")
        read = replace(with_rivals(read, [] if read.turned else layer_pieces(layer)), reason=soundness.reason)
        return read if is_seen or read.failure or soundness.verdict == "hidden" else read.failed(unseen)

    def _both(self, page: Page, layer: TextLayer, soundness: Soundness, own: TextLayerDrafter) -> PageDraft:
        """The layer's own words, and an OCR's where a picture turns out to hold text."""
        read = [self._read(page, layer, area) for area in soundness.areas]
        lines = [line for each in read for line in each.lines]
        needed, others = parted([(each.failure, each.is_needed) for each in read if each.failure], itemgetter(1))
        failure = needed[0][0] if needed else None
        notes = tuple(f"in a picture: {failed.message}" for failed, _ in others)
        if not lines and failure is None:
            return replace(own.draft(page), reason=f"{soundness.reason}; it holds none", warnings=notes)
        draft = own.draft(page, read=lines)
        draft = replace(draft, drafter="text-layer+embedded", reason=f"{soundness.reason}; it does", warnings=notes)
        return draft.failed(failure)

    def _read(self, page: Page, layer: TextLayer, area: Box) -> _ReadPicture:
        area = area.clipped(page.width, page.height)
        left, top = round(area.x0), round(area.y0)
        reading = self._embedded.read(page.image.crop((left, top, round(area.x1), round(area.y1))))
        letters = letters_of(reading.lines)
        if reading.turned or len(reading.lines) < FEWEST_READ_LINES or letters < FEWEST_READ_LETTERS:
            is_large = area.area >= MOST * page.width * page.height
            is_text = reading.found - len(reading.lines) >= FEWEST_READ_LINES
            return _ReadPicture([], reading.failure, is_large or is_text)
        own = [line.box for line in layer.lines]
        lines = [line.shifted(left, top) for line in reading.lines]
        lines = [line for line in lines if not any(box.covers(line.box) > 0.5 for box in own)]
        return _ReadPicture(lines, reading.failure, is_needed=True)
