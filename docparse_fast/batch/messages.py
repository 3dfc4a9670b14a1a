"""The messages between a batch and its workers: picklable values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from docparse_fast.document import OutlineEntry, ParsedPage
from docparse_fast.drafted import DraftedPage, Wanted
from docparse_fast.errors import DocparseError
from docparse_fast.options import ParseOptions

if TYPE_CHECKING:
    from PIL import Image

# ------------------------------------------------------------------------------------------- to a worker


@dataclass(frozen=True, slots=True)
class Setup:
    options: ParseOptions  # includes the password, which must not appear on a command line or in a file
    wanted: Wanted | None  # drafted pages with these pictures; None: pages that are read completely
    threads: int


@dataclass(frozen=True, slots=True)
class OpenTask:
    """Open a document and report its pages."""

    path: Path
    name: str


@dataclass(frozen=True, slots=True)
class PageTask:
    """Read a page. The worker opens the document if needed, and its SHA-256 must be unchanged."""

    path: Path
    name: str
    sha256: str
    number: int
    early: bool = False  # its image is sent before it is drafted


Task = OpenTask | PageTask

# ----------------------------------------------------------------------------------------- from a worker


@dataclass(frozen=True, slots=True)
class Ready:
    """The worker has loaded its models and waits for tasks."""


@dataclass(frozen=True, slots=True)
class Opened:
    sha256: str
    numbers: tuple[int, ...]
    warnings: tuple[str, ...]
    bookmarks: tuple[OutlineEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class PageRead:
    """A finished page and its files."""

    page: ParsedPage
    files: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PageSeen:
    """A page's image; its draft follows."""

    picture: Image.Image


@dataclass(frozen=True, slots=True)
class PageDrafted:
    """A drafted page and its files."""

    page: DraftedPage
    files: Mapping[str, bytes] = field(default_factory=dict)
    as_seen: bool = False  # its picture is the one that was sent already


@dataclass(frozen=True, slots=True)
class Refused:
    """The task can't be done by any worker."""

    error: DocparseError


Answer = Opened | PageRead | PageSeen | PageDrafted | Refused
