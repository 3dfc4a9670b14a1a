"""What assembly is given: lines of text, read by OCR or from the page's own text layer, and labelled boxes.

Also makes a draft of lines. Knows no page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from statistics import mean

from docparse_fast.document import Box, Category, Draft, TextLine, TextSpan
from docparse_fast.evidence import Certainty, summed
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read, as_text
from docparse_fast.text.placed_words import PlacedWord, moved

FONT = 1.1  # of the type's size: how high a file's boxes are, which hold a font's tallest and deepest letters


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
    paler: float = 0.0  # of a scanned line: how much paler its ink is than usual on its page, as a logarithm
    coloured: float = 0.0  # of a scanned line: how much more its ink's colours differ than usual, of 1
    evenness: float = 0.0  # of a line read on a scan: log-odds that it is set in a font of one width
    confidence: float | None = None
    plain: str = ""
    certainty: Certainty | None = None
    words: tuple[PlacedWord, ...] = ()  # where each word stands
    baseline: float = 0.0  # where its letters stand, by the file; 0: unknown

    @property
    def is_exact(self) -> bool:
        """Whether its words, boxes and type are the file's own; an OCR's are nearly so."""
        return self.source == "text-layer"

    @property
    def typeface(self) -> tuple[int, bool, bool]:
        return round(self.size) if self.is_exact else 0, self.bold, self.italic  # the sizes that an OCR measures wander

    def __post_init__(self) -> None:
        if not self.plain:
            object.__setattr__(self, "plain", self.text)
            object.__setattr__(self, "text", as_text(self.text))

    def moved(self, place: Callable[[Box], Box]) -> Line:
        box = place(self.box)
        baseline = self.baseline and self.baseline + box.y0 - self.box.y0
        return replace(self, box=box, words=moved(self.words, place), baseline=baseline)

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


def printed(spans: Iterable[TextSpan]) -> list[TextSpan]:
    """Those that are no blanks."""
    return [span for span in spans if span.text.strip()]


def text_in(spans: Iterable[TextSpan]) -> str:
    return "".join(span.text for span in spans)


def letters_in(pieces: Iterable[TextSpan] | Iterable[TextLine]) -> int:
    return sum(len(piece.text) for piece in pieces)


def largest_type(pieces: Iterable[TextSpan] | Iterable[Line]) -> float:
    return max(piece.size for piece in pieces)


def letters_of(lines: Iterable[Line]) -> int:
    return sum(len(line.plain) for line in lines)


def plain_of(lines: Sequence[Line]) -> str:
    return " ".join(line.plain for line in lines)


def words_of(lines: Sequence[Line]) -> tuple[PlacedWord, ...]:
    return tuple(word for line in lines for word in line.words or ((line.box, line.plain),))


def extent(line: Line) -> Box:
    """A line's box without a detector's margins: from its first word to its last, as high as a font.

    >>> words = (Box(4, 0, 20, 10), "a"), (Box(30, 0, 46, 10), "b")
    >>> extent(Line(Box(0, 0, 50, 15), "a b", 10, "embedded", words=words))
    Box(x0=4, y0=2.0, x1=46, y1=13.0)
    """
    margin = 0.0 if line.is_exact else max(0.0, (line.box.height - FONT * (line.letter_size or line.size)) / 2)
    x0, x1 = line.box.x0, line.box.x1
    if line.words and (first := max(x0, line.words[0][0].x0)) < (last := min(x1, line.words[-1][0].x1)):
        x0, x1 = first, last
    return Box(x0, line.box.y0 + margin, x1, line.box.y1 - margin)


def pieces(line: Line, runs: Sequence[Sequence[tuple[Box, str]]]) -> list[Line]:
    """The line's parts, each with its Markdown; plain text if a Markdown mark goes on from one to the next."""
    tokens, rest = iter(line.text.split()), line.plain
    found = []
    for run in runs:
        plain, rest = _taken(rest, sum(len("".join(text.split())) for _, text in run))
        share = " ".join(islice(tokens, len(plain.split())))
        text = share if as_read(unmarked(share)) == plain else as_text(plain)
        box = replace(line.box, x0=run[0][0].x0, x1=run[-1][0].x1)
        found.append(replace(line, box=box, text=text, plain=plain, words=tuple(run)))
    return found


def _taken(text: str, letters: int) -> tuple[str, str]:
    """As much of the text as has so many letters, and what follows.

    >>> _taken("a bc d", 3)
    ('a bc', 'd')
    """
    end = 0
    while letters and end < len(text):
        letters -= not text[end].isspace()
        end += 1
    return text[:end].strip(), text[end:].strip()
