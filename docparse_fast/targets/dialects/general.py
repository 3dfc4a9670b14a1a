"""Any model that answers in Markdown: a fine-tune, or a general one, asked in the user's words or in Qwen3-VL's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from docparse_fast.errors import UsageError
from docparse_fast.targets.dialects.markdown import MarkdownDialect
from docparse_fast.targets.dialects.qwen3_vl import QWEN3_VL

NAME = "markdown"
LONGEST_PROMPT = 100_000  # letters


def general(prompt: str = "") -> MarkdownDialect:
    """With a prompt of the user's, formulas are drafted between dollar signs, as most models write them."""
    return MarkdownDialect(NAME, prompt, {}) if prompt else replace(QWEN3_VL, name=NAME)


def read_prompt(file: str) -> str:
    """The text of `--prompt FILE`, as it stands there."""
    try:
        text = Path(file).expanduser().read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise UsageError(f"--prompt {file} can't be read: {reason}", remedy="name a text file") from error
    if not text.strip() or len(text) > LONGEST_PROMPT:
        raise UsageError(f"--prompt {file} is {'too long' if text.strip() else 'empty'}", remedy="put the prompt there")
    return text
