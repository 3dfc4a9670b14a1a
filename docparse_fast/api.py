"""The Python interface: `parse`, and the document that it returns."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

from docparse_fast.document import ParsedDocument
from docparse_fast.joining import flowing, whole
from docparse_fast.opening import open_pipeline, with_makers_pixels
from docparse_fast.options import ParseOptions
from docparse_fast.pages import open_pages
from docparse_fast.provenance import parsed_document
from docparse_fast.rendering.json import render_json
from docparse_fast.rendering.markdown import render_markdown


@dataclass(frozen=True, slots=True)
class Document(ParsedDocument):
    """A parsed document that can write itself.

    >>> from docparse_fast.document import Block, Category, ParsedPage
    >>> page = ParsedPage(1, blocks=(Block(Category.TEXT, "Hello."),))
    >>> Document("a.pdf", "", (page,)).markdown()
    '<!-- page 1 -->\\n\\nHello.\\n'
    """

    def markdown(self) -> str:
        """All pages as one Markdown text; tables and furniture are written as the options say."""
        tables, keep_furniture = self.options.get("tables", "html"), self.options.get("keep_furniture", False)
        return render_markdown(flowing(self), tables=str(tables), keep_furniture=bool(keep_furniture))

    def json(self) -> str:
        """The whole document with boxes and sources, as in `document.json`."""
        return render_json(self)


def parse(path: str | Path, options: ParseOptions | None = None) -> Document:
    options = with_makers_pixels(options or ParseOptions())
    pipeline = open_pipeline(options)
    with open_pages(path, options.raster) as document:
        read = parsed_document(document, str(path), tuple(pipeline.pages(document)), options, pipeline.target)
        parsed = whole(read, document.bookmarks)
    return Document(**{each.name: getattr(parsed, each.name) for each in fields(parsed)})
