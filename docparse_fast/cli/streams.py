"""Handles standard streams that are closed, full, or abandoned by their reader. Knows file descriptors only."""

from __future__ import annotations

import errno
import io
import os
import sys

NOT_WRITTEN = (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EBADF)


def reopen_closed() -> None:
    """Opens closed standard streams on /dev/null: otherwise the next opened file would get their number and text.

    Writing to a closed stdout fails as it should; messages to a closed stderr are dropped.
    """
    for number, mode in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # takes the lowest free number: this one
    for number, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w", encoding="utf-8", closefd=False))  # noqa: SIM115


def write_in_utf8() -> None:
    """Makes stdout take UTF-8, whatever the locale says: Markdown is written in it everywhere."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")


def write_what_fits() -> None:
    """Makes stdout show a character that the locale can't write by its code, as stderr does."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def is_about_stdout(error: OSError) -> bool:
    """Whether writing to stdout failed; errors of named files are reported elsewhere."""
    return error.filename is None and (isinstance(error, BrokenPipeError) or error.errno in NOT_WRITTEN)


def give_up_stdout() -> None:
    """Redirects stdout to /dev/null, so that Python does not try to flush its buffer again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
