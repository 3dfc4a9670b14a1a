"""What `-o -` prints, and how printing ends when its reader has gone."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from docparse_fast.cli.streams import write_in_utf8
from docparse_fast.errors import UsageError
from docparse_fast.options import ParseOptions

if TYPE_CHECKING:
    from docparse_fast.run.conversion import Output
    from docparse_fast.run.inputs import Input

STDOUT = "-"
PRINTABLE = ("md", "json")  # Markdown wins if both are named, as they are by default


def check_output(out: str, options: ParseOptions, *, json_lines: bool) -> None:
    if json_lines and out != STDOUT:
        raise UsageError("--json-lines prints blocks, and -o names a folder", remedy="give -o -")
    if out == STDOUT and not json_lines and not set(options.formats) <= set(PRINTABLE):
        raise UsageError(
            f"-o - prints {' or '.join(PRINTABLE)}, or with --json-lines blocks",
            remedy="name a folder for other formats",
        )


def printer(
    options: ParseOptions, clean_up: Callable[[], None], *, json_lines: bool, several: bool
) -> Callable[[Input], Output]:
    """Makes the output of each document, on stdout. `clean_up` is called if stdout's reader leaves."""
    from docparse_fast.run.printed import BlockStream, JsonStream, MarkdownStream, PageStream

    write_in_utf8()

    def leave() -> None:
        clean_up()
        _end_as_by_a_closed_pipe()

    def output_of(source: Input) -> Output:
        if json_lines:
            return BlockStream(sys.stdout, source.name, leave)
        if "md" not in options.formats:
            return JsonStream(sys.stdout, leave)
        stream = PageStream if options.no_join else MarkdownStream
        return stream(sys.stdout, options, leave, heading=source.name if several else "")

    return output_of


def _end_as_by_a_closed_pipe() -> None:
    """`| head` ends this program as it ends any other tool. Not by the signal itself: sockets raise it too."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.raise_signal(signal.SIGPIPE)
