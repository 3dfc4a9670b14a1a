"""HunyuanOCR's dialect: Markdown of a page's body. Knows no tensor and no other model.

The prompts are the locked ones of the project's client, copied exactly from public copies (Tencent-Hunyuan/HunyuanOCR,
`inference/utils/tasks.py` of release 1.5: `doc_parse`, `structured_parse`, `table`, `formula`; the README of release
1.0 has the same with spaces around the Latin words). They are Chinese for documents in any language. The page prompt
asks for running heads and feet to be left out, so none are drafted. The checkpoint has the chat template and, in its
generation config, the end ids 120007 and 120020; release 1.5 decodes with a repetition penalty of 1.08, which is the
default here. The project's sample answer has spaces within the dollar signs of formulas (`$ J^{q} $`),
and so have drafts. Not established: the inside of its tables (drafts are plain `<table><tr><td>`).
"""

from __future__ import annotations

from docparse_fast.document import FURNITURE, Category
from docparse_fast.targets.dialects.markdown import MarkdownDialect

_TEXT = "提取图中的文字。"

HUNYUAN_OCR = MarkdownDialect(
    name="hunyuan-ocr",
    page_prompt=(
        "提取文档图片中正文的所有信息用markdown格式表示，其中页眉、页脚部分忽略，"
        "表格用html格式表达，文档中公式用latex格式表示，按照阅读顺序组织进行解析。"
    ),
    prompts={
        Category.TABLE: "把图中的表格解析为HTML。",
        Category.FORMULA: "识别图片中的公式，用LaTeX格式表示。",
        Category.PAGE_HEADER: _TEXT,
        Category.PAGE_FOOTER: _TEXT,
        Category.PAGE_NUMBER: _TEXT,
    },
    display=("$$ ", " $$"),
    inline=("$ ", " $"),
    undrafted=FURNITURE | {Category.FIGURE},
)
