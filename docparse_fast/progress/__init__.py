"""Progress as lines, as a live display and as events. Knows streams and what happened; decides nothing.

Each class is a `conversion.Watcher` and gets the same calls: `PlainLines` for logs, `LiveDisplay` for terminals,
`EventLog` for programs. `Watchers` passes each call on to several watchers.
"""

from __future__ import annotations

from docparse_fast.progress.events import EventLog, SummaryLine
from docparse_fast.progress.live import LiveDisplay
from docparse_fast.progress.log_lines import Detail, PlainLines, error_line
from docparse_fast.progress.phrases import printable
from docparse_fast.progress.tally import Tally
from docparse_fast.progress.watchers import RunWatcher, Watchers

__all__ = [
    "Detail",
    "EventLog",
    "LiveDisplay",
    "PlainLines",
    "RunWatcher",
    "SummaryLine",
    "Tally",
    "Watchers",
    "error_line",
    "printable",
]
