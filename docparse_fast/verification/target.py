"""What the two stages ask of a document target: how to look, how to phrase, and a decoder. No tensor here.

`targets/` fulfils it with real models; `fakes.py` beside this with scripted ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from docparse_fast.document import Category
from docparse_fast.speculative.target import Target
from docparse_fast.targets.identity import Identity, TieBreak

if TYPE_CHECKING:
    from PIL import Image

    from docparse_fast.targets.dialects.dialect import Dialect


class DocumentTarget(Protocol):
    """A model that reads documents.

    >>> view = target.page_view(image)                                              # doctest: +SKIP
    >>> row = Row(view, [TokenDraft(target.encode("# Title\\n\\n"), 0)])              # doctest: +SKIP
    >>> decoded = next(spec_decode(target.decoder, [row]))                            # doctest: +SKIP
    >>> target.dialect.parse(target.decode(decoded.tokens), image.size).blocks      # doctest: +SKIP
    """

    @property
    def identity(self) -> Identity: ...

    @property
    def dialect(self) -> Dialect: ...

    @property
    def decoder(self) -> Target: ...

    @property
    def end(self) -> int:
        """The id it ends an answer with; `decoder.eos` are all that it may."""

    def encode(self, text: str) -> tuple[int, ...]:
        """Text as the model's own tokens, nothing added."""

    def decode(self, tokens: Sequence[int]) -> str:
        """Tokens as text, special ones kept, the one that ended the answer left out."""

    def page_view(self, image: Image.Image) -> object | None:
        """What it looks at for the page; None where its dialect has no page prompt."""

    def region_view(self, image: Image.Image, category: Category) -> object | None:
        """What it looks at for a crop; None where such a region is cut out and not read."""

    def generate(self, view: object, max_tokens: int) -> tuple[int, ...]:
        """The model's own greedy answer by its own means, the ending token included: what exactness is held against."""

    def tie_break(self, view: object, written: Sequence[int], other: int) -> TieBreak:
        """After `written`, the model's best token and how far `other` lies behind it."""
