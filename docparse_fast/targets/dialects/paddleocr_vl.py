"""PaddleOCR-VL's dialect: one element at a time, tables in OTSL. Knows no tensor and no other model.

The model was trained on crops and its makers run it on crops, so it has no page prompt: there is only Stage 1, and the
page is put together from the regions. The prompts are copied exactly from its model card (PaddlePaddle/PaddleOCR-VL):
`OCR:`, `Table Recognition:`, `Formula Recognition:` (`Chart Recognition:` too, but charts are cut out here). The chat
template is the checkpoint's; an answer ends with `</s>`.
Release 1.6 has the same architecture and prompts; those for charts, seals and spotting are not used here.
Formulas are drafted between `\\[` and `\\]`, within text between `\\(` and `\\)`, as PaddleX's clean-up of its answers
implies. Not established: the blanks within them.
"""

from __future__ import annotations

from docparse_fast.document import Category
from docparse_fast.targets.dialects.markdown import MarkdownDialect
from docparse_fast.targets.dialects.otsl import html_table, otsl

_TEXT = "OCR:"

PADDLEOCR_VL = MarkdownDialect(
    name="paddleocr-vl",
    page_prompt=None,
    prompts={
        **dict.fromkeys(Category, _TEXT),
        Category.TABLE: "Table Recognition:",
        Category.FORMULA: "Formula Recognition:",
    },
    stops=("</s>",),
    display=("\\[ ", " \\]"),
    inline=("\\( ", " \\)"),
    marks_headings=False,
    write_table=otsl,
    read_table=html_table,
)
