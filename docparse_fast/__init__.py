"""PDFs and scans to Markdown: `parse("in.pdf").markdown()`. Importing this loads nothing."""

from __future__ import annotations

from docparse_fast.version import __version__ as __version__

TYPE_CHECKING = False  # typing's own is a long load, in which Ctrl-C would be a traceback
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from docparse_fast.api import Document, Parser, Progress, Readable
    from docparse_fast.document import ParsedDocument
    from docparse_fast.errors import DocparseError, InputError, ModelError, OutputError, PageError, UsageError
    from docparse_fast.options import DraftOptions, ParseOptions, RasterOptions

__all__ = [
    "DocparseError",
    "Document",
    "DraftOptions",
    "InputError",
    "ModelError",
    "OutputError",
    "PageError",
    "ParseOptions",
    "ParsedDocument",
    "Parser",
    "Progress",
    "RasterOptions",
    "UsageError",
    "parse",
]


def parse(
    source: Readable,
    options: ParseOptions | None = None,
    *,
    name: str | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Document:
    """A PDF or an image, read page by page; a page that can't be read is marked, a file that can't be opened raises.

    `source` is a path, bytes, or a file that is open for reading bytes; `name` is what it is called where it has no
    name of its own. `progress` is called after each page. `Parser` reads many with models that are loaded once.

    >>> from docparse_fast import ParseOptions, RasterOptions, parse
    >>> parse("in.pdf").markdown()                                                          # doctest: +SKIP
    >>> parse("in.pdf", ParseOptions(raster=RasterOptions(pages="1-3"))).pages[0].blocks    # doctest: +SKIP
    """
    # PyMuPDF and ONNX Runtime take a second to load: not before there is something to read.
    from docparse_fast import api

    return api.parse(source, options, name=name, progress=progress)


def __getattr__(name: str) -> Any:
    """The public names, loaded when they are used: the program must be able to hear Ctrl-C before it loads anything."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    modules = {"ParsedDocument": "document"} | dict.fromkeys(("Document", "Parser", "Progress"), "api")
    module = modules.get(name) or ("options" if name.endswith("Options") else "errors")
    found = globals()[name] = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    return found
