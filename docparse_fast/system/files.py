"""Writes files whole or not at all, and through no link; keeps account of those that we wrote. Knows no document.

A file is written under a random name, where no file stood before, and then moved to its place: a link that stands there
is replaced, and what it leads to is never touched.

In a folder of ours (`OwnFolder`) each file's digest is noted before the file is moved there, in a file beside it that
`sha256sum -c` understands. So whatever the moment a run is killed, a file without a note is not ours, and one with
another digest has been changed since: the first is never touched, the second is kept under another name.
"""

from __future__ import annotations

import hashlib
import io
import logging
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from docparse_fast.errors import OutputError, UsageError

NOTES = ".docparse-fast.sha256"  # in a folder of ours
KEPT = ".earlier"  # at the end of the name of a file that was changed since we wrote it
UNFINISHED = re.compile(r"\.(.+)\.[0-9a-f]{8}\.part")  # left by a run that was killed while it wrote

_NOTE = re.compile(rb"([0-9a-f]{64})  ([^\n]+)\n")
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # and no wait for a pipe's other end

notices = logging.getLogger("docparse_fast.notices")


@contextmanager
def as_output_error(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(
            "write_failed",
            f"{path}: {error.strerror or error}",
            remedy="check the folder, its rights and the space left",
        ) from error


def encoded(text: str) -> bytes:
    """Text from a damaged file may hold half a character; that must not cost the page."""
    return text.encode("utf-8", "replace")


def part_of(path: Path) -> Path:
    """Where the file is written until it is whole."""
    return path.with_name(f".{path.name}.{os.urandom(4).hex()}.part")


def write(path: Path, content: str | bytes) -> str:
    """Writes the file atomically and returns its SHA-256."""
    return write_pieces(path, [encoded(content) if isinstance(content, str) else content])


def write_pieces(path: Path, pieces: Iterable[bytes], about_to_move: Callable[[str], None] | None = None) -> str:
    """As `write`, for a text that comes in pieces. `about_to_move` gets the digest before the file is in its place."""
    part, digest = part_of(path), hashlib.sha256()
    with as_output_error(path):
        try:
            with part.open("xb") as file:  # fails where anything stands, be it a link
                for piece in pieces:
                    digest.update(piece)
                    file.write(piece)
            if about_to_move is not None:
                about_to_move(digest.hexdigest())
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    return digest.hexdigest()


def opened_itself(path: Path, mode: str) -> io.FileIO:
    """The open file, unbuffered; raises OSError where a link or anything but a file stands."""
    file = io.FileIO(path, mode, opener=_opener)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(f"{path} is no file")
    return file


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags | _NO_LINK, 0o666)


def digest_in(path: Path) -> str | None:
    """The file's SHA-256; None of a link, of what is no file, and of what can't be read."""
    try:
        with opened_itself(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


class OwnFolder:
    """A folder with files of ours, among which may be others.

    `vouched` are files that another record says we wrote, with their digests; without one the name alone is ours.
    """

    def __init__(self, path: Path, vouched: Callable[[], Mapping[str, str | None]] = dict) -> None:
        self.path = path
        self._vouched = vouched
        self._noted: dict[str, set[str | None]] | None = None
        self._is_torn = False  # the notes' last line

    def store(self, name: str, pieces: Iterable[bytes]) -> str:
        """Writes a file and returns its digest; raises UsageError where a file stands that isn't ours."""
        path = self.path / name
        with as_output_error(path.parent):
            if path.parent != self.path:
                path.parent.mkdir(exist_ok=True)
                if path.parent.is_symlink():
                    raise _not_ours(path.parent)
            if os.path.lexists(path) and not path.is_dir():
                self._make_way(name)
        return write_pieces(path, pieces, lambda digest: self._note(name, digest))

    def adopt(self, name: str, part: Path) -> str:
        """Takes a file that is written already; raises as `store`."""
        with part.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        with as_output_error(self.path / name):
            if os.path.lexists(self.path / name):
                self._make_way(name)
            self._note(name, digest)
            part.replace(self.path / name)
        return digest

    def clear(self, names: Iterable[str], keep: Mapping[str, str]) -> None:
        """Removes those of the files that we wrote, and keeps those that were changed since under another name.

        Raises UsageError, and removes nothing, if one of them isn't ours. Only files in `keep` are ours afterwards.
        """
        left = [name for name in names if name not in keep]
        if strangers := [name for name in left if name not in self._known]:
            raise _not_ours(self.path / strangers[0])
        changed = [name for name in left if not self._is_unchanged(name)]
        for name in left:
            (self._set_aside if name in changed else self.remove)(name)
        if changed:
            first, more = self.path / changed[0], f" and {len(changed) - 1} others" if changed[1:] else ""
            notices.warning("%s%s may have been changed since: kept as %s%s", first, more, Path(changed[0]).name, KEPT)
        self._begin_notes(keep)

    def forget(self, names: Iterable[str]) -> None:
        """Removes those of the files that are as we wrote them; of the others it stays known that they were ours."""
        changed = {}
        for name in [name for name in names if name in self._known]:
            if self._is_unchanged(name):
                self.remove(name)
            elif digests := self._known[name] - {None}:
                changed[name] = str(min(map(str, digests)))
        self._begin_notes(changed)

    def settle(self, written: Mapping[str, str]) -> None:
        """Notes what is there now, once: a page may have been written twice, its picture removed."""
        there = {name: digests - {None} for name, digests in self._known.items() if os.path.lexists(self.path / name)}
        noted = {name: {written[name]} if name in written else digests for name, digests in there.items()}
        if noted != self._known:
            lines = sorted((name, str(digest)) for name, digests in noted.items() for digest in digests)
            write(self.path / NOTES, "".join(f"{digest}  {name}\n" for name, digest in lines))
            self._noted, self._is_torn = {name: set(digests) for name, digests in noted.items()}, False

    def remove(self, name: str) -> None:
        (self.path / name).unlink(missing_ok=True)

    def is_ours(self, name: str) -> bool:
        """Whether it is there, as we wrote it."""
        return self._is_unchanged(name)

    # --------------------------------------------------------------------------------------------- the notes

    @property
    def _known(self) -> dict[str, set[str | None]]:
        if self._noted is None:
            self._noted = {}
            with suppress(OSError), opened_itself(self.path / NOTES, "rb") as file:
                said = file.read()
                self._is_torn = bool(said) and not said.endswith(b"\n")
                for digest, name in _NOTE.findall(said):
                    self._noted.setdefault(name.decode("utf-8", "replace"), set()).add(digest.decode())
            for name, vouched in self._vouched().items():
                self._noted.setdefault(name, set()).add(vouched)
        return self._noted

    def _is_unchanged(self, name: str) -> bool:
        found = self._known.get(name)
        return found is not None and digest_in(self.path / name) in found - {None}

    def _make_way(self, name: str) -> None:
        if name not in self._known:
            self._noted = None  # another run may be writing here too
        if name not in self._known:
            raise _not_ours(self.path / name)
        if not self._is_unchanged(name):
            self._set_aside(name)
            notices.warning("%s was changed since: kept as %s%s", self.path / name, Path(name).name, KEPT)

    def _set_aside(self, name: str) -> None:
        path = self.path / name
        free, number = path.with_name(path.name + KEPT), 1
        while os.path.lexists(free):
            number += 1
            free = path.with_name(f"{path.name}{KEPT}-{number}")
        path.rename(free)

    def _note(self, name: str, digest: str) -> None:
        known = self._known
        line = f"{digest}  {name}\n".encode()
        with opened_itself(self.path / NOTES, "ab") as file:
            _write_all(file, b"\n" + line if self._is_torn else line)
        self._is_torn = False
        known.setdefault(name, set()).add(digest)

    def _begin_notes(self, keep: Mapping[str, str]) -> None:
        path = self.path / NOTES
        if keep:
            write(path, "".join(f"{digest}  {name}\n" for name, digest in sorted(keep.items())))
        elif path.is_symlink() or path.is_file():
            path.unlink()
        self._noted, self._is_torn = {name: {digest} for name, digest in keep.items()}, False


def _write_all(file: io.FileIO, data: bytes) -> None:
    end = file.seek(0, os.SEEK_END)
    try:
        view = memoryview(data)
        while view:
            view = view[file.write(view) :]
    except OSError:
        with suppress(OSError):  # half a line would spoil the next one
            file.truncate(end)
        raise


def _not_ours(path: Path) -> UsageError:
    return UsageError(
        f"{path} stands where a file of ours would, and no run wrote it",
        remedy="move it away, or name another folder with -o",
    )
