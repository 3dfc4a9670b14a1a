"""The dialect of `nano`, the small model that ships with the package: plain Markdown. Knows no tensor.

It was trained on one word for pages and crops alike, and on answers with `#` and `##` headings, a blank line between
blocks, list items one a line (`- `, `1. `), and tables as HTML on one line with no attributes but `colspan` and
`rowspan`. Formulas are not in its world.
"""

from __future__ import annotations

from docparse_fast.targets.dialects.markdown import MarkdownDialect

NANO = MarkdownDialect(
    name="nano",
    page_prompt="Read.",
    prompts={},
    stops=("<|im_end|>", "<|endoftext|>"),
)
