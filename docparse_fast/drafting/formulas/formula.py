"""Sets displayed formulas from the places of their glyphs: fractions, roots, limits, raised and lowered parts.

A formula stands apart from prose, has mathematical signs, and is laid out in two dimensions. Parts that geometry can't
describe (matrices, cases, accents) are written in reading order, like plain text. Knows no pixels.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.formulas.latex import BIG, FUNCTIONS, OPERATOR, RELATION, latex_text

MATH_FONT = re.compile(
    r"CM(MI|SY|EX|BSY|MIB)|MSBM|MSAM|EUFM|RSFS|STIX|math|symbol|MT-?Extra|Euclid|XITS|Asana|wasy|stmary|rtxmi|txsy|pxsy",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W\d_]{3,}")
NUMBERED = re.compile(r"^\(?(?P<number>[A-Z]?\.?\d{1,3}(?:\.\d{1,3}){0,2}[a-z]?)\)$")
MOST_WORDS = 2  # of prose in a formula's line
ABOVE = 0.9  # of the type's size: how near in height two parts of one formula stand
BESIDE = 2.5  # of the type's size, the same along the line
RAISED, LOWERED = 0.18, 0.1  # of the type's size: how far a script's baseline stands off
SCRIPT = 0.92  # of the base's size: a script is smaller
LIMITS = 0.7  # of the type's size: how far above or below a sum its limits begin
AXIS = 0.26  # of the type's size above the baseline: where fraction bars lie
MOST_LINES = 40
FENCES = frozenset("()[]{}|∥⟨⟩⌊⌋⌈⌉/")


@dataclass(frozen=True, slots=True)
class Formula:
    box: Box
    latex: str
    lines: frozenset[int]  # indexes of the lines it is made of


def formulas(lines: Sequence[TextLine], rules: Sequence[Box]) -> list[Formula]:
    """Displayed formulas among `lines`."""
    bars = [rule for rule in rules if rule.width > 2 * rule.height]
    prose = [i for i, line in enumerate(lines) if is_prose(line)]
    found = []
    for cluster in _clusters(lines, [i for i in range(len(lines)) if i not in set(prose)], bars):
        spans = [span for i in cluster for span in lines[i].spans if span.text.strip()]
        box = Box.around(span.box for span in spans)
        if not is_formula(spans) or _touches_prose(box, spans, [lines[i] for i in prose]):
            continue
        number, rest = _number(spans)
        near = [bar for bar in bars if box.expanded(0.5 * spans[0].size).covers(bar) > 0.9]
        text = _rows(rest, near)
        if text:
            text = f"{text} \\tag{{{number}}}" if number else text
            found.append(Formula(box, text, frozenset(cluster)))
    return found


def is_prose(line: TextLine) -> bool:
    """Whether a line consists of words rather than signs."""
    words = [
        word
        for span in line.spans
        if not MATH_FONT.search(span.font)
        for word in WORD.findall(span.text)
        if word.lower() not in FUNCTIONS
    ]
    letters = sum(map(len, words))
    total = sum(len(span.text.strip()) for span in line.spans)
    return len(words) > MOST_WORDS or letters > 0.55 * total


def is_formula(spans: Sequence[TextSpan]) -> bool:
    """Whether the words have a relation sign, and either a second dimension or mathematical type."""
    text = "".join(span.text for span in spans)
    if not (RELATION.search(text) or any(char in BIG for char in text)) or not re.search(r"\w", text):
        return False
    largest = max(span.size for span in spans)
    scripts = any(span.size < SCRIPT * largest for span in spans)
    typed = any(MATH_FONT.search(span.font) or OPERATOR.search(span.text) for span in spans)
    slanted = any(span.italic and len(span.text.strip()) <= 4 for span in spans)
    return typed or slanted or (scripts and len(text) > 3)


# ----------------------------------------------------------------------------------------------- finding


def _clusters(lines: Sequence[TextLine], members: Sequence[int], bars: Sequence[Box]) -> list[list[int]]:
    """Groups pieces that stand close above or beside each other; a bar joins the parts above and below it."""
    groups: list[tuple[Box, float, list[int]]] = []
    for index in sorted(members, key=lambda i: lines[i].box.y0):
        box = _reach(lines[index], bars)
        size = max(span.size for span in lines[index].spans)
        touching = [g for g in groups if _near(g[0], box, max(g[1], size))]
        groups = [g for g in groups if g not in touching]
        groups.append(
            (
                Box.around([box, *(g[0] for g in touching)]),
                max([size, *(g[1] for g in touching)]),
                [index, *(i for g in touching for i in g[2])],
            )
        )
    return [sorted(group) for _, _, group in groups if len(group) <= MOST_LINES]


def _reach(line: TextLine, bars: Sequence[Box]) -> Box:
    """A piece's box with the bars right above or below it, and with room for limits over and under a sum."""
    size = max(span.size for span in line.spans)
    limits = [span.box for span in line.spans if span.text.strip() in BIG]
    grown = line.box.expanded(0.5 * size)
    reaching = [Box(box.x0, box.y0 - LIMITS * size, box.x1, box.y1 + LIMITS * size) for box in limits]
    return Box.around(
        [line.box, *reaching, *(bar for bar in bars if bar.width < 40 * size and grown.covers(bar) > 0.3)]
    )


def _near(a: Box, b: Box, size: float) -> bool:
    across = max(a.x0 - b.x1, b.x0 - a.x1)
    down = max(a.y0 - b.y1, b.y0 - a.y1)
    return (across < BESIDE * size and down < 0) or (across < 0.5 * size and down < 0.35 * size)


def _touches_prose(box: Box, spans: Sequence[TextSpan], prose: Sequence[TextLine]) -> bool:
    """Whether words stand on the formula's own line, so that it is part of their sentence."""
    size = max(span.size for span in spans)
    for line in prose:
        level = line.box.overlap_y(box) > 0.4 * min(line.box.height, box.height)
        apart = max(line.box.x0 - box.x1, box.x0 - line.box.x1)
        if level and apart < 1.5 * size:
            return True
    return False


def _number(spans: Sequence[TextSpan]) -> tuple[str, list[TextSpan]]:
    """The equation's number, if there is one on the right, and the other words."""
    right = max(spans, key=lambda span: span.box.x0)
    match = NUMBERED.match(right.text.strip())
    others = [span for span in spans if span is not right]
    if match and others and right.box.x0 - max(span.box.x1 for span in others) > right.size:
        return match["number"], others
    return "", list(spans)


# ---------------------------------------------------------------------------------------------- setting


@dataclass(frozen=True, slots=True)
class _Atom:
    """A word or a finished part, as LaTeX."""

    box: Box
    latex: str
    size: float
    baseline: float
    big: bool = False  # takes limits
    root: bool = False


def _rows(spans: Sequence[TextSpan], bars: Sequence[Box]) -> str:
    """The lines of a formula; each is set separately."""
    atoms = [_atom(span) for span in spans]
    size = max(atom.size for atom in atoms)
    parts: list[list[_Atom]] = []
    bottom = 0.0
    tying = [(bar, ABOVE * size) for bar in bars] + [(atom.box, LIMITS * size) for atom in atoms if atom.big]
    tied = [Box(box.x0 - reach / 2, box.y0 - reach, box.x1 + reach / 2, box.y1 + reach) for box, reach in tying]
    for atom in sorted(atoms, key=lambda atom: atom.box.y0):
        held = any(box.intersection(atom.box) and box.y0 < bottom for box in tied)
        if parts and (atom.box.y0 < bottom + 0.3 * size or held):
            parts[-1].append(atom)
        else:
            parts.append([atom])
            bottom = atom.box.y1
        bottom = max(bottom, atom.box.y1, atom.baseline)
    set_rows = [_set(part, list(bars)) for part in parts]
    return " \\\\ ".join(row for row in set_rows if row)


def _atom(span: TextSpan) -> _Atom:
    text = span.text.strip()
    hanging = text in FENCES and span.box.height > 1.25 * span.size  # such glyphs stand on no baseline
    return _Atom(
        span.box,
        latex_text(text, bold=span.bold, upright=not span.italic and not MATH_FONT.search(span.font)),
        span.size,
        span.box.center[1] + AXIS * span.size if hanging else span.baseline,
        big=text in BIG or text in ("lim", "max", "min", "sup", "inf", "argmax", "argmin"),
        root=text == "√",
    )


def _set(atoms: list[_Atom], bars: list[Box]) -> str:
    """Sets one line of a formula: roots, then fractions, then limits become atoms; the rest is a row."""
    if not atoms:
        return ""
    inside = Box.around(atom.box for atom in atoms)
    bars = [bar for bar in bars if inside.expanded(0.6 * atoms[0].size).covers(bar) > 0.9]
    while True:
        smaller = _with_root(atoms, bars) or _with_fraction(atoms, bars)
        if smaller is None:
            return _row(_with_limits(atoms))
        atoms, bars = smaller


def _with_root(atoms: list[_Atom], bars: list[Box]) -> tuple[list[_Atom], list[Box]] | None:
    for root in (atom for atom in atoms if atom.root):
        for bar in bars:
            if abs(bar.x0 - root.box.x1) < 0.5 * root.size and bar.y0 < root.box.center[1]:
                under = [a for a in atoms if a is not root and _over(bar, a) and a.box.center[1] > bar.y1]
                under = [a for a in under if a.box.y0 < max(root.box.y1, root.baseline) + 0.1 * root.size]
                if under:
                    rest = [b for b in bars if b is not bar]
                    box = Box.around((root.box, bar, *(a.box for a in under)))
                    main = max(under, key=lambda a: a.size)
                    made = _Atom(box, f"\\sqrt{{{_set(under, rest)}}}", main.size, main.baseline)
                    return [*(a for a in atoms if a is not root and a not in under), made], rest
    return None


def _with_fraction(atoms: list[_Atom], bars: list[Box]) -> tuple[list[_Atom], list[Box]] | None:
    """Sets the widest bar that has atoms above and below it."""
    for bar in sorted(bars, key=lambda bar: -bar.width):
        held = [atom for atom in atoms if _over(bar, atom)]
        over = [atom for atom in held if atom.box.center[1] < bar.y0]
        under = [atom for atom in held if atom.box.center[1] > bar.y1]
        if over and under:
            rest = [b for b in bars if b is not bar]
            size = max(atom.size for atom in held)
            box = Box.around((bar, *(atom.box for atom in held)))
            text = f"\\frac{{{_set(over, rest)}}}{{{_set(under, rest)}}}"
            made = _Atom(box, text, size, bar.center[1] + AXIS * size)
            left = [b for b in rest if not box.covers(b) > 0.9]
            return [*(atom for atom in atoms if atom not in held), made], left
    return None


def _over(bar: Box, atom: _Atom) -> bool:
    """Whether an atom stands over or under a bar, not beside it."""
    return bar.x0 - 0.15 * atom.size <= atom.box.center[0] <= bar.x1 + 0.15 * atom.size


def _with_limits(atoms: list[_Atom]) -> list[_Atom]:
    """Sets sums and similar signs with the atoms right above and below them."""
    for big in [atom for atom in atoms if atom.big]:
        reach = Box(big.box.x0 - big.size, big.box.y0, big.box.x1 + big.size, big.box.y1)
        small = [a for a in atoms if a is not big and a.size < SCRIPT * big.size and not a.big]
        small = [a for a in small if reach.x0 <= a.box.center[0] <= reach.x1]
        below = [a for a in small if a.box.y0 > big.box.y1 - 0.2 * big.size and abs(a.box.y0 - big.box.y1) < big.size]
        above = [a for a in small if a.box.y1 < big.box.y0 + 0.2 * big.size and abs(big.box.y0 - a.box.y1) < big.size]
        if below or above:
            text = big.latex + _script("_", _set(below, [])) + _script("^", _set(above, []))
            box = Box(big.box.x0, big.box.y0, big.box.x1, big.box.y1)
            main = [a.baseline for a in atoms if a.size >= big.size and not a.big and a not in (*below, *above)]
            made = _Atom(box, text, big.size, main[0] if main else big.baseline)
            atoms = [a for a in atoms if a is not big and a not in below and a not in above] + [made]
    return atoms


def _row(atoms: list[_Atom]) -> str:
    """Sets the atoms of one baseline, each with the scripts after it."""
    atoms = sorted(atoms, key=lambda atom: atom.box.x0)
    size = max(atom.size for atom in atoms)
    levels = [atom.baseline for atom in atoms if atom.size > SCRIPT * size and not atom.big]
    main = sorted(levels)[len(levels) // 2] if levels else atoms[0].baseline
    text = ""
    raised: list[_Atom] = []
    lowered: list[_Atom] = []
    for atom in atoms:
        off = (main - atom.baseline) / size
        if not text and not atom.big and off > RAISED and atom.size <= SCRIPT * size:
            off = 0.0  # nothing to raise it from
        if atom.size <= SCRIPT * size and off > RAISED and not atom.big:
            raised.append(atom)
        elif atom.size <= SCRIPT * size and off < -LOWERED and not atom.big:
            lowered.append(atom)
        else:
            text = _joined(text + _scripts(lowered, raised), atom.latex)
            raised, lowered = [], []
    return text + _scripts(lowered, raised)


def _scripts(lowered: list[_Atom], raised: list[_Atom]) -> str:
    return _script("_", _set(lowered, [])) + _script("^", _set(raised, []))


def _script(sign: str, text: str) -> str:
    return f"{sign}{{{text}}}" if text else ""


def _joined(before: str, after: str) -> str:
    """Joins the parts, with a blank where a command or sign would run into the next letter or sign."""
    if not before or not after:
        return before + after
    command = re.search(r"\\[A-Za-z]+$", before) is not None and after[0].isalpha()
    signs = RELATION.match(after) or RELATION.search(before[-1:]) or after[0] == "\\"
    return f"{before} {after}" if command or signs else before + after
