"""LightOnOCR's dialect: Markdown, from an image without a prompt. Knows no tensor and no other model.

Public usage of the model (lightonai/LightOnOCR-2-1B) gives it pages without any instruction; its card could not be
read. Crops are given in the same way, and so are pages to release 3, as its makers' own client does (its other mode,
the word `grounding`, adds boxes and is not used). The chat template is the checkpoint's; an answer ends with
`<|im_end|>` or `<|endoftext|>`. Pictures come as `![image](image_1.png)`, followed by a box in the releases trained for
it; the box is not used. Of release 3 the 1B model has the old architecture and sees a longer side of 1,540 pixels; the
0.8B and 4B models are hybrids of Qwen3.5 that see 2,048, and its makers' benchmarks have them answer without thinking.
Not established: release 1 is said to write tables as Markdown, release 2 as HTML; drafts have HTML, and the blanks
around formulas are a guess.
"""

from __future__ import annotations

from docparse_fast.targets.dialects.markdown import MarkdownDialect

LIGHTON_OCR = MarkdownDialect(
    name="lighton-ocr",
    page_prompt="",
    prompts={},
    stops=("<|im_end|>", "<|endoftext|>"),
)
