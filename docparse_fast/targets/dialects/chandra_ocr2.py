r"""Chandra OCR 2's dialect: HTML, one `div` with a label and a box for each block. Knows no tensor and no other model.

    <div data-bbox="48 38 314 68" data-label="Section-Header"><h1>Results</h1></div>
    <div data-bbox="48 72 347 97" data-label="Text"><p>All of <b>them</b>, and <math>x^2</math>.</p></div>

The prompts are `ocr_layout` for a page and `ocr` for a crop of its makers' program (datalab-to/chandra,
`chandra/prompts.py` of release 2), copied exactly from two public copies that agree. The chat template is the
checkpoint's; an answer ends with `<|im_end|>` or `<|endoftext|>`. Its makers let it have 12,384 tokens and show it an
image of 50,176 to 6,291,456 pixels. Boxes are in thousandths of the page. Its style was taken from public answers of
release 2: a line for each block, tables as `<table border="1">` with a line for each row, formulas in `<math>`.
Not established: how its lists nest, and when a picture is an `Image` and when a `Figure`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from docparse_fast.document import HEADINGS, Block, Box, Category, Region
from docparse_fast.geometry import Size
from docparse_fast.targets.dialects.chandra_html import blocks_of, list_html, region_html
from docparse_fast.targets.dialects.dialect import Answer, Phrase
from docparse_fast.targets.dialects.latex import EXAMPLES as FORMULAS
from docparse_fast.targets.dialects.markdown_parts import bare_formula, unwrapped, with_bullet
from docparse_fast.targets.dialects.readings import list_readings, readings

_ENDING = """Only use these tags ['math', 'br', 'i', 'b', 'u', 'del', 'sup', 'sub', 'table', 'tr', 'td', 'p', 'th', \
'div', 'pre', 'h1', 'h2', 'h3', 'h4', 'h5', 'ul', 'ol', 'li', 'input', 'a', 'span', 'img', 'hr', 'tbody', 'small', \
'caption', 'strong', 'thead', 'big', 'code', 'chem'], and these attributes ['class', 'colspan', 'rowspan', 'display', \
'checked', 'type', 'border', 'value', 'style', 'href', 'alt', 'align', 'data-bbox', 'data-label'].

Guidelines:
* Inline math: Surround math with <math>...</math> tags. Math expressions should be rendered in KaTeX-compatible \
LaTeX. Use display for block math.
* Tables: Use colspan and rowspan attributes to match table structure.
* Formatting: Maintain consistent formatting with the image, including spacing, indentation, subscripts/superscripts, \
and special characters.
* Images: Include a description of any images in the alt attribute of an <img> tag. Do not fill out the src property. \
Describe in detail inside the div tag. Also convert charts to high fidelity data, and convert diagrams to mermaid.
* Forms: Mark checkboxes and radio buttons properly.
* Text: join lines together properly into paragraphs using <p>...</p> tags.  Use <br> tags for line breaks within \
paragraphs, but only when absolutely necessary to maintain meaning.
* Chemistry: Use <chem>...</chem> tags for chemical formulas with reactive SMILES.
* Lists: Preserve indents and proper list markers.
* Use the simplest possible HTML structure that accurately represents the content of the block.
* Make sure the text is accurate and easy for a human to read and interpret.  Reading order should be correct and \
natural."""
PAGE_PROMPT = f"""OCR this image to HTML, arranged as layout blocks.  Each layout block should be a div with the \
data-bbox attribute representing the bounding box of the block in x0 y0 x1 y1 format.  Bboxes are normalized 0-1000. \
The data-label attribute is the label for the block.

Use the following labels:
- Caption
- Footnote
- Equation-Block
- List-Group
- Page-Header
- Page-Footer
- Image
- Section-Header
- Table
- Text
- Complex-Block
- Code-Block
- Form
- Table-Of-Contents
- Figure
- Chemical-Block
- Diagram
- Bibliography
- Blank-Page

{_ENDING}"""
REGION_PROMPT = f"OCR this image to HTML.\n\n{_ENDING}"
SCALE = 1000

_LABELS = {
    Category.TITLE: "Section-Header",
    Category.SECTION_HEADER: "Section-Header",
    Category.TEXT: "Text",
    Category.LIST_ITEM: "List-Group",
    Category.TABLE: "Table",
    Category.CAPTION: "Caption",
    Category.FIGURE: "Figure",
    Category.FORMULA: "Equation-Block",
    Category.CODE: "Code-Block",
    Category.FOOTNOTE: "Footnote",
    Category.PAGE_HEADER: "Page-Header",
    Category.PAGE_FOOTER: "Page-Footer",
}
# labels that say more than the HTML in them
_TELLING = {
    "Caption": Category.CAPTION,
    "Footnote": Category.FOOTNOTE,
    "Page-Header": Category.PAGE_HEADER,
    "Page-Footer": Category.PAGE_FOOTER,
    "Section-Header": Category.SECTION_HEADER,
    "Equation-Block": Category.FORMULA,
    "Code-Block": Category.CODE,
}
_PICTURES = frozenset({"Image", "Figure", "Diagram"})
_UNMARKED = 2  # the level of a heading without one
_HEAD = re.compile(r"<div\b(?=[^<>]*\bdata-label=\"(?P<label>[^\"<>]*)\")[^<>]*>")
_BOX = re.compile(r"data-bbox=\"([^\"<>]*)\"")
_CUT = re.compile(r"<(?:/?[a-zA-Z][^<>]*)?\Z")


@dataclass(frozen=True, slots=True)
class ChandraOcr2Dialect:
    name: str = "chandra-ocr-2"
    page_prompt: str | None = PAGE_PROMPT
    conversation: str | None = None
    stops: tuple[str, ...] = ("<|im_end|>", "<|endoftext|>")

    @property
    def examples(self) -> tuple[str, ...]:
        """Formulas within text and displayed."""
        return *(f"the <math>{each}</math> of" for each in FORMULAS[:-1]), *(
            f'<math display="block">{each}</math></div>\n' for each in FORMULAS
        )

    def region_prompt(self, category: Category) -> str | None:
        return None if category is Category.FIGURE else REGION_PROMPT

    def phrase_page(self, regions: Sequence[Region], size: Size) -> tuple[Phrase, ...]:
        """One `div` for each reading; a run of list items is one, as the model writes it."""
        phrases: list[Phrase] = []
        for listed, group in groupby(enumerate(regions), key=lambda pair: pair[1].category is Category.LIST_ITEM):
            members = list(group)
            if listed:
                phrases += _list_phrases(members, size)
            else:
                phrases += [phrase for n, region in members for phrase in _phrases(n, region, size)]
        return tuple(phrases)

    def phrase_region(self, region: Region, text: str) -> str:
        return region_html(region, text)

    def parse(self, answer: str, size: Size) -> Answer:
        answer = unwrapped(answer)
        cut = _CUT.search(answer)
        lost = [cut[0]] if cut else []
        blocks: list[Block] = []
        for label, box, html in _sections(answer[: cut.start()] if cut else answer, size):
            found, rest = blocks_of(html)
            blocks += [replace(block, box=box) for block in _labelled(found, label)]
            lost.insert(0, rest)
        return Answer(tuple(blocks), "\n".join(filter(None, lost)))

    def read_region(self, region: Region, answer: str) -> str:
        blocks = self.parse(answer, (SCALE, SCALE)).blocks
        alike = [block for block in blocks if block.category is region.category]
        text = "\n\n".join(block.text for block in (alike or blocks))
        return with_bullet(text, "-") if region.category is Category.LIST_ITEM else text


_LABEL = '" data-label="'


def _phrases(n: int, region: Region, size: Size) -> list[Phrase]:
    head = _head(region.box, _label(region, size), size)
    if region.category is Category.FIGURE:
        return [Phrase(f"{head}<img alt", (n,), "layout")]
    return [
        Phrase(f"{head}{region_html(region, reading.text)}</div>\n", (n,), reading.source)
        for reading in readings(region)
    ]


def _list_phrases(members: Sequence[tuple[int, Region]], size: Size) -> list[Phrase]:
    phrases = []
    for listed in list_readings(members):
        head = _head(Box.around(region.box for region, _ in listed.items), _LABELS[Category.LIST_ITEM], size)
        items = [(text, region.level) for region, text in listed.items]
        phrases.append(Phrase(f"{head}{list_html(items)}</div>\n", listed.numbers, listed.source))
    return phrases


def _head(box: Box, label: str, size: Size) -> str:
    x, y = SCALE / size[0], SCALE / size[1]
    corners = (round(box.x0 * x), round(box.y0 * y), round(box.x1 * x), round(box.y1 * y))
    return f'<div data-bbox="{" ".join(map(str, corners))}{_LABEL}{label}">'


def _end(label: str) -> str:
    """The tag that a block with this label begins with, where there is only one."""
    opened = {"List-Group": "<ul><li>", "Table": '<table border="1">\n<tbody>\n<tr><td>', "Section-Header": "<h"}
    return f'">{opened.get(label, "" if label in ("Equation-Block", "Code-Block", "Figure") else "<p>")}'


def _label(region: Region, size: Size) -> str:
    if region.category is Category.PAGE_NUMBER:  # has no label of its own: its margin decides
        return "Page-Header" if region.box.center[1] < size[1] / 2 else "Page-Footer"
    return _LABELS[region.category]


def _sections(answer: str, size: Size) -> Iterator[tuple[str, Box | None, str]]:
    """Label, box and HTML of each block; what stands before the first has none."""
    heads = list(_HEAD.finditer(answer))
    starts = [head.start() for head in heads] + [len(answer)]
    if answer[: starts[0]].strip():
        yield "", None, answer[: starts[0]]
    for head, end in zip(heads, starts[1:], strict=True):
        yield head["label"], _page_box(head[0], size), _CUT.sub("", answer[head.end() : end])


def _page_box(head: str, size: Size) -> Box | None:
    found = _BOX.search(head)
    numbers = [int(number) for number in re.findall(r"\d{1,5}", found[1])] if found else []
    if len(numbers) != 4:
        return None
    x, y = size[0] / SCALE, size[1] / SCALE
    x0, y0, x1, y1 = numbers
    return Box(min(x0, x1) * x, min(y0, y1) * y, max(x0, x1) * x, max(y0, y1) * y).clipped(*size)


def _labelled(blocks: Sequence[Block], label: str) -> list[Block]:
    if label in _PICTURES:
        return [Block(Category.FIGURE, "\n".join(filter(None, (block.text for block in blocks))))]
    kind = _TELLING.get(label)
    return [_told(block, kind) if kind and block.category is Category.TEXT else block for block in blocks]


def _told(block: Block, kind: Category) -> Block:
    if kind is Category.FORMULA:
        return replace(block, category=kind, text=bare_formula(block.text))
    return replace(block, category=kind, level=_UNMARKED if kind in HEADINGS else block.level)
