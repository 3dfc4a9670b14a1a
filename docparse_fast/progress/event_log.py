"""Everything that happens as JSON, one object a line, for programs to follow. Knows the keys docs/events.md promises.

Only ASCII is written, so that a file's name can't send control sequences to a reader's terminal. If the log can't be
written any more, one warning says so and the run goes on without it.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import IO, Any

from docparse_fast.document import Failure, ParsedPage
from docparse_fast.errors import DocparseError
from docparse_fast.run.events import (
    DocumentBegun,
    DocumentDone,
    Event,
    PageBegun,
    PageDone,
    RunEnded,
    RunPlan,
    Stopping,
    Trouble,
)
from docparse_fast.run.run_record import DocumentRecord

FORMAT = "docparse-fast/log"
VERSION = 1

Described = Mapping[str, Any]
Happening = RunPlan | DocumentBegun | PageBegun | PageDone | DocumentDone | Stopping | Trouble


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class EventLog:
    def __init__(
        self,
        stream: IO[str],
        complain: Callable[[Failure], None],
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], str] = _now,
    ) -> None:
        self._stream: IO[str] | None = stream
        self._complain = complain
        self._clock = clock
        self._now = now
        self._started = clock()
        self._ended = False
        self._stages: dict[str, float] = {}  # seconds, of all pages

    def tell(self, event: Event) -> None:
        if isinstance(event, RunEnded):
            run = event.run
            documents = Counter(record.status for record in run.records)
            pages = sum((record.pages for record in run.records), Counter[str]())
            self._end(run.status, event.exit_code, documents, pages, run.trouble)
            return
        if isinstance(event, PageDone):
            for stage, seconds in event.page.seconds.items():
                self._stages[stage] = self._stages.get(stage, 0.0) + seconds
        self._write(*_described(event))

    @contextmanager
    def shown(self) -> Iterator[object]:
        """The last line is always written; it holds the error that ended the run, if there was one."""
        failure: Failure | None = None
        try:
            yield self
        except DocparseError as error:
            failure = Failure(error.code, str(error))
            raise
        except BaseException as error:
            failure = Failure("interrupted" if isinstance(error, KeyboardInterrupt) else "bug", type(error).__name__)
            raise
        finally:
            if not self._ended:
                self._end("failed", None, Counter(), Counter(), failure)

    def _end(
        self,
        status: str,
        exit_code: int | None,
        documents: Counter[Any],
        pages: Counter[str],
        failure: Failure | None,
    ) -> None:
        self._ended = True
        what = {
            "status": status,
            "exit_code": exit_code,
            "document_status": dict(sorted(documents.items())),
            "page_status": dict(sorted(pages.items())),
            "error": _error(failure),
            "seconds": round(self._clock() - self._started, 3),
            "stage_seconds": {stage: round(seconds, 3) for stage, seconds in sorted(self._stages.items())},
        }
        self._write("run_done", what)

    def _write(self, event: str, what: Described) -> None:
        if self._stream is None:
            return
        at = {"time": self._now(), "elapsed": round(self._clock() - self._started, 3)}
        try:
            self._stream.write(json.dumps({"event": event, **at, **what}) + "\n")
            self._stream.flush()
        except (OSError, ValueError) as error:
            self._stream = None
            self._complain(Failure("write_failed", f"the event log can't be written any more: {_reason(error)}"))


class SummaryLine(EventLog):
    """The last event alone, which sums up the run."""

    def _write(self, event: str, what: Described) -> None:
        if event == "run_done":
            super()._write(event, {"format": FORMAT, "version": VERSION, **what})


def _described(event: Happening) -> tuple[str, Described]:
    match event:
        case RunPlan():
            counts = ("documents", "bytes", "done", "pages_done", "duplicates")
            return "run_planned", {"format": FORMAT, "version": VERSION, **{key: getattr(event, key) for key in counts}}
        case DocumentBegun(record):
            source = {"input": record.input.name, "output": record.input.output, "sha256": record.sha256}
            return "document_start", {**source, "pages": record.page_count, "reused": record.reused}
        case PageBegun(record, number):
            return "page_start", {"input": record.input.name, "page": number}
        case PageDone(record, page):
            return "page_failed" if page.status == "failed" else "page_done", _page(record, page)
        case DocumentDone(record):
            return "document_failed" if record.status == "failed" else "document_done", _document(record)
        case Stopping():
            return "run_stopping", {}
        case Trouble(failure):
            return "trouble", {"error": _error(failure)}


def _page(record: DocumentRecord, page: ParsedPage) -> Described:
    return {
        "input": record.input.name,
        "page": page.number,
        "status": page.status,
        "verified": page.verified,
        "exact": page.exact,
        "agreement": page.evidence.agreement,
        "error": _error(page.error),
        "seconds": round(sum(page.seconds.values()), 3),
    }


def _document(record: DocumentRecord) -> Described:
    return {
        "input": record.input.name,
        "output": record.input.output,
        "status": record.status,
        "pages": record.page_count,
        "page_status": {status: record.pages[status] for status in ("ok", "blank", "partial", "failed")},
        "error": _error(record.error),
        "seconds": round(record.seconds, 3),
    }


def _reason(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def _error(failure: Failure | None) -> dict[str, str] | None:
    return {"code": failure.code, "message": failure.message} if failure else None
