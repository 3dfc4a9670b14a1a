"""LightOnOCR's dialect: Markdown, for an image alone. Knows no tensor and no other model.

Public usage of the model (lightonai/LightOnOCR-2-1B) gives the image without a word of instruction, for pages; its card
itself could not be read. Crops are asked the same. The chat template is the checkpoint's; an answer ends with
`<|im_end|>` or `<|endoftext|>`. Pictures come as `![image](image_1.png)`, followed by a box in the releases trained for
it; the box is not used.
Not established: release 1 is described as writing tables as Markdown, release 2 as writing HTML; drafts are offered as
HTML, and the blanks around formulas are a guess.
"""

from __future__ import annotations

from docparse_fast.targets.dialects.markdown import MarkdownDialect

LIGHTON_OCR = MarkdownDialect(
    name="lighton-ocr",
    page_prompt="",
    prompts={},
    stops=("<|im_end|>", "<|endoftext|>"),
)
