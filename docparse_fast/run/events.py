"""What happens in a run, as values, and who is told of it. Shows nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from docparse_fast.document import Failure, ParsedPage
from docparse_fast.run.run_record import DocumentRecord, Run


@dataclass(frozen=True, slots=True)
class RunPlan:
    """The work that a run is about to do: the first event."""

    documents: int
    bytes: int  # of all inputs that exist
    done: int = 0  # documents that an earlier run finished; they are left as they are
    bytes_done: int = 0  # of those
    pages_done: int = 0  # of documents that an earlier run began
    duplicates: int = 0  # links to documents that are in the plan under their own names


@dataclass(frozen=True, slots=True)
class DocumentBegun:
    """A document is open. `record.reused` of its pages are finished already and cause no events."""

    record: DocumentRecord


@dataclass(frozen=True, slots=True)
class PageBegun:
    record: DocumentRecord
    number: int


@dataclass(frozen=True, slots=True)
class PageDone:
    record: DocumentRecord
    page: ParsedPage


@dataclass(frozen=True, slots=True)
class DocumentDone:
    """A document has ended, well or badly. It may never have begun."""

    record: DocumentRecord


@dataclass(frozen=True, slots=True)
class Stopping:
    """The user has asked to stop; the pages in work are being finished."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something went wrong that concerns no single document."""

    failure: Failure


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The last event, where the run came to an end of its own and the command line knows its exit code."""

    run: Run
    exit_code: int


Event = RunPlan | DocumentBegun | PageBegun | PageDone | DocumentDone | Stopping | Trouble | RunEnded


class Watcher(Protocol):
    """Is told the events of a run in order, on one thread. Several documents may be in work at once.

    Documents that were finished before cause no events; only the plan counts them.
    """

    def tell(self, event: Event) -> None: ...
