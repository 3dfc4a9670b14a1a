"""Parsed documents to Markdown, JSON, HTML and chunks. Knows blocks, not how they were read."""
