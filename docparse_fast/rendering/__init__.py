"""Parsed documents to the formats a user asks for. Knows blocks; does not know how they were read or where they go."""

from __future__ import annotations

from docparse_fast.rendering.json import render_json
from docparse_fast.rendering.markdown import page_mark, render_markdown, render_page

__all__ = ["page_mark", "render_json", "render_markdown", "render_page"]
