"""The last line of a run: which pages need a look. Knows records; knows no stream."""

from __future__ import annotations

from collections.abc import Sequence

from docparse_fast.progress.phrases import plural, printable
from docparse_fast.run.run_record import DocumentRecord

SHOWN_PAGES, SHOWN_DOCUMENTS = 20, 5


def look_line(records: Sequence[DocumentRecord]) -> str:
    """The line; empty if no page needs a look.

    >>> from docparse_fast.run.inputs import Input
    >>> from pathlib import Path
    >>> look_line([DocumentRecord(Input(Path("a.pdf"), "a.pdf", "a"), page_count=40, to_look_at=[7, 12, 31])])
    '3 of 40 pages need a look: 7, 12, 31'
    """
    doubtful = [record for record in records if record.to_look_at]
    if not doubtful:
        return ""
    count, pages = sum(len(record.to_look_at) for record in doubtful), sum(record.page_count for record in records)
    verb = "needs" if count == 1 else "need"
    return f"{count} of {plural(pages, 'page')} {verb} a look: {_where(doubtful, alone=len(records) == 1)}"


def _where(doubtful: Sequence[DocumentRecord], *, alone: bool) -> str:
    if alone:
        return _numbers(doubtful[0])
    named = [f"{printable(record.input.name)} {_numbers(record)}" for record in doubtful[:SHOWN_DOCUMENTS]]
    more = len(doubtful) - SHOWN_DOCUMENTS
    return "; ".join(named) + (f"; and in {plural(more, 'more document')}" if more > 0 else "")


def _numbers(record: DocumentRecord) -> str:
    shown = ", ".join(map(str, record.to_look_at[:SHOWN_PAGES]))
    more = len(record.to_look_at) - SHOWN_PAGES
    return shown + (f" and {more} more" if more > 0 else "")
