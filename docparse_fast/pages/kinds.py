"""What kind of file an input is, told by its first bytes. Knows signatures; decodes nothing and trusts no suffix."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from docparse_fast.errors import InputError

FileKind = Literal["pdf", "png", "jpeg", "tiff", "webp", "bmp", "gif"]

READABLE = "PDF, PNG, JPEG, TIFF, WebP, BMP and GIF"

SIGNATURES: tuple[tuple[FileKind, re.Pattern[bytes]], ...] = (
    ("png", re.compile(rb"\x89PNG\r\n\x1a\n")),
    ("jpeg", re.compile(rb"\xff\xd8\xff")),
    ("tiff", re.compile(rb"II[*+]\0|MM\0[*+]")),  # + is BigTIFF
    ("webp", re.compile(rb"RIFF....WEBP", re.DOTALL)),
    ("bmp", re.compile(rb"BM....\0\0\0\0", re.DOTALL)),  # two reserved words, always 0
    ("gif", re.compile(rb"GIF8[79]a")),
)
# Readers accept junk before a PDF's header, and a lost header as long as there are objects to find.
PDF_SIGNATURE = re.compile(rb"%PDF-|\d\s+\d+\s+obj\b")
HEAD_BYTES = 1024


def kind_of(path: Path) -> FileKind:
    """The file's kind; raises InputError where it has none that we read."""
    head = _head(path)
    if not head:
        raise InputError("empty", f"{shown(path)} has no content (0 bytes)", remedy="copy or download it again")
    for kind, signature in SIGNATURES:
        if signature.match(head):
            return kind
    if PDF_SIGNATURE.search(head):
        return "pdf"
    raise InputError("unsupported", f"{shown(path)} is none of {READABLE}", remedy="convert it to PDF or PNG first")


def shown(path: Path) -> str:
    """The path as one printable line, whatever bytes its name has."""
    text = str(path).encode("utf-8", "backslashreplace").decode()
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)


def _head(path: Path) -> bytes:
    try:
        if path.is_dir():
            any(path.iterdir())  # a folder that can't be looked into is refused for that
            raise InputError("unsupported", f"{shown(path)} is a folder", remedy="name the files in it")
        if path.exists() and not path.is_file():
            raise InputError("unsupported", f"{shown(path)} is no regular file", remedy="copy its content to a file")
        with path.open("rb") as file:
            return file.read(HEAD_BYTES)
    except FileNotFoundError as error:
        raise InputError("not_found", f"{shown(path)} does not exist", remedy="check the path") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(
            "not_found", f"{shown(path)} can't be opened ({reason})", remedy="check the path and its permissions"
        ) from error
