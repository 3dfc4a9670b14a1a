"""Tells which files of a folder have arrived whole: a scanner or a copy may still be writing them. Reads no content."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

UNFINISHED = frozenset({".part", ".partial", ".filepart", ".crdownload", ".download", ".tmp"})  # renamed at the end
EMPTY_PATIENCE = 60.0  # seconds: some programs make an empty file first, and write it later


@dataclass(frozen=True, slots=True)
class Stamp:
    """A file's state; a changed file has another."""

    size: int
    modified: int

    @classmethod
    def of(cls, path: Path) -> Stamp | None:
        try:
            found = path.stat()
        except OSError:
            return None
        return cls(found.st_size, found.st_mtime_ns)


class Settling:
    """Looks at files again and again. One has settled if it has not changed for `seconds` and no process writes it."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._seen: dict[Path, tuple[Stamp, float]] = {}  # what a file was like, and since when

    def settled(self, paths: Iterable[Path]) -> dict[Path, Stamp]:
        """Those of the paths that have settled, as they are now."""
        now = self._clock()
        stamps = {path: stamp for path in paths if (stamp := Stamp.of(path)) is not None}
        self._seen = {path: self._since(path, stamp, now) for path, stamp in stamps.items()}
        return {path: stamp for path, stamp in stamps.items() if self._is_settled(path, stamp, now)}

    def _since(self, path: Path, stamp: Stamp, now: float) -> tuple[Stamp, float]:
        before = self._seen.get(path)
        return before if before is not None and before[0] == stamp else (stamp, now)

    def _is_settled(self, path: Path, stamp: Stamp, now: float) -> bool:
        patience = self._seconds if stamp.size else max(self._seconds, EMPTY_PATIENCE)
        still = now - self._seen[path][1] >= patience
        return still and path.suffix.lower() not in UNFINISHED and not is_being_written(path)


def is_being_written(path: Path) -> bool:
    """Whether a process of this machine has the file open for writing; False if the system doesn't tell."""
    try:
        import fcntl

        with _deaf_to_leases(), path.open("rb") as file:
            try:
                fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            except BlockingIOError:
                return True
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except (ImportError, AttributeError, OSError):  # another system, a network disk, another user's file
        pass
    return False


@contextmanager
def _deaf_to_leases() -> Iterator[None]:
    """A writer that comes while we hold the lease sends SIGIO, which would end this process."""
    before = signal.signal(signal.SIGIO, signal.SIG_IGN)
    try:
        yield
    finally:
        with suppress(TypeError):  # None: a handler that Python didn't set
            signal.signal(signal.SIGIO, before)
