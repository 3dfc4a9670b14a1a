"""Joins what is one sign in several pieces, as a longer arrow or a tall fence, and upright letters to words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.atoms import Atom, Parts, Setter, of_kind, replaced
from docparse_fast.drafting.formulas.signs import BRACES, FUNCTIONS, NAMES, PARTNERS, TAKE_LIMITS, Kind
from docparse_fast.drafting.formulas.type import LEFT_HOOK, MAPS, NOT, PART, RIGHT_HOOK, Glyph, LetterStyle
from docparse_fast.drafting.measures import ACROSS, HELD, LOWERED
from docparse_fast.geometry import around, gathered, parted, runs

NEAR = 0.1  # of a part's height: the widest gap between two parts of one sign
MOST_PARTS = 200
STACKED = frozenset({*PARTNERS, *PARTNERS.values(), PART, "\\sqrt", "\\uparrow", "\\downarrow"})
LEVEL = 0.6  # of the lower fence's height that a pair must share


def joined_parts(glyphs: Sequence[Glyph], rules: Sequence[Box]) -> tuple[list[Glyph], list[Box]]:
    """One glyph for each fence that is made of parts, and the rules that are no part of a brace."""
    parts, rest = parted(glyphs, lambda glyph: glyph.symbol in STACKED and not glyph.whole)
    parts.sort(key=lambda g: (g.box.y0, g.box.x0))
    whole = [*rest, *parts[MOST_PARTS:], *map(_stacked, gathered(parts[:MOST_PARTS], _follows))]
    return _with_braces(whole, rules)


def _follows(stack: Sequence[Glyph], part: Glyph) -> bool:
    last = stack[-1]
    if PART not in (last.symbol, part.symbol) and last.symbol != part.symbol:
        return False
    width = min(last.box.width, part.box.width)
    gap = part.box.y0 - last.box.y1
    high = min(last.box.height, part.box.height)
    near = -0.5 * high < gap < NEAR * high
    return last.box.overlap_x(part.box) >= HELD * width and near


def _stacked(stack: Sequence[Glyph]) -> Glyph:
    symbol = next((part.symbol for part in stack if part.symbol != PART), "|")
    if len(stack) == 1:
        return replace(stack[0], symbol=symbol)
    return replace(stack[0], symbol=symbol, box=around(stack), baseline=None)


def _with_braces(glyphs: Sequence[Glyph], rules: Sequence[Box]) -> tuple[list[Glyph], list[Box]]:
    """Lying braces are made of tips with rules between them."""
    tips = sorted((g for g in glyphs if g.symbol in BRACES), key=lambda g: g.box.x0)
    if len(tips) < 2:
        return list(glyphs), list(rules)
    groups = gathered(tips, lambda group, tip: _same_brace(group[-1], tip, rules))
    made = [replace(group[0], box=around(group)) for group in groups]
    left = [rule for rule in rules if not any(g.box.expanded(1).covers(rule) > 0.9 for g in made)]
    return [*(g for g in glyphs if g.symbol not in BRACES), *made], left


def _same_brace(last: Glyph, tip: Glyph, rules: Sequence[Box]) -> bool:
    if last.box.overlap_y(tip.box) < ACROSS * last.box.height:
        return False
    gap = tip.box.x0 - last.box.x1
    between = Box(last.box.x1, last.box.y0, tip.box.x0, last.box.y1)
    return gap < NEAR * last.box.width or any(
        rule.overlap_x(between) > 0.8 * gap and rule.overlap_y(between.expanded(1)) > 0 for rule in rules
    )


def pairs(atoms: Sequence[Atom]) -> list[tuple[Atom, Atom]]:
    """Fences that belong together, inner pairs first; `|` closes what `|` opened."""
    found: list[tuple[Atom, Atom]] = []
    open_fences: list[Atom] = []
    for fence in sorted((atom for atom in atoms if atom.is_fence), key=lambda atom: atom.box.x0):
        opener = _opener(open_fences, fence) if fence.kind is not Kind.OPENING else None
        if opener is not None:
            del open_fences[open_fences.index(opener) :]
            found.append((opener, fence))
        elif fence.kind is not Kind.CLOSING:
            open_fences.append(fence)
    return found


def _opener(open_fences: Sequence[Atom], fence: Atom) -> Atom | None:
    high = fence.box.height
    level = [f for f in reversed(open_fences) if f.box.overlap_y(fence.box) > LEVEL * max(f.box.height, high)]
    partners = [f for f in level if PARTNERS.get(f.symbol, f.symbol) == fence.symbol]
    others = of_kind(level, Kind.OPENING) if fence.kind is Kind.CLOSING else []
    return next(iter([*partners, *others]), None)


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
AGAINST = 0.04  # of the type's size: how near two parts of one sign stand
WHITE = {"\\int": 0.2, LEFT_HOOK: 0.5, MAPS: 0.5}  # the same, of signs whose boxes are narrower than their ink
WORDY = frozenset({LetterStyle.ROMAN, LetterStyle.TEXT_ITALIC, LetterStyle.SANS, LetterStyle.MONO, LetterStyle.BOLD})
LETTER_GAP = 0.12  # of the type's size: letters this near are one word


def with_words(parts: Parts, setter: Setter) -> Parts:
    atoms, rules = parts
    letters = sorted((a for a in atoms if _is_letter(a)), key=lambda a: (round(a.axis / (0.1 * a.size)), a.box.x0))
    words = runs(letters, lambda word, letter: _continues(word[-1], letter))
    for word in words:
        if len(word) > 1 and any(letter.symbol.isalpha() for letter in word):
            atoms = replaced(atoms, word, _word(word))
    return atoms, rules


def _is_letter(atom: Atom) -> bool:
    return not atom.made and atom.style in WORDY and (atom.symbol.isalpha() or atom.symbol in ("-", "'", "’"))


def _continues(last: Atom, letter: Atom) -> bool:
    gap = letter.box.x0 - last.box.x1
    level = abs(letter.axis - last.axis) < LOWERED * last.size
    alike = letter.style is last.style and abs(letter.size - last.size) < LOWERED * last.size
    return level and alike and -0.3 * last.size < gap < LETTER_GAP * last.size


def _word(run: Sequence[Atom]) -> Atom:
    text, first = "".join(letter.symbol for letter in run), run[0]
    if first.style is LetterStyle.ROMAN and text in NAMES:
        kind = Kind.BIG if text in TAKE_LIMITS else Kind.LETTER
        star = "*" * (kind is Kind.BIG)
        name = f"\\{text}" if text in FUNCTIONS else f"\\operatorname{star}{{{text}}}"
        return replace(first, box=around(run), latex=name, kind=kind, symbol="\\name")
    return replace(first, box=around(run), latex=text, symbol="\\word")


def joined_signs(glyphs: Sequence[Glyph]) -> list[Glyph]:
    joined: list[Glyph] = []
    for glyph in sorted(glyphs, key=lambda g: (g.box.x0, g.symbol not in (NOT, MAPS, LEFT_HOOK))):
        before = next((g for g in reversed(joined[-WINDOW:]) if _touch(g, glyph)), None)
        if before is None:
            joined.append(glyph)
        else:
            symbol = TOUCHING[before.symbol, glyph.symbol]
            joined[joined.index(before)] = replace(before, symbol=symbol, box=Box.around([before.box, glyph.box]))
    return joined


def _touch(before: Glyph, glyph: Glyph) -> bool:
    if (before.symbol, glyph.symbol) not in TOUCHING:
        return False
    size = glyph.size or glyph.box.height + before.box.height
    same = before.size is None or glyph.size is None or abs(before.size - glyph.size) < 0.1 * size
    level = before.box.overlap_y(glyph.box) > 0.4 * min(before.box.height, glyph.box.height)
    gap = glyph.box.x0 - before.box.x1
    room = WHITE.get(before.symbol, AGAINST)
    return same and level and gap < room * size
