"""Reads a table's picture and lines into cells with rows, columns and spans. Does not know the page around the table.

SLANet+ names the structure and says roughly where each cell stands. Its own scores are 0.97 to 1.00 even when it is
wrong: they are not asked for. The grid model that PyMuPDF ships says at each of 100 places down and across whether a
line runs there, drawn or not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from itertools import groupby, pairwise
from operator import attrgetter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.arrays import Pixels, scaled, standardised
from docparse_fast.drafting.lines import Line, words_of
from docparse_fast.drafting.tables.grid import Slot, looks_like_number
from docparse_fast.geometry import parted
from docparse_fast.system.greys import percentiles
from docparse_fast.system.late import cv2
from docparse_fast.system.onnx import Network
from docparse_fast.text.html_cells import GridCell, grid_of

SEEN = 488  # the model's input is a square of so many pixels, the picture in its top left corner
MARGIN = 0.01  # kept around the text, as a part of the longer side
SMUDGE = 900  # parts of the longer side: noise below that is blurred away before the picture is made small
INK_STEP = 15  # greys that are not yet ink, below the paper's own

_YEAR = re.compile(r"(19|20)\d\d\b")
CELLS = ("<td", "<td></td>")  # tokens that begin one


class TableReader(Network):
    """The slots of a table in its picture, `pixels` cut out, by SLANet+: boxes are exact to a few pixels of 488."""

    weights = "slanet_plus.onnx"

    @cached_property
    def _tokens(self) -> list[str]:
        """The exported dictionary still lists `<td>`, which the network's head no longer has."""
        return ["sos", *(token for token in self._noted("character").splitlines() if token != "<td>"), "eos"]

    def look(self, pixels: Pixels, boxes: Sequence[Box], *, noisy: bool = False) -> list[Slot]:
        """The slots that the model sees in the picture: as it is, or evened out where it is a scan."""
        cut = _cut_out(pixels, boxes)
        view = _shrunk(replace(cut, pixels=_evened(cut.pixels)) if noisy else cut)
        return [replace(slot, box=view.placed(slot.box)) for slot in self._slots(view.pixels)]

    def _slots(self, picture: Pixels) -> list[Slot]:
        boxes, probabilities = self._session.run(None, {"x": _model_input(picture)})
        tokens = [self._tokens[best] for best in probabilities[0].argmax(axis=1)]
        end = tokens.index("eos", 1) if "eos" in tokens[1:] else len(tokens)
        corners = boxes[0].reshape(len(boxes[0]), 4, 2) * float(max(picture.shape[:2]))
        seen = [corner for token, corner in zip(tokens[:end], corners, strict=False) if token in CELLS]
        cells = grid_of("".join(tokens[:end]).replace("<tr></tr>", ""))
        return _within_width(
            cells, [Box(*corner.min(axis=0).tolist(), *corner.max(axis=0).tolist()) for corner in seen]
        )


def with_header(cells: tuple[TableCell, ...]) -> tuple[TableCell, ...]:
    """If the model names no header, the first row is one when it has words or years above columns of numbers."""
    if any(cell.header for cell in cells):
        return cells
    first, others = parted(cells, lambda cell: cell.row == 0)
    filled = [cell for cell in first if cell.text]
    named = {cell.column for cell in filled if not looks_like_number(cell.text) or _YEAR.match(cell.text)}
    numbers = {cell.column for cell in others if looks_like_number(cell.text)} - {0}
    if not numbers or not numbers <= named:
        return cells
    return tuple(replace(cell, header=True) if cell.row == 0 else cell for cell in cells)


@dataclass(frozen=True, slots=True)
class TablePicture:
    """A picture prepared for the model, and the place it was cut from."""

    pixels: Pixels
    scale: float
    left: float
    top: float

    def placed(self, box: Box) -> Box:
        return box.scaled(1 / self.scale).shifted(self.left, self.top)


def _cut_out(pixels: Pixels, boxes: Sequence[Box]) -> TablePicture:
    """The table's text with little paper around it."""
    height, width = pixels.shape[:2]
    margin = max(3.0, MARGIN * max(height, width))
    text = Box.around(boxes).expanded(margin).clipped(width, height)
    left, top = int(text.x0), int(text.y0)
    tight = pixels[top : max(top + 2, int(text.y1)), left : max(left + 2, int(text.x1))]
    return TablePicture(tight, 1.0, left, top)


def _shrunk(cut: TablePicture) -> TablePicture:
    """No larger than the model sees."""
    scale = SEEN / max(cut.pixels.shape)
    return replace(cut, pixels=scaled(cut.pixels, scale), scale=scale) if scale < 1 else cut


def _evened(pixels: Pixels) -> Pixels:
    """Black on white: no paper grain, no shading behind rows. Grain makes the model see boxes that nobody drew."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    grey = cv2.GaussianBlur(grey, (0, 0), max(0.5, max(grey.shape) / SMUDGE))
    paper = percentiles(grey[grey >= percentiles(grey, 50)[0]], 50)[0] - INK_STEP
    ink = min(*percentiles(grey, 1), paper - 1)
    evened = np.clip((np.arange(256, dtype=np.float32) - ink) / (paper - ink), 0, 1) * 255
    return np.repeat(evened.astype(np.uint8)[grey][:, :, None], 3, axis=2)


def _model_input(picture: Pixels) -> NDArray[np.float32]:
    """(1, 3, 488, 488), BGR; what the picture doesn't fill is zero, not white."""
    scale = SEEN / max(picture.shape[:2])
    size = tuple(max(1, int(side * scale)) for side in (picture.shape[1], picture.shape[0]))
    resized = cv2.resize(picture, size)[:, :, ::-1]
    padded = np.zeros((SEEN, SEEN, 3), np.float32)
    padded[: size[1], : size[0]] = standardised(resized)
    return np.ascontiguousarray(padded.transpose(2, 0, 1)[None])


def _within_width(cells: Sequence[GridCell], boxes: Sequence[Box]) -> list[Slot]:
    """The cells' slots, no wider than the table: a row of one cell is often said to be wider than all others."""
    rows = [[cell.columns for cell in row] for _, row in groupby(cells, key=attrgetter("row"))]
    width = max((sum(row) for row in rows if len(row) > 1), default=max(map(sum, rows), default=1))
    return [
        Slot(cell.row, cell.column, box, cell.rows, max(1, min(cell.columns, width - cell.column)), cell.header)
        for cell, box in zip(cells, boxes, strict=False)
    ]


WEIGHTS = Path("layout", "resources", "onnx", "table_grid_model_v4_ep.onnx")  # in PyMuPDF's folder
SEEN_HEIGHT, SEEN_WIDTH = 360, 300
LIKELY_DOWN, LIKELY_ACROSS = 0.2, 0.25  # the least chance of a line, as PyMuPDF has it for this model
THROUGH = 0.25  # of a word's width on either side of a cut, from which the word runs through it


class GridLines(Network):
    """Slots by the lines that a network sees between rows and columns."""

    @property
    def _path(self) -> Path:
        found = find_spec("pymupdf")
        return (Path(found.origin).parent if found is not None and found.origin else Path()) / WEIGHTS

    def slots(self, picture: Pixels, lines: Sequence[Line]) -> list[Slot]:
        """`lines` are in the picture's pixels; none if there are no two rows or no two columns."""
        height, width = picture.shape[:2]
        seen = cv2.resize(picture, (SEEN_WIDTH, SEEN_HEIGHT), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        down, down_by, across, across_by, _ = self._session.run(None, {"image": seen.transpose(2, 0, 1)[None]})
        words = [box for box, _ in words_of(lines)]
        ys = _parting(_places(down[0], down_by[0], LIKELY_DOWN) * height, [box.center[1] for box in words])
        xs = _parting(_places(across[0], across_by[0], LIKELY_ACROSS) * width, [box.center[0] for box in words])
        return _slots(ys, xs, words, Box(0, 0, width, height)) if len(ys) and len(xs) else []


def _places(logits: NDArray[np.float32], offsets: NDArray[np.float32], least: float) -> NDArray[np.float64]:
    """Where lines run, in parts of the side: of those too near each other the likelier one."""
    chances = 1 / (1 + np.exp(-logits.astype(np.float64)))
    step = 1 / (len(logits) - 1)
    places = (np.arange(len(logits)) + offsets) * step
    kept: list[float] = []
    for n in np.argsort(-chances):
        if chances[n] >= least and all(abs(places[n] - other) >= MARGIN for other in kept):
            kept.append(float(places[n]))
    return np.sort(np.array(kept))


def _parting(lines: NDArray[np.float64], middles: Sequence[float]) -> list[float]:
    """The lines with words on both sides, of several between the same words the first."""
    ordered = np.sort(np.array(middles))
    before = np.searchsorted(ordered, lines)
    found: dict[int, float] = {}
    for count, line in zip(before, lines, strict=True):
        if 0 < count < len(ordered):
            found.setdefault(int(count), float(line))
    return sorted(found.values())


def _slots(ys: Sequence[float], xs: Sequence[float], words: Sequence[Box], whole: Box) -> list[Slot]:
    """A slot for each place of the grid; places that a word runs across are one."""
    rows, columns = [whole.y0, *ys, whole.y1], [whole.x0, *xs, whole.x1]
    inner = [replace(box, x0=box.x0 + THROUGH * box.width, x1=box.x1 - THROUGH * box.width) for box in words]
    crossed = {
        (sum(box.center[1] > y for y in ys), n) for box in inner for n, x in enumerate(xs) if box.x0 < x < box.x1
    }
    slots = []
    for row, (top, bottom) in enumerate(pairwise(rows)):
        column = 0
        while column < len(columns) - 1:
            last = column
            while (row, last) in crossed:
                last += 1
            box = Box(columns[column], top, columns[last + 1], bottom)
            slots.append(Slot(row, column, box, columns=last - column + 1))
            column = last + 1
    return slots
