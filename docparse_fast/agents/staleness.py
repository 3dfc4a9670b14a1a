"""Whether an output still says what its file says. Knows a document.json's digest and files; parses neither.

A file is read again only where its size, its dates or its place on the disk have changed, so a list of a folder is read
once.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from docparse_fast.system.digests import sha256_of

CHANGED = "its file has changed since it was converted; call convert again"
GONE = "its file is no longer in the folders; what was read is of an earlier time"

_HEAD = 32_768  # characters of a document.json, in which its source is named
_DIGEST = re.compile(r'^  "sha256": "([0-9a-f]{64})"$', re.MULTILINE)


def why_stale(record: Path, source: Path | None) -> str:
    """Why what `record`, a document.json, says may be out of date; empty where its file is as it was."""
    try:
        if source is None:
            return GONE
        return "" if _digest(source, _state(source)) == _recorded(record, _state(record)) else CHANGED
    except OSError:
        return GONE


def _state(path: Path) -> tuple[int, ...]:
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


@lru_cache(10_000)
def _digest(path: Path, state: tuple[int, ...]) -> str:
    return sha256_of(path)


@lru_cache(10_000)
def _recorded(record: Path, state: tuple[int, ...]) -> str:
    with record.open(encoding="utf-8", errors="replace") as file:
        found = _DIGEST.search(file.read(_HEAD))
    return found[1] if found else ""
