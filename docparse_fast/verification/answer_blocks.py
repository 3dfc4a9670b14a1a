"""An answer's blocks beside the drafts: who wrote each word, where each stands, and what only a draft has."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import groupby, pairwise

from docparse_fast.document import FURNITURE, Block, Category, Origin, Provenance, Region, block_of
from docparse_fast.speculative.growing_answer import Decoded, TokenOrigin
from docparse_fast.text.compared_words import word_places
from docparse_fast.text.placed_words import PlacedWords
from docparse_fast.verification.agreement import Comparison, rest_of
from docparse_fast.verification.placing import character_ends, places_of
from docparse_fast.verification.target import DocumentTarget

TOLD_BY_LAYOUT = FURNITURE | {Category.CAPTION, Category.FOOTNOTE}  # a Markdown answer can't name these kinds
INDIVISIBLE = frozenset({Category.TABLE, Category.FORMULA, Category.CODE})  # half of one is useless


def with_origins(
    block: Block, sources: Sequence[str], target: DocumentTarget, tolerated: Set[int] = frozenset()
) -> Block:
    """The block with who wrote each of its words: whether a draft has it too, not whether a pass took it from there."""
    words = list(word_places(block.text))
    marks: list[tuple[Origin, str]] = [
        ("tolerated" if not tolerated.isdisjoint(range(*word)) else "accepted" if source else "own", source)
        for word, source in zip(words, sources or [""] * len(words), strict=True)
    ] or [("own", "")]
    turns = [start for (start, _), before, mark in zip(words[1:], marks, marks[1:], strict=False) if mark != before]
    stretches = pairwise([0, *turns, len(block.text)])
    spans = tuple(
        Provenance(block.text[start:end], *mark)
        for (start, end), (mark, _) in zip(stretches, groupby(marks), strict=True)
        if block.text
    )
    drafts = dict.fromkeys(span.source for span in spans if span.source)
    return replace(block, sources=(*drafts, target.identity.name), spans=spans)


def tolerated(
    decoded: Decoded, tokens: Sequence[int], blocks: Sequence[Block], answer: str, target: DocumentTarget
) -> list[Set[int]]:
    """Of each block the letters that were only nearly the target's choice; they are the answer's, in its order."""
    spans = [span for span in decoded.spans if span.origin is TokenOrigin.TOLERATED and span.start < len(tokens)]
    if not spans:
        return [frozenset() for _ in blocks]
    cuts = [min(cut, len(tokens)) for span in spans for cut in (span.start, span.stop)]
    ends = character_ends(tokens, cuts, target.decode)
    nearly = {at for start, stop in zip(ends[::2], ends[1::2], strict=True) for at in range(start, stop)}
    found: list[Set[int]] = []
    for block, place in zip(blocks, places_of(blocks, answer), strict=True):
        written = range(place.start, place.stop) if place else ()
        letters = (at for at, character in enumerate(block.text) if character.isalnum())
        pairs = zip(letters, (at for at in written if answer[at].isalnum()), strict=False)
        found.append({letter for letter, at in pairs if at in nearly})
    return found


def placed(block: Block, of: int | None, regions: Sequence[Region]) -> Block:
    """The block with its region's box and kind."""
    if of is None:
        return block
    region = regions[of]
    told = block.category is Category.TEXT and region.category in TOLD_BY_LAYOUT
    category = region.category if told else block.category
    return replace(block, box=block.box or region.box, category=category, words=PlacedWords.of(region.words))


def broken_off(block: Block, region: Region) -> tuple[Block, list[Block]]:
    """The answer's last block and the rest of its draft; only the draft if the two can't be joined."""
    if block.category in INDIVISIBLE or region.category in INDIVISIBLE:
        return block_of(region), []
    rest = rest_of(region.text, block.text)
    return block, [replace(block_of(region), text=rest)] if rest else []


def with_missing(
    blocks: list[Block], rest: Sequence[Block], comparison: Comparison, regions: Sequence[Region], *, everything: bool
) -> list[Block]:
    """Adds the rest of what was cut off, the pictures that the target doesn't write and, if its answer was cut off, the
    drafts of everything after that; each after the region before it."""
    there = {of for of in comparison.region_of if of is not None}
    pictures = [block.box for block in blocks if block.category is Category.FIGURE and block.box]
    found = list(zip(comparison.region_of, blocks, strict=True))
    found += [(comparison.region_of[-1], block) for block in rest]
    for n, region in enumerate(regions):
        if region.category is Category.FIGURE:
            missing = not any(region.box.iou(box) > 0.5 for box in pictures)
        else:
            missing = everything and bool(region.text) and n not in there
        if missing:
            before = [at for at, (of, _) in enumerate(found) if of is not None and of < n]
            found.insert(max(before) + 1 if before else 0, (n, block_of(region)))
    return [block for _, block in found]
