"""What assembly is given: lines of text, read by OCR or from the page's own text layer, and labelled boxes."""

from __future__ import annotations

from dataclasses import dataclass

from docparse_fast.document import Box, Category
from docparse_fast.evidence import Certainty
from docparse_fast.markup import as_text


@dataclass(frozen=True, slots=True)
class Line:
    """`text` is Markdown within the line (links, emphasis); `plain` is what stands on the page.

    Without `plain`, `text` is taken for what stands on the page.

    >>> Line(Box(0, 0, 9, 9), "[a](b)", 9, "embedded").text
    '[a\\\\](b)'
    """

    box: Box
    text: str
    size: float  # of the type, in pixels: its body height, not the box's
    source: str  # the draft's source: "embedded", "text-layer"
    bold: bool = False
    italic: bool = False
    mono: bool = False
    evenness: float = 0.0  # of a line read on a scan: log-odds that it is set in a font of one width
    confidence: float | None = None
    plain: str = ""
    certainty: Certainty | None = None
    words: tuple[tuple[Box, str], ...] = ()  # where each word stands, for splitting a line

    def __post_init__(self) -> None:
        if not self.plain:
            object.__setattr__(self, "plain", self.text)
            object.__setattr__(self, "text", as_text(self.text))


@dataclass(frozen=True, slots=True)
class LayoutBox:
    """A layout model's word: this kind of thing stands here."""

    box: Box
    category: Category
