"""What a target's dialect offers: prompts, the phrasing of drafts, the reading of answers. Knows text only: no token
id, no tensor, no image.

A draft that is not written as *this* target would write it is rarely accepted. Two habits follow from how tokenizers
cut: a phrase carries what stands between it and the next one (`.` and the blank line after it are often one token), and
it never starts in the middle of a run of punctuation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from docparse_fast.document import Block, Category, Region

Size = tuple[int, int]  # of the page image: width, height in pixels


@dataclass(frozen=True, slots=True)
class Phrase:
    """One reading of a region (or of several that the target writes as one) as it would stand in the page's answer."""

    text: str
    regions: tuple[int, ...]  # which of the regions handed in
    source: str  # of the reading


@dataclass(frozen=True, slots=True)
class Answer:
    """What a page's answer says: every block that came whole, and the text that could not be made into one."""

    blocks: tuple[Block, ...]
    lost: str = ""


class Dialect(Protocol):
    """One model's way of being asked and of answering.

    >>> dialect = DotsOcrDialect()                                     # doctest: +SKIP
    >>> drafts = [phrase.text for phrase in dialect.phrase_page(regions, size)]  # doctest: +SKIP
    >>> dialect.parse("".join(drafts), size).blocks                # doctest: +SKIP
    """

    @property
    def name(self) -> str: ...

    @property
    def page_prompt(self) -> str | None:
        """What the model is asked with a whole page; None: it reads element by element, so Stage 1 is all there is."""

    @property
    def conversation(self) -> str | None:
        """The whole text around image and `{prompt}`; None: the checkpoint's own chat template knows it."""

    @property
    def stops(self) -> tuple[str, ...]:
        """Tokens that end an answer, the usual one first, beside those of the checkpoint's generation config."""

    def region_prompt(self, category: Category) -> str | None:
        """What the model is asked with a crop; None: such a region is cut out, not read."""

    def phrase_page(self, regions: Sequence[Region], size: Size) -> tuple[Phrase, ...]:
        """Every reading of every region, in order, as it would stand in the page's answer."""

    def phrase_region(self, region: Region, text: str) -> str:
        """A reading as the whole answer to the region's own prompt."""

    def grammar(self, regions: Sequence[Region], size: Size) -> tuple[str, ...]:
        """Drafts for what stands between the drafted words: syntax, labels, and boxes where the model writes them."""

    def parse(self, answer: str, size: Size) -> Answer:
        """A page's answer, boxes in pixels of the page image. An answer cut off or gone wrong keeps what came whole.

        Decoded with its special tokens (some dialects speak in them), without the one that ended it.
        """

    def read_region(self, region: Region, answer: str) -> str:
        """The answer to a region's prompt in plain words, as `Draft.text` wants them."""


def user_message(prompt: str) -> list[dict[str, object]]:
    """What a chat template is given: the image, then the prompt where there is one.

    >>> user_message("Read.")
    [{'role': 'user', 'content': [{'type': 'image'}, {'type': 'text', 'text': 'Read.'}]}]
    """
    content: list[dict[str, str]] = [{"type": "image"}]
    if prompt:
        content.append({"type": "text", "text": prompt})
    return [{"role": "user", "content": content}]
