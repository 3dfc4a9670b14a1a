"""Parsed documents to Markdown, JSON, HTML and chunks. Knows blocks, not how they were read."""

from __future__ import annotations

from docparse_fast.rendering.chunks import render_chunks
from docparse_fast.rendering.harmless import comment
from docparse_fast.rendering.html_report import render_report
from docparse_fast.rendering.json import render_json
from docparse_fast.rendering.markdown import page_mark, render_markdown, render_page
from docparse_fast.rendering.picture import page_picture

__all__ = [
    "comment",
    "page_mark",
    "page_picture",
    "render_chunks",
    "render_json",
    "render_markdown",
    "render_page",
    "render_report",
]
