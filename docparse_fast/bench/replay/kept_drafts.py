"""Keeps the drafts of a kit's pages in a folder, so that a replay after a change of the engine takes seconds.

A file's name tells the input, its bytes, the page, the options and the code that drafts: after a change of any of these
the page is drafted anew, and what was kept stays beside it. Other libraries' versions are not told.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

from docparse_fast.bench.replay.kit import Entry
from docparse_fast.document import PageDraft
from docparse_fast.drafting import Drafter, open_drafter
from docparse_fast.errors import OutputError
from docparse_fast.geometry import Size
from docparse_fast.options import DraftOptions
from docparse_fast.pages import open_pages
from docparse_fast.system.digests import SUMS
from docparse_fast.system.typed_json import read

PACKAGE = Path(__file__).parents[2]
DRAFTING = ("drafting", "pages", "sums", "data", "document.py", "geometry.py", "text")  # what a draft is made by


@cache
def code_of(package: Path) -> str:
    """A digest of the code that drafts, and of what was fitted for it; weights by their recorded digests."""
    found = hashlib.sha256()
    for path in sorted(package.rglob("*")):
        if path.relative_to(package).parts[0] in DRAFTING and (path.suffix in (".py", ".json") or path.name == SUMS):
            found.update(path.read_bytes())
    return found.hexdigest()


class KeptDrafts:
    """Drafts of pages with these options, read from the folder if they are there; without a folder none is kept."""

    def __init__(self, options: DraftOptions, folder: Path | None = None) -> None:
        self._options, self._folder = options, folder
        self._drafter: Drafter | None = None  # opened for the first page that isn't there

    def of(self, entry: Entry) -> tuple[Size, PageDraft]:
        """The size of the page's image, and its drafts."""
        if self._folder is None:
            return self._made(entry)
        path = self._folder / self._name(entry)
        try:
            kept = json.loads(path.read_text("utf-8"))
            return (kept["size"][0], kept["size"][1]), read(PageDraft, kept["draft"])
        except (OSError, ValueError, KeyError, TypeError):
            size, draft = self._made(entry)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"size": size, "draft": asdict(draft)}, ensure_ascii=False), "utf-8")
        except OSError as error:
            raise OutputError(
                "write_failed", f"{path} can't be written: {error}", remedy="name another folder with --drafts"
            ) from error
        return size, draft

    def _made(self, entry: Entry) -> tuple[Size, PageDraft]:
        self._drafter = self._drafter or open_drafter(self._options)
        with open_pages(entry.input, entry.raster) as document:
            page = next(iter(document.pages([entry.page])))
            return page.image.size, replace(self._drafter.draft(page), flat=None)  # as it was photographed

    def _name(self, entry: Entry) -> str:
        told_apart = hashlib.sha256(repr((entry.page, entry.raster, self._options, code_of(PACKAGE))).encode())
        told_apart.update(entry.input.read_bytes())
        return f"{re.sub(r'[^A-Za-z0-9.]+', '-', entry.name)[:80]}-{told_apart.hexdigest()[:12]}.json"
