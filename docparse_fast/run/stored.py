"""What an earlier run stored: its inputs, its options, and what remains to do of each document.

Knows OUT/run.json and OUT/<path>/document.json; opens neither pages nor models.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Container, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from docparse_fast.document import Block, Draft, Page, PageDraft, ParsedDocument, ParsedPage, Region
from docparse_fast.drafting import Drafter
from docparse_fast.errors import DocparseError, InputError, UsageError
from docparse_fast.options import ParseOptions
from docparse_fast.options.recording import options_of
from docparse_fast.rendering.json import read_json
from docparse_fast.run.inputs import Input
from docparse_fast.run.run_record import DocumentRecord, count_page, record_of
from docparse_fast.system.digests import sha256_of

DIGESTS_KEPT = 4  # of inputs: a reader turns pages of few documents


@dataclass(frozen=True, slots=True)
class StoredRun:
    inputs: tuple[Input, ...]
    options: Mapping[str, Any]  # as recorded: by their names on the command line
    documents: Mapping[str, StoredDocument]  # by output folder

    def done(self, chosen: Mapping[str, Any], models: Mapping[str, str]) -> dict[str, DocumentRecord]:
        """The documents that a target has verified completely, with these options of its own and these models."""
        return {
            output: document.record
            for output, document in self.documents.items()
            if document.record is not None and document.models == models and _holds(document.options, chosen)
        }

    def options_for(self, source: Input, password: str | None) -> ParseOptions:
        """Those that the document was made with."""
        return options_of(self.documents[source.output].options or self.options, password)


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """What is known of a document; of one whose file has changed since, only the options."""

    drafts: Mapping[int, PageDraft] = field(default_factory=dict)  # those that no target has verified, by page number
    record: DocumentRecord | None = None  # only if every page is verified
    options: Mapping[str, Any] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)


class StoredDrafter:
    """Returns stored drafts, and asks the original drafter for pages that have none."""

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
    """Reads the record in `out`; raises InputError if it isn't the output of a run."""
    try:
        run = json.loads((out / "run.json").read_text("utf-8"))
        records = [
            record_of(Input(Path(recorded["input"]), recorded["input"], recorded["output"]), recorded)
            for recorded in run["inputs"]
        ]
        options = run["options"]
        options_of(options, None)  # raises now rather than later
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError("not_found", f"{out} holds no run.json", remedy="name a folder that convert wrote") from error
    except (OSError, ValueError, KeyError, TypeError, UsageError) as error:
        raise InputError("corrupt", f"{out / 'run.json'} can't be read", remedy="run convert again") from error
    if records and not any(record.input.path.exists() for record in records):
        reason = f"none of the inputs that {out} was made of is here"
        raise InputError("not_found", reason, remedy="call verify from the folder where they were converted")
    records += _earlier(out, {record.input.output for record in records})
    documents = {record.input.output: _document(out, record) for record in records}
    return StoredRun(tuple(record.input for record in records), options, documents)


def read_document(file: Path) -> ParsedDocument:
    """A document.json; raises InputError if it isn't ours."""
    try:
        document: ParsedDocument = read_json(file.read_text("utf-8"))
        options_of(document.options)
        return document
    except (OSError, ValueError, KeyError, TypeError, AttributeError, DocparseError) as error:
        raise InputError("corrupt", f"{file} can't be read", remedy="run convert again") from error


def documents_below(out: Path) -> list[Path]:
    """Every document.json in an output folder; raises InputError if there is none."""
    found = [file for file in sorted(out.rglob("document.json")) if not file.is_symlink()]
    if not found:
        reason = f"{out} holds no document.json"
        raise InputError("not_found", reason, remedy="name a folder that convert wrote, with json among its formats")
    return found


def source_of(document: ParsedDocument, command: str) -> Path:
    """The file that it was made of; raises InputError if it is gone or has changed. `command` needs it."""
    path = Path(document.source)
    if not path.is_file():
        reason = f"{document.source} is not here"
        raise InputError("not_found", reason, remedy=f"call {command} from the folder where it was converted")
    if _digest(path, path.stat().st_mtime_ns) != document.sha256:
        raise InputError("not_found", f"{document.source} has changed since", remedy="convert it again")
    return path


@lru_cache(DIGESTS_KEPT)
def _digest(path: Path, changed: int) -> str:
    return sha256_of(path)


def _earlier(out: Path, known: Container[str]) -> list[DocumentRecord]:
    """The documents of runs before the last one, which has them no more in its run.json."""
    found = []
    for file in sorted(out.rglob("document.json")):
        output = file.parent.relative_to(out).as_posix()
        if output not in known and not file.is_symlink():
            with suppress(OSError, ValueError, KeyError, TypeError, UsageError):
                found.append(_record(read_json(file.read_text("utf-8")), output))
    return found


def _record(document: ParsedDocument, output: str) -> DocumentRecord:
    source = Input(Path(document.source), document.source, output)
    options = options_of(document.options, None)
    record = DocumentRecord(source, document.status, sha256=document.sha256, page_count=len(document.pages))
    for page in document.pages:
        count_page(record, page, options)
    return record


def _holds(options: Mapping[str, Any], chosen: Mapping[str, Any]) -> bool:
    return all(name in options and options[name] == value for name, value in chosen.items())


def _document(out: Path, record: DocumentRecord) -> StoredDocument:
    try:
        document: ParsedDocument = read_json((out / record.input.output / "document.json").read_text("utf-8"))
        digest = hashlib.sha256(record.input.path.read_bytes()).hexdigest()
    except (OSError, ValueError, KeyError, TypeError):
        return StoredDocument()
    if digest != document.sha256:
        return StoredDocument(options=document.options)
    whole = [page for page in document.pages if page.error is None]
    # a target sees a flattened page flat, so that one is drafted anew
    drafts = {page.number: _draft(page) for page in whole if page.verified == "none" and not page.evidence.flattened}
    is_done = record.status == "ok" and not record.unverified and len(whole) == len(document.pages)
    return StoredDocument(drafts, record if is_done else None, document.options, document.models)


def _draft(page: ParsedPage) -> PageDraft:
    return PageDraft(
        page.number,
        page.width,
        page.height,
        tuple(
            Region(
                block.box,
                block.category,
                (Draft(block.text, block.sources[0], _score(block)),) if block.sources else (),
                block.level,
                block.type_size,
                block.because,
            )
            for block in page.blocks
            if block.box is not None
        ),
        drafter=page.evidence.drafter or "",
        reason="drafts of an earlier run",
        turned=page.evidence.turned,
    )


def _score(block: Block) -> float | None:
    """The drafter's own score, by which a target's stages are planned."""
    return block.confidence if block.score is None else block.score
