"""`apply`: corrections that a program has written go into converted documents, as those of `review` do."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docparse_fast.cli.arguments import path
from docparse_fast.errors import InputError, UsageError, in_words

if TYPE_CHECKING:
    from docparse_fast.review.shelf import Shelf

STDIN = "-"


def apply(
    edits: Annotated[
        str, typer.Argument(metavar="EDITS", help="File with an edit a line, in JSON; - reads standard input.")
    ],
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="Output folder of convert or batch.", show_default=False, parser=path)
    ],
) -> int:
    """Apply corrections that a program has written.

    Each line names a document (its folder below OUT), a page, a block and what becomes of it. All lines are understood
    before anything is written; a line that makes no sense ends the command with 2. The corrections are kept as those of
    review: they stay when the document is converted again.
    """
    from docparse_fast.progress.phrases import plural
    from docparse_fast.review.shelf import Shelf

    shelf = Shelf(out)
    by_document: dict[int, list[tuple[int, Mapping[str, Any]]]] = {}
    for number, asked in _lines(edits):
        try:
            by_document.setdefault(_document(shelf, asked), []).append((int(asked["page"]), asked))
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(f"line {number} of {edits} names no page", remedy='write {"page": 1, ...}') from error
    shelf.apply(by_document)
    print(f"{plural(shelf.saved, 'edit')} applied to {plural(len(by_document), 'document')}")
    return 0


def _lines(edits: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    try:
        text = sys.stdin.read() if edits == STDIN else Path(edits).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("not_found", f"{edits} can't be read ({in_words(error)})", remedy="check the path") from error
    for number, line in enumerate(text.splitlines(), 1):
        try:
            asked = json.loads(line) if line.strip() else None
        except ValueError:
            asked = line
        if asked is not None and not isinstance(asked, dict):
            raise UsageError(f"line {number} of {edits} is no edit", remedy="write a JSON object a line")
        if asked is not None:
            yield number, asked


def _document(shelf: Shelf, asked: Mapping[str, Any]) -> int:
    """The one that is named; the only one there is, if none is."""
    if "document" not in asked and len(shelf.names) == 1:
        return 0
    if asked.get("document") not in shelf.names:
        raise UsageError(f"no document {asked.get('document')!r} is in {shelf.out}", remedy=f"one is {shelf.names[0]}")
    return shelf.names.index(asked["document"])
