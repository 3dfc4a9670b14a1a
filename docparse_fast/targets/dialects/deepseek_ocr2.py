r"""DeepSeek-OCR 2's dialect: Markdown blocks, each under its label and box. Knows no tensor and no other model.

    <|ref|>sub_title<|/ref|><|det|>[[115, 232, 270, 260]]<|/det|>
    ## Lösungen

The prompts are copied exactly from the card of the checkpoint that transformers loads
(deepseek-community/DeepSeek-OCR-2): the grounding one for a page, the free one for crops. There is no chat template:
image, line break, prompt. An answer ends with the end-of-sentence token; the marks around labels and boxes are special
tokens and must be kept. Its style was taken from public answers of real runs (of the same format; they don't say
whether of release 1 or 2): boxes in thousandths of the page, text followed by a blank before its line break, formulas
between `\[` and `\]`, within text between `\(` and `\)`, tables as plain `<table><tr><td>`. Its makers ban repeated
35-grams in decoding; we don't.
Not established: the full list of labels; unknown ones are read as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from docparse_fast.document import Block, Box, Category, Region
from docparse_fast.geometry import Size
from docparse_fast.targets.dialects.dialect import Answer, Phrase
from docparse_fast.targets.dialects.markdown import MarkdownDialect
from docparse_fast.targets.dialects.on_markdown import OnMarkdown

_SCALE = 999  # the number of a box's far edge
_LABEL_END = "<|/ref|>"
_LABELS = {
    Category.TITLE: "title",
    Category.SECTION_HEADER: "sub_title",
    Category.TEXT: "text",
    Category.LIST_ITEM: "text",
    Category.TABLE: "table",
    Category.CAPTION: "image_caption",
    Category.FIGURE: "image",
    Category.FORMULA: "equation",
    Category.CODE: "text",
    Category.FOOTNOTE: "footnote",
    Category.PAGE_HEADER: "header",
    Category.PAGE_FOOTER: "footer",
    Category.PAGE_NUMBER: "page_number",
}
# labels that say more than the Markdown under them
_TELLING = {
    "image": Category.FIGURE,
    "image_caption": Category.CAPTION,
    "table_caption": Category.CAPTION,
    "footnote": Category.FOOTNOTE,
    "table_footnote": Category.FOOTNOTE,
    "header": Category.PAGE_HEADER,
    "footer": Category.PAGE_FOOTER,
    "page_number": Category.PAGE_NUMBER,
}
_HEAD = re.compile(r"<\|ref\|>(?P<label>[^<\n]*)<\|/ref\|><\|det\|>(?P<box>[^<\n]*)<\|/det\|>[ \t]*\n?")

_MARKDOWN = MarkdownDialect(
    name="deepseek-ocr2",
    page_prompt="<|grounding|>Convert the document to markdown.",
    prompts=dict.fromkeys(Category, "Free OCR."),
    conversation="<image>\n{prompt}",
    stops=("<｜end▁of▁sentence｜>",),
    display=("\\[", "\\]"),
    inline=("\\(", "\\)"),
)


class DeepSeekOcr2Dialect(OnMarkdown):
    __slots__ = ()

    markdown = _MARKDOWN

    def phrase_page(self, regions: Sequence[Region], size: Size) -> tuple[Phrase, ...]:
        phrases: list[Phrase] = []
        for n, region in enumerate(regions):
            head = f"{_head(region.box, _LABELS[region.category], size)}\n"
            if region.category is Category.FIGURE:
                phrases.append(Phrase(f"{head}\n\n", (n,), "layout"))
            phrases += [
                Phrase(f"{head}{self.phrase_region(region, region.printed(draft))}{_tail(region)}", (n,), draft.source)
                for draft in region.drafts
                if region.category is not Category.FIGURE
            ]
        return tuple(phrases)

    def grammar(self, regions: Sequence[Region], size: Size) -> tuple[str, ...]:
        """Each region's line with its own label, its box after any label, and the tags of tables."""
        heads = [f"{_head(region.box, _LABELS[region.category], size)}\n" for region in regions]
        boxes = [head[head.index(_LABEL_END) :] for head in heads]
        return (*heads, *boxes, *super().grammar(regions, size))

    def parse(self, answer: str, size: Size) -> Answer:
        blocks: list[Block] = []
        whole, cut = _without_cut_head(answer)
        lost = [cut]
        for label, box, text in _sections(whole, size):
            read = super().parse(text, size)
            lost.append(read.lost)
            found = read.blocks or ((Block(Category.FIGURE, ""),) if label == "image" else ())
            blocks += [_labelled(block, label, box) for block in found]
        return Answer(tuple(blocks), "\n".join(filter(None, lost)).strip())


def _head(box: Box, label: str, size: Size) -> str:
    x, y = _SCALE / size[0], _SCALE / size[1]
    corners = [round(box.x0 * x), round(box.y0 * y), round(box.x1 * x), round(box.y1 * y)]
    return f"<|ref|>{label}{_LABEL_END}<|det|>[{corners}]<|/det|>"


def _tail(region: Region) -> str:
    return "\n\n" if region.category in (Category.FORMULA, Category.TABLE, Category.CODE) else " \n\n"


def _without_cut_head(answer: str) -> tuple[str, str]:
    """The answer up to a last label whose box is incomplete, and the rest."""
    start = answer.find("<|ref|>", answer.rfind("<|/det|>") + 1)
    return (answer, "") if start < 0 else (answer[:start], answer[start:])


def _sections(answer: str, size: Size) -> Iterator[tuple[str, Box | None, str]]:
    """Label, box and Markdown of each block; text before the first label has none."""
    heads = list(_HEAD.finditer(answer))
    starts = [head.start() for head in heads] + [len(answer)]
    if answer[: starts[0]].strip():
        yield "", None, answer[: starts[0]]
    for head, end in zip(heads, starts[1:], strict=True):
        yield head["label"], _page_box(head["box"], size), answer[head.end() : end]


def _page_box(corners: str, size: Size) -> Box | None:
    numbers = [int(number) for number in re.findall(r"\d+", corners)]
    if len(numbers) != 4:
        return None
    x, y = size[0] / _SCALE, size[1] / _SCALE
    x0, y0, x1, y1 = numbers
    return Box(x0 * x, y0 * y, x1 * x, y1 * y).clipped(*size)


def _labelled(block: Block, label: str, box: Box | None) -> Block:
    category = _TELLING.get(label, block.category) if block.category is Category.TEXT else block.category
    return replace(block, category=category, box=box)
