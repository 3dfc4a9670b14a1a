"""What is shown and written down while documents are converted. Knows streams and what happened; decides nothing.

Everything here is a `conversion.Watcher`, told of the same things: `PlainLines` for logs, `LiveDisplay` for terminals,
`EventLog` for programs. `Watchers` tells several at once.
"""

from __future__ import annotations

from docparse_fast.progress.events import EventLog
from docparse_fast.progress.lines import Detail, PlainLines, error_line, printable
from docparse_fast.progress.live import LiveDisplay
from docparse_fast.progress.tally import Tally
from docparse_fast.progress.watchers import Onlooker, Watchers

__all__ = [
    "Detail",
    "EventLog",
    "LiveDisplay",
    "Onlooker",
    "PlainLines",
    "Tally",
    "Watchers",
    "error_line",
    "printable",
]
