"""Documents on an open stream, for `-o -`: as Markdown, as JSON, or as lines of JSON, one a block.

Lines of JSON come page by page, as soon as each is done, and so does Markdown with `--no-join`. Without it Markdown
waits for the last page, since only the whole document shows what is joined. Pictures have nowhere to go. Knows
rendering; opens no file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO, Any

from docparse_fast.document import ParsedDocument, ParsedPage
from docparse_fast.errors import OutputError
from docparse_fast.joining import flowing
from docparse_fast.options import ParseOptions
from docparse_fast.rendering.harmless import comment
from docparse_fast.rendering.json import dumps, page_as_json, render_json
from docparse_fast.rendering.markdown import page_mark, render_markdown, render_page

Leave = Callable[[], None]  # called where the stream's reader has gone


class _Printed:
    keep_figure = keep_page = None

    def __init__(self, stream: IO[str], leave: Leave = lambda: None) -> None:
        self._stream = stream
        self._leave = leave

    def begin(self) -> None:
        """Nothing to prepare."""

    def page(self, page: ParsedPage) -> None:
        """Nothing to print yet."""

    def revise(self, page: ParsedPage) -> None:
        """Nothing to do: printed text can't be taken back."""

    def end(self, document: ParsedDocument) -> None:
        """Nothing to do: every page is written."""

    def forget(self) -> None:
        """Nothing to do: printed text can't be taken back."""

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text.encode("utf-8", "replace").decode())
            self._stream.flush()
        except OSError as error:
            if isinstance(error, BrokenPipeError):
                self._leave()
            message = f"stdout can't be written any more: {error.strerror or error}"
            raise OutputError("write_failed", message, remedy="name a folder with -o") from error


class MarkdownStream(_Printed):
    """What `document.md` would hold; `heading` names the document where there are several."""

    def __init__(
        self, stream: IO[str], options: ParseOptions, leave: Leave = lambda: None, *, heading: str = ""
    ) -> None:
        super().__init__(stream, leave)
        self._options = options
        self._heading = heading

    def begin(self) -> None:
        if self._heading:
            self._write(f"{comment(self._heading)}\n\n")

    def end(self, document: ParsedDocument) -> None:
        options = self._options
        text = render_markdown(flowing(document), tables=options.tables, keep_furniture=options.keep_furniture)
        self._write(f"{text}\n" if self._heading else text)


class PageStream(MarkdownStream):
    """Its pages as they come."""

    def page(self, page: ParsedPage) -> None:
        text = render_page(page, tables=self._options.tables, keep_furniture=self._options.keep_furniture)
        self._write(f"{page_mark(page.number)}\n" + (f"{text}\n" if text else ""))

    def end(self, document: ParsedDocument) -> None:
        """Nothing to do: every page is written."""


class JsonStream(_Printed):
    """What `document.json` would hold; of several documents one after the other, as jq reads them."""

    def end(self, document: ParsedDocument) -> None:
        self._write(render_json(document))


class BlockStream(_Printed):
    """A line for each block: the keys that it has in `document.json`, and where it stands.

    A page without blocks has a line too, with its status and its error.
    """

    def __init__(self, stream: IO[str], source: str, leave: Leave = lambda: None) -> None:
        super().__init__(stream, leave)
        self._source = source

    def page(self, page: ParsedPage) -> None:
        self._write("".join(dumps(line) + "\n" for line in self._lines(page)))

    def _lines(self, page: ParsedPage) -> Iterator[dict[str, Any]]:
        found = page_as_json(page)
        place = {"source": self._source, "page": page.number, "status": page.status, "error": found["error"]}
        for index, block in enumerate(found["blocks"]):
            yield {**place, "block": index, **block}
        if not found["blocks"]:
            yield {**place, "block": None}
