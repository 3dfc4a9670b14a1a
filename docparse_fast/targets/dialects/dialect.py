"""The interface of a target's dialect: prompts, phrases of drafts, parsing of answers. Knows text; no token, no image.

A draft is rarely accepted unless it is written as *this* target would write it. Two rules follow from how tokenizers
split text: a phrase includes what stands between it and the next one (`.` and the blank line after it are often one
token), and it never starts in the middle of a run of punctuation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from docparse_fast.document import Block, Category, Region
from docparse_fast.geometry import Size


@dataclass(frozen=True, slots=True)
class Phrase:
    """One reading of a region, or of several regions that the target writes as one, worded as in the page's answer."""

    text: str
    regions: tuple[int, ...]  # indexes of the regions passed in
    source: str  # of the reading


@dataclass(frozen=True, slots=True)
class Answer:
    """The content of a page's answer: every complete block, and the text that could not be made into one."""

    blocks: tuple[Block, ...]
    lost: str = ""


class Dialect(Protocol):
    """How one model is asked and how it answers.

    >>> dialect = DotsOcrDialect()                                     # doctest: +SKIP
    >>> drafts = [phrase.text for phrase in dialect.phrase_page(regions, size)]  # doctest: +SKIP
    >>> dialect.parse("".join(drafts), size).blocks                # doctest: +SKIP
    """

    @property
    def name(self) -> str: ...

    @property
    def page_prompt(self) -> str | None:
        """The prompt for a whole page; None: the model reads single elements, so there is only Stage 1."""

    @property
    def conversation(self) -> str | None:
        """The whole text around image and `{prompt}`; None: the checkpoint's own chat template has it."""

    @property
    def stops(self) -> tuple[str, ...]:
        """Tokens that end an answer, the usual one first, beside those of the checkpoint's generation config."""

    @property
    def examples(self) -> tuple[str, ...]:
        """Text as it writes it, to show what follows what; none of it is ever a draft."""

    def region_prompt(self, category: Category) -> str | None:
        """The prompt for a crop; None: such a region is cut out, not read."""

    def phrase_page(self, regions: Sequence[Region], size: Size) -> tuple[Phrase, ...]:
        """Every reading of every region, in order, worded as in the page's answer."""

    def phrase_region(self, region: Region, text: str) -> str:
        """A reading worded as the whole answer to the region's own prompt."""

    def parse(self, answer: str, size: Size) -> Answer:
        """Parses a page's answer, with boxes in pixels of the page image. Complete blocks of a broken answer are kept.

        `answer` has its special tokens (some dialects use them), except the one that ended it.
        """

    def read_region(self, region: Region, answer: str) -> str:
        """Converts the answer to a region's prompt into plain words for `Draft.text`."""


def user_message(prompt: str, *, prompt_first: bool = False) -> list[dict[str, object]]:
    """The message for a chat template: the image, then the prompt if there is one.

    >>> user_message("Read.")
    [{'role': 'user', 'content': [{'type': 'image'}, {'type': 'text', 'text': 'Read.'}]}]
    """
    content: list[dict[str, str]] = [{"type": "image"}]
    if prompt:
        content.insert(0 if prompt_first else 1, {"type": "text", "text": prompt})
    return [{"role": "user", "content": content}]
