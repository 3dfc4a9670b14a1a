"""Tesseract, as PyMuPDF contains it: pictures of lines to their words, with where they stand. Knows no page.

It lays out whatever it is given: in a line alone it takes words for columns, and a short line for no text. So lines are
put together on one sheet, as a page has them.

MuPDF writes what it recognised into a PDF, word by word, in logical order. A line costs 0.03 to 0.1 CPU seconds.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from threading import Lock

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.drafting.arrays import Pixels, scaled
from docparse_fast.drafting.scans.languages import FROM_RIGHT
from docparse_fast.drafting.scans.stacked_lines import DEEP, THROUGH, inked
from docparse_fast.errors import ModelError
from docparse_fast.system.language_data import LanguageData
from docparse_fast.system.mupdf import pymupdf
from docparse_fast.system.tessdata import LanguageFile, language_file

Colours = NDArray[np.float32]

HEIGHT = 40  # pixels of a line's picture; its type is about 28 tall
LEADING = 56  # pixels between rows: with less, Korean is taken for columns
PITCH = HEIGHT + LEADING
ALIKE = 1.15  # how much higher or lower than usual a line may be, and stay at the scale of the others
MARGIN = 40  # of paper around, and between lines of one row: with less, its edge is read as a letter
MOST_ROWS = 60  # of a sheet
WHITE = 255


@dataclass(frozen=True, slots=True)
class LineInRow:
    line: int
    picture: Pixels
    x: int


@dataclass(frozen=True, slots=True)
class LineSheet:
    pixels: Pixels
    rows: tuple[tuple[LineInRow, ...], ...]

    def line_at(self, x: float, y: float) -> tuple[int, float, int] | None:
        """The line at a place, how far along it the place is, as a part of its width, and its width."""
        row = int((y - MARGIN) // PITCH)
        for placed in self.rows[row] if 0 <= row < len(self.rows) else ():
            width = placed.picture.shape[1]
            if placed.x - MARGIN / 2 <= x < placed.x + width + MARGIN / 2:
                return placed.line, min(max((x - placed.x) / width, 0.0), 1.0), width
        return None


def sheets(crops: Sequence[Pixels], rows: Sequence[Sequence[int]], *, from_right: bool = False) -> Iterator[LineSheet]:
    """Sheets whose rows show the lines of these numbers, in the order in which they are read."""
    usual = median(crop.shape[0] for crop in crops)
    pictures = [_levelled(crop, usual) for crop in crops]
    for first in range(0, len(rows), MOST_ROWS):
        yield _drawn(rows[first : first + MOST_ROWS], pictures, from_right)


def _drawn(rows: Sequence[Sequence[int]], pictures: Sequence[Pixels], from_right: bool) -> LineSheet:
    across = max(sum(pictures[line].shape[1] + MARGIN for line in row) for row in rows) + 2 * MARGIN
    pixels = np.full((2 * MARGIN + len(rows) * PITCH, across, 3), WHITE, np.uint8)
    placed_rows = []
    for number, row in enumerate(rows):
        placed = tuple(_placed(row, pictures, across, from_right))
        middle = MARGIN + number * PITCH + PITCH // 2
        for one in placed:
            height, width = one.picture.shape[:2]
            top = middle - height // 2
            pixels[top : top + height, one.x : one.x + width] = one.picture
        placed_rows.append(placed)
    return LineSheet(pixels, tuple(placed_rows))


def _placed(row: Sequence[int], pictures: Sequence[Pixels], across: int, from_right: bool) -> Iterator[LineInRow]:
    x = MARGIN
    for line in row:
        width = pictures[line].shape[1]
        yield LineInRow(line, pictures[line], across - x - width if from_right else x)
        x += width + MARGIN


def paper_of(line: Colours) -> Colours:
    """The colour above and below a line's letters."""
    return np.asarray(np.median(np.concatenate([line[0], line[-1]]), axis=0), np.float32)


def unruled(crop: Pixels) -> Pixels:
    """Without rules around a cell, which read as brackets and spoil short words. Letters may hang from a line, too."""
    ink, edge = inked(crop), len(crop) // 5
    rows = cv2.dilate(ink, np.ones((3, 1), np.uint8)).mean(axis=1) > THROUGH
    rows[edge:-edge] = False
    drawn = rows[:, None] | (cv2.dilate(ink, np.ones((1, 3), np.uint8)).mean(axis=0) > THROUGH)
    if not drawn.any() or ink.all():
        return crop
    return np.where(drawn[..., None], np.median(crop[ink == 0], axis=0), crop).astype(np.uint8)


def alone(crop: Pixels) -> Pixels:
    """Without what reaches in from the lines above and below."""
    ink = inked(crop)
    _, pieces, boxes, _ = cv2.connectedComponentsWithStats(ink)
    tops, heights = boxes[:, cv2.CC_STAT_TOP], boxes[:, cv2.CC_STAT_HEIGHT]
    foreign = ((tops == 0) | (tops + heights == len(crop))) & (heights < DEEP * len(crop))
    if not foreign.any() or ink.all():
        return crop
    wiped = cv2.dilate(foreign[pieces].astype(np.uint8), np.ones((3, 3), np.uint8))[..., None] > 0
    return np.where(wiped, np.median(crop[ink == 0], axis=0), crop).astype(np.uint8)


def _levelled(crop: Pixels, usual: float) -> Pixels:
    """A line at the sheet's scale, dark on white; one of much larger or smaller type at its own."""
    height = usual if usual / ALIKE < len(crop) < usual * ALIKE else len(crop)
    line = scaled(unruled(np.ascontiguousarray(crop)), HEIGHT / height).astype(np.float32)
    paper = paper_of(line)
    if float(paper.mean()) <= min(WHITE / 2, float(line.mean())):  # light letters, and no page in low light
        line, paper = WHITE - line, WHITE - paper
    return np.asarray(np.clip(line * (WHITE / np.maximum(paper, 1)), 0, WHITE), np.uint8)


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
    from_right, file = data.script in FROM_RIGHT, _file_of(data)
    for sheet in sheets(crops, rows, from_right=from_right):
        for word in _words(_written(sheet.pixels, data, file)):
            place = sheet.line_at(word.x, sheet.pixels.shape[0] - word.y)
            if place is not None:
                line, x0, width = place
                text, x1 = file.stand_ins.written_out(word.text), min(1.0, x0 + word.length / max(1, width))
                found[line].append(ReadPiece(text, x0, x1))
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


def _file_of(data: LanguageData) -> LanguageFile:
    folder = data.find()
    if folder is None:
        raise ModelError("model_missing", f"the data for {data.name} is gone", remedy=data.remedy)
    return language_file(folder / data.file)


def _written(pixels: Pixels, data: LanguageData, file: LanguageFile) -> bytes:
    """The content of the page that MuPDF writes of a picture."""
    height, width = pixels.shape[:2]
    pixmap = pymupdf.Pixmap(pymupdf.csRGB, width, height, pixels.tobytes(), False)
    pixmap.set_dpi(72, 72)  # so that its points are our pixels
    try:
        with file.folder() as folder, _one_at_a_time, _stderr_closed():
            written = pixmap.pdfocr_tobytes(compress=False, language=data.code, tessdata=str(folder))
    except Exception as error:  # MuPDF's own, of many kinds
        raise ModelError(
            "model_missing",
            f"{file.path} can't be used ({error})",
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
