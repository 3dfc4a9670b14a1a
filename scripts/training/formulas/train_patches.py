"""Patches of scanned mathematics with the truth of every symbol in them, made from typeset pages.

A patch is a sheet of several pages of train_pages.py, drawn at the resolution of a scan, spoilt as scanners and copiers
do it, and enlarged to the size at which pieces are cut.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pymupdf
from train_glyphs import STYLES, is_letter

from docparse_fast.document import Box

HEIGHT, WIDTH = 256, 512
SIZE = 32.0  # pixels of the type's size at which pieces are cut
FEWEST = 12  # of a symbol, to be a class of its own
POINTS = 10.0  # usual size of type on the pages
Grey = np.ndarray[Any, np.dtype[np.uint8]]


@dataclass(frozen=True, slots=True)
class Known:
    """A symbol of a patch."""

    box: Box
    kind: int  # the number of its class
    style: int  # -1: it has none
    baseline: float
    size: float


class Book:
    """All typeset pages of a folder, kept as PDF in memory and drawn when asked."""

    def __init__(self, folder: Path, classes: list[str] | None = None) -> None:
        self.pages: list[tuple[str, dict[str, Any]]] = []
        self.documents: dict[str, Any] = {}
        self.files: dict[str, bytes] = {}
        for path in sorted(folder.glob("*.json")):
            self.files[path.stem] = path.with_suffix(".pdf").read_bytes()
            self.pages += [(path.stem, page) for page in json.loads(path.read_text(encoding="utf-8"))]
        self.classes = classes or self._classes()
        self.number = {name: n for n, name in enumerate(self.classes)}

    def _classes(self) -> list[str]:
        counted = Counter(symbol[0] for _, page in self.pages for symbol in page["symbols"])
        return sorted(name for name, count in counted.items() if count >= FEWEST)

    def page(self, name: str, number: int) -> Any:
        if name not in self.documents:
            self.documents[name] = pymupdf.open("pdf", self.files[name])
        return self.documents[name][number]


class Patches:
    """Patches by number: the same seed and number give the same patch."""

    def __init__(self, book: Book, seed: int) -> None:
        self.book, self.seed = book, seed

    def patch(self, number: int) -> tuple[Grey, list[Known], list[Any]]:
        """Its pixels, its symbols, and the ends of its rules."""
        noise = np.random.default_rng((self.seed, number))
        looked = SIZE * float(np.exp(noise.uniform(-0.25, 0.25)))
        scanned = float(np.exp(noise.uniform(math.log(19), math.log(56))))
        height, width = round(HEIGHT * scanned / looked), round(WIDTH * scanned / looked)
        sheet = np.full((height, width), 255, np.uint8)
        angle = float(noise.normal(0, 0.7)) if noise.random() < 0.4 else 0.0
        truth: list[Known] = []
        rules: list[list[float]] = []
        up = looked / scanned
        top = round(noise.uniform(-0.5, 0.5) * scanned)
        while top < height - 0.3 * scanned:
            left, tallest = round(noise.uniform(-2, 1) * scanned), 0
            while left < width - 0.3 * scanned:
                drawn = self._drawn(noise, scanned, angle, height, width)
                if drawn is None:
                    continue
                picture, symbols, lines = drawn
                _paste(sheet, picture, left, top)
                self._add(truth, symbols, left, top, up)
                rules += [[(v + o) * up for v, o in zip(line, (left, top) * 2, strict=True)] for line in lines]
                left += picture.shape[1] - round(noise.uniform(0.2, 1.2) * scanned)
                tallest = max(tallest, picture.shape[0])
            top += tallest - round(noise.uniform(0.4, 1.2) * scanned)
        seen = cv2.resize(
            spoilt(sheet, noise), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC if up > 1 else cv2.INTER_AREA
        )
        return seen, truth, rules

    def _drawn(self, noise: np.random.Generator, scanned: float, angle: float, height: int, width: int) -> Any:
        name, page = self.book.pages[int(noise.integers(len(self.book.pages)))]
        scale = scanned / POINTS * float(np.exp(noise.uniform(-0.15, 0.15)))
        matrix = pymupdf.Matrix(scale * float(np.exp(noise.uniform(-0.06, 0.06))), scale).prerotate(angle)
        loaded = self.book.page(name, page["page"])
        bounds = loaded.rect * matrix
        if bounds.height > 2.5 * HEIGHT or loaded.rect.height * scale < 4:
            return None
        clip = pymupdf.Rect(loaded.rect)
        if bounds.width > width:  # a part of a long formula
            clip.x0 += noise.uniform(0, 1) * (bounds.width - width) / scale
        if bounds.height > height:
            clip.y0 += noise.uniform(0, 1) * (bounds.height - height) / scale
        clip.x1, clip.y1 = min(clip.x1, clip.x0 + width / scale), min(clip.y1, clip.y0 + height / scale)
        drawn = loaded.get_pixmap(matrix=matrix, colorspace=pymupdf.csGRAY, clip=clip, alpha=False)
        picture = np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.stride)[:, : drawn.width]
        six = tuple(matrix)
        symbols = [_moved(symbol, six, drawn.x, drawn.y) for symbol in page["symbols"]]
        lines = [_line(rule, six, drawn.x, drawn.y) for rule in page["rules"]]
        inside = [s for s in symbols if 0 <= s[2] < drawn.width and 0 <= s[3] < drawn.height]
        return picture, inside, lines

    def _add(self, truth: list[Known], symbols: list[list[Any]], left: int, top: int, up: float) -> None:
        for char, style, x, y, w, h, base, size in symbols:
            number = self.book.number.get(char)
            if number is not None:
                box = Box(x - w / 2, y - h / 2, x + w / 2, y + h / 2).shifted(left, top).scaled(up)
                drawn = STYLES.index(style) if is_letter(char) else -1
                truth.append(Known(box, number, drawn, (base + top) * up, size * up))


def _at(matrix: tuple[float, ...], x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _moved(symbol: list[Any], matrix: tuple[float, ...], dx: float, dy: float) -> list[Any]:
    """Centre, width, height, baseline under the centre and size, on the drawing."""
    char, style, x0, y0, x1, y1, base, size = symbol
    x, y = _at(matrix, (x0 + x1) / 2, (y0 + y1) / 2)
    _, foot = _at(matrix, (x0 + x1) / 2, base)
    across, down = math.hypot(*matrix[:2]), math.hypot(*matrix[2:4])
    return [char, style, x - dx, y - dy, (x1 - x0) * across, (y1 - y0) * down, foot - dy, size * down]


def _line(rule: list[float], matrix: tuple[float, ...], dx: float, dy: float) -> list[float]:
    y = (rule[1] + rule[3]) / 2
    (x0, y0), (x1, y1) = _at(matrix, rule[0], y), _at(matrix, rule[2], y)
    return [x0 - dx, y0 - dy, x1 - dx, y1 - dy]


def _paste(sheet: Grey, picture: Grey, left: int, top: int) -> None:
    y0, x0 = max(0, top), max(0, left)
    part = picture[y0 - top : sheet.shape[0] - top, x0 - left : sheet.shape[1] - left]
    if part.size:
        place = sheet[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]]
        np.minimum(place, part, out=place)


def spoilt(sheet: Grey, noise: np.random.Generator) -> Grey:
    """What printing, copying and scanning do to a sheet."""
    kind = noise.random()
    if kind < 0.12:
        return sheet
    soft = cv2.GaussianBlur(sheet, (0, 0), float(noise.uniform(0.3, 1.1))).astype(np.float32)
    if noise.random() < 0.6:
        grain = cv2.GaussianBlur(
            noise.normal(0, 1, sheet.shape).astype(np.float32), (0, 0), float(noise.uniform(0.4, 1.2))
        )
        soft += grain * noise.uniform(5, 60)
    if noise.random() < 0.75:  # ink that spreads or breaks, up to black and white
        middle, steep = noise.uniform(95, 190), np.exp(noise.uniform(np.log(0.015), np.log(0.3)))
        soft = 255 / (1 + np.exp(-np.clip((soft - middle) * steep, -30, 30)))
    if noise.random() < 0.25:
        specks = noise.random(sheet.shape)
        share = noise.uniform(0, 0.004)
        soft[specks < share] = 0
        soft[specks > 1 - share] = 255
    paper, ink = noise.uniform(190, 255), noise.uniform(0, 90)
    soft = ink + soft * (paper - ink) / 255 + noise.normal(0, noise.uniform(0, 8), sheet.shape)
    found = np.clip(soft, 0, 255).astype(np.uint8)
    if noise.random() < 0.4:
        _, packed = cv2.imencode(".jpg", found, [cv2.IMWRITE_JPEG_QUALITY, int(noise.integers(30, 95))])
        found = cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE)
    return found
