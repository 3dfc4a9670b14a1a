"""Standard streams as a shell may leave them: closed, full, or given up by their reader. Knows descriptors only."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

NOT_WRITTEN = (errno.ENOSPC, errno.EIO, errno.EDQUOT)


def reopen_closed() -> None:
    """Where a stream is closed, the next file opened would take its number, and be written to as if it were it."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  # to the very end


def is_about_stdout(error: OSError) -> bool:
    """What is written to files has a name, and failures of its own."""
    return error.filename is None and (isinstance(error, BrokenPipeError) or error.errno in NOT_WRITTEN)


def give_up_stdout() -> None:
    """So that what is left in its buffer is not tried once more on the way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
