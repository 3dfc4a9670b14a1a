r"""GOT-OCR2's dialect: formatted text, tables as LaTeX. Knows no tensor and no other model.

The checkpoint has no chat template: transformers' `GotOcr2Processor` builds the conversation, and its wording with
`format=True` is copied exactly below (a test compares the two). An answer ends with `<|im_end|>`, the stop string of
transformers' documentation (its generation config has none). Its formatted answers follow Mathpix: tables are LaTeX
`tabular`s, so tables are not drafted, and a table is returned as the model wrote it.
Not established: how it marks formulas (drafted as `\[ \]` and `\( \)`) and headings (drafted with `#`).
"""

from __future__ import annotations

from docparse_fast.document import Category
from docparse_fast.targets.dialects.markdown import MarkdownDialect

GOT_OCR2 = MarkdownDialect(
    name="got-ocr2",
    page_prompt=" OCR with format: ",
    prompts={},
    conversation=(
        "<|im_start|>system\nYou should follow the instructions carefully and explain your answers in detail."
        "<|im_end|><|im_start|>user\n<img><imgpad></img>\n{prompt}<|im_end|><|im_start|>assistant\n"
    ),
    stops=("<|im_end|>", "<|endoftext|>"),
    display=("\\[\n", "\n\\]"),
    inline=("\\(", "\\)"),
    undrafted=frozenset({Category.FIGURE, Category.TABLE}),
)
