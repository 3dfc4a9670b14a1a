"""What assembly is given: lines of text, read by OCR or from the page's own text layer, and labelled boxes.

Also makes a draft of lines. Knows no page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import mean

from docparse_fast.document import Box, Category, Draft
from docparse_fast.evidence import Certainty, summed
from docparse_fast.text.markup import as_text
from docparse_fast.text.placed_words import PlacedWord, moved


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
    letter_size: float = 0.0  # of a scanned line: its type's size by its letters, nearer than `size`; 0: unknown
    weight: float = 0.0  # of a scanned line: how much wider its strokes are than usual on its page, as a logarithm
    evenness: float = 0.0  # of a line read on a scan: log-odds that it is set in a font of one width
    confidence: float | None = None
    plain: str = ""
    certainty: Certainty | None = None
    words: tuple[PlacedWord, ...] = ()  # where each word stands

    @property
    def is_exact(self) -> bool:
        """Whether its words, boxes and type are the file's own; an OCR's are nearly so."""
        return self.source == "text-layer"

    def __post_init__(self) -> None:
        if not self.plain:
            object.__setattr__(self, "plain", self.text)
            object.__setattr__(self, "text", as_text(self.text))

    def moved(self, place: Callable[[Box], Box]) -> Line:
        return replace(self, box=place(self.box), words=moved(self.words, place))

    def shifted(self, dx: float, dy: float) -> Line:
        return self.moved(lambda box: box.shifted(dx, dy))


@dataclass(frozen=True, slots=True)
class LayoutBox:
    """A layout model's word: this kind of thing stands here."""

    box: Box
    category: Category


def draft_of(lines: Sequence[Line], text: str, source: str) -> Draft:
    """What was made of the lines, as sure as they are."""
    known = [line.confidence for line in lines if line.confidence is not None]
    return Draft(text, source, round(mean(known), 4) if known else None, summed(line.certainty for line in lines))


def words_of(lines: Sequence[Line]) -> tuple[PlacedWord, ...]:
    return tuple(word for line in lines for word in line.words or ((line.box, line.plain),))
