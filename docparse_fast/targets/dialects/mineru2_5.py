r"""MinerU 2.5's dialect: one element at a time, tables in OTSL. Knows no tensor and no other model.

Its makers' client finds the layout of a page with the model first, and then has it read the crops. Here the layout is
our own and the model reads our crops, so there is only Stage 1. The prompts are the client's, copied exactly with the
line break that they begin with (opendatalab/mineru-vl-utils, `mineru_client.py`: `table`, `equation`, `[default]`), and
so is the system message. The chat template is the checkpoint's; an answer ends with `<|im_end|>` or `<|endoftext|>`.
The client decodes greedily with a presence penalty of 1 and a small frequency penalty, and bans repeated 100-grams; we
don't, so answers can differ from its own. Displayed formulas are drafted between `\[` and `\]`, within text between
`\(` and `\)`, as its clean-up of the answers implies. Not established: the blanks within them.
"""

from __future__ import annotations

from docparse_fast.document import Category
from docparse_fast.targets.dialects.markdown import MarkdownDialect
from docparse_fast.targets.dialects.otsl import html_table, otsl

SYSTEM = "You are a helpful assistant."

MINERU2_5 = MarkdownDialect(
    name="mineru2.5",
    page_prompt=None,
    prompts={
        **dict.fromkeys(Category, "\nText Recognition:"),
        Category.TABLE: "\nTable Recognition:",
        Category.FORMULA: "\nFormula Recognition:",
    },
    stops=("<|im_end|>", "<|endoftext|>"),
    display=("\\[ ", " \\]"),
    inline=("\\( ", " \\)"),
    marks_headings=False,
    write_table=otsl,
    read_table=html_table,
)
