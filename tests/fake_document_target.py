"""A document target without a model: a function says what it reads in each image. For tests and trials; no tensor.

Its tokens are words, numbers and single marks, so that drafts match as they do with a real tokenizer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fake_targets import ScriptedTarget

from docparse_fast.document import Category
from docparse_fast.options import ANSWER_LIMIT
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.growing_answer import Decoded, Row
from docparse_fast.targets.dialects.dialect import Dialect
from docparse_fast.targets.dialects.markdown import MarkdownDialect
from docparse_fast.targets.hosts.word_tokens import END, WordTokens
from docparse_fast.targets.identity import Identity, TieBreak
from docparse_fast.targets.reading import StageCosts
from docparse_fast.timing import Timer

if TYPE_CHECKING:
    from PIL import Image

Reader = Callable[["Image.Image", Category | None], str]  # an image and a crop's category (None: a page) -> the answer

MARKDOWN = MarkdownDialect("fake", page_prompt="Read.", prompts={})


@dataclass(frozen=True, slots=True)
class Look:
    """A view: its answer, and what was shown."""

    answer: tuple[int, ...]
    category: Category | None


class FakeDocumentTarget:
    """Gives every token all probability, except the `doubts`: there other words get the named probabilities.

    >>> from PIL import Image
    >>> target = FakeDocumentTarget(lambda image, category: f"{image.width} wide")
    >>> view = target.page_view(Image.new("RGB", (40, 30)))
    >>> target.decode(target.generate(view, 9))
    '40 wide'
    """

    def __init__(
        self,
        reader: Reader,
        *,
        dialect: Dialect = MARKDOWN,
        slots: int = 4,
        doubts: Mapping[int, Mapping[str, float]] | None = None,
        dtype: str = "float32",
        costs: StageCosts | None = None,
    ) -> None:
        self.identity = Identity("fake", "scripted", "cpu", dtype)
        self.dialect = dialect
        self.costs = costs
        self.end = END
        self.in_flight = 1
        self.leaves_processors = False
        self.looks_early = False
        self.longest = ANSWER_LIMIT
        self.looks: list[Look] = []  # everything that it was shown, in order
        self._reader = reader
        self._words = WordTokens()
        self._answers: dict[object, tuple[int, ...]] = {}
        known = {
            place: {self.encode(word)[0]: share for word, share in others.items()}
            for place, others in (doubts or {}).items()
        }
        self.decoder = ScriptedTarget(self._answers, eos=(END,), slots=slots, doubts=known)

    def encode(self, text: str) -> tuple[int, ...]:
        return self._words.encode(text)

    def decode(self, tokens: Sequence[int]) -> str:
        return self._words.decode(tokens)

    def decode_rows(self, rows: Iterable[Row], speculation: Speculation, timer: Timer) -> Iterator[Decoded]:
        return spec_decode(self.decoder, rows, speculation, timer)

    def look(self, image: Image.Image) -> object | None:
        return self.page_view(image)

    def page_view(self, image: Image.Image) -> Look | None:
        return None if self.dialect.page_prompt is None else self._look(image, None)

    def region_view(self, image: Image.Image, category: Category) -> Look | None:
        return None if self.dialect.region_prompt(category) is None else self._look(image, category)

    def give_up(self) -> None:
        """Its passes are short."""

    def page_drafting(self, image: Image.Image, view: object) -> None:
        """No smaller model."""

    def generate(self, view: object, max_tokens: int) -> tuple[int, ...]:
        return self.decoder.answer(view, max_tokens)

    def tie_break(self, view: object, written: Sequence[int], other: int) -> TieBreak:
        verdict = self.decoder.verdict(view, tuple(written))
        logprob = verdict.logprob(other)
        margin = math.inf if logprob == -math.inf else verdict.choice_logprob - logprob
        return TieBreak(verdict.choice, margin)

    def _look(self, image: Image.Image, category: Category | None) -> Look:
        look = Look(self.encode(self._reader(image, category)), category)
        self._answers[look] = look.answer
        self.looks.append(look)
        return look
