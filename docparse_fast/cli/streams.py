"""Handles standard streams that are closed, full, or abandoned by their reader. Knows file descriptors only."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

NOT_WRITTEN = (errno.ENOSPC, errno.EIO, errno.EDQUOT)


def reopen_closed() -> None:
    """Opens closed standard streams on /dev/null: otherwise the next opened file would get their number and text."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number: this one
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  # stays open to the end


def is_about_stdout(error: OSError) -> bool:
    """Whether writing to stdout failed; errors of named files are reported elsewhere."""
    return error.filename is None and (isinstance(error, BrokenPipeError) or error.errno in NOT_WRITTEN)


def give_up_stdout() -> None:
    """Redirects stdout to /dev/null, so that Python does not try to flush its buffer again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
