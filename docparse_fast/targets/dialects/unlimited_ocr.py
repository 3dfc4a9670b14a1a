r"""Unlimited-OCR's dialect: blocks of text, each behind its label and box. Knows no tensor and no other model.

    <|det|>title [52, 40, 816, 63]<|/det|>Reconciliation report
    <|det|>table [51, 216, 601, 420]<|/det|><table><tr><td>Date</td><td>Debit</td></tr></table>

The prompt is the one of the makers' README and of transformers' documentation of the model, where it stands right
behind the image; there is no other for single pages, and others were seen to give empty answers. The makers' program
asks so for each page of a PDF by itself and bans 35-grams that were written within the last 128 tokens (1,024 where
many pages are asked for at once, which is not done here). The form of the answer is that of transformers'
documentation and of docling's tests: boxes in thousandths of the page, no blank between a box and its text, one line
break between blocks, the printed lines of a block kept, an image's box alone. Tables are plain `<table><tr><td>`.
Not established: the full list of labels (unknown ones are read as text), what stands around formulas (read and drafted
as DeepSeek-OCR's, of which it was made), and whether headings ever have marks (read both ways).
Crops have no prompt of their own, so there is no Stage 1.
"""

from __future__ import annotations

import re
from dataclasses import replace

from docparse_fast.document import Block, Box, Category, Region
from docparse_fast.targets.dialects.deepseek_ocr2 import LABELS
from docparse_fast.targets.dialects.grounded import GroundedDialect
from docparse_fast.targets.dialects.markdown import MarkdownDialect

LEVEL = 2  # of a heading without a mark: the label is the same for all

_MARKDOWN = MarkdownDialect(
    name="unlimited-ocr",
    page_prompt="document parsing.",
    prompts={},
    conversation="<image>{prompt}",
    stops=("<｜end▁of▁sentence｜>",),
    display=("\\[", "\\]"),
    inline=("\\(", "\\)"),
    marks_headings=False,
)


class UnlimitedOcrDialect(GroundedDialect):
    __slots__ = ()

    markdown = _MARKDOWN
    labels = LABELS | {Category.SECTION_HEADER: "title"}
    head = "<|det|>{label} {box}<|/det|>"
    box_from = " ["
    pattern = re.compile(r"<\|det\|>\s*(?P<label>[^\s<\[]++)\s*+(?P<box>[^<\n]*)<\|/det\|>")
    begins = "<|det|>"
    ends = "<|/det|>"

    def region_prompt(self, category: Category) -> str | None:
        return None

    def tail(self, region: Region) -> str:
        return "\n"

    def labelled(self, block: Block, label: str, box: Box | None) -> Block:
        if label == "title" and block.category is Category.TEXT:
            block = replace(block, category=Category.SECTION_HEADER, level=LEVEL)
        return super().labelled(block, label, box)
