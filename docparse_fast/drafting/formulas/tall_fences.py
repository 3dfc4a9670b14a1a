"""Fits tall brackets to their ink: a network that looks at cells tells what they are, and not how far they reach.

Knows symbols and ink; knows no structure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.found_symbols import Symbol

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
