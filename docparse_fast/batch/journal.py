"""The journal of finished work, so that a batch can stop anywhere. Knows lines and digests; decides nothing.

OUT/.docparse-fast/journal.jsonl has a line for every finished page, which contains the page, and a line for every
finished document. A line is written after its files. A document's is synced to the disk before the batch continues,
and so is a page's now and then; a torn last line is ignored. A line is valid only while the input, the options, the
models and the code (its `key`) are unchanged and the files have the recorded digests.
"""

from __future__ import annotations

import io
import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from docparse_fast.batch import faults
from docparse_fast.document import ParsedPage
from docparse_fast.errors import OutputError
from docparse_fast.rendering.json import page_as_json, read_page
from docparse_fast.system.files import digest_in, opened_itself, write

FORMAT = "docparse-fast/journal"
VERSION = 1
AT_RISK = 0.2  # seconds of pages that a failure of power may lose
HEADER = {"format": FORMAT, "version": VERSION}


@dataclass(frozen=True, slots=True)
class InputState:
    """The sources of an output. If one of them changes, the output is made again."""

    sha256: str  # of the input
    key: str  # of options, models and code


@dataclass(frozen=True, slots=True)
class DoneDocument:
    origin: InputState
    files: Mapping[str, str]  # SHA-256 by name
    record: Mapping[str, Any]  # as in run.json


@dataclass(frozen=True, slots=True)
class DonePage:
    origin: InputState
    files: Mapping[str, str]
    parsed: Mapping[str, Any]  # as in document.json

    @property
    def page(self) -> ParsedPage:
        return read_page(self.parsed)


@dataclass(slots=True)
class Journal:
    """`documents` and `pages`, by output folder, come from earlier runs; additions go to the file only."""

    path: Path
    documents: dict[str, DoneDocument] = field(default_factory=dict)
    pages: dict[str, dict[int, DonePage]] = field(default_factory=dict)
    _file: IO[bytes] | None = None
    _synced: float = 0.0  # when the disk had all of it last

    # ------------------------------------------------------------------------------------------- reading

    @classmethod
    def read(cls, path: Path) -> Journal:
        """Reads the journal; unreadable lines are skipped."""
        journal = cls(path)
        try:
            file = opened_itself(path, "rb")
        except FileNotFoundError:
            return journal
        except OSError as error:
            raise _write_failed(path, error) from error
        with io.BufferedReader(file) as lines:
            for line in lines:
                with suppress(ValueError, KeyError, TypeError, AttributeError):
                    journal._take(json.loads(line))
        return journal

    def _take(self, said: Mapping[str, Any]) -> None:
        if "document" not in said:
            return  # the header
        name = str(said["document"])
        origin = InputState(said["sha256"], said["key"])
        if "page" in said:
            done = DonePage(origin, dict(said["files"]), said["page"])
            self.pages.setdefault(name, {})[done.page.number] = done
        else:
            self.documents[name] = DoneDocument(origin, dict(said["files"]), said["record"])
            self.pages.pop(name, None)

    # ------------------------------------------------------------------------------------------- writing

    def rewrite(self) -> None:
        """Writes a new journal from memory, and then forgets what is in memory."""
        self.close()
        lines: list[Mapping[str, Any]] = [HEADER]
        lines += [_document_line(name, document) for name, document in sorted(self.documents.items())]
        for name, pages in sorted(self.pages.items()):
            lines += [_page_line(name, done) for _, done in sorted(pages.items())]
        write(self.path, b"".join(_line(said) for said in lines))
        faults.reach("journal-rewritten")
        self.documents, self.pages = {}, {}

    def add_page(self, name: str, done: DonePage) -> None:
        """Not each waits for the disk: a failure of power may lose a few such lines, and their pages are read again."""
        self._append(_page_line(name, done), lasting=time.monotonic() - self._synced > AT_RISK)

    def add_document(self, name: str, document: DoneDocument) -> None:
        self._append(_document_line(name, document))

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self) -> IO[bytes]:
        if self._file is None:
            try:
                self._file = opened_itself(self.path, "a+b")
                if self._file.tell() and os.pread(self._file.fileno(), 1, self._file.tell() - 1) != b"\n":
                    self._file.write(b"\n")  # after a torn line
            except OSError as error:
                raise _write_failed(self.path, error) from error
        return self._file

    def _append(self, said: Mapping[str, Any], *, lasting: bool = True) -> None:
        file = self._open()
        end = file.seek(0, os.SEEK_END)
        try:
            _write_all(file, _line(said))
            if lasting:
                os.fsync(file.fileno())
                self._synced = time.monotonic()
        except OSError as error:
            with suppress(OSError):  # half a line would spoil the next one
                file.truncate(end)
            raise _write_failed(self.path, error) from error


def is_whole(folder: Path, files: Mapping[str, str]) -> bool:
    """Whether all files are there, each with its digest."""
    return all(digest_in(folder / name) == digest for name, digest in files.items())


def digest_of(path: Path) -> str:
    """The file's digest; empty if the file can't be read, which matches no record."""
    return digest_in(Path(os.path.realpath(path))) or ""


def _page_line(name: str, done: DonePage) -> Mapping[str, Any]:
    return {"document": name, **_origin(done.origin), "files": dict(done.files), "page": dict(done.parsed)}


def _document_line(name: str, document: DoneDocument) -> Mapping[str, Any]:
    return {
        "document": name,
        **_origin(document.origin),
        "files": dict(sorted(document.files.items())),
        "record": dict(document.record),
    }


def done_page(origin: InputState, files: Mapping[str, str], page: ParsedPage) -> DonePage:
    return DonePage(origin, files, page_as_json(page, words=True))


def _origin(origin: InputState) -> dict[str, str]:
    return {"sha256": origin.sha256, "key": origin.key}


def _line(said: Mapping[str, Any]) -> bytes:
    """One line in ASCII: JSON escapes line ends, and a cut line has no broken characters."""
    return json.dumps(said, separators=(",", ":")).encode("ascii") + b"\n"


def _write_all(file: IO[bytes], data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]


def _write_failed(path: Path, error: OSError) -> OutputError:
    return OutputError(
        "write_failed",
        f"{path}: {error.strerror or error}",
        remedy="check the folder, its rights and the space left",
    )
