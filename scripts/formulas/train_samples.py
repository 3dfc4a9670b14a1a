"""Labels pieces of ink with the symbols of a patch, for train_pieces.py.

A piece is labelled with the symbol that it is the largest piece of; other pieces of the symbol are PART, a piece of
several symbols is TOUCHING, ink that is no symbol NOISE. Pieces of several symbols are also cut, as the reader cuts
them: a half that is a symbol is labelled with it, a half of a symbol is PART.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from train_patches import Known, Patches

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.components import Ink, InkPiece, stacked

PART, TOUCHING, RULE, NOISE = "part", "touching", "rule", "noise"
OTHERS = (PART, TOUCHING, RULE, NOISE)
HELD = 0.55  # of a piece's box in a symbol's, to belong to it
WHOLE = 0.75  # of a symbol's box in a half's, to be that symbol
WAYS = 4  # in which a piece is cut
WIDE = 20  # pixels, from which a piece of one symbol may be cut too
CUT_ANYWAY = 0.03  # of such pieces
NAN = float("nan")
Labelled = tuple[InkPiece, int, int, float, float]


@dataclass(frozen=True, slots=True)
class Samples:
    looks: Any  # (pieces, 3, 32, 32)
    measures: Any  # (pieces, 2)
    kinds: Any  # class and style (-1: none)
    told: Any  # baseline below the top and size, in heights of the box; nan: not told by this piece


def sampled(patches: Patches, numbers: range) -> Samples:
    """The pieces of some patches, and halves of pieces."""
    noise = np.random.default_rng((patches.seed, numbers.start, 1))
    made = [one for n in numbers if (one := _of_patch(*patches.patch(n), len(patches.book.classes), noise))]
    looks, measures, kinds, told = (np.concatenate(parts) for parts in zip(*made, strict=True))
    return Samples(looks, measures, kinds, told)


def _of_patch(image: Any, known: list[Known], rules: list[list[float]], classes: int, noise: Any) -> Any:
    ink = Ink(image)
    found = labelled(ink, known, rules, classes)
    for piece, kind, *_ in list(found):
        wide = piece.box.width > WIDE and kind < classes and noise.random() < CUT_ANYWAY
        if kind == classes + OTHERS.index(TOUCHING) or wide:
            found += [_half(half, known, classes) for pair in ink.halves(piece, WAYS) for half in pair]
    if not found:
        return None
    looks, measures = stacked([piece for piece, *_ in found])
    kinds = np.array([(kind, style) for _, kind, style, _, _ in found], np.int64)
    return looks, measures, kinds, np.array([told for *_, base, size in found for told in [(base, size)]], np.float32)


def _half(half: InkPiece, known: list[Known], classes: int) -> Labelled:
    near = [symbol for symbol in known if symbol.box.overlap_x(half.box) > 0 and symbol.box.overlap_y(half.box) > 0]
    of_piece, of_symbol = _overlaps([symbol.box for symbol in near], [half.box])
    inside = np.flatnonzero(of_symbol[:, 0] > HELD).tolist() if near else []
    whole = [m for m in inside if of_symbol[m, 0] > WHOLE and of_piece[m, 0] > HELD]
    if len(inside) > 1:
        return half, classes + OTHERS.index(TOUCHING), -1, NAN, NAN
    return (half, *_of(near[whole[0]], half.box)) if whole else (half, classes + OTHERS.index(PART), -1, NAN, NAN)


def labelled(ink: Ink, known: list[Known], rules: list[list[float]], classes: int) -> list[Labelled]:
    """Pieces with class, style (-1: none), and baseline and size relative to the box (nan: not told by this piece)."""
    pieces = ink.pieces
    owners: dict[int, list[int]] = {}
    made: dict[int, tuple[int, int, float, float]] = {}
    of_piece, of_symbol = _overlaps([symbol.box for symbol in known], [piece.box for piece in pieces])
    explained = (of_piece > HELD) & (of_symbol > 0.2)
    for n, piece in enumerate(pieces):
        mine = np.flatnonzero(of_piece[:, n] > HELD).tolist()
        inside = [m for m in np.flatnonzero(of_symbol[:, n] > HELD).tolist() if m not in mine]
        inside = [m for m in inside if not explained[m].any()]  # what a root spans stands by itself
        within = [m for m in mine if of_symbol[m, n] > 0.2]
        if any(_along(rule, piece.box) for rule in rules):
            # the top of a root often hangs on its sign
            roots = [m for m in inside if known[m].box.height > 0.8 * piece.box.height]
            made[n] = (classes + OTHERS.index(RULE), -1, NAN, NAN) if not roots else _of(known[roots[0]], piece.box)
        elif len(inside) > 1 or (inside and mine):
            made[n] = (classes + OTHERS.index(TOUCHING), -1, NAN, NAN)
        elif inside or mine:
            best = inside[0] if inside else min(within or mine, key=lambda m: known[m].box.area)
            owners.setdefault(best, []).append(n)
        else:
            made[n] = (classes + OTHERS.index(NOISE), -1, NAN, NAN)
    for m, members in owners.items():
        main = max(members, key=lambda n: (round(pieces[n].box.area / 12), -pieces[n].box.y0))
        for n in members:
            whole = Box.around(pieces[k].box for k in members)
            made[n] = _of(known[m], whole) if n == main else (classes + OTHERS.index(PART), -1, NAN, NAN)
    return [(pieces[n], *made[n]) for n in sorted(made)]


def _of(symbol: Known, box: Box) -> tuple[int, int, float, float]:
    return symbol.kind, symbol.style, (symbol.baseline - box.y0) / box.height, symbol.size / box.height


def _overlaps(symbols: list[Box], pieces: list[Box]) -> tuple[Any, Any]:
    """The share of each piece that lies in each symbol's box, and the share of each symbol's that lies in a piece's."""
    a = np.array([(b.x0 - 1, b.y0 - 1, b.x1 + 1, b.y1 + 1) for b in symbols]).reshape(-1, 1, 4)
    b = np.array([(b.x0, b.y0, b.x1, b.y1) for b in pieces]).reshape(1, -1, 4)
    sides = np.minimum(a[..., 2:], b[..., 2:]) - np.maximum(a[..., :2], b[..., :2])
    common = np.clip(sides, 0, None).prod(-1)
    area = [np.maximum((box[..., 2:] - box[..., :2]).prod(-1), 1) for box in (b, a)]
    return common / area[0], common / area[1]


def _along(rule: list[float], box: Box) -> bool:
    x0, y0, x1, y1 = rule
    level = box.y0 - 2 <= (y0 + y1) / 2 <= box.y1 + 2
    common = min(x1, box.x1) - max(x0, box.x0)
    return (
        level and common > 0.7 * max(box.width, 8) and box.width > 2 * box.height and common > 0.5 * min(x1 - x0, 500)
    )
