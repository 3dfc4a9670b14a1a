"""Asks a target what it makes of the words of a converted page: one look at the page, and a pass over its whole text.

Nothing is decoded, so it costs little more than the look. Knows pages and targets; knows no file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docparse_fast.document import EDITED, Block, Box, Category, Draft, Failure, ParsedPage, Region
from docparse_fast.proofreading.judged_words import JudgedWord, judged_word, missing_after, words_in
from docparse_fast.proofreading.spots import word_boxes
from docparse_fast.searchable.rows import InkRows
from docparse_fast.verification.failures import Device
from docparse_fast.verification.judged_regions import JudgingTarget, judged_pieces, with_following
from docparse_fast.verification.placing import places_of

if TYPE_CHECKING:
    from PIL import Image


@dataclass(frozen=True, slots=True)
class DoubtfulWord:
    block: int  # its place on the page, from 0
    word: str  # empty: words are missing at the block's end
    share: float  # rho: p(its least likely token) over that and p(the best other one)
    instead: str  # how the target would begin instead
    box: Box | None  # the block's
    spot: Box | None  # about where the word is


@dataclass(frozen=True, slots=True)
class JudgedBlock:
    words: tuple[JudgedWord | None, ...]  # None: it was not judged
    more: JudgedWord | None  # what the target would write on at its end


@dataclass(frozen=True, slots=True)
class ProofreadPage:
    number: int
    words: int = 0  # judged
    doubts: tuple[DoubtfulWord, ...] = ()  # those with the least share first
    unjudged: tuple[int, ...] = ()  # blocks with words that were not judged
    error: Failure | None = None
    digest: str = ""  # of the page in document.json


@dataclass(frozen=True, slots=True)
class Proofreader:
    """
    >>> Proofreader(target, below=0.1).page(page, image).doubts[0].word          # doctest: +SKIP
    'invioce'
    """

    target: JudgingTarget
    below: float  # words with a smaller share are doubtful
    device: Device

    def page(self, page: ParsedPage, image: Image.Image) -> ProofreadPage:
        """`image` is upright, as the page's boxes are. An error of the target costs this page."""
        if self.device.lost is not None:
            return ProofreadPage(page.number, error=self.device.lost)
        try:
            judged = self.judged(page, image)
        except Exception as error:
            return ProofreadPage(page.number, error=self.device.failure_of(error, page.number))
        rows = InkRows(image)
        doubts = [doubt for n, found in judged.items() for doubt in self._doubts(n, page.blocks[n], found, rows)]
        spoken = [n for n, block in enumerate(page.blocks) if words_in(block.text)]
        return ProofreadPage(
            page.number,
            sum(word is not None for found in judged.values() for word in found.words),
            tuple(sorted(doubts, key=lambda doubt: doubt.share)),
            tuple(n for n in spoken if n not in judged or None in judged[n].words),
        )

    def judged(self, page: ParsedPage, image: Image.Image) -> dict[int, JudgedBlock]:
        """The blocks that were judged, by their places on the page."""
        told = dict(self._regions(page))
        numbers, regions = list(told), list(told.values())
        found = {}
        for piece, judged, following in with_following(judged_pieces(regions, image, self.target)):
            blocks = [numbers[n] for n in piece.regions]
            for n, place in zip(blocks, places_of([page.blocks[n] for n in blocks], judged.text), strict=True):
                if place is not None:
                    words = [word for word in words_in(judged.text) if place.start <= word.start < place.stop]
                    more = missing_after(judged, place.stop, following)
                    found[n] = JudgedBlock(tuple(judged_word(judged, word) for word in words), more)
        return found

    def _regions(self, page: ParsedPage) -> Iterator[tuple[int, Region]]:
        """The blocks with text; a target of single elements can look only at those with a place."""
        whole = Box(0, 0, page.width, page.height) if self.target.dialect.page_prompt is not None else None
        for number, block in enumerate(page.blocks):
            box = block.box or whole
            if box is not None and block.text.strip() and block.category is not Category.FIGURE:
                draft = Draft(block.text, _writer(block.sources))
                yield number, Region(box, block.category, (draft,), block.level, block.type_size)

    def _doubts(self, n: int, block: Block, judged: JudgedBlock, rows: InkRows) -> Iterator[DoubtfulWord]:
        words = [*judged.words, judged.more]
        doubtful = [(at, word) for at, word in enumerate(words) if word is not None and word.share < self.below]
        boxes = word_boxes(block, rows.in_box) if doubtful else []
        for at, word in doubtful:
            spot = boxes[min(at * len(boxes) // max(1, len(judged.words)), len(boxes) - 1)] if boxes else None
            yield DoubtfulWord(n, word.text, word.share, word.instead, block.box, spot and spot.rounded())


def _writer(sources: Sequence[str]) -> str:
    """Who wrote the text as it stands: a target stands behind the drafters that it read with."""
    return next((source for source in reversed(sources) if source != EDITED), "")
