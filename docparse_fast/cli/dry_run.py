"""`--dry-run`: what a run would read, as lines on stdout. Opens files, reads no page and writes nothing."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docparse_fast.batch.limits import shown_bytes
from docparse_fast.errors import DocparseError
from docparse_fast.options import ParseOptions
from docparse_fast.progress import error_line, printable
from docparse_fast.run.conversion import open_input, size_of
from docparse_fast.run.outputs import RUN
from docparse_fast.run.run_record import PARTIAL

if TYPE_CHECKING:
    from docparse_fast.run.inputs import Input


def tell(
    inputs: Sequence[Input],
    out: str,
    options: ParseOptions,
    done: Collection[str] = (),
    pages_done: Callable[[Input], int] = lambda _: 0,
    unread: Collection[Path] = (),
) -> int:
    """Prints a line a document and one for all; returns the exit code that those which can't be opened would have.

    `done` are the output folders of finished documents, `unread` the inputs that would be fetched first.
    """
    pages = failed = 0
    for source in inputs:
        where = "" if out == "-" else f" -> {Path(out) / source.output}"
        if source.output in done:
            print(printable(f"{source.name}: done{where}"))
        elif source.path in unread:
            print(printable(f"{source.name}: would be fetched{where}"))
        else:
            try:
                with open_input(source.path, source.name, options.raster) as document:
                    left = len(document.numbers) - pages_done(source)
            except DocparseError as error:
                failed += 1
                print(error_line(error.code, str(error)), file=sys.stderr)
                continue
            pages += left
            print(printable(f"{source.name}: {_counted(left, 'page')}{where}"))
    to_read = [source for source in inputs if source.output not in done]
    print(_all(to_read, pages, len(inputs) - len(to_read), failed, _seconds_a_page(Path(out))))
    return 0 if not failed else 1 if failed == len(inputs) else PARTIAL


def _all(to_read: Sequence[Input], pages: int, done: int, failed: int, seconds: float | None) -> str:
    size = shown_bytes(sum(size_of(source.path) for source in to_read))
    said = f"{_counted(len(to_read), 'document')} with {_counted(pages, 'page')} to read, {size}; {done} done"
    said += f"; {failed} can't be opened" if failed else ""
    if seconds is None or not pages:
        return said
    return f"{said}; about {seconds * pages:.0f} s of work, as pages took in the last run here"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _seconds_a_page(out: Path) -> float | None:
    """As run.json says; None if there is none."""
    try:
        found: list[Any] = json.loads((out / RUN).read_text("utf-8"))["inputs"]
        seconds = sum(float(each["seconds"]) for each in found)
        return seconds / sum(int(each["pages"]) for each in found)
    except (OSError, ValueError, KeyError, TypeError, ZeroDivisionError):
        return None
