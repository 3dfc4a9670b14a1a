"""The dialect of `nano`, the small model that ships with the package: plain Markdown. Knows no tensor.

It was trained on one word as the prompt for pages and crops, and on answers with `#` and `##` headings, a blank line
between blocks, a line for each list item (`- `, `1. `), and tables as HTML on one line with no attributes but `colspan`
and `rowspan`. It was not trained on formulas.
"""

from __future__ import annotations

import re

from docparse_fast.targets.dialects.markdown import MarkdownDialect


def without_heads(table: str) -> str:
    """The table with plain cells alone.

    >>> without_heads("<table><tr><th>a</th></tr></table>")
    '<table><tr><td>a</td></tr></table>'
    """
    return re.sub(r"(</?)th\b", r"\1td", table)


NANO = MarkdownDialect(
    name="nano",
    page_prompt="Read.",
    prompts={},
    stops=("<|im_end|>", "<|endoftext|>"),
    varies=False,
    write_table=without_heads,
)
