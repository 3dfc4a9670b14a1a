"""Watches a folder that fills: converts its documents as they arrive, with one target and the same workers.

Every round is a batch over the files that have arrived or changed since; its journal is the batch's own, so that a new
start goes on where the last one ended. Prints nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from docparse_fast.batch.batch import BatchSession, Request, batch_session
from docparse_fast.batch.limits import Limits
from docparse_fast.batch.planning import Found, check_folders, documents_of
from docparse_fast.batch.settling import Settling, Stamp
from docparse_fast.opening import open_target_of
from docparse_fast.options import ParseOptions
from docparse_fast.run.events import Watcher
from docparse_fast.run.inputs import Input
from docparse_fast.run.run_record import Run
from docparse_fast.verification.target import DocumentTarget

PAUSE = 1.0  # seconds between two looks at the folder
LOOKING_SHARE = 0.1  # most of the time spent on looking: a folder may be large


def watch_folder(
    request: Request,
    options: ParseOptions,
    limits: Limits,
    watcher: Watcher,
    settle: float,
    begun: Callable[[], None],
    open_target: Callable[[ParseOptions], tuple[DocumentTarget | None, str]] = open_target_of,
) -> Run:
    """Converts documents as they arrive, until the user interrupts. Calls `begun` when all is loaded."""
    check_folders(request.folder, request.out)
    run = Run(options, [])
    with batch_session(request.out, options, limits, open_target) as session:
        arrivals = _Arrivals(request, settle)
        with suppress(KeyboardInterrupt):  # that is how it ends
            begun()
            while not session.stopped:
                run = _round(session, arrivals, run, watcher)
    return run


def _round(session: BatchSession, arrivals: _Arrivals, run: Run, watcher: Watcher) -> Run:
    start = time.monotonic()
    found = arrivals.found()
    if not found.chosen:
        looked = time.monotonic() - start
        time.sleep(max(PAUSE, looked / LOOKING_SHARE))
        return run
    again = {source.output for source in found.chosen}
    earlier = [record for record in run.records if record.input.output not in again]
    trouble, run = run.trouble, session.run(found, watcher, earlier=earlier)
    run.trouble = run.trouble or trouble
    return run


class _Arrivals:
    """The documents that have arrived or changed since the last look."""

    def __init__(self, request: Request, settle: float) -> None:
        self._request = request
        self._settling = Settling(settle)
        self._known: dict[Input, Stamp] = {}

    def found(self) -> Found:
        request = self._request
        found = documents_of(request.folder, request.out, request.include, request.exclude)
        settled = self._settling.settled(source.path for source in found.chosen)
        now = {source: settled[source.path] for source in found.chosen if source.path in settled}
        arrived = tuple(source for source, stamp in now.items() if self._known.get(source) != stamp)
        self._known |= now
        return replace(found, chosen=arrived)
