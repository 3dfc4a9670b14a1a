"""What a batch and its workers say to each other. Values only, all of which can be pickled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from docparse_fast.document import ParsedPage
from docparse_fast.drafted import DraftedPage
from docparse_fast.errors import DocparseError
from docparse_fast.options import ParseOptions

# ------------------------------------------------------------------------------------------- to a worker


@dataclass(frozen=True, slots=True)
class Setup:
    options: ParseOptions  # with the password, which is never on a command line or in a file
    for_target: bool  # whether pages are drafted for a target, or read to the end
    threads: int


@dataclass(frozen=True, slots=True)
class OpenTask:
    """Open a document and say what it is."""

    path: Path
    name: str


@dataclass(frozen=True, slots=True)
class PageTask:
    """Read a page; the document is opened first where it isn't open, and must be the one it was."""

    path: Path
    name: str
    sha256: str
    number: int


Task = OpenTask | PageTask

# ----------------------------------------------------------------------------------------- from a worker


@dataclass(frozen=True, slots=True)
class Ready:
    """The worker has loaded what it can load beforehand."""


@dataclass(frozen=True, slots=True)
class Opened:
    sha256: str
    numbers: tuple[int, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageRead:
    """A page that is done, and the files that go with it."""

    page: ParsedPage
    files: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PageDrafted:
    """A page that is drafted, and the files that go with it."""

    page: DraftedPage
    files: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Refused:
    """The task can't be done, by this worker or any other."""

    error: DocparseError


Answer = Opened | PageRead | PageDrafted | Refused
