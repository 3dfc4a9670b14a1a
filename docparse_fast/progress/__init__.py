"""Progress as lines, as a live display and as events. Knows streams and what happened; decides nothing.

Each class is an `events.Watcher` and is told the same: `PlainLines` for logs, `LiveDisplay` for terminals,
`EventLog` for programs. `Watchers` tells several.
"""

from __future__ import annotations

from docparse_fast.progress.event_log import EventLog, SummaryLine
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
