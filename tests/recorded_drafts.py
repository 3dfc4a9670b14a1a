"""Page drafts kept in a JSON file, and a drafter that reads them out: tests need no model with it.

{"format": "docparse-fast/drafts", "version": 1, "pages": [{"number": 1, "width": 850, "height": 1100, "regions": [
  {"box": [x0, y0, x1, y1], "category": "text", "level": 0, "drafts": [{"text": "...", "source": "embedded"}]}]}]}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from docparse_fast.document import Box, Category, Draft, Page, PageDraft, Region
from docparse_fast.errors import PageError

FORMAT = "docparse-fast/drafts"
VERSION = 1


class RecordedDrafter:
    """Returns the recorded draft of each page number, without looking at the page."""

    name = "recorded"

    def __init__(self, drafts: Iterable[PageDraft]) -> None:
        self._drafts = {draft.number: draft for draft in drafts}

    def draft(self, page: Page) -> PageDraft:
        if page.number not in self._drafts:
            raise PageError("draft_failed", f"nothing is recorded of page {page.number}")
        return self._drafts[page.number]


def read_drafts(path: Path) -> list[PageDraft]:
    found = json.loads(path.read_text("utf-8"))
    if found.get("format") != FORMAT or found.get("version") != VERSION:
        raise ValueError(f"{path} is not a {FORMAT} of version {VERSION}")
    return [_read_page(page) for page in found["pages"]]


def drafts_json(drafts: Iterable[PageDraft]) -> str:
    """The drafts as JSON that `read_drafts` can read."""
    pages = [_page(draft) for draft in drafts]
    return json.dumps({"format": FORMAT, "version": VERSION, "pages": pages}, ensure_ascii=False, indent=1) + "\n"


def _page(draft: PageDraft) -> dict[str, Any]:
    return {
        "number": draft.number,
        "width": draft.width,
        "height": draft.height,
        "drafter": draft.drafter,
        "reason": draft.reason,
        "turned": draft.turned,
        "warnings": list(draft.warnings),
        "regions": [_region(region) for region in draft.regions],
    }


def _region(region: Region) -> dict[str, Any]:
    box = region.box
    return {
        "box": [box.x0, box.y0, box.x1, box.y1],
        "category": str(region.category),
        "level": region.level,
        "drafts": [{"text": d.text, "source": d.source, "confidence": d.confidence} for d in region.drafts],
    }


def _read_page(found: Mapping[str, Any]) -> PageDraft:
    return PageDraft(
        number=found["number"],
        width=found["width"],
        height=found["height"],
        regions=tuple(_read_region(region) for region in found["regions"]),
        drafter=found.get("drafter", ""),
        reason=found.get("reason", ""),
        turned=found.get("turned", 0),
        warnings=tuple(found.get("warnings", ())),
    )


def _read_region(found: Mapping[str, Any]) -> Region:
    return Region(
        box=Box(*found["box"]),
        category=Category(found["category"]),
        drafts=tuple(Draft(d["text"], d["source"], d.get("confidence")) for d in found["drafts"]),
        level=found.get("level", 0),
    )
