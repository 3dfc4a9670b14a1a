"""Parsed documents to Markdown, JSON and HTML. Knows blocks; does not know how they were read or where they go."""

from __future__ import annotations

from docparse_fast.rendering.harmless import comment
from docparse_fast.rendering.html_report import render_report
from docparse_fast.rendering.json import render_json
from docparse_fast.rendering.markdown import page_mark, render_markdown, render_page
from docparse_fast.rendering.picture import page_picture

__all__ = ["comment", "page_mark", "page_picture", "render_json", "render_markdown", "render_page", "render_report"]
