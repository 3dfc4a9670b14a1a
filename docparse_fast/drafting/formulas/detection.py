"""Reads the mathematical symbols on an image, and finds its rules. Knows no structure and no page.

A small network of our own (scripts/training/formulas/train_detector.py) looks at the whole image. It says where
symbols have their middles and where rules run, by cells of a few pixels, and of each such cell what the symbol is and
how it stands; not how far a tall bracket reaches, which is fitted to its ink.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Pixels, scaled
from docparse_fast.drafting.formulas.found_symbols import Symbol, Symbols
from docparse_fast.system.onnx import Network

SIZE = 32  # pixels of type in the image that is looked at
CELL = 4  # pixels of a cell's side
COARSEST = 16  # pixels: the image's sides are multiples of it
MOST_PIXELS = 6_000_000  # of the image that is looked at; a larger one is made smaller
DARKEST = 1.0  # percent of the pixels that are taken for ink
LEAST = 40.0  # levels of grey between paper and ink
FOUND = 0.42  # chance from which on a cell is a symbol's middle
SAME = 0.35  # of the area of two boxes: more in common, and they are one symbol's
NEAR, NEAR_SHARE = 4.0, 0.25  # pixels, and of the smaller box: middles that are nearer are one symbol's
RULED = 0.35  # chance from which on a cell is on a rule
SHORTEST = 2  # cells of a rule
RESCALED = 0.15  # how far the type may be from the size that was asked for, as a logarithm, before a second look
TOGETHER = 64  # symbols that are compared with all others at once
UNSURE = 0.5  # a symbol named with less tells no size; a middle with more takes nothing from the confidence
FloatPixels = NDArray[np.float32]
FENCES = frozenset("()[]{}|‖⌊⌋⌈⌉⟨⟩")
INKED = 0.4  # from which on a pixel is ink
TALL = 1.3  # of the type's size
SLIM = 0.5  # of its height: the most that one is wide
BESIDE = 3.0  # pixels that a bracket's middle may lie beside its ink


def with_tall_fences(
    found: Sequence[Symbol], doubtful: Sequence[Symbol], ink: NDArray[np.float32], size: float
) -> list[Symbol]:
    """The symbols; each tall slim piece of ink is one bracket, the surest that stands on it, or the likeliest of the
    doubtful ones."""
    kept = list(found)
    for piece in _tall_pieces(ink, size):
        on_it = [symbol for symbol in kept if _stands_on(symbol, piece)]
        if any(symbol.character not in FENCES for symbol in on_it):
            continue
        likely = on_it or [symbol for symbol in doubtful if _stands_on(symbol, piece) and symbol.character in FENCES]
        if likely:
            surest = max(likely, key=lambda symbol: symbol.confidence)
            kept = [symbol for symbol in kept if symbol not in on_it] + [replace(surest, box=piece)]
    return kept


def _tall_pieces(ink: NDArray[np.float32], size: float) -> Iterator[Box]:
    count, _, stats, _ = cv2.connectedComponentsWithStats((ink > INKED).astype(np.uint8), connectivity=8)
    for x, y, width, height, _ in stats[1:count].tolist():
        if height > TALL * size and width < SLIM * height:
            yield Box(float(x), float(y), float(x + width), float(y + height))


def _stands_on(symbol: Symbol, piece: Box) -> bool:
    x, y = symbol.box.center
    return piece.x0 - BESIDE <= x <= piece.x1 + BESIDE and piece.y0 <= y <= piece.y1


class SymbolDetector(Network):
    """Finds the symbols of a formula, each with its name."""

    weights = "formula_symbols.onnx"

    @cached_property
    def _names(self) -> list[str]:
        return self._noted("symbols").split("\n")

    @cached_property
    def _styles(self) -> list[str]:
        return self._noted("styles").split()

    def find(self, image: Pixels, size: float) -> Symbols:
        """The symbols of type that is about `size` pixels high; looked at twice where it is not."""
        found = self._find_at(image, size)
        main = _main_size(found.symbols)
        if main and abs(math.log(main / size)) > RESCALED:
            found = self._find_at(image, main)
        return found

    def _find_at(self, image: Pixels, size: float) -> Symbols:
        height, width = image.shape[:2]
        scale = min(SIZE / size, math.sqrt(MOST_PIXELS / (height * width)))
        ink = contrasted(_grey(image, scale))
        sides = [(0, -side % COARSEST) for side in ink.shape]
        seen = {"image": np.pad(ink, sides)[None, None]}
        cells, chances, kinds, styles, places, ruled = self._session.run(None, seen)
        fences = np.isin(kinds.argmax(1), [n for n, name in enumerate(self._names) if name in FENCES])
        symbols, doubtful = (
            list(map(self._symbol, cells[these], chances[these], kinds[these], styles[these], places[these]))
            for these in (chances > FOUND, (chances <= FOUND) & fences)
        )
        symbols = _apart(symbols)
        symbols = with_tall_fences(symbols, doubtful, ink, SIZE)
        return Symbols(
            tuple(symbol.placed(1 / scale) for symbol in symbols),
            tuple(rule.scaled(1 / scale) for rule in _rules(ruled, ink)),
        )

    def _symbol(self, cell: Any, chance: Any, kinds: FloatPixels, styles: FloatPixels, place: FloatPixels) -> Symbol:
        x, y = ((float(at) + 0.5) * CELL for at in (cell[1], cell[0]))
        middle_x, middle_y, baseline, *sizes = map(float, place)
        width, height, size = (SIZE * math.exp(value) for value in sizes)
        left, top = x + middle_x * CELL - width / 2, y + middle_y * CELL - height / 2
        box = Box(left, top, left + width, top + height)
        best = int(kinds.argmax())
        sure = float(kinds[best]) * min(1.0, float(chance) / UNSURE)
        style = int(styles.argmax())
        sure_of_style = float(styles[style])
        return Symbol(self._names[best], self._styles[style], box, y + baseline * SIZE, size, sure, sure_of_style)


def contrasted(grey: Pixels) -> FloatPixels:
    """Ink as 1 and paper as 0."""
    paper, ink = float(np.median(grey)), float(np.percentile(grey, DARKEST))
    return np.asarray(np.clip((paper - grey) / max(paper - ink, LEAST), -0.2, 1.2), np.float32)


def _grey(image: Pixels, scale: float) -> Pixels:
    grey = cv2.cvtColor(np.ascontiguousarray(image), cv2.COLOR_RGB2GRAY) if image.ndim == 3 else image
    return scaled(grey, scale)


def _apart(symbols: Sequence[Symbol]) -> list[Symbol]:
    """Each symbol once: several cells are near its middle. The surest is kept."""
    ordered = sorted(symbols, key=lambda symbol: -symbol.confidence)
    boxes = np.array([(s.box.x0, s.box.y0, s.box.x1, s.box.y1) for s in ordered], np.float32).reshape(-1, 4)
    kept = np.zeros(len(ordered), bool)
    for start in range(0, len(ordered), TOGETHER):
        for n, same in enumerate(_are_same(boxes[start : start + TOGETHER, None], boxes), start):
            kept[n] = not (same & kept).any()
    return [ordered[n] for n in np.flatnonzero(kept)]


def _are_same(box: FloatPixels, others: FloatPixels) -> NDArray[np.bool_]:
    """Which of the others mean the symbol that the box is of: their middles are near, or much of their areas is one."""
    sides, theirs = box[..., 2:] - box[..., :2], others[:, 2:] - others[:, :2]
    apart = np.abs((box[..., 2:] + box[..., :2]) - (others[:, 2:] + others[:, :2])) / 2
    near = (apart < np.maximum(NEAR, NEAR_SHARE * np.minimum(sides, theirs))).all(-1)
    shared = np.minimum(box[..., 2:], others[:, 2:]) - np.maximum(box[..., :2], others[:, :2])
    common = np.clip(shared, 0, None).prod(-1)
    return np.asarray(near | (common > SAME * (sides.prod(-1) + theirs.prod(-1) - common)))


def _rules(ruled: FloatPixels, ink: FloatPixels) -> Iterator[Box]:
    """Runs of cells on a rule, with their ends where the ink ends."""
    count, _, stats, _ = cv2.connectedComponentsWithStats((ruled > RULED).astype(np.uint8), connectivity=8)
    for n in range(1, count):
        column, row, columns, rows, _ = map(int, stats[n])
        if columns >= SHORTEST and columns > rows:
            box = Box(float(column), float(row), float(column + columns), float(row + rows)).scaled(CELL)
            yield _fitted(box, ink)


def _fitted(rule: Box, ink: FloatPixels) -> Box:
    height, width = ink.shape
    around = rule.expanded(CELL).clipped(width, height)
    left, top, right, bottom = (round(side) for side in (around.x0, around.y0, around.x1, around.y1))
    dark = ink[top:bottom, left:right] > INKED
    rows = dark.sum(1)
    if not rows.any():
        return rule
    bar = np.flatnonzero(rows > 0.5 * rows.max())
    y0, y1 = int(bar[0]), int(bar[-1]) + 1
    columns = np.flatnonzero(dark[y0:y1].any(0))
    return Box(float(left + columns[0]), float(top + y0), float(left + columns[-1] + 1), float(top + y1))


def _main_size(symbols: Sequence[Symbol]) -> float:
    """The size of the type that is neither raised nor lowered."""
    sizes = sorted(symbol.size for symbol in symbols if symbol.confidence > UNSURE)
    return sizes[int(0.75 * (len(sizes) - 1))] if sizes else 0.0
