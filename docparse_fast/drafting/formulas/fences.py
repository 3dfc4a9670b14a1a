"""Joins the parts of tall fences, roots and lying braces, and pairs fences. Knows places and symbols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.atoms import Atom
from docparse_fast.drafting.formulas.printed import PART, Glyph
from docparse_fast.drafting.formulas.signs import BRACES, PARTNERS, Kind
from docparse_fast.geometry import gathered

NEAR = 0.1  # of a part's height: the widest gap between two parts of one sign
SAME_COLUMN = 0.5  # of the narrower part's width that must lie over the other part
SAME_LEVEL = 0.2  # of a tip's height
MOST_PARTS = 200
STACKED = frozenset({*PARTNERS, *PARTNERS.values(), PART, "\\sqrt", "\\uparrow", "\\downarrow"})
LEVEL = 0.6  # of the lower fence's height that a pair must share


def joined_parts(glyphs: Sequence[Glyph], rules: Sequence[Box]) -> tuple[list[Glyph], list[Box]]:
    """One glyph for each fence that is made of parts, and the rules that are no part of a brace."""
    rest = [glyph for glyph in glyphs if glyph.symbol not in STACKED or glyph.whole]
    parts = [glyph for glyph in glyphs if glyph.symbol in STACKED and not glyph.whole]
    parts.sort(key=lambda g: (g.box.y0, g.box.x0))
    whole = [*rest, *parts[MOST_PARTS:], *map(_stacked, gathered(parts[:MOST_PARTS], _continues))]
    return _with_braces(whole, rules)


def _continues(stack: Sequence[Glyph], part: Glyph) -> bool:
    last = stack[-1]
    if PART not in (last.symbol, part.symbol) and last.symbol != part.symbol:
        return False
    width = min(last.box.width, part.box.width)
    gap = part.box.y0 - last.box.y1
    high = min(last.box.height, part.box.height)
    near = -0.5 * high < gap < NEAR * high
    return last.box.overlap_x(part.box) >= SAME_COLUMN * width and near


def _stacked(stack: Sequence[Glyph]) -> Glyph:
    symbol = next((part.symbol for part in stack if part.symbol != PART), "|")
    if len(stack) == 1:
        return replace(stack[0], symbol=symbol)
    return replace(stack[0], symbol=symbol, box=Box.around(part.box for part in stack), baseline=None)


def _with_braces(glyphs: Sequence[Glyph], rules: Sequence[Box]) -> tuple[list[Glyph], list[Box]]:
    """Lying braces are made of tips with rules between them."""
    tips = sorted((g for g in glyphs if g.symbol in BRACES), key=lambda g: g.box.x0)
    if len(tips) < 2:
        return list(glyphs), list(rules)
    groups = gathered(tips, lambda group, tip: _same_brace(group[-1], tip, rules))
    made = [replace(group[0], box=Box.around(tip.box for tip in group)) for group in groups]
    left = [rule for rule in rules if not any(g.box.expanded(1).covers(rule) > 0.9 for g in made)]
    return [*(g for g in glyphs if g.symbol not in BRACES), *made], left


def _same_brace(last: Glyph, tip: Glyph, rules: Sequence[Box]) -> bool:
    if last.box.overlap_y(tip.box) < SAME_LEVEL * last.box.height:
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
        opener = _opener(open_fences, fence)
        if opener is not None:
            del open_fences[open_fences.index(opener) :]
            found.append((opener, fence))
        elif fence.kind is not Kind.CLOSING:
            open_fences.append(fence)
    return found


def _opener(open_fences: Sequence[Atom], fence: Atom) -> Atom | None:
    if fence.kind is Kind.OPENING:
        return None
    level = [f for f in open_fences if f.box.overlap_y(fence.box) > LEVEL * max(f.box.height, fence.box.height)]
    if fence.kind is Kind.FENCE:
        return next((f for f in reversed(level) if f.symbol == fence.symbol), None)
    partner = [f for f in level if PARTNERS.get(f.symbol) == fence.symbol]
    return partner[-1] if partner else next((f for f in reversed(level) if f.kind is Kind.OPENING), None)
