"""The inputs that a command line names: files, folders, - for standard input, and URLs. Opens no document."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from docparse_fast.cli.arguments import path
from docparse_fast.errors import OutputError, UsageError
from docparse_fast.options import FetchOptions
from docparse_fast.text.urls import file_name, is_other_url, is_url, shown_url

if TYPE_CHECKING:
    from docparse_fast.drafted import Source
    from docparse_fast.run.conversion import OpenSource
    from docparse_fast.run.inputs import Input

STDIN = "-"
MEGABYTE = 10**6


@dataclass(frozen=True, slots=True)
class Named:
    """The documents; some of them lie in temporary files, or will when they are fetched."""

    found: list[Input]
    urls: Mapping[Path, str]  # of documents that are fetched when their turn comes
    fetching: FetchOptions
    folder: Path

    def opening(self, open_source: OpenSource) -> OpenSource:
        """Fetches a document before it is opened: one that can't be fetched fails alone."""
        if not self.urls:
            return open_source
        from docparse_fast.run.fetching import Fetcher

        fetcher = Fetcher(self.fetching.max_download * MEGABYTE, self.fetching.download_timeout)

        @contextmanager
        def fetched(source: Input) -> Iterator[Source]:
            if source.path in self.urls:
                source.path.parent.mkdir(parents=True, exist_ok=True)
                fetcher.fetch(self.urls[source.path], source.path)
            with open_source(source) as document:
                yield document

        return fetched

    def clean_up(self) -> None:
        if self.folder.is_absolute():
            shutil.rmtree(self.folder, ignore_errors=True)


def listed(file: str | None) -> list[str]:
    """The names in a list: a line each, or each before a zero byte, as find -print0 writes them."""
    if file is None:
        return []
    try:
        data = sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
    except OSError as error:
        message = f"--files-from {file} can't be read ({error.strerror or error})"
        raise UsageError(message, remedy="check the path") from error
    names = data.split(b"\0") if b"\0" in data else data.splitlines()
    if not (found := [os.fsdecode(name) for name in names if name.strip()]):
        raise UsageError(f"--files-from {file} names no file", remedy="write one a line")
    return found


@contextmanager
def named_inputs(arguments: Sequence[str], out: Path | None, fetching: FetchOptions) -> Iterator[Named]:
    """A temporary folder holds what has no file of its own, as long as it is in use."""
    from docparse_fast.run.inputs import check_places, find_inputs, is_folder

    with _folder(needed=any(argument == STDIN or is_url(argument) for argument in arguments)) as kept:
        given: dict[str, Path] = {}
        for argument in arguments:
            if argument == STDIN:
                given[argument] = _stdin(kept / "stdin")
            elif is_url(argument):
                _check_allowed(shown_url(argument), fetching)
                given.setdefault(argument, kept / str(len(given)) / file_name(argument))
            elif is_other_url(argument):
                raise UsageError(f"{shown_url(argument)}: only http and https are fetched", remedy="name a local file")
            else:
                given[argument] = path(argument)
        urls = {file: argument for argument, file in given.items() if is_url(argument)}
        names = {kept / "stdin": STDIN} | {file: shown_url(url) for file, url in urls.items()}
        found = find_inputs(list(given.values()), out, names)
        if out is not None:
            check_places(found, out, [each for each in given.values() if is_folder(each)])
        yield Named(found, urls, fetching, kept)


@contextmanager
def _folder(*, needed: bool) -> Iterator[Path]:
    """Most runs need none, and must not fail where none can be made."""
    if not needed:
        yield Path("no-temporary-folder")
        return
    import tempfile

    with tempfile.TemporaryDirectory(prefix="docparse-fast-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _check_allowed(url: str, fetching: FetchOptions) -> None:
    if not fetching.allow_net:
        raise UsageError(f"{url} would have to be fetched", remedy="allow it with --allow-net")


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
