"""Allows one batch or one service at a time on a folder. The kernel holds the lock and frees it when its owner dies."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from docparse_fast.errors import OutputError


@contextmanager
def locked(path: Path, folder: Path, by: str = "batch") -> Iterator[None]:
    """Holds the lock of a folder while entered; raises OutputError if another holds it. The file stays behind."""
    import fcntl  # not on Windows, where `check_system` has refused the batch

    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)  # worker processes don't inherit it
    except OSError as error:
        raise OutputError(
            "write_failed", f"{path}: {error.strerror}", remedy="check the folder and its rights"
        ) from error
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            owner = os.pread(file, 32, 0).decode("ascii", "replace").strip() or "unknown"
            raise OutputError(
                "write_failed",
                f"{folder} is in use by another {by} (process {owner})",
                remedy="wait for it, or name another folder",
            ) from error
        except OSError as error:
            raise OutputError(
                "write_failed", f"{path} can't be locked ({error.strerror})", remedy="name a folder on a local disk"
            ) from error
        with suppress(OSError):  # a full disk: the number only helps to say who holds it
            os.truncate(file, 0)
            os.pwrite(file, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(file)
