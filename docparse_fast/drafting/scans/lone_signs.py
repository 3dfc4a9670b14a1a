"""Signs that stand alone in a row: a detector of lines overlooks them, since they are too small.

Knows where ink is, where lines stand, and what reads a line. Dashes are told by their shape, others are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import median

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import ENOUGH, ON_LEVEL, SAME_DRAWN, in_one_row
from docparse_fast.drafting.scans.known_words import LineReading
from docparse_fast.drafting.scans.read_figures import BAR, STROKES, in_columns
from docparse_fast.geometry import gathered, parted
from docparse_fast.sums.figures import CURRENCIES
from docparse_fast.text.characters import SQUARE_LETTERS

DASH = 0.15, 1.0  # of a line's height, the width of a dash
FLAT = 2.0  # times as wide as high
SHORTEST, TALLEST = 0.24, 0.9  # of a line's height: an old-style digit; a line's box is twice as high
APART = 0.35  # of a line's height, between two digits of a number
MOST_SIGNS = 3  # in one place: where more stand, the detector has seen a line
MOST_PLACES = 80  # on a page: more are specks
SURELY, LIKELY = 0.9, 0.5  # a stroke is a one or a bar
DASH_SIGN = "–"
FILL_CELLS = f"{BAR}%#{CURRENCIES}"  # signs that may, as letters and digits do
LOOK_LIKE = {"一": DASH_SIGN} | dict.fromkeys("口囗□", "☐") | dict.fromkeys("冈区図凶因囚", "☒")
Reader = Callable[[Box], LineReading]  # what stands in a box


def lone_signs(
    blots: Iterable[Box],
    lines: Sequence[Line],
    unit: float,
    read: Reader,
    rules: Sequence[Box] = (),
    pale: Iterable[Box] = (),
) -> list[Line]:
    """Those beside other lines, where no line was found. `unit` is a line's height; a dash is no piece of a rule.

    What is paler than print may be a dash, if its column has more of its kind.
    """
    small = (b for b in blots if _is_dash(b, unit) or SHORTEST * unit <= b.height <= TALLEST * unit >= b.width)
    alone = [blot for blot in small if _stands_alone(blot, lines, unit)]
    flat, others = parted(alone, lambda blot: _is_dash(blot, unit))
    thin = [blot for blot in pale if _is_dash(blot, unit) and _stands_alone(blot, lines, unit)]
    flat = _apart_from(rules, flat + _in_columns_of_dashes(thin, flat))
    places = [place for place in _together([*flat, *others], unit) if not any(map(place.holds, flat))]
    boxes = [_of_rows_height(place, unit) for place in places] if len(places) <= MOST_PLACES else []
    seen = [(box, *_sign(box, unit, read)) for box in boxes]
    return _in_columns([*((_of_rows_height(dash, unit), DASH_SIGN, "") for dash in flat), *seen], lines, unit)


def _in_columns(seen: Sequence[tuple[Box, str, str]], lines: Sequence[Line], unit: float) -> list[Line]:
    texts = in_columns([*seen, *((line.box, line.plain, "") for line in lines)])
    kept = [(box, sign) for (box, *_), sign in zip(seen, texts, strict=False) if sign]
    return [Line(box, sign, 0.72 * unit, "embedded", words=((box, sign),)) for box, sign in kept]


def _in_columns_of_dashes(thin: Sequence[Box], flat: Sequence[Box]) -> list[Box]:
    """Pale ones, in whose column others stand that are as wide."""

    def alike(dash: Box) -> int:
        return sum(max(abs(dash.x0 - near.x0), abs(dash.x1 - near.x1)) <= SAME_DRAWN for near in (*flat, *thin))

    return [dash for dash in thin if alike(dash) >= ENOUGH]


def _apart_from(rules: Sequence[Box], flat: Sequence[Box]) -> list[Box]:
    level = [rule for rule in rules if rule.width > rule.height]
    return [dash for dash in flat if not any(rule.overlap_y(dash) > 0 for rule in level)]


def _is_dash(blot: Box, unit: float) -> bool:
    return DASH[0] * unit <= blot.width <= DASH[1] * unit and blot.width >= FLAT * max(blot.height, FLAT)


def _stands_alone(blot: Box, lines: Sequence[Line], unit: float) -> bool:
    """Whether no line holds it, and it stands at the middle of others' row."""
    if any(line.box.holds(blot) for line in lines):  # boxes of close lines reach into each other's rows
        return False
    level = [line.box.center[1] for line in lines if in_one_row(line.box, blot)]
    return len(level) > 1 and abs(blot.center[1] - median(level)) < ON_LEVEL * unit


def _together(blots: Iterable[Box], unit: float) -> Iterator[Box]:
    """Those that stand close beside each other as one place."""

    def is_close(place: Sequence[Box], blot: Box) -> bool:
        return blot.x0 - place[-1].x1 < APART * unit and in_one_row(place[-1], blot)

    places = gathered(sorted(blots, key=lambda blot: blot.x0), is_close)
    return (Box.around(place) for place in places if len(place) <= MOST_SIGNS)


def _of_rows_height(blot: Box, unit: float) -> Box:
    return replace(blot, y0=blot.center[1] - unit / 2, y1=blot.center[1] + unit / 2)


def _sign(box: Box, unit: float, read: Reader) -> tuple[str, str]:
    """What is surely read there, if it is a sign or a few; and what it may be in its column."""
    seen = read(replace(box, x0=box.x0 - APART * unit, x1=box.x1 + APART * unit))
    said = seen.text.strip()
    is_sure = seen.confidence >= (LIKELY if said in STROKES else SURELY)
    is_sign = len(said) <= MOST_SIGNS and any(sign.isalnum() or sign in FILL_CELLS for sign in said)
    return (said if is_sure else "", seen.cell) if is_sign else ("", "")


def with_lone_signs(lines: Sequence[Line]) -> list[Line]:
    """Where nothing else is Chinese or Japanese, what stands alone and looks like a dash or a box to tick is one."""
    if any(SQUARE_LETTERS.search(line.plain) for line in lines if line.plain not in LOOK_LIKE):
        return list(lines)
    signs = (LOOK_LIKE.get(line.plain) for line in lines)
    return [
        replace(line, text=sign, plain=sign, words=tuple((box, sign) for box, _ in line.words)) if sign else line
        for line, sign in zip(lines, signs, strict=True)
    ]
