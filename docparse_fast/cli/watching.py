"""Sends a run's progress to the terminal or the log, and to a file of events. Knows flags and streams."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from docparse_fast.cli.arguments import Display, Reporting
from docparse_fast.errors import OutputError, UsageError

NOTICES = "docparse_fast.notices"  # the log of what users should know while they wait

if TYPE_CHECKING:
    from docparse_fast.document import Failure
    from docparse_fast.progress import Watchers
    from docparse_fast.run.run_record import Run


def ended(run: Run, fail_on: str, watchers: Watchers) -> int:
    """Reports the end of a run and returns the exit code: 3 also if the event log is not whole."""
    from docparse_fast.run.events import RunEnded
    from docparse_fast.run.run_record import PARTIAL, exit_code

    code = exit_code(run, fail_on)
    watchers.tell(RunEnded(run, code))
    return PARTIAL if code == 0 and watchers.lost is not None and fail_on != "never" else code


@contextmanager
def watching(reporting: Reporting, out: str, *, sums_up: bool = False) -> Iterator[Watchers]:
    """`out` is a folder, or - for Markdown on stdout; `sums_up` adds a plan and a summary to the lines."""
    from docparse_fast.progress import EventLog, LiveDisplay, PlainLines, RunWatcher, SummaryLine, Watchers
    from docparse_fast.run.events import Trouble

    if reporting.log_json == out == "-":
        raise UsageError("-o - and --log-json - both print to stdout", remedy="name a file for one of them")
    if reporting.summary and "-" in (reporting.log_json, out):
        other = "-o -" if out == "-" else "--log-json -"
        raise UsageError(f"{other} and --summary both print to stdout", remedy="name a file for the first")
    shown_out = "" if out == "-" else str(Path(out))
    is_live = reporting.display.bar and out != "-" and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    lines = (LiveDisplay if is_live else PlainLines)(sys.stderr, reporting.display.detail, shown_out, sums_up=sums_up)
    each: list[RunWatcher] = [lines]
    watchers = Watchers(each)

    def complain(failure: Failure) -> None:
        watchers.lost = failure
        lines.tell(Trouble(failure))

    with ExitStack() as stack:
        if reporting.log_json is not None:
            stream = sys.stdout if reporting.log_json == "-" else stack.enter_context(_open(Path(reporting.log_json)))
            each.insert(0, EventLog(stream, complain))  # first, so that it closes last
        if reporting.summary:
            each.append(SummaryLine(sys.stdout, complain))
        stack.enter_context(watchers.shown())
        if not reporting.display.quiet:
            stack.enter_context(_noticing(lines.say))
        yield watchers


@contextmanager
def before_progress(display: Display) -> Iterator[None]:
    """Prints notices while there is nothing yet that shows progress: models are opened first."""
    if display.quiet:
        yield
        return
    with _noticing(lambda line: print(line, file=sys.stderr)):
        yield


class _Notices(logging.Handler):
    """Prints through the display, which would overwrite a line printed beside it."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__()
        self._say = say

    def emit(self, record: logging.LogRecord) -> None:
        from docparse_fast.progress import printable

        self._say(f"docparse-fast: {printable(record.getMessage())}")


@contextmanager
def _noticing(say: Callable[[str], None]) -> Iterator[None]:
    log, handler = logging.getLogger(NOTICES), _Notices(say)
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
        log.propagate = True


def _opened(path: Path) -> int:
    """The file itself: a link may lead anywhere. But /dev has links to what the shell has opened."""
    no_link = 0 if path.is_relative_to("/dev") else getattr(os, "O_NOFOLLOW", 0)
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | no_link, 0o666)


@contextmanager
def _open(path: Path) -> Iterator[IO[str]]:
    from docparse_fast.run.inputs import is_document

    if is_document(path):  # it would be overwritten
        raise UsageError(f"--log-json {path} is a document", remedy="name another file")
    try:
        file = os.fdopen(_opened(path), "w", encoding="ascii")
    except OSError as error:
        raise OutputError(
            "write_failed", f"--log-json {path}: {error.strerror or error}", remedy="name another file"
        ) from error
    try:
        yield file
    finally:
        with suppress(OSError):  # a full disk, which the log has already reported
            file.close()
