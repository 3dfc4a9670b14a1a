"""The inputs that a command line names: files, folders, and - for standard input. Opens no document."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from docparse_fast.cli.arguments import path
from docparse_fast.errors import OutputError, UsageError

if TYPE_CHECKING:
    from docparse_fast.inputs import Input

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Named:
    """The documents, and what removes the temporary files that some of them lie in."""

    found: list[Input]
    clean_up: Callable[[], None]


@contextmanager
def named_inputs(arguments: Sequence[str], out: Path | None) -> Iterator[Named]:
    """A temporary folder holds what has no file of its own, as long as it is in use."""
    from docparse_fast.inputs import find_inputs

    with tempfile.TemporaryDirectory(prefix="docparse-fast-", ignore_cleanup_errors=True) as folder:
        kept = Path(folder)
        paths = [_stdin(kept / "stdin") if argument == STDIN else path(argument) for argument in arguments]
        yield Named(find_inputs(paths, out, {kept / "stdin": STDIN}), lambda: shutil.rmtree(folder, ignore_errors=True))


def _stdin(stored: Path) -> Path:
    """A file with all that standard input holds: a PDF is read from its end."""
    if stored.exists():
        return stored
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("- reads a document from standard input, which has none", remedy="pipe one into it")
    try:
        with stored.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
    except OSError as error:
        reason = f"standard input can't be kept in {stored.parent} ({error.strerror or error})"
        raise OutputError("write_failed", reason, remedy="check the space left there, or name a file") from error
    return stored
