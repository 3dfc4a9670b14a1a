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

from docparse_fast.document import Category, Region
from docparse_fast.targets.dialects.grounded import GroundedDialect
from docparse_fast.targets.dialects.markdown import MarkdownDialect

LABELS = {
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

_MARKDOWN = MarkdownDialect(
    name="deepseek-ocr2",
    page_prompt="<|grounding|>Convert the document to markdown.",
    prompts=dict.fromkeys(Category, "Free OCR."),
    conversation="<image>\n{prompt}",
    stops=("<｜end▁of▁sentence｜>",),
    display=("\\[", "\\]"),
    inline=("\\(", "\\)"),
)


class DeepSeekOcr2Dialect(GroundedDialect):
    __slots__ = ()

    markdown = _MARKDOWN
    labels = LABELS
    head = "<|ref|>{label}<|/ref|><|det|>[{box}]<|/det|>\n"
    box_from = "<|/ref|>"
    pattern = re.compile(r"<\|ref\|>(?P<label>[^<\n]*)<\|/ref\|><\|det\|>(?P<box>[^<\n]*)<\|/det\|>[ \t]*\n?")
    begins = "<|ref|>"
    ends = "<|/det|>"

    def tail(self, region: Region) -> str:
        apart = (Category.FORMULA, Category.TABLE, Category.CODE, Category.FIGURE)
        return "\n\n" if region.category in apart else " \n\n"
