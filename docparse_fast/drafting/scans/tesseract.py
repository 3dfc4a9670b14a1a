"""Tesseract, as PyMuPDF contains it: pictures of lines to their words, with where they stand. Knows no page.

MuPDF writes what it recognised into a PDF, word by word, in logical order; the words are taken from there. A line costs
0.03 to 0.1 CPU seconds.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from threading import Lock

from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.scans.language_data import FROM_RIGHT, LanguageData
from docparse_fast.drafting.scans.line_sheet import sheets
from docparse_fast.errors import ModelError
from docparse_fast.system.mupdf import pymupdf

EM = 0.5  # width of a letter of MuPDF's invisible font
WORD = re.compile(
    rb"/F0 (\d+) Tf|(?<![\d.])(?:([\d.]++) Tz|(-?[\d.]++) (-?[\d.]++) Td)|(\[[^\[\]]*\]) ?TJ|(<[0-9A-Fa-f]+>) ?Tj"
    rb"|\bBT\b"
)
FEWEST = 0.5  # letters of a line that was read, in squares of its height
BACK = 0.3  # of a line's width: where a word begins so far before the one it follows, another reading begins
HEX = re.compile(rb"<([0-9A-Fa-f]+)>")

_one_at_a_time = Lock()  # Tesseract's memory is MuPDF's, and shared


@dataclass(frozen=True, slots=True)
class ReadPiece:
    """A word or a part of one, from where to where as parts of the line's width."""

    text: str
    x0: float
    x1: float


@dataclass(frozen=True, slots=True)
class WrittenWord:
    text: str
    x: float  # of its left end
    y: float  # of its baseline, from the bottom
    length: float


class Tesseract:
    """Reads lines with the language data that is here, each piece with its place."""

    def read(self, crops: Sequence[Pixels], data: LanguageData) -> list[list[ReadPiece]]:
        """The words of every line, in the order in which they are read."""
        found: list[list[ReadPiece]] = [[] for _ in crops]
        _read(crops, [(line,) for line in range(len(crops))], data, found)
        least = [FEWEST * crop.shape[1] / crop.shape[0] for crop in crops]
        short = [line for line, pieces in enumerate(found) if _letters(pieces) < least[line]]
        if len(short) < len(crops):  # what was lost alone is read beside a long line
            longest = max(range(len(crops)), key=lambda line: _letters(found[line]))
            beside: list[list[ReadPiece]] = [[] for _ in crops]
            _read(crops, [(line, longest) for line in short], data, beside)
            for line in short:
                found[line] = max(found[line], beside[line], key=_letters)
        return found


def _letters(pieces: Sequence[ReadPiece]) -> int:
    return sum(len(piece.text) for piece in pieces)


def _read(
    crops: Sequence[Pixels], rows: Sequence[Sequence[int]], data: LanguageData, found: list[list[ReadPiece]]
) -> None:
    from_right = data.script in FROM_RIGHT
    for sheet in sheets(crops, rows, from_right=from_right):
        for word in _words(_written(sheet.pixels, data)):
            place = sheet.line_at(word.x, sheet.pixels.shape[0] - word.y)
            if place is not None:
                line, x0, width = place
                found[line].append(ReadPiece(word.text, x0, min(1.0, x0 + word.length / max(1, width))))
    if not from_right:
        found[:] = [read_once(pieces) for pieces in found]


def read_once(pieces: list[ReadPiece]) -> list[ReadPiece]:
    """Of a line that was read as two, one over the other, such as tone marks over letters: the longer reading.

    >>> marks, words = [ReadPiece("97", 0.1, 0.2), ReadPiece("-", 0.8, 0.9)], [ReadPiece("ab", 0.0, 0.4)]
    >>> [piece.text for piece in read_once([*marks, *words, ReadPiece("cd", 0.5, 0.9)])]
    ['ab', 'cd']
    """
    back = [n for n in range(1, len(pieces)) if pieces[n].x0 < pieces[n - 1].x0 - BACK]
    readings = [pieces[start:end] for start, end in pairwise([0, *back, len(pieces)])]
    return max(readings, key=_letters)


def _written(pixels: Pixels, data: LanguageData) -> bytes:
    """The content of the page that MuPDF writes of a picture."""
    folder = data.find()
    if folder is None:
        raise ModelError("model_missing", f"the data for {data.name} is gone", remedy=data.remedy)
    height, width = pixels.shape[:2]
    pixmap = pymupdf.Pixmap(pymupdf.csRGB, width, height, pixels.tobytes(), False)
    pixmap.set_dpi(72, 72)  # so that its points are our pixels
    try:
        with _one_at_a_time, _stderr_closed():
            written = pixmap.pdfocr_tobytes(compress=False, language=data.code, tessdata=str(folder))
    except Exception as error:  # MuPDF's own, of many kinds
        raise ModelError(
            "model_missing",
            f"{folder / data.file} can't be used ({error})",
            remedy=f"docparse-fast models verify {data.code}",
        ) from error
    with pymupdf.open("pdf", written) as document:
        return bytes(document[0].read_contents())


def _words(content: bytes) -> Iterator[WrittenWord]:
    """Every word that a page of MuPDF's shows.

    >>> page = b"BT /F0 20 Tf 50 Tz 7 9 Td <0041004200430044> Tj 30 0 Td [-2000<05d0>1000<05d1>]TJ ET"
    >>> [(word.text, word.x, word.y, word.length) for word in _words(page)]
    [('ABCD', 7.0, 9.0, 20.0), ('אב', 37.0, 9.0, 10.0)]
    """
    x, y, size, stretch = 0.0, 0.0, 1.0, 1.0
    for token in WORD.finditer(content):
        font, scale, across, up, right_to_left, plain = token.groups()
        if token[0] == b"BT":
            x, y = 0.0, 0.0
        elif font:
            size = float(font)
        elif scale:
            stretch = float(scale) / 100
        elif across:
            x, y = x + float(across), y + float(up)
        else:
            text = bytes.fromhex(b"".join(HEX.findall(right_to_left or plain)).decode()).decode("utf-16-be", "replace")
            yield WrittenWord(text, x, y, len(text) * size * stretch * EM)


@contextmanager
def _stderr_closed() -> Iterator[None]:
    """Tesseract writes remarks about lines to the process's standard error, past Python."""
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(nowhere)
        os.close(kept)
