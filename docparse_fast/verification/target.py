"""The interface that both stages use of a document target: views, dialect, tokens, decoder. Knows no tensor.

`targets/` implements it with real models, tests with scripted ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from docparse_fast.document import Category
from docparse_fast.speculative.decoding import Speculation
from docparse_fast.speculative.drafting import DraftingModel
from docparse_fast.speculative.growing_answer import Decoded, Row
from docparse_fast.speculative.target import Target
from docparse_fast.targets.identity import Identity, TieBreak
from docparse_fast.targets.reading import StageCosts
from docparse_fast.timing import Timer

if TYPE_CHECKING:
    from PIL import Image

    from docparse_fast.targets.dialects.dialect import Dialect


class DocumentTarget(Protocol):
    """A model that reads documents.

    >>> view = target.page_view(image)                                              # doctest: +SKIP
    >>> row = Row(view, [TokenDraft(target.encode("# Title\\n\\n"), 0)])              # doctest: +SKIP
    >>> decoded = next(iter(target.decode_rows([row], Speculation(), Timer())))       # doctest: +SKIP
    >>> target.dialect.parse(target.decode(decoded.tokens), image.size).blocks      # doctest: +SKIP
    """

    @property
    def identity(self) -> Identity: ...

    @property
    def dialect(self) -> Dialect: ...

    @property
    def end(self) -> int:
        """The token that usually ends an answer."""

    @property
    def in_flight(self) -> int:
        """How many pages it may be asked for at once, on threads of their own."""

    @property
    def leaves_processors(self) -> bool:
        """Whether it runs elsewhere than on this machine's processors, so that drafters can have these."""

    @property
    def looks_early(self) -> bool:
        """Whether it can look at a page before its drafts are there, and has nothing else to do meanwhile."""

    def look(self, image: Image.Image) -> object | None:
        """The page's view, looked at now: a row with it begins from there."""

    def give_up(self) -> None:
        """The user has interrupted: ends what would be waited for long. It is asked no more."""

    def decode_rows(self, rows: Iterable[Row], speculation: Speculation, timer: Timer) -> Iterable[Decoded]:
        """Reads the rows' views with the help of their drafts; yields each row as it is finished."""

    @property
    def longest(self) -> int:
        """The most tokens of an answer, as the model's makers let it write."""

    @property
    def costs(self) -> StageCosts | None:
        """Stored costs, by which `auto` chooses stages; None if they can't be known."""

    def encode(self, text: str) -> tuple[int, ...]:
        """The text as the model's tokens, with nothing added."""

    def decode(self, tokens: Sequence[int]) -> str:
        """The tokens as text: special ones are kept, the final one is left out."""

    def page_view(self, image: Image.Image) -> object | None:
        """The input for a whole page; None if the dialect has no page prompt."""

    def region_view(self, image: Image.Image, category: Category) -> object | None:
        """The input for a crop; None if such a region is cut out and not read."""

    def page_drafting(self, image: Image.Image, view: object) -> DraftingModel | None:
        """A smaller model that drafts this page where the other drafts part from the answer; None if there is none."""

    def generate(self, view: object, max_tokens: int) -> tuple[int, ...]:
        """The model's greedy answer by its own generate(), with its final token; the reference for exactness."""

    def tie_break(self, view: object, written: Sequence[int], other: int) -> TieBreak | None:
        """The model's best token after `written`, and how far `other` is behind it; None if it can't be known."""


class LocalTarget(DocumentTarget, Protocol):
    """A target that runs in this process, so that its passes can be measured."""

    @property
    def decoder(self) -> Target: ...
