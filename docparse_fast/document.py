"""The shared nouns of a document: boxes, pages, drafts, parsed pages. Knows no file format, no model and no tokens.

Boxes are in pixels of the page image, origin at the top left; a page's number is its number in the source, from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from docparse_fast.evidence import PageEvidence
from docparse_fast.geometry import Box as Box
from docparse_fast.marks import unmarked
from docparse_fast.markup import as_read
from docparse_fast.timing import Timer

if TYPE_CHECKING:
    from PIL import Image


class Category(StrEnum):
    """What a region is. Drafters and targets map their own labels onto these."""

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


# ------------------------------------------------------------------------------------------------ pages


@dataclass(frozen=True, slots=True)
class Span:
    """A run of a text layer's characters in one font: never more than one line, usually a word or a few."""

    box: Box  # along the line by the type's advance, across it by the ink
    text: str
    font: str
    size: float  # of the type, in pixels of the page image
    baseline: float = 0.0  # what the characters stand on: y, or x in a line that runs down or up the page
    bold: bool = False
    italic: bool = False
    mono: bool = False
    superscript: bool = False
    visible: bool = True  # False: drawn invisibly, as over a scan
    link: str | None = None


@dataclass(frozen=True, slots=True)
class TextLine:
    box: Box
    spans: tuple[Span, ...]
    vertical: bool = False  # not written left to right
    downwards: bool = False  # of a vertical line: from the top to the bottom

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


@dataclass(frozen=True, slots=True)
class TextLayer:
    """What a born-digital page says of itself. `blocks` are the file's own groups of lines, in the file's order."""

    blocks: tuple[tuple[TextLine, ...], ...] = ()
    images: tuple[Box, ...] = ()  # where pictures stand
    rules: tuple[Box, ...] = ()  # thin horizontal and vertical lines drawn on the page
    tables: tuple[TextTable, ...] = ()  # tables with drawn borders, as the file's vectors give them
    areas: tuple[Box, ...] = ()  # whatever else is painted: shading, curves, slanted lines

    @property
    def lines(self) -> list[TextLine]:
        return [line for block in self.blocks for line in block]


@dataclass(frozen=True, slots=True)
class TableCell:
    row: int
    column: int
    text: str
    rows: int = 1  # spanned
    columns: int = 1
    header: bool = False
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class TextTable:
    box: Box
    cells: tuple[TableCell, ...]


@dataclass(slots=True, eq=False)
class PageSource:
    """Where a page's parts come from; each is asked for at most once, and only if someone wants it."""

    render: Callable[[], Image.Image]
    text_layer: Callable[[], TextLayer | None]


@dataclass(eq=False)
class Page:
    """One page: geometry at once, image and text layer when first looked at."""

    number: int
    width: int  # pixels of `image`
    height: int
    dpi: float
    source: PageSource
    label: str = ""  # the printed number, where the file knows it
    timer: Timer = field(default_factory=Timer)  # of what its parts cost, whoever asks for them

    @cached_property
    def image(self) -> Image.Image:
        with self.timer.span("raster", aside=True):
            return self.source.render()

    @cached_property
    def text_layer(self) -> TextLayer | None:
        with self.timer.span("text_layer", aside=True):
            return self.source.text_layer()

    def close(self) -> None:
        """Forget the image: a document is never in memory whole."""
        self.__dict__.pop("image", None)


# ----------------------------------------------------------------------------------------------- drafts


WRITTEN_AS_TEXT = frozenset({"embedded", "text-layer"})  # sources of drafts that went through `markup.as_text`


@dataclass(frozen=True, slots=True)
class Draft:
    """One reading of a region, in plain words: Markdown for text, HTML for tables, LaTeX (no `$$`) for formulas.

    A list item's text starts with its marker (`- `, `2. `); a heading's text carries no `#`.
    """

    text: str
    source: str  # "embedded", "text-layer", "ppstructure", ...
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Region:
    box: Box
    category: Category
    drafts: tuple[Draft, ...] = ()
    level: int = 0  # of a heading, from 1; of a list item's nesting, from 0

    @property
    def text(self) -> str:
        """The reading to show where nothing has verified it: the first draft's."""
        return self.drafts[0].text if self.drafts else ""

    def printed(self, draft: Draft) -> str:
        """A reading as it is printed: backslashes and marks of a drafter that writes Markdown are not the page's."""
        is_markdown = draft.source in WRITTEN_AS_TEXT and self.category not in NOT_MARKDOWN
        return as_read(unmarked(draft.text)) if is_markdown else draft.text


@dataclass(frozen=True, slots=True)
class Failure:
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class PageDraft:
    """What a drafter said of one page, fixed, in its reading order."""

    number: int
    width: int
    height: int
    regions: tuple[Region, ...] = ()
    drafter: str = ""
    reason: str = ""  # why this drafter, in words
    turned: int = 0  # degrees clockwise by which the image had to be turned to stand upright
    warnings: tuple[str, ...] = ()
    failure: Failure | None = None  # why it is not the whole page

    @property
    def blank(self) -> bool:
        return not self.regions and self.failure is None

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
    """A stretch of the target's answer: a draft's word that it chose, one that it nearly chose, or its own."""

    text: str
    origin: Origin
    source: str = ""  # of the draft


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the answer, with where it stands and where it comes from."""

    category: Category
    text: str
    box: Box | None = None
    level: int = 0
    sources: tuple[str, ...] = ()
    confidence: float | None = None
    image: str | None = None  # a figure's file, relative to the document's folder
    spans: tuple[Provenance, ...] = ()  # of the target's answer; none where no target wrote it


def block_of(region: Region) -> Block:
    """A region as nothing but its drafter has it."""
    first = region.drafts[0] if region.drafts else None
    return Block(
        region.category,
        region.text,
        region.box,
        region.level,
        sources=(first.source,) if first else (),
        confidence=first.confidence if first else None,
    )


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
    blocks: tuple[Block, ...] = ()
    evidence: PageEvidence = field(default_factory=PageEvidence)
    seconds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    source: str  # the input as named by the user
    sha256: str
    pages: tuple[ParsedPage, ...]
    options: Mapping[str, object] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()  # about the file, not about one page

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
