"""Tesseract, as PyMuPDF contains it: one line's picture to its words, with where they stand. Knows no page.

MuPDF writes what it recognised into a PDF, word by word, in logical order; the words are taken from there. A line costs
0.03 to 0.1 CPU seconds, of which opening the language data is 0.02.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.drafting.scans.language_data import LanguageData
from docparse_fast.errors import ModelError
from docparse_fast.mupdf import pymupdf

HEIGHT = 40  # pixels of a line's picture; its type is about 28 tall. At 36 Arabic lines were lost whole
MARGIN = 40  # of paper around it: with less, the picture's edge is read as a letter
EM = 0.5  # width of a letter of MuPDF's invisible font
WORD = re.compile(rb"/F0 (\d+) Tf|([\d.]+) Tz|(-?[\d.]+) -?[\d.]+ Td|(\[[^\]]*\]) ?TJ|(<[0-9A-Fa-f]+>) ?Tj")
HEX = re.compile(rb"<([0-9A-Fa-f]+)>")

_one_at_a_time = Lock()  # Tesseract's memory is MuPDF's, and shared


@dataclass(frozen=True, slots=True)
class ReadPiece:
    """A word or a part of one, from where to where as parts of the line's width."""

    text: str
    x0: float
    x1: float


class Tesseract:
    """
    >>> Tesseract().read(crop, BY_LANGUAGE["ru"])           # doctest: +SKIP
    [ReadPiece('Глава', 0.02, 0.7), ReadPiece('3', 0.8, 0.95)]
    """

    def read(self, crop: NDArray[np.uint8], data: LanguageData) -> list[ReadPiece]:
        folder = data.find()
        if folder is None:
            raise ModelError("model_missing", f"the data for {data.name} is gone", remedy=data.remedy)
        picture = _picture(crop)
        height, width = picture.shape[:2]
        pixmap = pymupdf.Pixmap(pymupdf.csRGB, width, height, picture.tobytes(), False)
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
            content = document[0].read_contents()
        return [_placed(text, x, long, width - 2 * MARGIN) for text, x, long in _words(content)]


def _picture(crop: NDArray[np.uint8]) -> NDArray[np.uint8]:
    height, width = crop.shape[:2]
    size = (max(1, round(width * HEIGHT / height)), HEIGHT)
    interpolation = cv2.INTER_AREA if height > HEIGHT else cv2.INTER_CUBIC
    line = cv2.resize(np.ascontiguousarray(crop), size, interpolation=interpolation)
    edges = np.concatenate([line[0], line[-1]])
    paper = [float(value) for value in np.median(edges, axis=0)]
    framed = cv2.copyMakeBorder(line, MARGIN, MARGIN, MARGIN, MARGIN, cv2.BORDER_CONSTANT, value=paper)
    return np.asarray(framed, np.uint8)


def _placed(text: str, x: float, long: float, width: int) -> ReadPiece:
    x0 = (x - MARGIN) / max(1, width)
    return ReadPiece(text, min(max(x0, 0.0), 1.0), min(max(x0 + long / max(1, width), 0.0), 1.0))


def _words(content: bytes) -> Iterator[tuple[str, float, float]]:
    """Text, left edge and length of every word that a page of MuPDF's shows.

    >>> list(_words(b"BT /F0 20 Tf 50 Tz 7 9 Td <0041004200430044> Tj 30 0 Td [-2000<05d0>1000<05d1>]TJ ET"))
    [('ABCD', 7.0, 20.0), ('אב', 37.0, 10.0)]
    """
    x, size, stretch = 0.0, 1.0, 1.0
    for token in WORD.finditer(content):
        font, scale, moved, right_to_left, plain = token.groups()
        if font:
            size = float(font)
        elif scale:
            stretch = float(scale) / 100
        elif moved:
            x += float(moved)
        else:
            text = bytes.fromhex(b"".join(HEX.findall(right_to_left or plain)).decode()).decode("utf-16-be", "replace")
            yield text, x, len(text) * size * stretch * EM


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
