"""What an earlier run left behind, to go on from: its inputs, its options, and the drafts that nothing has verified.

Knows OUT/run.json and OUT/<path>/document.json; opens no page and no model.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from docparse_fast.document import Draft, Page, PageDraft, ParsedDocument, ParsedPage, Region
from docparse_fast.drafting import Drafter
from docparse_fast.errors import InputError, UsageError
from docparse_fast.inputs import Input
from docparse_fast.options import options_of
from docparse_fast.rendering.json import read_json


@dataclass(frozen=True, slots=True)
class StoredRun:
    inputs: tuple[Input, ...]
    options: Mapping[str, Any]  # as recorded: by the names the command line has for them
    drafts: Mapping[str, Mapping[int, PageDraft]]  # by output folder, then page number


class StoredDrafter:
    """Says what was said before; asks the drafter of old where nothing was kept of a page."""

    name = "stored"

    def __init__(self, drafts: Mapping[int, PageDraft], otherwise: Callable[[], Drafter]) -> None:
        self._drafts = drafts
        self._otherwise = otherwise

    @cached_property
    def _drafter(self) -> Drafter:
        return self._otherwise()

    def draft(self, page: Page) -> PageDraft:
        stored = self._drafts.get(page.number)
        return stored if stored is not None else self._drafter.draft(page)


def stored_run(out: Path) -> StoredRun:
    """InputError where `out` isn't what a run left."""
    try:
        run = json.loads((out / "run.json").read_text("utf-8"))
        found = [Input(Path(record["input"]), record["input"], record["output"]) for record in run["inputs"]]
        options = run["options"]
        options_of(options, None)  # raises now rather than when they are asked for
    except FileNotFoundError as error:
        raise InputError("not_found", f"{out} holds no run.json", remedy="name a folder that convert wrote") from error
    except (OSError, ValueError, KeyError, TypeError, UsageError) as error:
        raise InputError("corrupt", f"{out / 'run.json'} can't be read", remedy="run convert again") from error
    if found and not any(source.path.exists() for source in found):
        reason = f"none of the inputs that {out} was made of is here"
        raise InputError("not_found", reason, remedy="call verify from the folder where they were converted")
    drafts = {source.output: _drafts(out / source.output / "document.json", source.path) for source in found}
    return StoredRun(tuple(found), options, drafts)


def _drafts(path: Path, source: Path) -> dict[int, PageDraft]:
    """The unverified pages of a document, if it was made from the file that is there now."""
    try:
        document: ParsedDocument = read_json(path.read_text("utf-8"))
        digest = hashlib.sha256(source.read_bytes()).hexdigest()
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    if digest != document.sha256:
        return {}
    return {page.number: _draft(page) for page in document.pages if page.verified == "none" and page.error is None}


def _draft(page: ParsedPage) -> PageDraft:
    turned: Any = page.stats.get("turned", 0)
    return PageDraft(
        page.number,
        page.width,
        page.height,
        tuple(
            Region(
                block.box,
                block.category,
                (Draft(block.text, block.sources[0], block.confidence),) if block.sources else (),
                block.level,
            )
            for block in page.blocks
            if block.box is not None
        ),
        drafter=str(page.stats.get("drafter", "")),
        reason="drafts of an earlier run",
        turned=turned,
    )
