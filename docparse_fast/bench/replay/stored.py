"""A target that always writes a stored answer, so that passes can be counted without weights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from docparse_fast.bench.replay.kit import Words
from docparse_fast.document import Category
from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.growing_answer import Decoded, Row
from docparse_fast.speculative.stored_answer import StoredAnswer
from docparse_fast.targets.dialects.dialect import Dialect
from docparse_fast.targets.identity import Identity, TieBreak
from docparse_fast.timing import Timer

if TYPE_CHECKING:
    from PIL import Image

# Assumed: a GPU's pass costs nearly the same at any of these widths. An H200's, measured since: 1.24 at the widest.
GPU_LIKE = CostTable(rows=(1,), widths=(1, 2, 4, 8, 16, 32, 64), costs=((1.0, 1.01, 1.02, 1.04, 1.08, 1.15, 1.3),))

LONGEST = 32_000  # more than any stored answer


class StoredTarget:
    """A document target for one page with a stored answer."""

    def __init__(self, answer: str, dialect: Dialect, words: Words, costs: CostTable = GPU_LIKE) -> None:
        self.identity = Identity("stored", "", "none", "none")
        self.dialect = dialect
        self.costs = None
        self.end = words.end
        self.in_flight = 1
        self.leaves_processors = False
        self.looks_early = False
        self.longest = LONGEST
        self.encode = words.encode
        self.decode = words.decode
        self.answer = words.encode(answer)
        self.decoder = StoredAnswer(self.answer, words.end, costs)

    def decode_rows(self, rows: Iterable[Row], speculation: Speculation, timer: Timer) -> Iterator[Decoded]:
        return spec_decode(self.decoder, rows, speculation, timer)

    def look(self, image: Image.Image) -> object | None:
        return self.page_view(image)

    def page_view(self, image: Image.Image) -> object:
        return "page"

    def region_view(self, image: Image.Image, category: Category) -> object | None:
        return None

    def give_up(self) -> None:
        """Its passes are short."""

    def page_drafting(self, image: Image.Image, view: object) -> None:
        """No smaller model."""

    def generate(self, view: object, max_tokens: int) -> tuple[int, ...]:
        return (*self.answer, self.end)[:max_tokens]

    def tie_break(self, view: object, written: Sequence[int], other: int) -> TieBreak:
        return TieBreak((*self.answer, self.end)[len(written)], 0.0)
