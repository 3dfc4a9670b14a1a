"""Finds the lines and filled areas drawn on a PDF page. Knows MuPDF's paths; does not know what the lines are for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from docparse_fast.document import Box, TickBox
from docparse_fast.geometry import Filed
from docparse_fast.lattices.rules import Drawn, joined_rules
from docparse_fast.pages.drawn_boxes import LARGEST, boxes_to_tick
from docparse_fast.pages.weight import Weight
from docparse_fast.system.mupdf import pymupdf
from docparse_fast.work import may_cost

MOST_CONTENT = 3_000_000  # bytes of drawing commands; larger maps and plots are not searched for rules
MOST_PATHS = 20_000  # that are looked at past a page's budget
STEPS_A_PATH = 2000
THIN = 2.5  # points: a thicker rectangle is no rule
THICK = 0.6  # of its length: a thicker line is a square, as a bullet may be
LEAST_DOT = 1.4  # points: a smaller circle is a dot of a dotted rule, a larger one may be a bullet
DOT = 8.0  # points: nothing drawn is larger that leaves much white around it
LEAST_FORM = 36.0  # points: a smaller form is a sign
ALIKE = 0.01  # of its shape: how much a form's may differ
EDGE, HAIR, HELD = 2.0, 0.5, 0.9  # points around a box to be ticked, and a line in it; part of a piece that lies in it


def drawn(page: pymupdf.Page, place: Callable[[Iterable[float]], Box], scale: float, weight: Weight) -> Drawn:
    """The lines and areas on `page`; `place` maps each box to pixels."""
    if weight.drawn > MOST_CONTENT:
        return Drawn((), (place(page.cropbox - (*page.cropbox.tl, *page.cropbox.tl)),), scale)  # not searched: one area
    rules: list[Box] = []
    areas: list[Box] = []
    paths = page.get_cdrawings(extended=True)
    whole = may_cost(STEPS_A_PATH * len(paths), "what is drawn")
    paths = paths if whole else paths[:MOST_PATHS]
    clips = [path["scissor"] for path in paths if path["type"] == "clip"]
    shown = [(path, clip) for path, clip in _in_clips(paths) if not _unseen(path)]
    boxes = boxes_to_tick([path for path, clip in shown if _seen_through(clip, path["rect"])])
    around = Filed((each.box.expanded(EDGE) for each in boxes), by=_middle)
    for path, clip in shown:
        if boxes and _lies_in_one(Box(*map(float, path["rect"])).expanded(HAIR), around):
            continue
        for rect in filter(None, (_seen_through(clip, piece) for piece in _pieces(path))):
            box = place(rect)
            if min(box.width, box.height) > (LEAST_DOT if _is_round(path) else THIN) * scale:
                areas.append(box)
            elif max(box.width, box.height) > 0:
                rules.append(box)
    placed = tuple(place(clip) for clip in _of_forms(clips, page))
    ticks = tuple(TickBox(place((box.x0, box.y0, box.x1, box.y1)), each.ticked) for each in boxes for box in [each.box])
    return Drawn(tuple(joined_rules(rules, scale)), tuple(areas), scale, tuple(rules), placed, ticks)


_Rect = tuple[float, float, float, float]
NOTHING: _Rect = (math.inf, math.inf, -math.inf, -math.inf)  # is seen through it


def _in_clips(paths: Iterable[dict]) -> Iterator[tuple[dict, _Rect | None]]:  # type: ignore[type-arg]
    """Each path with the box that it is clipped to, if it is: a form's drawing may go on beyond what is shown of it."""
    clips: list[tuple[int, _Rect]] = []
    for path in paths:
        while clips and clips[-1][0] >= path["level"]:
            clips.pop()
        around = clips[-1][1] if clips else None
        if path["type"] == "clip":
            clips.append((path["level"], _seen_through(around, path["scissor"]) or NOTHING))
        elif path["type"] != "group":
            yield path, around


def _seen_through(clip: _Rect | None, rect: _Rect) -> _Rect | None:
    """What a clip leaves of a rectangle, and of a line at its edge; nothing of what only reaches there."""
    if clip is None:
        return rect
    sides = [(max(clip[n], rect[n]), min(clip[n + 2], rect[n + 2]), rect[n + 2] - rect[n]) for n in (0, 1)]
    if any(high - low < (HAIR if size > HAIR else -HAIR) for low, high, size in sides):
        return None
    (x0, x1), (y0, y1) = (sorted(side[:2]) for side in sides)
    return x0, y0, x1, y1


def _middle(box: Box) -> float:
    return box.center[1]


def _lies_in_one(piece: Box, around: Filed[Box]) -> bool:
    """Of those at its height: a page may have thousands."""
    middle, reach = _middle(piece), LARGEST / 2 + EDGE
    return any(box.covers(piece) > HELD for box in around.between(middle - reach, middle + reach))


def cuts_between(page: pymupdf.Page) -> int:
    """How often who looks for white would compare a dot with the edge of another: large pieces leave none between."""
    pieces = (piece for path in page.get_cdrawings() for piece in _pieces(path))
    dots = [(x0, y0, x1, y1) for x0, y0, x1, y1 in pieces if max(x1 - x0, y1 - y0) < DOT]
    return len(dots) * len({round(2 * y) for _, y0, _, y1 in dots for y in (y0, y1)})


def _of_forms(clips: Sequence[tuple[float, ...]], page: pymupdf.Page) -> list[tuple[float, ...]]:
    """The clips that have the shape of one of the page's forms: each is clipped to its box, at whatever size."""
    forms = [form[3] for form in page.get_xobjects()] if clips else []
    shapes = [(x1 - x0) / (y1 - y0) for x0, y0, x1, y1 in forms if y1 > y0 and x1 > x0]
    found = []
    for clip in dict.fromkeys(clips):
        width, height = clip[2] - clip[0], clip[3] - clip[1]
        large = min(width, height) > LEAST_FORM
        if large and any(abs(width / height - s) < ALIKE * s or abs(height / width - s) < ALIKE * s for s in shapes):
            found.append(clip)
    return found


def _unseen(path: dict) -> bool:  # type: ignore[type-arg]
    """Whether the path is white on white or fully transparent."""
    paints = [
        color
        for color, opacity in (
            (path.get("color"), path.get("stroke_opacity", 1)),
            (path.get("fill"), path.get("fill_opacity", 1)),
        )
        if color is not None and opacity != 0
    ]
    return not paints or all(min(color) > 0.99 for color in paints)


def _is_round(path: dict) -> bool:  # type: ignore[type-arg]
    return all(item[0] == "c" for item in path["items"])


def _border(path: dict) -> list[tuple[float, float, float, float]]:  # type: ignore[type-arg]
    """The sides of a border that is filled as what lies between two rectangles; none of other paths."""
    if not path.get("even_odd") or [item[0] for item in path["items"]] != ["re", "re"]:
        return []
    inner, outer = sorted((item[1] for item in path["items"]), key=lambda rect: rect[2] - rect[0])
    (a, b, c, d), (x0, y0, x1, y1) = inner, outer
    sides = [(x0, y0, x1, b), (x0, d, x1, y1), (x0, y0, a, y1), (c, y0, x1, y1)]
    widths = (b - y0, y1 - d, a - x0, x1 - c)
    thin = any(widths) and all(0 <= width <= THIN for width in widths)
    return [side for side, width in zip(sides, widths, strict=True) if width] if thin else []


def _pieces(path: dict) -> Iterator[tuple[float, float, float, float]]:  # type: ignore[type-arg]
    """The rectangles of a path: one for each straight piece, four for a stroked box, one for each curve."""
    if sides := _border(path):
        yield from sides
        return
    stroked = path.get("color") is not None and not (path.get("fill") is not None and path["type"] == "f")
    for item in path["items"]:
        kind = item[0]
        if kind == "l":
            (ax, ay), (bx, by) = item[1], item[2]
            thick = path.get("width") or 0.0
            half = thick / 2 if thick > max(THIN, THICK * max(abs(ax - bx), abs(ay - by))) else 0.0
            across, down = (half, 0.0) if ax == bx else (0.0, half)
            yield min(ax, bx) - across, min(ay, by) - down, max(ax, bx) + across, max(ay, by) + down
        elif kind == "re" or kind == "qu":
            x0, y0, x1, y1 = item[1] if kind == "re" else pymupdf.Quad(item[1]).rect
            if path["type"] != "s" or min(x1 - x0, y1 - y0) <= THIN:
                yield x0, y0, x1, y1
            if stroked and min(x1 - x0, y1 - y0) > THIN:
                yield x0, y0, x1, y0
                yield x0, y1, x1, y1
                yield x0, y0, x0, y1
                yield x1, y0, x1, y1
        else:
            x0, y0, x1, y1 = path["rect"]
            yield x0, y0, x1, y1
            return
