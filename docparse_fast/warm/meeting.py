"""Where a warm call and the process that waits for it meet: a socket's path in a folder that is its user's alone.

The socket is named after all that decides what is loaded: the version, the interpreter, the package's files and when
they were changed, the installed packages, and the variables that are read while things load. So after an upgrade
no call finds the older process. Loaded by each warm call: it imports nothing that takes time.
"""

from __future__ import annotations

import os
import stat
import sys
from zlib import adler32, crc32

from docparse_fast.version import __version__

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = "docparse-fast"
READ_WHILE_LOADING = ("PYTHON", "LC_", "LANG", "LD_", "OMP_", "OPENBLAS_", "MKL_", "ORT_", "TZ")
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def socket_path() -> str | None:
    """None where there is no folder that only this user can enter."""
    folder = _own_folder()
    return os.path.join(folder, f"{_digest(_loaded())}.sock") if folder else None


def _own_folder() -> str | None:
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if runtime and _is_own(runtime):
        path = os.path.join(runtime, FOLDER)
    else:
        path = os.path.join(os.environ.get("TMPDIR") or "/tmp", f"{FOLDER}-{os.getuid()}")  # checked below
    try:
        os.mkdir(path, stat.S_IRWXU)
    except FileExistsError:
        pass
    except OSError:
        return None
    return path if _is_own(path) else None


def _is_own(path: str) -> bool:
    """Whether it is a folder, no link, that belongs to this user, and that nobody else can enter."""
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & OTHERS


def _loaded() -> str:
    variables = [f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith(READ_WHILE_LOADING)]
    packages = [f"{path}:{_changed(path)}" for path in sys.path if path.endswith("-packages")]
    flags = str(sys.flags).replace(f"utf8_mode={sys.flags.utf8_mode}", "")  # a child of the C locale has another
    python = (sys.version, sys.prefix, flags)
    return "\n".join([__version__, *python, *_files(PACKAGE), *packages, *variables])


def _files(folder: str) -> list[str]:
    """The package's files, each with its size and the time of its last change."""
    found, folders = [], [folder]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    known = entry.stat()
                    found.append(f"{entry.path}:{known.st_size}:{known.st_mtime_ns}")
                elif "." not in entry.name and not entry.name.startswith("__") and entry.is_dir():
                    folders.append(entry.path)
    return sorted(found)


def _changed(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _digest(text: str) -> str:
    """Against mistakes, not against others: who could make another process of this name is the user."""
    data = text.encode("utf-8", "surrogateescape")
    return f"{crc32(data):08x}{adler32(data):08x}{len(data):x}"
