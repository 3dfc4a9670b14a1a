"""Everything that happens as JSON, one object a line, for programs to follow. Knows the keys docs/events.md promises.

Only ASCII is written, so that a file's name can't send control sequences to a reader's terminal. If the log can't be
written any more, one warning says so and the run goes on without it.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import IO, Any

from docparse_fast.document import Failure, ParsedPage
from docparse_fast.errors import DocparseError
from docparse_fast.run.conversion import RunPlan
from docparse_fast.run.run_record import DocumentRecord, Run

FORMAT = "docparse-fast/log"
VERSION = 1


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

    def planned(self, plan: RunPlan) -> None:
        self._write(
            "run_planned",
            format=FORMAT,
            version=VERSION,
            documents=plan.documents,
            bytes=plan.bytes,
            done=plan.done,
            pages_done=plan.pages_done,
            duplicates=plan.duplicates,
        )

    def begun(self, record: DocumentRecord) -> None:
        source = record.input
        self._write(
            "document_start",
            input=source.name,
            output=source.output,
            sha256=record.sha256,
            pages=record.page_count,
            reused=record.reused,
        )

    def page_begun(self, record: DocumentRecord, number: int) -> None:
        self._write("page_start", input=record.input.name, page=number)

    def page_done(self, record: DocumentRecord, page: ParsedPage) -> None:
        for stage, seconds in page.seconds.items():
            self._stages[stage] = self._stages.get(stage, 0.0) + seconds
        self._write(
            "page_failed" if page.status == "failed" else "page_done",
            input=record.input.name,
            page=page.number,
            status=page.status,
            verified=page.verified,
            exact=page.exact,
            agreement=page.evidence.agreement,
            error=_error(page.error),
            seconds=round(sum(page.seconds.values()), 3),
        )

    def done(self, record: DocumentRecord) -> None:
        self._write(
            "document_failed" if record.status == "failed" else "document_done",
            input=record.input.name,
            output=record.input.output,
            status=record.status,
            pages=record.page_count,
            page_status=_by_status(record),
            error=_error(record.error),
            seconds=round(record.seconds, 3),
        )

    def stopping(self) -> None:
        self._write("run_stopping")

    def trouble(self, failure: Failure) -> None:
        self._write("trouble", error=_error(failure))

    def ended(self, run: Run, exit_code: int) -> None:
        documents = Counter(record.status for record in run.records)
        pages: Counter[str] = Counter()
        for record in run.records:
            pages.update(record.pages)
        self._end(run.status, exit_code, documents, pages, run.trouble)

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
        self._write(
            "run_done",
            status=status,
            exit_code=exit_code,
            document_status=dict(sorted(documents.items())),
            page_status=dict(sorted(pages.items())),
            error=_error(failure),
            seconds=round(self._clock() - self._started, 3),
            stage_seconds={stage: round(seconds, 3) for stage, seconds in sorted(self._stages.items())},
        )

    def _write(self, event: str, **what: Any) -> None:
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

    def _write(self, event: str, **what: Any) -> None:
        if event == "run_done":
            super()._write(event, format=FORMAT, version=VERSION, **what)


def _reason(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def _error(failure: Failure | None) -> dict[str, str] | None:
    return {"code": failure.code, "message": failure.message} if failure else None


def _by_status(record: DocumentRecord) -> dict[str, int]:
    return {status: record.pages[status] for status in ("ok", "blank", "partial", "failed")}
