"""dots.ocr's dialect: one JSON list of the page's elements, each with its box. Knows no tensor and no other model.

    [{"bbox": [104, 495, 228, 520], "category": "Section-header", "text": "## ABSTRACT"}, {"bbox": ...}]

The prompts are copied exactly from the project's `dots_ocr/utils/prompts.py` (rednote-hilab/dots.ocr):
`prompt_layout_all_en` for a page, `prompt_ocr` for a crop. The chat format is the chat template of the checkpoint; an
answer ends with `<|endofassistant|>` (151673) or `<|endoftext|>` (151643), as in its generation config. Boxes are in
pixels of the *resized* image, whose size the project's `smart_resize` computes. dots.mocr is asked with the same
words (`dots_mocr/utils/prompts.py`) and has the same class; whether its style differs is not established.

Its style was taken from answers of the real model that docling keeps as test data: `# ` before a Title and `## `
before a Section-header, a list as *one* List-item with `* ` bullets, one a line, a Picture without text, letters of any
script as they are. Its tables are as in a public greedy answer to a page with three: header rows in `thead` as `th`,
the others in `tbody`, and `>` as it is.
Not established: whether a Formula has `$$` around it (drafts have them; both are read), and whether `&` and `<` stand
in tables as they are (drafts have `&amp;` and `&lt;`).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from docparse_fast.document import Block, Box, Category, Region
from docparse_fast.geometry import Size
from docparse_fast.targets.dialects.dialect import Answer, Phrase
from docparse_fast.targets.dialects.latex import COMMANDS
from docparse_fast.targets.dialects.latex import EXAMPLES as FORMULAS
from docparse_fast.targets.dialects.markdown_parts import (
    bare_formula,
    heading_marks,
    list_items,
    split_heading,
    with_bullet,
    without_fence,
)
from docparse_fast.targets.dialects.otsl import with_sections
from docparse_fast.targets.dialects.readings import list_readings, readings

FACTOR = 28  # both sides of the resized image are multiples: two patches of 14
MIN_PIXELS = 3136
MAX_PIXELS = 11_289_600
MAX_ASPECT = 200

PAGE_PROMPT = """Please output the layout information from the PDF image, including each layout element's bbox, its \
category, and the corresponding text content within the bbox.

1. Bbox format: [x1, y1, x2, y2]

2. Layout Categories: The possible categories are ['Caption', 'Footnote', 'Formula', 'List-item', 'Page-footer', \
'Page-header', 'Picture', 'Section-header', 'Table', 'Text', 'Title'].

3. Text Extraction & Formatting Rules:
    - Picture: For the 'Picture' category, the text field should be omitted.
    - Formula: Format its text as LaTeX.
    - Table: Format its text as HTML.
    - All Others (Text, Title, etc.): Format their text as Markdown.

4. Constraints:
    - The output text must be the original text from the image, with no translation.
    - All layout elements must be sorted according to human reading order.

5. Final Output: The entire output must be a single JSON object.
"""
REGION_PROMPT = "Extract the text content from this image."

_LABELS = {
    Category.TITLE: "Title",
    Category.SECTION_HEADER: "Section-header",
    Category.TEXT: "Text",
    Category.LIST_ITEM: "List-item",
    Category.TABLE: "Table",
    Category.CAPTION: "Caption",
    Category.FIGURE: "Picture",
    Category.FORMULA: "Formula",
    Category.FOOTNOTE: "Footnote",
    Category.PAGE_HEADER: "Page-header",
    Category.PAGE_FOOTER: "Page-footer",
}
_CATEGORIES = {label: category for category, label in _LABELS.items()}
_DECODER = json.JSONDecoder(strict=False)  # accepts raw line breaks in strings
_UNREADABLE = (json.JSONDecodeError, RecursionError)  # a looping model can open brackets without end
_ELEMENT = re.compile(r"\{\s*\"bbox\"")
_BAD_ESCAPE = re.compile(r"\\(?![\"\\/bfnrt]|u[0-9a-fA-F]{4})")
_PACKING = re.compile(r"^(?:[\s,\[\]]|```(?:json)?)*$")  # allowed around elements


def resized_size(width: int, height: int) -> Size:
    """The size, width first, of the image that the model sees; its boxes are in these pixels.

    >>> resized_size(1700, 2200)
    (1708, 2212)
    >>> resized_size(10, 10)
    (56, 56)
    """
    if max(width, height) > MAX_ASPECT * min(width, height):
        raise ValueError(f"an image of {width} x {height} is more than {MAX_ASPECT} times as long as it is wide")
    columns, rows = max(FACTOR, _nearest(width)), max(FACTOR, _nearest(height))
    if columns * rows > MAX_PIXELS:
        shrink = math.sqrt(width * height / MAX_PIXELS)
        columns, rows = (max(FACTOR, math.floor(side / shrink / FACTOR) * FACTOR) for side in (width, height))
    elif columns * rows < MIN_PIXELS:
        grow = math.sqrt(MIN_PIXELS / (width * height))
        columns, rows = (math.ceil(side * grow / FACTOR) * FACTOR for side in (width, height))
    return columns, rows


def _nearest(side: int) -> int:
    return round(side / FACTOR) * FACTOR


@dataclass(frozen=True, slots=True)
class DotsOcrDialect:
    name: str = "dots.ocr"
    page_prompt: str | None = PAGE_PROMPT
    conversation: str | None = "<|user|><|img|><|imgpad|><|endofimg|>{prompt}<|endofuser|><|assistant|>"
    stops: tuple[str, ...] = ("<|endofassistant|>", "<|endoftext|>")

    @property
    def examples(self) -> tuple[str, ...]:
        """Formulas within text and displayed, the commands of LaTeX."""
        inline, display = (f"the ${each}$ of" for each in FORMULAS[:-1]), (f"$${each}$$" for each in FORMULAS)
        return tuple(json.dumps(text)[1:-1] for text in (*inline, *display, *COMMANDS))

    def region_prompt(self, category: Category) -> str | None:
        return None if category is Category.FIGURE else REGION_PROMPT

    def phrase_page(self, regions: Sequence[Region], size: Size) -> tuple[Phrase, ...]:
        """One element for each reading; a run of list items is one element, as the model writes it."""
        phrases: list[Phrase] = []
        for listed, group in groupby(enumerate(regions), key=lambda pair: pair[1].category is Category.LIST_ITEM):
            members = list(group)
            if listed and len(members) > 1:
                phrases += _list_phrases(members, size)
            else:
                phrases += [phrase for n, region in members for phrase in _phrases(n, region, size)]
        return _closed(phrases)

    def phrase_region(self, region: Region, text: str) -> str:
        return _wording(region, text)

    def parse(self, answer: str, size: Size) -> Answer:
        blocks: list[Block] = []
        lost: list[str] = []
        for element, text in _elements(answer):
            made = _blocks(element, size) if element is not None else []
            blocks += made
            if not made:
                lost.append(text)
        return Answer(tuple(blocks), "".join(lost).strip())

    def read_region(self, region: Region, answer: str) -> str:
        return _plain(region.category, answer.strip())[0]


_TEXT_KEY = '", "text": "'
_NO_TEXT = '"},'

# ------------------------------------------------------------------------------------------------- phrasing


def _phrases(n: int, region: Region, size: Size) -> list[Phrase]:
    if region.category is Category.FIGURE:
        return [Phrase(f" {_element(region, region.box, None, size)},", (n,), "layout")]
    return [
        Phrase(f" {_element(region, region.box, _wording(region, reading.text), size)},", (n,), reading.source)
        for reading in readings(region)
    ]


def _list_phrases(members: Sequence[tuple[int, Region]], size: Size) -> list[Phrase]:
    phrases = []
    for listed in list_readings(members):
        box = Box.around(region.box for region, _ in listed.items)
        text = "\n".join(_wording(region, printed) for region, printed in listed.items)
        phrases.append(Phrase(f" {_element(listed.items[0][0], box, text, size)},", listed.numbers, listed.source))
    return phrases


def _closed(phrases: Sequence[Phrase]) -> tuple[Phrase, ...]:
    """Adds the page list's own brackets around the first and the last regions' readings."""
    ends = (phrases[0].regions, phrases[-1].regions) if phrases else ((), ())
    opened = [
        replace(phrase, text="[" + phrase.text[1:]) if phrase.regions == ends[0] else phrase for phrase in phrases
    ]
    return tuple(
        replace(phrase, text=phrase.text[:-1] + "]") if phrase.regions == ends[1] else phrase for phrase in opened
    )


def _element(region: Region, box: Box, text: str | None, size: Size) -> str:
    label = _label(region, size)
    fields = f'"bbox": {_resized_box(box, size)}, "category": "{label}"'
    if text is not None:
        fields += f', "text": {json.dumps(text, ensure_ascii=False)}'
    return f"{{{fields}}}"


def _label(region: Region, size: Size) -> str:
    if region.category is Category.PAGE_NUMBER:  # has no label of its own: its margin decides
        return "Page-header" if region.box.center[1] < size[1] / 2 else "Page-footer"
    return _LABELS.get(region.category, "Text")


def _resized_box(box: Box, size: Size) -> list[int]:
    width, height = resized_size(*size)
    x, y = width / size[0], height / size[1]
    return [round(box.x0 * x), round(box.y0 * y), round(box.x1 * x), round(box.y1 * y)]


def _wording(region: Region, text: str) -> str:
    match region.category:
        case Category.TITLE | Category.SECTION_HEADER:
            return f"{heading_marks(region)} {text}"
        case Category.LIST_ITEM:
            return f"{'  ' * region.level}{with_bullet(text, '*')}"
        case Category.FORMULA:
            return f"$${text}$$"
        case Category.CODE:
            return f"```\n{text}\n```"
        case Category.TABLE:
            return with_sections(text)
        case _:
            return text


# -------------------------------------------------------------------------------------------------- reading


def _elements(answer: str) -> Iterator[tuple[dict[str, object] | None, str]]:
    """Each piece of the answer with its element; None if it is neither an element nor packing."""
    position = 0
    while (found := _ELEMENT.search(answer, position)) is not None:
        if not _PACKING.match(between := answer[position : found.start()]):
            yield None, between
        element, position = _element_at(answer, found.start())
        yield element, answer[found.start() : position]
    if not _PACKING.match(rest := answer[position:]):
        yield None, rest


def _element_at(answer: str, start: int) -> tuple[dict[str, object] | None, int]:
    """The element that starts here and where it ends; a broken one ends where the next begins."""
    try:
        return _DECODER.raw_decode(answer, start)
    except _UNREADABLE:
        following = _ELEMENT.search(answer, start + 1)
        end = following.start() if following else len(answer)
    try:  # an unescaped backslash of LaTeX: "\alpha" instead of "\\alpha"
        return _DECODER.raw_decode(_BAD_ESCAPE.sub(r"\\\\", answer[start:end]))[0], end
    except _UNREADABLE:
        return None, end


def _blocks(element: dict[str, object], size: Size) -> list[Block]:
    category = _CATEGORIES.get(str(element.get("category")), Category.TEXT)
    box = _page_box(element.get("bbox"), size)
    text = str(element.get("text") or "").strip()
    if category is Category.FIGURE:
        return [Block(category, text, box)]
    if category is Category.LIST_ITEM:
        return [Block(category, item, box, level) for item, level in list_items(text)]
    if not text:
        return []
    plain, level = _plain(category, text)
    if category is Category.TEXT and text.startswith("```"):
        category = Category.CODE
    return [Block(category, plain, box, level)]


def _plain(category: Category, text: str) -> tuple[str, int]:
    """An element's text in the form of `Draft.text`, and a heading's level."""
    match category:
        case Category.TITLE | Category.SECTION_HEADER:
            level, plain = split_heading(text)
            return plain, level or (1 if category is Category.TITLE else 2)
        case Category.LIST_ITEM:
            return with_bullet(text, "-"), 0
        case Category.FORMULA:
            return bare_formula(text), 0
        case _:
            return without_fence(text), 0


def _page_box(corners: object, size: Size) -> Box | None:
    if not isinstance(corners, list) or len(corners) != 4:
        return None
    if not all(isinstance(corner, int | float) and math.isfinite(corner) for corner in corners):
        return None
    width, height = resized_size(*size)
    x, y = size[0] / width, size[1] / height
    x0, y0, x1, y1 = corners
    return Box(min(x0, x1) * x, min(y0, y1) * y, max(x0, x1) * x, max(y0, y1) * y).clipped(*size)
