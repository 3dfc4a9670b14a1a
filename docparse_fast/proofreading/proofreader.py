"""Asks a target what it makes of the words of a converted page: one look at the page, and a pass over its whole text.

Nothing is decoded, so it costs little more than the look. Knows pages and targets; knows no file.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from docparse_fast.document import Block, Box, Failure, ParsedPage
from docparse_fast.drafted import cropped
from docparse_fast.proofreading.passages import AnswerPiece, block_passages, page_passages
from docparse_fast.proofreading.spots import word_boxes
from docparse_fast.proofreading.words import JudgedText, JudgedWord, words_in
from docparse_fast.searchable.rows import InkRows
from docparse_fast.speculative.judging import Judgements, JudgingDecoder, judge_texts
from docparse_fast.verification.failures import Device
from docparse_fast.verification.placing import places_of
from docparse_fast.verification.regions import MARGIN
from docparse_fast.verification.target import DocumentTarget

if TYPE_CHECKING:
    from PIL import Image


class JudgingTarget(DocumentTarget, Protocol):
    """A target in this process: servers give no probabilities of a text that they are shown."""

    @property
    def decoder(self) -> JudgingDecoder: ...


@dataclass(frozen=True, slots=True)
class DoubtfulWord:
    block: int  # its place on the page, from 0
    word: str
    share: float  # rho: p(its least likely token) over that and p(the best other one)
    instead: str  # how the target would begin instead
    box: Box | None  # the block's
    spot: Box | None  # about where the word is


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
            words = self.words(page, image)
        except Exception as error:
            return ProofreadPage(page.number, error=self.device.failure_of(error, page.number))
        rows = InkRows(image)
        doubts = [doubt for n, found in words.items() for doubt in self._doubts(n, page.blocks[n], found, rows)]
        spoken = [n for n, block in enumerate(page.blocks) if words_in(block.text)]
        return ProofreadPage(
            page.number,
            sum(word is not None for found in words.values() for word in found),
            tuple(sorted(doubts, key=lambda doubt: doubt.share)),
            tuple(n for n in spoken if None in words.get(n, [None])),
        )

    def words(self, page: ParsedPage, image: Image.Image) -> dict[int, list[JudgedWord | None]]:
        """The words of each block as they were judged; None for one that was not."""
        by_page = self.target.dialect.page_prompt is not None
        read = self._of_page(page, image) if by_page else self._of_blocks(page, image)
        return dict(found for passage, judgements in read for found in self._in_passage(page, passage, judgements))

    def _of_page(self, page: ParsedPage, image: Image.Image) -> Iterator[tuple[AnswerPiece, Judgements]]:
        passages = [passage for passage in page_passages(page, self.target) if passage.tokens]
        answer = [token for passage in passages for token in passage.tokens]
        if not answer:
            return
        (judged,) = judge_texts(self.target.decoder, [(self.target.page_view(image), answer)])
        start = 0
        for passage in passages:
            stop = start + len(passage.tokens)
            firsts = {other.tokens[0] for other in passages if other is not passage}
            yield passage, _in_any_order(judged[start:stop], firsts)
            start = stop

    def _of_blocks(self, page: ParsedPage, image: Image.Image) -> Iterator[tuple[AnswerPiece, Judgements]]:
        passages, asked = [], []
        for passage, region in block_passages(page, self.target):
            with suppress(ValueError):  # a crop that the model's processor doesn't take, such as a long thin line
                view = self.target.region_view(cropped(image, region.box, MARGIN), region.category)
                asked.append((view, passage.tokens))
                passages.append(passage)
        return zip(passages, judge_texts(self.target.decoder, asked), strict=True)

    def _in_passage(
        self, page: ParsedPage, passage: AnswerPiece, judgements: Judgements
    ) -> Iterator[tuple[int, list[JudgedWord | None]]]:
        judged = JudgedText(passage.tokens, judgements, self.target.decode)
        blocks = [page.blocks[n] for n in passage.blocks]
        for n, place in zip(passage.blocks, places_of(blocks, judged.text), strict=True):
            if place is not None:
                yield n, [judged.word(word) for word in words_in(judged.text) if place.start <= word.start < place.stop]

    def _doubts(
        self, n: int, block: Block, words: Sequence[JudgedWord | None], rows: InkRows
    ) -> Iterator[DoubtfulWord]:
        doubtful = [(at, word) for at, word in enumerate(words) if word is not None and word.share < self.below]
        boxes = word_boxes(block, rows.in_box) if doubtful else []
        for at, word in doubtful:
            spot = boxes[at * len(boxes) // len(words)] if boxes else None
            yield DoubtfulWord(n, word.text, word.share, word.instead, block.box, spot and spot.rounded())


def _in_any_order(judgements: Judgements, firsts: Container[int]) -> Judgements:
    """Without doubts of a passage's first token where the target would write another passage first."""
    if judgements and judgements[0].other in firsts:
        return (judgements[0]._replace(share=1.0), *judgements[1:])
    return judgements
