"""What `-o -` prints, and how printing ends when nobody reads on."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

from docparse_fast.cli.streams import write_in_utf8
from docparse_fast.errors import UsageError
from docparse_fast.options import ParseOptions

if TYPE_CHECKING:
    from docparse_fast.conversion import Output
    from docparse_fast.inputs import Input

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
    from docparse_fast.printed import BlockStream, JsonStream, MarkdownStream

    write_in_utf8()
    _end_with_reader(clean_up)

    def output_of(source: Input) -> Output:
        if json_lines:
            return BlockStream(sys.stdout, source.name)
        if "md" not in options.formats:
            return JsonStream(sys.stdout)
        return MarkdownStream(sys.stdout, options, heading=source.name if several else "")

    return output_of


def _end_with_reader(clean_up: Callable[[], None]) -> None:
    """`| head` ends this program as it ends any other tool, but for our temporary files."""

    def leave(number: int, frame: FrameType | None) -> None:
        clean_up()
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, leave)
