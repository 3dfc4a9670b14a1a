"""The files of a set of weights and their SHA-256, as recorded and as found now.

Knows files and two kinds of record; knows no model and no network. A record is either a SHA256SUMS beside weights that
ship with this package (`sha256sum -c` reads it too), or the JSON that `models download` leaves beside what it fetched.
Files that arrived in any other way have no recorded digest.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from docparse_fast.system.files import part_of

SUMS = "SHA256SUMS"
RECORD = "docparse-fast.json"
FORMAT = "docparse-fast/weights"
VERSION = 1
SHOWN_DIGITS = 12  # of a digest, where it names rather than proves


@dataclass(frozen=True, slots=True)
class WeightsRecord:
    """Where weights came from, and the digest of each file at that time."""

    files: Mapping[str, str]  # name below the folder -> SHA-256, or "git-sha1:..." as a hub's cache names small files
    source: str = ""
    revision: str = ""
    licence: str = ""
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Differences:
    """The differences between a folder and its record."""

    intact: int = 0
    missing: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.missing or self.changed or self.extra)


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def record_in(folder: Path) -> WeightsRecord | None:
    """The record beside the weights; None if there is none or it can't be read."""
    try:
        if (folder / RECORD).is_file():
            return _parsed((folder / RECORD).read_text("utf-8"))
        if (folder / SUMS).is_file():
            return WeightsRecord(packaged_digests(folder))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return None


@cache
def packaged_digests(folder: Path) -> Mapping[str, str]:
    """Reads SHA256SUMS: on each line a digest, two spaces and a name."""
    lines = (folder / SUMS).read_text("utf-8").splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def wheel_digests(package: str) -> Mapping[str, str]:
    """The digests in a wheel's own RECORD, by file names below site-packages; empty if there is no RECORD.

    It is looked up by hand: `importlib.metadata` takes 40 ms to load, and each page's record has such a digest.
    """
    found = find_spec(package)
    if found is None or found.origin is None:
        return {}
    records = sorted(Path(found.origin).parents[1].glob(f"{package}-*.dist-info/RECORD"))
    rows = [line.rsplit(",", 2) for record in records for line in record.read_text("utf-8").splitlines()]
    return {row[0]: _hex(row[1].removeprefix("sha256=")) for row in rows if row[1].startswith("sha256=")}


def _hex(urlsafe: str) -> str:
    """RECORD writes digests in base64 without padding."""
    return base64.urlsafe_b64decode(urlsafe + "=" * (-len(urlsafe) % 4)).hex()


def write_record(folder: Path, record: WeightsRecord) -> None:
    """Writes the record atomically."""
    said = {
        "format": FORMAT,
        "version": VERSION,
        "source": record.source,
        "revision": record.revision,
        "licence": record.licence,
        "bytes": record.bytes,
        "sha256": dict(sorted(record.files.items())),
    }
    part = part_of(folder / RECORD)
    try:
        with part.open("x", encoding="utf-8") as file:
            file.write(json.dumps(said, indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
        part.replace(folder / RECORD)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def differences(folder: Path, recorded: Mapping[str, str], found: Iterable[str]) -> Differences:
    """Reads and compares every recorded file; `found` are the names in the folder."""
    missing, changed, intact = [], [], 0
    for name, digest in sorted(recorded.items()):
        path = folder / name
        if not path.is_file():
            missing.append(name)
        elif _digest_like(digest, path) != digest:
            changed.append(name)
        else:
            intact += 1
    extra = tuple(sorted(set(found) - recorded.keys()))
    return Differences(intact, tuple(missing), tuple(changed), extra)


def files_below(folder: Path) -> list[str]:
    """All files of a set of weights, without records and the hidden folders of the hub's client."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if not path.is_dir())
    names = [path.as_posix() for path in found if not any(part.startswith(".") for part in path.parts)]
    return sorted(name for name in names if name not in (RECORD, SUMS))


def _parsed(text: str) -> WeightsRecord:
    said = json.loads(text)
    if said["format"] != FORMAT:
        raise ValueError(said["format"])
    files = {str(name): str(digest) for name, digest in said["sha256"].items()}
    return WeightsRecord(files, str(said["source"]), str(said["revision"]), str(said["licence"]), int(said["bytes"]))


GIT = "git-sha1:"


def _digest_like(digest: str, path: Path) -> str:
    if not digest.startswith(GIT):
        return sha256_of(path)
    content = path.read_bytes()  # small: the hub keeps large files under their SHA-256
    return GIT + hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
