r"""DocTags, which SmolDocling and granite-docling answer in: an element's tag, its box, its text. Knows no tensor.

    <doctag><section_header_level_1><loc_67><loc_36><loc_253><loc_44>Results</section_header_level_1>
    <unordered_list><list_item><loc_66><loc_47><loc_431><loc_77>• first</list_item>
    </unordered_list>
    <otsl><loc_44><loc_72><loc_348><loc_273><ched>Year<ched>Sum<nl><fcel>2024<ecel><nl></otsl>
    </doctag>

Boxes are on a grid of 500 by 500, cells are OTSL (`tables.py`). The prompts are those of SmolDocling's model card; the
page's is what docling sends too (`docling/datamodel/vlm_prompts.py`: `DOCLING_BASE_PAGE_PROMPT`). A crop of text has
none of its own and is asked for as a page. An answer ends with `</doctag>` and `<end_of_utterance>`, or
`<|end_of_text|>` for granite (`docling/datamodel/vlm_model_specs.py`). The tags are docling-core's
(`types/doc/tokens.py`), and so is a caption's place, in its picture or after its table's cells
(`transforms/serializer/doctags.py`). Public answers have a line break after each element, a bullet in each item, and
blanks between a formula's signs.
Not established: when a model names what a picture shows, how it writes a formula within text, and lists in lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from docparse_fast.document import Block, Box, Category, Region
from docparse_fast.geometry import Size
from docparse_fast.targets.dialects.dialect import Answer, Phrase
from docparse_fast.targets.dialects.latex import COMMANDS, spaced
from docparse_fast.targets.dialects.latex import EXAMPLES as FORMULAS
from docparse_fast.targets.dialects.markdown_parts import bare_formula, split_bullet, with_bullet
from docparse_fast.targets.dialects.otsl import html_table, otsl, with_sections
from docparse_fast.targets.dialects.readings import readings

GRID = 500
PAGE_PROMPT = "Convert this page to docling."
SMOLDOCLING_CONVERSATION = "<|im_start|>User:<image>{prompt}<end_of_utterance>\nAssistant:"  # its card, under vLLM
_PROMPTS = {
    Category.TABLE: "Convert table to OTSL.",
    Category.FORMULA: "Convert formula to LaTeX.",
    Category.CODE: "Convert code to text.",
}
_TAGS = {
    Category.TITLE: "title",
    Category.TEXT: "text",
    Category.LIST_ITEM: "list_item",
    Category.TABLE: "otsl",
    Category.CAPTION: "caption",
    Category.FIGURE: "picture",
    Category.FORMULA: "formula",
    Category.CODE: "code",
    Category.FOOTNOTE: "footnote",
    Category.PAGE_HEADER: "page_header",
    Category.PAGE_FOOTER: "page_footer",
}
_HEADING = "section_header_level_"
_KINDS = {
    **{tag: category for category, tag in _TAGS.items()},
    **{f"{_HEADING}{level}": Category.SECTION_HEADER for level in range(6)},
    "chart": Category.FIGURE,
    "paragraph": Category.TEXT,
}
_LISTS = ("unordered_list", "ordered_list")
_HOLDERS = ("doctag", "inline", "page_break")  # tags that have no text of their own, as lists have none
_HOLD_CAPTIONS = (Category.FIGURE, Category.TABLE)

_TAG = re.compile(r"<(/?)([a-z_]+\d?)>")
_BOX = re.compile(r"\s*" + r"<loc_(\d{1,4})>" * 4)
_PLACE = re.compile(r"<loc_\d*>")
_CUT = re.compile(r"</?[a-z_]*\d*$")
_CELL = re.compile(r"<(?:fcel|ecel|lcel|ucel|xcel|ched|rhed|srow|nl)>")
_LANGUAGE = re.compile(r"(?<!\s)\s*+<_[^<>\s]{1,24}_>")
_SHOWN = re.compile(r"<[a-z_]+>")  # what a picture shows


class DocTagsDialect:
    """
    >>> from docparse_fast.document import Draft
    >>> title = Region(Box(100, 140, 500, 280), Category.TITLE, (Draft("Report", "embedded"),), level=1)
    >>> for phrase in DocTagsDialect().phrase_page([title], (1000, 1400)):
    ...     print(repr(phrase.text))
    '<doctag><title><loc_50><loc_50><loc_250><loc_100>Report</title>\\n</doctag>'
    '<doctag><section_header_level_1><loc_50><loc_50><loc_250><loc_100>Report</section_header_level_1>\\n</doctag>'
    """

    name = "doctags"
    page_prompt: str | None = PAGE_PROMPT
    stops: tuple[str, ...] = ("<end_of_utterance>", "<|end_of_text|>")

    def __init__(self, conversation: str | None = None) -> None:
        self.conversation = conversation

    @property
    def examples(self) -> tuple[str, ...]:
        """Formulas, and the commands of LaTeX."""
        return *(f"<formula>{spaced(each)}</formula>\n" for each in FORMULAS), *COMMANDS

    def region_prompt(self, category: Category) -> str | None:
        return None if category is Category.FIGURE else _PROMPTS.get(category, PAGE_PROMPT)

    def phrase_page(self, regions: Sequence[Region], size: Size) -> tuple[Phrase, ...]:
        held = dict(_captions(regions))
        phrases = []
        for n, (opened, closed) in enumerate(_list_marks(regions)):
            if n in held.values():
                continue
            for text, source in self._elements(regions, n, held.get(n), size):
                numbers = (n,) if n not in held else tuple(sorted((n, held[n])))
                phrases.append(Phrase(f"{opened}{text}\n{closed}", numbers, source))
        return _within_page(phrases)

    def _elements(
        self, regions: Sequence[Region], n: int, caption: int | None, size: Size
    ) -> Iterator[tuple[str, str]]:
        """Every reading of a region with its caption's; a title also as a heading, which models often make of it."""
        own = _wordings(regions[n])
        said = _wordings(regions[caption]) if caption is not None else [("", "")]
        for number in range(max(len(own), len(said))):
            text, source = own[min(number, len(own) - 1)]
            if caption is not None:
                text += _element(regions[caption], said[min(number, len(said) - 1)][0], size)
            yield _element(regions[n], text, size), source
        if regions[n].category is Category.TITLE:
            heading = replace(regions[n], category=Category.SECTION_HEADER)
            yield from ((_element(heading, text, size), source) for text, source in own)

    def phrase_region(self, region: Region, text: str) -> str:
        return _tagged(region, _worded(region, text))

    def parse(self, answer: str, size: Size) -> Answer:
        reading = _Reading(size)
        cut = _CUT.search(answer)
        whole = answer[: cut.start()] if cut else answer
        at = 0
        for tag in _TAG.finditer(whole):
            reading.take(whole[at : tag.start()])
            reading.mark(tag[2], tag[0], closes=bool(tag[1]))
            at = tag.end()
        reading.take(whole[at:])
        return Answer(reading.blocks(), cut[0] if cut else "")

    def read_region(self, region: Region, answer: str) -> str:
        read = self.parse(answer, (GRID, GRID))
        wanted = (block.text for block in read.blocks if block.category is region.category)
        return next(wanted, None) or "\n".join(block.text for block in read.blocks)


# ------------------------------------------------------------------------------------------------- phrasing


def _captions(regions: Sequence[Region]) -> Iterator[tuple[int, int]]:
    """Figures and tables with the caption right after them, or else right before."""
    taken: set[int] = set()
    for n, region in enumerate(regions):
        for beside in (n + 1, n - 1) if region.category in _HOLD_CAPTIONS else ():
            if 0 <= beside < len(regions) and regions[beside].category is Category.CAPTION and beside not in taken:
                taken.add(beside)
                yield n, beside
                break


def _list_marks(regions: Sequence[Region]) -> Iterator[tuple[str, str]]:
    """What stands before and after each region: the lists that begin and end there."""
    open_lists: list[str] = []
    for region, following in zip(regions, [*regions[1:], None], strict=True):
        before = after = ""
        while len(open_lists) < _depth(region):
            open_lists.append(_kind(region))
            before += f"<{open_lists[-1]}>"
        while len(open_lists) > _depth(following) or (
            following and open_lists and len(open_lists) == _depth(following) and open_lists[-1] != _kind(following)
        ):
            after += f"</{open_lists.pop()}>\n"
        yield before, after


def _depth(region: Region | None) -> int:
    """The number of lists that it stands in."""
    return region.level + 1 if region is not None and region.category is Category.LIST_ITEM else 0


def _kind(item: Region) -> str:
    return _LISTS[item.text[:1].isdigit()]


def _wordings(region: Region) -> list[tuple[str, str]]:
    """Every reading with its source; a table first with its header cells marked as such, then without."""
    if region.category is Category.FIGURE:
        return [("", "layout")]
    found = [(_worded(region, reading.text), reading.source) for reading in readings(region, marked=False)]
    if region.category is Category.TABLE:
        found += [(_headless(text), source) for text, source in found]
    return found


def _worded(region: Region, text: str) -> str:
    match region.category:
        case Category.TABLE:
            return otsl(with_sections(text), head="ched")
        case Category.FORMULA:
            return spaced(text)
        case Category.CODE:
            return f"<_unknown_>{text}"
        case Category.LIST_ITEM:
            return with_bullet(text, "•")
        case _:
            return text


def _headless(cells: str) -> str:
    return cells.replace("<ched>", "<fcel>")


def _element(region: Region, text: str, size: Size) -> str:
    return _tagged(region, "".join(f"<loc_{place}>" for place in _on_grid(region.box, size)) + text, size)


def _tagged(region: Region, text: str, size: Size = (GRID, GRID)) -> str:
    tag = _tag(region, size)
    return f"<{tag}>{text}</{tag}>"


def _tag(region: Region, size: Size) -> str:
    if region.category is Category.SECTION_HEADER:
        return f"{_HEADING}{min(max(region.level - 1, 1), 5)}"
    if region.category is Category.PAGE_NUMBER:  # has no tag of its own: its margin decides
        return "page_header" if region.box.center[1] < size[1] / 2 else "page_footer"
    return _TAGS[region.category]


def _on_grid(box: Box, size: Size) -> tuple[int, ...]:
    x, y = GRID / size[0], GRID / size[1]
    return tuple(min(max(round(edge), 0), GRID) for edge in (box.x0 * x, box.y0 * y, box.x1 * x, box.y1 * y))


def _within_page(phrases: Sequence[Phrase]) -> tuple[Phrase, ...]:
    """Adds the page's own tags around the first and the last regions' readings."""
    ends = (phrases[0].regions, phrases[-1].regions) if phrases else ((), ())
    return tuple(
        replace(
            phrase,
            text=("<doctag>" if phrase.regions == ends[0] else "")
            + phrase.text
            + ("</doctag>" if phrase.regions == ends[1] else ""),
        )
        for phrase in phrases
    )


# -------------------------------------------------------------------------------------------------- reading


@dataclass(slots=True)
class _Element:
    """An element whose end was not read yet."""

    tag: str
    found: list[Block]  # its blocks, once it ends
    parts: list[str] = field(default_factory=list)
    lists: tuple[str, ...] = ()  # that it stands in
    number: int = 1  # in its list


class _Reading:
    """What was read of an answer, tag by tag. An element that is never closed ends where the next one begins."""

    def __init__(self, size: Size) -> None:
        self._size = size
        self._found: list[list[Block]] = []
        self._open: list[_Element] = []
        self._lists: list[str] = []
        self._items: list[int] = []  # of each open list, how many were read

    def take(self, text: str) -> None:
        if not self._open:
            self._begin("text") if text.strip() else None
        if self._open:
            self._open[-1].parts.append(text)

    def mark(self, tag: str, written: str, *, closes: bool) -> None:
        if tag in _LISTS:
            self._end_all()
            self._step(tag, closes=closes)
        elif tag in _HOLDERS:
            self._end_all()
        elif tag not in _KINDS:
            self.take(written)
        elif tag == "formula" and self._open and _KINDS[self._open[-1].tag] not in (*_HOLD_CAPTIONS, Category.FORMULA):
            self._open[-1].parts.append("$")  # within text
        elif closes:
            self._end(tag)
        else:
            if not (self._open and _KINDS[self._open[-1].tag] in _HOLD_CAPTIONS):
                self._end_all()
            self._begin(tag)

    def blocks(self) -> tuple[Block, ...]:
        self._end_all()
        return tuple(block for found in self._found for block in found)

    def _step(self, tag: str, *, closes: bool) -> None:
        if not closes:
            self._lists.append(tag)
            self._items.append(0)
        elif self._lists:
            self._lists.pop()
            self._items.pop()

    def _begin(self, tag: str) -> None:
        found: list[Block] = []
        self._found.append(found)
        if tag == "list_item" and self._items:
            self._items[-1] += 1
        number = self._items[-1] if self._items else 1
        self._open.append(_Element(tag, found, [], tuple(self._lists), number))

    def _end(self, tag: str) -> None:
        if any(element.tag == tag for element in self._open):
            while self._open:
                element = self._open.pop()
                element.found += _blocks(element, self._size)
                if element.tag == tag:
                    return

    def _end_all(self) -> None:
        while self._open:
            element = self._open.pop()
            element.found += _blocks(element, self._size)


def _blocks(element: _Element, size: Size) -> list[Block]:
    category, written = _KINDS[element.tag], "".join(element.parts)
    placed = _BOX.match(written)
    box = _page_box(placed.groups(), size) if placed else None
    text = _PLACE.sub("", written)
    if category in _HOLD_CAPTIONS:
        return _figure_or_table(category, text, box)
    plain, level = _plain(element, category, text)
    return [Block(category, plain, box, level)] if plain else []


def _figure_or_table(category: Category, text: str, box: Box | None) -> list[Block]:
    """A table is its cells, also a chart's; a picture may say what it shows, and neither loses other text."""
    first = _CELL.search(text)
    beside = (text[: first.start()] if first else text).strip()
    found = [Block(Category.FIGURE, _SHOWN.sub("", beside).strip(), box)] if category is Category.FIGURE else []
    if category is Category.TABLE and beside:
        found.append(Block(Category.TEXT, beside, box))
    if first:
        found.append(Block(Category.TABLE, html_table(text[first.start() :]), box))
    return found


def _plain(element: _Element, category: Category, text: str) -> tuple[str, int]:
    """An element's text in the form of `Draft.text`, and its level."""
    match category:
        case Category.TITLE:
            return text.strip(), 1
        case Category.SECTION_HEADER:
            return text.strip(), int(element.tag.removeprefix(_HEADING)) + 1
        case Category.FORMULA:
            return bare_formula(text), 0
        case Category.CODE:
            return _LANGUAGE.sub("", text, count=1).strip("\n"), 0
        case Category.LIST_ITEM:
            return _item(element, text.strip()), max(len(element.lists) - 1, 0)
        case _:
            return text.strip(), 0


def _item(element: _Element, text: str) -> str:
    """With the marker that its list gives it, if it has none."""
    if not text or split_bullet(text)[0]:
        return with_bullet(text, "-")
    return f"{element.number}. {text}" if element.lists[-1:] == ("ordered_list",) else f"- {text}"


def _page_box(places: Sequence[str], size: Size) -> Box | None:
    x0, y0, x1, y1 = (int(place) / GRID for place in places)
    return Box(x0 * size[0], y0 * size[1], x1 * size[0], y1 * size[1]).clipped(*size)
