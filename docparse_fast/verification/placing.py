"""Finds each block in the answer it was parsed from, and the token that wrote each character. Knows text only.

A dialect's parser returns blocks without positions, because it removes JSON escapes, marks and blanks. It keeps letters
and digits, so a block is found by these, searching from the end of the block before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from docparse_fast.document import Block

SHORTEST_LOOK = 24  # letters to search for if the whole block can't be found


@dataclass(frozen=True, slots=True)
class BlockPlace:
    start: int
    stop: int


def places_of(blocks: Sequence[Block], answer: str) -> list[BlockPlace | None]:
    """Each block's place in the answer; None for a block that has no letters or can't be found.

    >>> places_of([Block("text", "A b"), Block("text", "c")], "# A b\\n\\nc")
    [BlockPlace(start=2, stop=5), BlockPlace(start=7, stop=8)]
    """
    letters, at = _letters(answer)
    found: list[BlockPlace | None] = []
    cursor = 0
    for block in blocks:
        wanted, _ = _letters(block.text)
        start = letters.find(wanted, cursor) if wanted else -1
        stop = start + len(wanted)
        if start < 0 and len(wanted) > SHORTEST_LOOK:  # the parser changed something inside
            start = letters.find(wanted[:SHORTEST_LOOK], cursor)
            stop = min(start + len(wanted), len(letters))
        if start < 0:
            found.append(None)
            continue
        found.append(_with_marks(BlockPlace(at[start], at[stop - 1] + 1), block.text, answer))
        cursor = stop
    return found


def _with_marks(place: BlockPlace, text: str, answer: str) -> BlockPlace:
    """Extends the place by the marks before its first letter and after its last, if the answer has the same ones."""
    inner = [n for n, character in enumerate(text) if character.isalnum()]
    head, tail = text[: inner[0]], text[inner[-1] + 1 :]
    return BlockPlace(
        place.start - len(head) * answer.endswith(head, 0, place.start),
        place.stop + len(tail) * answer.startswith(tail, place.stop),
    )


def _letters(text: str) -> tuple[str, list[int]]:
    """The letters and digits, and their positions. Tags and escapes have letters too, but on both sides alike."""
    at = [place for place, character in enumerate(text) if character.isalnum()]
    return "".join(text[place] for place in at), at


def character_ends(tokens: Sequence[int], cuts: Sequence[int], decode: Callable[[Sequence[int]], str]) -> list[int]:
    """For each of the rising `cuts`: how many characters the first `cuts[i]` tokens write."""
    whole = decode(tokens)
    pieces = [decode(tokens[start:stop]) for start, stop in zip([0, *cuts], cuts, strict=False)]
    ends = []
    length = 0
    for piece in pieces:
        length += len(piece)
        ends.append(length)
    if "".join(pieces) == whole[:length]:
        return ends
    return [len(decode(tokens[:cut])) for cut in cuts]  # a character's bytes are in two pieces
