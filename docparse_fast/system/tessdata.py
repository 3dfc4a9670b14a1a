"""Tesseract's files of language data: their parts, and copies that MuPDF reads whole.

Knows the files and their signs; no script, no picture, and not where the files lie.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

SIGNS, WORDS = 21, 19  # the parts that hold a language's signs and its words
STAND_INS = ord("一")  # and the Chinese characters after it, none of which these languages have
NO_SIGNS = ("NULL", "Joined", "|Broken|0|1")  # what stands first among them


def parts_of(data: bytes) -> dict[int, bytes]:
    starts = _starts(data)
    ends = sorted({*(start for start in starts if start >= 0), len(data)})
    return {number: data[start : ends[ends.index(start) + 1]] for number, start in enumerate(starts) if start >= 0}


def signs_in(parts: Mapping[int, bytes]) -> list[str]:
    return [row.split(" ")[0] for row in parts[SIGNS].decode().splitlines()[1:]]


class StandIns:
    """Writes one character for each sign that has several, and back."""

    def __init__(self, signs: Iterable[str] = ()) -> None:
        long = sorted(
            {sign for sign in signs if len(sign) > 1 and sign not in NO_SIGNS}, key=lambda sign: (-len(sign), sign)
        )
        self.names = {sign: chr(STAND_INS + n) for n, sign in enumerate(long)}
        self._signs = {ord(name): sign for sign, name in self.names.items()}

    def __call__(self, text: str) -> str:
        for sign, name in self.names.items():
            text = text.replace(sign, name)
        return text

    def written_out(self, text: str) -> str:
        return text.translate(self._signs)


class LanguageFile:
    """A file that MuPDF reads, or, where signs have several characters, its copy in which each has one.

    MuPDF writes the first character of each sign alone: of Kannada and Telugu letters that stand below others, a mark
    that says so, and not which letter it is.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.stand_ins, self._copy = path, StandIns(), b""
        with suppress(OSError, struct.error, ValueError, KeyError):  # what is damaged is for Tesseract to say
            data = path.read_bytes()
            self.stand_ins = StandIns(signs_in(parts_of(data)))
            self._copy = _renamed(data, self.stand_ins.names) if self.stand_ins.names else b""

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """The one to read it from; a copy lies there no longer than it is read."""
        if not self._copy:
            yield self.path.parent
            return
        with TemporaryDirectory() as folder:
            (Path(folder) / self.path.name).write_bytes(self._copy)
            yield Path(folder)


@lru_cache(maxsize=32)
def language_file(path: Path) -> LanguageFile:
    return LanguageFile(path)


def _renamed(data: bytes, names: Mapping[str, str]) -> bytes:
    starts, parts = list(_starts(data)), parts_of(data)
    rows = [row.partition(" ") for row in parts[SIGNS].decode().split("\n")]
    parts[SIGNS] = "\n".join(names.get(name, name) + blank + rest for name, blank, rest in rows).encode()
    body, at = b"", 4 + 8 * len(starts)
    for number in sorted(parts, key=lambda number: starts[number]):
        starts[number] = at + len(body)
        body += parts[number]
    return struct.pack(f"<i{len(starts)}q", len(starts), *starts) + body


def _starts(data: bytes) -> tuple[int, ...]:
    return struct.unpack_from(f"<{struct.unpack_from('<i', data)[0]}q", data, 4)
