"""GLM-OCR's dialect: Markdown, best asked region by region. Knows no tensor and no other model.

The region prompts are the three tasks of the model card (zai-org/GLM-OCR), copied exactly. Its makers' own pipeline
shows it a whole page only if layout analysis is off; the page prompt is the one that their client then uses
(`default_prompt` of glmocr's `config.py`). The chat template is the checkpoint's; an answer ends with `<|user|>` or
`<|endoftext|>`. Displayed formulas are on lines of their own, with a blank between any two signs, as in data sets of
formula recognition; those within text have blanks at their ends and hardly any inside, in most of the stored answers
that were at hand. Lines of one formula are in one column there, and in one or two in public answers of that style.
Not established: the inside of its tables (drafts are plain `<table><tr><td>`).
"""

from __future__ import annotations

from docparse_fast.document import Category
from docparse_fast.targets.dialects.latex import compact, in_one_column, in_two_columns
from docparse_fast.targets.dialects.markdown import MarkdownDialect

_TEXT = "Text Recognition:"

GLM_OCR = MarkdownDialect(
    name="glm-ocr",
    page_prompt=(
        "Recognize the text in the image and output in Markdown format. "
        "Preserve the original layout (headings/paragraphs/tables/formulas). "
        "Do not fabricate content that does not exist in the image."
    ),
    prompts={
        **dict.fromkeys(Category, _TEXT),
        Category.TABLE: "Table Recognition:",
        Category.FORMULA: "Formula Recognition:",
    },
    inline=("$ ", " $"),
    display=("$$\n", "\n$$"),
    write_formula=in_one_column,
    vary_formula=in_two_columns,
    write_inline=compact,
    stops=("<|user|>", "<|endoftext|>"),
)
