"""How the documents of a run ended, as `run.json` and a journal keep it, and the exit code that follows from it."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from docparse_fast.document import Failure, ParsedDocument, ParsedPage
from docparse_fast.errors import PageError, UsageError
from docparse_fast.options import ParseOptions
from docparse_fast.options.recording import recorded
from docparse_fast.run.inputs import Input
from docparse_fast.run.outputs import RUN
from docparse_fast.timing import NowAndThen

FORMAT = "docparse-fast/run"
VERSION = 1
PARTIAL = 3  # the exit code of a run of which something is missing
SAVED_EVERY = 2.0  # seconds between two versions of run.json
SAVING_SHARE = 0.02  # most of the time spent on it: with ten thousand documents run.json is long
RunStatus = Literal["pending", "ok", "partial", "failed", "interrupted"]


@dataclass(slots=True)
class DocumentRecord:
    """How one input ended."""

    input: Input
    status: RunStatus = "pending"
    error: Failure | None = None
    sha256: str = ""
    page_count: int = 0  # pages selected
    reused: int = 0  # of those, taken from an earlier run
    pages: Counter[str] = field(default_factory=Counter)  # by status
    unverified: int = 0  # pages with content that no target has read
    inexact: int = 0  # pages that failed --check-exact
    disagreed: int = 0  # pages whose draft the target accepted less than --min-acceptance
    doubts: Counter[str] = field(default_factory=Counter)  # pages by the kinds of doubts about them
    to_look_at: list[int] = field(default_factory=list)  # numbers of pages with doubts, cut off or failed
    seconds: float = 0.0

    @property
    def own_error(self) -> Failure | None:
        """`error`, except where it only repeats why the first page failed: that page has reported it already."""
        is_of_pages = self.error is not None and self.error.code in PageError.codes
        return None if is_of_pages and 0 < self.page_count == self.pages["failed"] else self.error


@dataclass(slots=True)
class Run:
    """All inputs of one command, in order."""

    options: ParseOptions
    records: list[DocumentRecord]
    trouble: Failure | None = None  # a failure that concerns no single document

    @property
    def status(self) -> RunStatus:
        found = {record.status for record in self.records}
        if "interrupted" in found or "pending" in found:
            return "interrupted"
        if found == {"failed"}:
            return "failed"
        return "ok" if found <= {"ok"} else "partial"

    def as_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "status": self.status,
            "options": recorded(self.options),
            "inputs": [record_as_json(record) for record in self.records],
        }


def saving() -> NowAndThen:
    return NowAndThen(SAVED_EVERY, SAVING_SHARE)


def check_record(out: Path) -> None:
    """Raises UsageError if OUT has a run.json that is somebody else's."""
    path = out / RUN
    try:
        if not os.path.lexists(path) or (path.is_file() and not path.stat().st_size):
            return
        if path.is_file() and json.loads(path.read_text("utf-8"))["format"] == FORMAT:
            return
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise UsageError(f"{path} is no record of a run of ours", remedy="move it away, or name another folder with -o")


def exit_code(run: Run, fail_on: str) -> int:
    """The exit status: 0, 1 (nothing could be done), 2 (usage), 3 (partial), 130 (interrupted)."""
    if run.status == "interrupted":
        return 130
    failed = [record for record in run.records if record.status == "failed"]
    all_failed = len(failed) == len(run.records) > 0
    if all_failed and all(record.error and record.error.code == "usage" for record in failed):
        return 2
    if fail_on == "never":
        return 0
    if all_failed:
        return 1
    if failed or run.trouble:
        return PARTIAL
    if fail_on != "failure" and (run.status == "partial" or any(r.inexact or r.disagreed for r in run.records)):
        return PARTIAL
    return PARTIAL if fail_on == "unverified" and any(record.unverified for record in run.records) else 0


def count_page(record: DocumentRecord, page: ParsedPage, options: ParseOptions) -> None:
    record.pages[page.status] += 1
    record.doubts.update({doubt.kind for doubt in page.evidence.doubts})
    if page.needs_look:
        record.to_look_at = sorted({*record.to_look_at, page.number})
    record.unverified += page.verified == "none" and page.status != "blank"
    record.inexact += page.exact is False and options.speculation.tau == 1 and not _near_tie(page)
    agreed = page.evidence.agreement
    record.disagreed += agreed is not None and agreed < options.speculation.min_acceptance


def count_joined(record: DocumentRecord, read: ParsedDocument, joined: ParsedDocument) -> None:
    """Counts the doubts that only the comparison of pages has brought."""
    for before, after in zip(read.pages, joined.pages, strict=True):
        known = {doubt.kind for doubt in before.evidence.doubts}
        record.doubts.update({doubt.kind for doubt in after.evidence.doubts} - known)
        if after.needs_look:
            record.to_look_at = sorted({*record.to_look_at, after.number})


def _near_tie(page: ParsedPage) -> bool:
    """In bfloat16 a difference between two tokens of nearly equal probability is reported but does not fail the run."""
    checked = page.evidence.check
    return checked is not None and checked.difference is not None and checked.difference.near_tie


def record_of(source: Input, recorded: Mapping[str, Any]) -> DocumentRecord:
    """Reads back what `record_as_json` wrote for a document that had ended."""
    error = recorded["error"]
    return DocumentRecord(
        source,
        status=recorded["status"],
        error=Failure(error["code"], error["message"]) if error else None,
        sha256=recorded["sha256"],
        page_count=recorded["pages"],
        reused=recorded["pages"],
        pages=Counter(recorded["page_status"]),
        unverified=recorded["unverified"],
        inexact=recorded["inexact"],
        disagreed=recorded["below_min_acceptance"],
        doubts=Counter(recorded.get("doubts", {})),
        to_look_at=list(recorded.get("to_look_at", ())),
        seconds=recorded["seconds"],
    )


def record_as_json(record: DocumentRecord) -> dict[str, Any]:
    error = record.error
    return {
        "input": record.input.name,
        "output": record.input.output,
        "sha256": record.sha256,
        "status": record.status,
        "error": {"code": error.code, "message": error.message} if error else None,
        "pages": record.page_count,
        "page_status": {status: record.pages[status] for status in ("ok", "blank", "partial", "failed")},
        "unverified": record.unverified,
        "inexact": record.inexact,
        "below_min_acceptance": record.disagreed,
        "doubts": dict(sorted(record.doubts.items())),
        "to_look_at": record.to_look_at,
        "seconds": round(record.seconds, 3),
    }
