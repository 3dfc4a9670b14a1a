"""Qwen3-VL's dialect: Markdown, because the prompt asks for it. Knows no tensor and no other model.

The model has no prompt of its own for plain Markdown with HTML tables (its cookbook's "qwenvl markdown" writes tables
as LaTeX among coordinates). The prompt is the one that OmniDocBench gives to general models, copied exactly, with its
indentation (opendatalab/OmniDocBench, `tools/model_infer/Qwen2VL_img2md.py`). It asks for `\\[ \\]` around formulas and
for HTML tables, so drafts are written in this way. Crops have the same prompt. The chat template is the checkpoint's;
an answer ends with `<|im_end|>` or `<|endoftext|>`. Not established: whether the model writes formulas on one line, and
how it marks running heads.
"""

from __future__ import annotations

from docparse_fast.targets.dialects.markdown import MarkdownDialect

PAGE_PROMPT = r"""You are an AI assistant specialized in converting PDF images to Markdown format. Please follow these instructions for the conversion:

        1. Text Processing:
        - Accurately recognize all text content in the PDF image without guessing or inferring.
        - Convert the recognized text into Markdown format.
        - Maintain the original document structure, including headings, paragraphs, lists, etc.

        2. Mathematical Formula Processing:
        - Convert all mathematical formulas to LaTeX format.
        - Enclose inline formulas with \( \). For example: This is an inline formula \( E = mc^2 \)
        - Enclose block formulas with \\[ \\]. For example: \[ \frac{-b \pm \sqrt{b^2 - 4ac}}{2a} \]

        3. Table Processing:
        - Convert tables to HTML format.
        - Wrap the entire table with <table> and </table>.

        4. Figure Handling:
        - Ignore figures content in the PDF image. Do not attempt to describe or convert images.

        5. Output Format:
        - Ensure the output Markdown document has a clear structure with appropriate line breaks between elements.
        - For complex layouts, try to maintain the original document's structure and format as closely as possible.

        Please strictly follow these guidelines to ensure accuracy and consistency in the conversion. Your task is to accurately convert the content of the PDF image into Markdown format without adding any extra explanations or comments.
        """  # noqa: E501 - to the letter, line breaks included

QWEN3_VL = MarkdownDialect(
    name="qwen3-vl",
    page_prompt=PAGE_PROMPT,
    prompts={},
    stops=("<|im_end|>", "<|endoftext|>"),
    display=("\\[ ", " \\]"),
    inline=("\\( ", " \\)"),
)
