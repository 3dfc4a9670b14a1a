"""Has a target judge a page's drafts as if they were its own answer, without decoding. Knows regions; knows no stage.

The drafts are one answer to the page's prompt, so the page is looked at once; a target without such a prompt judges
crops.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from docparse_fast.document import Region, block_of
from docparse_fast.drafted import cropped
from docparse_fast.evidence import JudgeEvidence
from docparse_fast.speculative.judged_tokens import Judgements, JudgingDecoder, TokenJudgement, judge_texts
from docparse_fast.text.compared_words import TAG
from docparse_fast.verification.placing import character_ends, places_of
from docparse_fast.verification.regions import MARGIN
from docparse_fast.verification.target import DocumentTarget

if TYPE_CHECKING:
    from PIL import Image

EVEN = 0.5  # with a smaller share, the target would write something else
_FORM = "#*_`~|- \n\t"


class JudgingTarget(DocumentTarget, Protocol):
    """A target in this process: servers tell nothing about a text that they are given."""

    @property
    def decoder(self) -> JudgingDecoder: ...


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """Some regions as the target would write them: their numbers, and the tokens."""

    regions: tuple[int, ...]
    tokens: tuple[int, ...]


class JudgedPiece:
    """The text of a piece, and the judgements of its tokens: of all, or of those before the end of the model's room."""

    def __init__(
        self, tokens: Sequence[int], judgements: Sequence[TokenJudgement], decode: Callable[[Sequence[int]], str]
    ) -> None:
        self.text = decode(tokens)
        self.judgements = judgements
        self.decode = decode
        self._ends = character_ends(tokens, range(1, len(tokens) + 1), decode)

    def tokens(self, start: int, stop: int) -> Sequence[int] | None:
        """The places of the tokens that wrote these characters; None if one of them was not judged.

        The first is left out if the target would write markup or begin a line there: that says nothing of the text.
        """
        found = [n for n, end in enumerate(self._ends) if self.begin(n) < stop and end > start]
        if not found or found[-1] >= len(self.judgements):
            return None
        return found[1:] if self._is_about_form(found[0]) else found

    def begin(self, token: int) -> int:
        """Where the token's text begins."""
        return self._ends[token - 1] if token else 0

    def least(self, start: int, stop: int) -> float | None:
        """The least share of these characters' tokens; None if they were not judged."""
        tokens = self.tokens(start, stop)
        return None if tokens is None else min((self.judgements[n].share for n in tokens), default=1.0)

    def more(self, stop: int, following: str) -> TokenJudgement | None:
        """The judgement at the end of a region's text, if the target would write on there.

        It would if its own token is a word, but not the one that begins the `following` piece.
        """
        place = next((n for n in range(len(self.judgements)) if self.begin(n) >= stop), None)
        if place is None or self.judgements[place].share >= EVEN:
            return None
        own = self.decode([self.judgements[place].other])
        word = _letters(TAG.sub("", own))
        is_blank = bool(own) and not own.strip(" ")  # before a following piece, it may only join the two
        goes_on = not _letters(following).startswith(word) if word else is_blank and not following
        return self.judgements[place] if goes_on else None

    def _is_about_form(self, token: int) -> bool:
        share, other = self.judgements[token]
        return share < EVEN and not TAG.sub("", self.decode([other])).strip(_FORM)


@dataclass(frozen=True, slots=True)
class JudgedRegions:
    """The least share of each judged region's draft, and which share is enough for it to stand."""

    alpha: float
    shares: Mapping[int, float]  # by the region's number
    seconds: float = 0.0

    @property
    def accepted(self) -> dict[int, float]:
        """
        >>> JudgedRegions(0.7, {0: 0.9, 1: 0.7, 2: 0.1}).accepted
        {0: 0.9}
        """
        return {n: share for n, share in self.shares.items() if share > self.alpha}

    @property
    def evidence(self) -> JudgeEvidence:
        return JudgeEvidence(self.alpha, len(self.shares), len(self.accepted))


def judged_pieces(
    regions: Sequence[Region], image: Image.Image, target: JudgingTarget
) -> Iterator[tuple[AnswerPiece, JudgedPiece]]:
    by_page = target.dialect.page_prompt is not None
    for piece, judgements in (_of_page if by_page else _of_crops)(regions, image, target):
        yield piece, JudgedPiece(piece.tokens, judgements, target.decode)


def least_shares(regions: Sequence[Region], image: Image.Image, target: JudgingTarget) -> dict[int, float]:
    """The least share of each region's text, by its number; regions that could not be judged are left out."""
    found = {}
    for piece, judged, following in with_following(judged_pieces(regions, image, target)):
        blocks = [block_of(regions[n]) for n in piece.regions]
        for n, place in zip(piece.regions, places_of(blocks, judged.text), strict=True):
            if place is not None and (share := judged.least(place.start, place.stop)) is not None:
                more = judged.more(place.stop, following)
                found[n] = share if more is None else min(share, more.share)
    return found


def with_following(
    pieces: Iterable[tuple[AnswerPiece, JudgedPiece]],
) -> Iterator[tuple[AnswerPiece, JudgedPiece, str]]:
    """The pieces, each with the text of the next one."""
    listed = list(pieces)
    texts = [*(judged.text for _, judged in listed[1:]), ""]
    return ((piece, judged, text) for (piece, judged), text in zip(listed, texts, strict=True))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _of_page(
    regions: Sequence[Region], image: Image.Image, target: JudgingTarget
) -> Iterator[tuple[AnswerPiece, Judgements]]:
    pieces = _page_pieces(regions, image, target)
    answer = [token for piece in pieces for token in piece.tokens]
    if not answer:
        return
    (judged,) = judge_texts(target.decoder, [(target.page_view(image), answer)])
    start = 0
    for piece in pieces:
        stop = start + len(piece.tokens)
        firsts = {other.tokens[0] for other in pieces if other is not piece}
        yield piece, _in_any_order(judged[start:stop], firsts)
        start = stop


def _page_pieces(regions: Sequence[Region], image: Image.Image, target: JudgingTarget) -> list[AnswerPiece]:
    """Of several readings the first, which shows without a target. The last piece has the answer's end."""
    texts: dict[tuple[int, ...], str] = {}
    for phrase in target.dialect.phrase_page(regions, (image.width, image.height)):
        texts.setdefault(phrase.regions, phrase.text)
    found = [AnswerPiece(of, tokens) for of, text in texts.items() if (tokens := target.encode(text))]
    if found:
        last = found[-1].regions
        found[-1] = AnswerPiece(last, (*target.encode(texts[last].rstrip()), target.end))
    return found


def _in_any_order(judgements: Judgements, firsts: Container[int]) -> Judgements:
    """Without doubts of a piece's first token where the target would write another piece first."""
    if judgements and judgements[0].other in firsts:
        return (judgements[0]._replace(share=1.0), *judgements[1:])
    return judgements


def _of_crops(
    regions: Sequence[Region], image: Image.Image, target: JudgingTarget
) -> Iterator[tuple[AnswerPiece, Judgements]]:
    pieces, asked = [], []
    for n, region in enumerate(regions):
        if not region.drafts or target.dialect.region_prompt(region.category) is None:
            continue
        text = target.dialect.phrase_region(region, region.printed(region.drafts[0]))
        piece = AnswerPiece((n,), (*target.encode(text), target.end))
        with suppress(ValueError):  # a crop that the model's processor doesn't take, such as a long thin line
            asked.append((target.region_view(cropped(image, region.box, MARGIN), region.category), piece.tokens))
            pieces.append(piece)
    yield from zip(pieces, judge_texts(target.decoder, asked), strict=True)
