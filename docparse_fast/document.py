"""The shared nouns of a document: boxes, pages, drafts, parsed pages. Knows no file format, no model and no tokens.

Boxes are in pixels of the page image, origin at the top left; a page's number is its number in the source, from 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from docparse_fast.evidence import Certainty, Doubt, PageEvidence
from docparse_fast.geometry import Box as Box
from docparse_fast.sums.table_sums import TableSums
from docparse_fast.text.marks import unlinked, unmarked, unstruck
from docparse_fast.text.markup import as_read, parted_at_formulas
from docparse_fast.text.placed_words import NO_WORDS, PlacedWord, PlacedWords, moved
from docparse_fast.timing import Timer

if TYPE_CHECKING:
    from PIL import Image


class Category(StrEnum):
    """The kinds of region. Drafters and targets map their own labels to these."""

    TITLE = "title"
    SECTION_HEADER = "section_header"
    TEXT = "text"
    LIST_ITEM = "list_item"
    TABLE = "table"
    CAPTION = "caption"
    FIGURE = "figure"
    FORMULA = "formula"
    CODE = "code"
    FOOTNOTE = "footnote"
    PAGE_HEADER = "page_header"
    PAGE_FOOTER = "page_footer"
    PAGE_NUMBER = "page_number"


HEADINGS = frozenset({Category.TITLE, Category.SECTION_HEADER})
NOT_MARKDOWN = frozenset({Category.TABLE, Category.FORMULA, Category.CODE})
FURNITURE = frozenset({Category.PAGE_HEADER, Category.PAGE_FOOTER, Category.PAGE_NUMBER})
SUPPOSED = "supposed_furniture"  # why a block is text: only other pages can prove that it is a running head or foot


FieldKind = Literal["text", "choice", "checkbox", "radio", "button", "signature"]


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of a form, or one of its boxes to tick: `value` is then whether it is ticked."""

    name: str
    kind: FieldKind
    value: str | bool
    page: int
    box: Box | None = None
    label: str = ""  # the words beside it; else what the file calls it


# ------------------------------------------------------------------------------------------------ pages


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A run of characters in one font within one line of a text layer: usually a word or a few."""

    box: Box  # along the line by the type's advance, across it by the ink
    text: str
    font: str
    size: float  # type size in pixels of the page image
    baseline: float = 0.0  # where the characters stand: y, or x in a vertical line
    bold: bool = False
    italic: bool = False
    mono: bool = False
    superscript: bool = False
    visible: bool = True  # False: drawn invisibly, as over a scan
    link: str | None = None
    signs: tuple[tuple[str, Box], ...] = ()  # each inked character's box, on pages with mathematical type
    pale: bool = False  # painted in a light grey, or so thinly that others show through
    struck: bool = False  # crossed out
    latex: str = ""  # of a formula within a line; `text` is then what its characters say


@dataclass(frozen=True, slots=True)
class TextLine:
    box: Box
    spans: tuple[TextSpan, ...]
    vertical: bool = False  # written down or up the page
    downwards: bool = False  # a vertical line that runs from top to bottom
    slanted: bool = False  # written neither along the page's edges nor nearly so

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


@dataclass(frozen=True, slots=True)
class TextLayer:
    """The text and drawings in a born-digital page. `blocks` are the file's own groups of lines, in file order."""

    blocks: tuple[tuple[TextLine, ...], ...] = ()
    images: tuple[Box, ...] = ()  # where the pictures are
    rules: tuple[Box, ...] = ()  # thin horizontal and vertical lines drawn on the page
    tables: tuple[TextTable, ...] = ()  # tables with drawn borders, as the file's vectors give them
    areas: tuple[Box, ...] = ()  # everything else that is painted: shading, curves, slanted lines
    bars: tuple[Box, ...] = ()  # lines as drawn, short ones too, on pages with mathematical type
    placed: tuple[Box, ...] = ()  # where drawings from other files were put, such as plots

    @property
    def lines(self) -> list[TextLine]:
        return [line for block in self.blocks for line in block]


@dataclass(frozen=True, slots=True)
class TickBox:
    """A box to be ticked, drawn or on a picture."""

    box: Box
    ticked: bool

    @property
    def sign(self) -> str:
        return "☒" if self.ticked else "☐"


@dataclass(frozen=True, slots=True)
class TableCell:
    row: int
    column: int
    text: str
    rows: int = 1  # number of rows spanned
    columns: int = 1
    header: bool = False
    box: Box | None = None
    html: str = ""  # the text with its emphasis; empty: the text has none


@dataclass(frozen=True, slots=True)
class TextTable:
    box: Box
    cells: tuple[TableCell, ...]


@dataclass(slots=True, eq=False)
class PageSource:
    """Supplies a page's parts; each is asked for at most once, and only if it is needed."""

    render: Callable[[], Image.Image]
    text_layer: Callable[[], TextLayer | None]
    as_drawn: Callable[[], Any] = lambda: None
    drawing_steps: Callable[[], int] = lambda: 0


@dataclass(eq=False)
class Page:
    """One page: its size is known at once, its image and text layer are made when first used."""

    number: int
    width: int  # pixels of `image`
    height: int
    dpi: float
    source: PageSource
    label: str = ""  # the printed number, if the file has it
    timer: Timer = field(default_factory=Timer)  # measures what the parts cost

    @cached_property
    def image(self) -> Image.Image:
        with self.timer.span("raster", aside=True):
            return self.source.render()

    @cached_property
    def text_layer(self) -> TextLayer | None:
        with self.timer.span("text_layer", aside=True):
            return self.source.text_layer()

    def as_drawn(self) -> Any:
        """The page as its file holds it, in points, for a reader of type and rules; None of a picture."""
        return self.source.as_drawn()

    def drawing_steps(self) -> int:
        """How much there is to draw: what a look at the page as it is drawn costs; 0 for a picture."""
        return self.source.drawing_steps()

    def close(self) -> None:
        """Frees the image: a whole document's images don't fit in memory."""
        self.__dict__.pop("image", None)


# ----------------------------------------------------------------------------------------------- drafts


SOUND_LAYER = 0.99  # of the words of 14 manuals with sound layers 99.2 % come out right (docs/confidence.md)
EDITED = "edit"  # the last source of a block that a reader has corrected
NO_DRAFTER = "none"  # the name of the one that doesn't look at pages
CELL_MARKS = re.compile(r"</?(?:b|i|code|del)>")
WRITTEN_AS_TEXT = frozenset({"embedded", "text-layer"})  # sources of drafts that went through `markup.as_text`


@dataclass(frozen=True, slots=True)
class Draft:
    """One reading of a region, in plain words: Markdown for text, HTML for tables, LaTeX (no `$$`) for formulas.

    A list item's text starts with its marker (`- `, `2. `); a heading's text carries no `#`.
    """

    text: str
    source: str  # "embedded", "text-layer", "ppstructure", ...
    confidence: float | None = None  # as its reader gives it
    certainty: Certainty | None = None  # what that has come to on text that is known


@dataclass(frozen=True, slots=True)
class Region:
    box: Box
    category: Category
    drafts: tuple[Draft, ...] = ()
    level: int = 0  # of a heading, from 1; of a nested list item, from 0
    type_size: float = 0.0  # of a heading, in pixels; 0 where it isn't known
    because: str = ""  # the rule or the reader that decided what it is; empty for plain text
    line_ends: tuple[int, ...] = ()  # how many letters of its text come before the end of each printed line
    words: tuple[PlacedWord, ...] = ()  # that its text was made of
    structure: float | None = None  # of a table: how well its rows and columns are likely to stand
    instead: tuple[Region, ...] = ()  # what it and those after it may be for a target; no page shows it

    @property
    def text(self) -> str:
        """The reading to show if no target has verified it: the first draft's."""
        return self.drafts[0].text if self.drafts else ""

    def moved(self, place: Callable[[Box], Box]) -> Region:
        """The same on another image of the page, on which `place` says where a box stands."""
        instead = tuple(region.moved(place) for region in self.instead)
        return replace(self, box=place(self.box), words=moved(self.words, place), instead=instead)

    def printed(self, draft: Draft) -> str:
        """A draft's text as it is printed: without backslashes and marks that a Markdown-writing drafter added."""
        if self.category is Category.TABLE:
            return CELL_MARKS.sub("", draft.text) if draft.source in WRITTEN_AS_TEXT else draft.text
        return _as_printed(draft.text) if self._is_markdown(draft) else draft.text

    def marked(self, draft: Draft) -> str:
        """A draft's text as it is printed, but with the marks of emphasis and code."""
        return _as_marked(draft.text) if self._is_markdown(draft) else self.printed(draft)

    def _is_markdown(self, draft: Draft) -> bool:
        return draft.source in WRITTEN_AS_TEXT and self.category not in NOT_MARKDOWN


def with_instead(regions: Iterable[Region], others: Iterable[Region]) -> tuple[Region, ...]:
    """The regions; what some of them may be instead goes with the first that stands in it."""
    found = list(regions)
    for other in others:
        first = next((n for n, region in enumerate(found) if other.box.holds(region.box)), None)
        if first is not None:
            found[first] = replace(found[first], instead=(*found[first].instead, other))
    return tuple(found)


def _as_printed(markdown: str) -> str:
    """Without backslashes, marks and addresses of links; in a formula they are LaTeX."""
    return _outside_formulas(markdown, lambda text: as_read(unmarked(unlinked(text))))


def _as_marked(markdown: str) -> str:
    """Without backslashes and addresses, and without the marks of what is crossed out: hardly a target writes those."""
    return _outside_formulas(markdown, lambda text: as_read(unstruck(unlinked(text))))


def _outside_formulas(markdown: str, change: Callable[[str], str]) -> str:
    return "".join(part if n % 2 else change(part) for n, part in enumerate(parted_at_formulas(markdown)))


@dataclass(frozen=True, slots=True)
class Failure:
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class FlatPage:
    """A photographed page without its bends: what a target reads. Its parts are pages beside each other."""

    image: Image.Image
    regions: tuple[Region, ...]  # the draft's, with boxes in pixels of this image
    parts: tuple[tuple[float, tuple[Callable[[Box], Box], ...]], ...]  # the left end of each, and the steps back

    def placed(self, box: Box) -> Box:
        """Where a box of this image stands on the photograph.

        >>> halves = ((0.0, ()), (50.0, (lambda box: box.shifted(0, 7),)))
        >>> FlatPage(None, (), halves).placed(Box(60, 1, 70, 2))
        Box(x0=60, y0=8, x1=70, y1=9)
        """
        at = max(0.0, box.center[0])
        for step in [steps for left, steps in self.parts if left <= at][-1]:
            box = step(box)
        return box


@dataclass(frozen=True, slots=True)
class PageDraft:
    """A drafter's reading of one page, immutable and in reading order."""

    number: int
    width: int
    height: int
    regions: tuple[Region, ...] = ()
    drafter: str = ""
    reason: str = ""  # why this drafter was chosen, in words
    turned: int = 0  # degrees clockwise by which the image was turned upright
    warnings: tuple[str, ...] = ()
    failure: Failure | None = None  # why it is not the whole page
    doubts: tuple[Doubt, ...] = ()
    unread_words: float = 0.0  # about how many words stand in lines that were left out
    layer_trust: float | None = SOUND_LAYER  # share of the text layer's words that are right; None: not known
    flat: FlatPage | None = None  # of a photograph that was flattened

    @property
    def blank(self) -> bool:
        return not self.regions and self.failure is None and self.drafter != NO_DRAFTER

    def failed(self, failure: Failure | None) -> PageDraft:
        """The same draft, not the whole page: the reason is its failure and one of its warnings."""
        return replace(self, failure=failure, warnings=(*self.warnings, failure.message)) if failure else self


# ---------------------------------------------------------------------------------------------- results

Status = Literal["ok", "blank", "partial", "failed"]
Verified = Literal["page", "region", "none"]
DocumentStatus = Literal["ok", "partial", "failed"]


Origin = Literal["accepted", "tolerated", "own"]


@dataclass(frozen=True, slots=True)
class Provenance:
    """A stretch of the target's answer: a draft's words that it chose or nearly chose, or words of its own."""

    text: str
    origin: Origin
    source: str = ""  # of the draft


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the answer, with its place and its sources."""

    category: Category
    text: str
    box: Box | None = None
    level: int = 0
    sources: tuple[str, ...] = ()
    confidence: float | None = None  # expected share of its words that are right
    image: str | None = None  # a figure's file, relative to the document's folder
    spans: tuple[Provenance, ...] = ()  # of the target's answer; empty if no target wrote it
    type_size: float = 0.0  # of a heading, in pixels; 0 where it isn't known
    score: float | None = None  # the recogniser's own, where confidence is made of it
    judged: float | None = None  # the least share of its tokens, where a target judged the draft and didn't read it
    goes_on: bool = False  # in the next column, or on the next page
    continues: bool = False  # what the column or the page before began
    because: str = ""  # the rule or the reader of drafting that decided what it is; empty for plain text
    sums: TableSums | None = None  # that a table holds
    csv: str | None = None  # a table's file, as `image`
    structure: float | None = None  # of a table: how well its rows and columns are likely to stand
    words: PlacedWords = NO_WORDS  # that it was made of; none where they aren't known
    parts: tuple[PartOfBlock, ...] = ()  # that were put together here; none of a block that stands alone


@dataclass(frozen=True, slots=True)
class PartOfBlock:
    """A block that goes on in others or goes on with one, as it was read, and its place."""

    page: int  # its number
    index: int  # on the page
    block: Block


def block_of(region: Region) -> Block:
    """The block of a region that only a drafter has read."""
    first = region.drafts[0] if region.drafts else None
    return Block(
        region.category,
        region.text,
        region.box,
        region.level,
        sources=(first.source,) if first else (),
        confidence=_confidence(first) if first else None,
        score=first.confidence if first and first.certainty else None,
        type_size=region.type_size,
        because=region.because,
        structure=region.structure,
        words=PlacedWords.of(region.words),
    )


def _confidence(draft: Draft) -> float | None:
    return round(draft.certainty.share, 4) if draft.certainty is not None else draft.confidence


@dataclass(frozen=True, slots=True)
class ParsedPage:
    number: int
    width: int = 0
    height: int = 0
    dpi: float = 0.0
    label: str = ""
    status: Status = "ok"
    error: Failure | None = None
    verified: Verified = "none"
    exact: bool | None = None
    confidence: float | None = None  # expected share of the page's words that are right
    structure: float | None = None  # how likely it is that rows stand whole and all is in order
    blocks: tuple[Block, ...] = ()
    form: tuple[FormField, ...] = ()  # the file's own fields
    evidence: PageEvidence = field(default_factory=PageEvidence)
    seconds: Mapping[str, float] = field(default_factory=dict)
    flattened: str | None = None  # the file of the flattened photograph, relative to the document's folder

    @property
    def needs_look(self) -> bool:
        """Whether somebody should look at it."""
        return bool(self.evidence.doubts) or self.status in ("partial", "failed")

    @property
    def left_out(self) -> int:
        """How many words stand in its running heads and feet, which Markdown leaves out."""
        return sum(len(block.text.split()) for block in self.blocks if block.category in FURNITURE)

    @property
    def standing(self) -> str:
        """What a target has done for it, in words."""
        if self.verified != "none":
            return f"verified: {self.verified}"
        return "drafts, judged by the target" if self.evidence.judge is not None else "drafts only"

    @property
    def continues(self) -> bool:
        """Whether it begins with the rest of what the page before began."""
        marked = next((block for block in self.blocks if block.continues or block.goes_on), None)
        return marked is not None and marked.continues

    @property
    def goes_on(self) -> bool:
        """Whether its last text goes on on the next page."""
        marked = next((block for block in reversed(self.blocks) if block.continues or block.goes_on), None)
        return marked is not None and marked.goes_on


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark of the file, or a heading of the document."""

    level: int  # from 1
    title: str
    page: int


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    source: str  # the input as the user named it
    sha256: str
    pages: tuple[ParsedPage, ...]
    options: Mapping[str, object] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()  # about the file, not about one page
    outline: tuple[OutlineEntry, ...] = ()  # its headings, in order

    @property
    def status(self) -> DocumentStatus:
        """
        >>> ParsedDocument("a.pdf", "", (ParsedPage(1), ParsedPage(2, status="failed"))).status
        'partial'
        """
        found = {page.status for page in self.pages}
        if found == {"failed"}:
            return "failed"
        return "partial" if found & {"failed", "partial"} else "ok"
