"""Joins what is one sign in several pieces, as a longer arrow or vertical dots, and upright letters to words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.atoms import Atom, Parts, around, replaced
from docparse_fast.drafting.formulas.latex import LEFT_HOOK, MAPS, NOT, RIGHT_HOOK
from docparse_fast.drafting.formulas.marks import Setter
from docparse_fast.drafting.formulas.printed import Glyph, LetterStyle
from docparse_fast.drafting.formulas.signs import AXIS, FUNCTIONS, MORE_FUNCTIONS, TAKE_LIMITS, Kind, kind_of

NEGATED = {
    "=": "\\neq", "\\in": "\\notin", "\\leq": "\\nleq", "\\geq": "\\ngeq", "<": "\\nless", ">": "\\ngtr",
    "\\sim": "\\nsim", "\\exists": "\\nexists", "\\subseteq": "\\nsubseteq", "\\mid": "\\nmid",
}  # fmt: skip
TOUCHING = {
    ("-", "\\rightarrow"): "\\longrightarrow",
    ("\\leftarrow", "-"): "\\longleftarrow",
    ("\\leftarrow", "\\rightarrow"): "\\longleftrightarrow",
    ("=", "\\Rightarrow"): "\\Longrightarrow",
    ("\\Leftarrow", "="): "\\Longleftarrow",
    ("\\Leftarrow", "\\Rightarrow"): "\\Longleftrightarrow",
    (MAPS, "\\rightarrow"): "\\mapsto",
    (MAPS, "\\longrightarrow"): "\\longmapsto",
    (LEFT_HOOK, "\\rightarrow"): "\\hookrightarrow",
    ("\\leftarrow", RIGHT_HOOK): "\\hookleftarrow",
    ("\\mapsto", "\\rightarrow"): "\\mapsto",
    ("\\hookleftarrow", "\\rightarrow"): "\\hookrightarrow",
    ("\\leftarrow", "\\hookrightarrow"): "\\hookleftarrow",
    ("|", "="): "\\models",
    ("\\|", "="): "\\models",
    (":", "="): ":=",
    ("\\int", "\\int"): "\\iint",
    ("\\iint", "\\int"): "\\iiint",
    ("\\triangleright", "\\triangleleft"): "\\bowtie",
}
WINDOW = 40  # signs: lines above and below come between two parts of one sign
STACKED = {
    ("\\sim", "="): "\\cong",
    (".", "="): "\\doteq",
    ("\\dot", "="): "\\doteq",
    ("\\triangle", "="): "\\triangleq",
    ("\\sim", "-"): "\\simeq",
    ("<", "\\sim"): "\\lesssim",
    (">", "\\sim"): "\\gtrsim",
}
STEP = (0.2, 0.6)  # of the type's size: how far below each other the points of vertical dots stand
SLOPE, OFF_SLOPE = 0.39, 0.12  # the same, how far to the right the next of diagonal dots stands
LEAST_SIZE = 1.0  # of type whose size is not known, as on scans: no points stand so near each other
CROSSING = 0.7  # of a slash's width that lies on what it crosses out
AGAINST = 0.04  # of the type's size: how near two parts of one sign stand
WHITE = {"\\int": 0.2, LEFT_HOOK: 0.5, MAPS: 0.5}  # the same, of signs whose boxes are narrower than their ink
WORDY = frozenset({LetterStyle.ROMAN, LetterStyle.TEXT_ITALIC, LetterStyle.SANS, LetterStyle.MONO, LetterStyle.BOLD})
LETTER_GAP = 0.12  # of the type's size: letters this near are one word
SPLIT_NAMES = {("lim", "sup"): "limsup", ("lim", "inf"): "liminf", ("arg", "max"): "argmax", ("arg", "min"): "argmin"}
SAME_LINE = 0.05  # of the type's size
TWO_PARTS = 0.3  # of the type's size: the widest gap in `lim sup`


def with_words(parts: Parts, setter: Setter) -> Parts:
    atoms, rules = parts
    letters = sorted((a for a in atoms if _is_letter(a)), key=lambda a: (round(a.axis / (0.1 * a.size)), a.box.x0))
    for run in _joined_names(_runs(letters)):
        if len(run) > 1 or run[0].symbol in FUNCTIONS:
            atoms = replaced(atoms, run, _word(run))
    return atoms, rules


def _is_letter(atom: Atom) -> bool:
    return not atom.made and atom.style in WORDY and (atom.symbol.isalpha() or atom.symbol in ("-", "'", "’"))


def _runs(letters: Sequence[Atom]) -> list[list[Atom]]:
    runs: list[list[Atom]] = []
    for letter in letters:
        if runs and _continues(runs[-1][-1], letter, LETTER_GAP):
            runs[-1].append(letter)
        else:
            runs.append([letter])
    return [run for run in runs if any(a.symbol.isalpha() for a in run)]


def _continues(last: Atom, letter: Atom, widest: float) -> bool:
    gap = letter.box.x0 - last.box.x1
    level = abs(letter.axis - last.axis) < SAME_LINE * last.size
    alike = letter.style is last.style and abs(letter.size - last.size) < SAME_LINE * last.size
    return level and alike and -0.3 * last.size < gap < widest * last.size


def _joined_names(runs: Sequence[list[Atom]]) -> list[list[Atom]]:
    """`lim sup` and its like are one name."""
    joined: list[list[Atom]] = []
    for run in runs:
        names = ("".join(a.symbol for a in joined[-1]), "".join(a.symbol for a in run)) if joined else ("", "")
        if names in SPLIT_NAMES and _continues(joined[-1][-1], run[0], TWO_PARTS):
            joined[-1] = joined[-1] + run
        else:
            joined.append(run)
    return joined


def _word(run: Sequence[Atom]) -> Atom:
    text = "".join(atom.symbol for atom in run)
    first = run[0]
    if first.style is LetterStyle.ROMAN and text in FUNCTIONS | MORE_FUNCTIONS:
        kind = Kind.BIG if text in TAKE_LIMITS else Kind.LETTER
        star = "*" * (kind is Kind.BIG)
        name = f"\\{text}" if text in FUNCTIONS else f"\\operatorname{star}{{{text}}}"
        return replace(first, box=around(run), latex=name, kind=kind, symbol="\\name")
    return replace(first, box=around(run), latex=text, symbol="\\word")


def joined_signs(glyphs: Sequence[Glyph]) -> list[Glyph]:
    glyphs = sorted(_with_dots(glyphs), key=lambda g: (g.box.x0, g.symbol not in (NOT, MAPS, LEFT_HOOK)))
    made = _over_each_other(_negated(glyphs))
    joined: list[Glyph] = []
    for glyph in made:
        before = next((g for g in reversed(joined[-WINDOW:]) if _touch(g, glyph)), None)
        if before is None:
            joined.append(glyph)
        else:
            symbol = TOUCHING[before.symbol, glyph.symbol]
            joined[joined.index(before)] = replace(before, symbol=symbol, box=Box.around([before.box, glyph.box]))
    return joined


def _with_dots(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Three points under each other, or down a slope, are one sign."""
    points = sorted((glyph for glyph in glyphs if glyph.symbol == "."), key=lambda glyph: glyph.box.y0)
    made = list(glyphs)
    while points:
        first = points.pop(0)
        for slope, sign in ((0.0, "\\vdots"), (SLOPE, "\\ddots")):
            second = _next_point(first, points, slope)
            third = _next_point(second, points, slope) if second else None
            if second and third:
                made = [glyph for glyph in made if not any(glyph is point for point in (first, second, third))]
                made.append(_dots(sign, first, Box.around([first.box, third.box])))
                break
    return made


def _next_point(point: Glyph, points: Sequence[Glyph], slope: float) -> Glyph | None:
    size = point.size or LEAST_SIZE
    x, y = point.box.center
    steps = ((other, (other.box.center[0] - x) / size, (other.box.center[1] - y) / size) for other in points)
    return next((o for o, dx, dy in steps if STEP[0] < dy < STEP[1] and abs(dx - slope) < OFF_SLOPE), None)


def _dots(sign: str, point: Glyph, box: Box) -> Glyph:
    return replace(point, symbol=sign, box=box, baseline=box.center[1] + AXIS * (point.size or LEAST_SIZE))


def _negated(glyphs: Sequence[Glyph]) -> list[Glyph]:
    strokes = [glyph for glyph in glyphs if glyph.symbol == NOT or _crosses(glyph, glyphs)]
    made = [glyph for glyph in glyphs if not any(glyph is stroke for stroke in strokes)]
    for stroke in strokes:
        under = [g for g in made if kind_of(g.symbol) is Kind.RELATION and g.box.expanded(1).holds(stroke.box)]
        near = min(under, key=lambda g: abs(g.box.center[0] - stroke.box.center[0]), default=None)
        if near is not None:
            symbol = NEGATED.get(near.symbol, f"\\not{near.symbol}")
            made[made.index(near)] = replace(near, symbol=symbol)
    return made


def _crosses(slash: Glyph, glyphs: Sequence[Glyph]) -> bool:
    """Whether a slash stands on a relation, not between two signs."""
    return slash.symbol == "/" and any(
        kind_of(glyph.symbol) is Kind.RELATION
        and glyph.box.overlap_x(slash.box) > CROSSING * slash.box.width
        and glyph.box.overlap_y(slash.box) > CROSSING * glyph.box.height
        for glyph in glyphs
    )


def _over_each_other(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Signs such as `\\sim` right over `=`, which are one relation."""
    made: list[Glyph] = []
    for glyph in glyphs:
        other = next((g for g in made[-WINDOW:] if _stacked(g, glyph) or _stacked(glyph, g)), None)
        if other is None:
            made.append(glyph)
        else:
            symbol = STACKED.get((other.symbol, glyph.symbol)) or STACKED[glyph.symbol, other.symbol]
            made[made.index(other)] = replace(other, symbol=symbol, box=Box.around([other.box, glyph.box]))
    return made


def _stacked(over: Glyph, under: Glyph) -> bool:
    if (over.symbol, under.symbol) not in STACKED:
        return False
    gap = under.box.y0 - over.box.y1
    middle = abs(over.box.center[0] - under.box.center[0])
    width = under.box.width
    return middle < 0.2 * width and -0.3 * width < gap < 0.3 * width


def _touch(before: Glyph, glyph: Glyph) -> bool:
    if (before.symbol, glyph.symbol) not in TOUCHING:
        return False
    size = glyph.size or glyph.box.height + before.box.height
    same = before.size is None or glyph.size is None or abs(before.size - glyph.size) < 0.1 * size
    level = before.box.overlap_y(glyph.box) > 0.4 * min(before.box.height, glyph.box.height)
    gap = glyph.box.x0 - before.box.x1
    room = WHITE.get(before.symbol, AGAINST)
    return same and level and gap < room * size
