"""Compares draft and answer word by word: finds corrections, omissions and additions. Knows words only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate, chain

from docparse_fast.document import Block, Category, Region
from docparse_fast.evidence import Correction, Invention, Omission
from docparse_fast.text.compared_words import words

FEWEST = 3  # words in a row: a shorter stretch that only one side has is not reported
SUPPORT = 0.3  # of a block's words, or runs of letters, that a region must share to be the same piece of text
MOST = 8  # regions: what more of them have tells none of them
RUN = 8  # letters by which a text is found wherever it stands; 6 and 12 differ for few of 187 stored blocks


@dataclass(frozen=True, slots=True)
class Comparison:
    region_of: tuple[int | None, ...]  # for each block, its region
    sources: tuple[tuple[str, ...], ...]  # for each word of each block, whose draft has it too, or ""
    corrections: tuple[Correction, ...]
    omissions: tuple[Omission, ...]
    inventions: tuple[Invention, ...]
    agreed: float  # part of the draft's words that the target wrote too; 1 if nothing was drafted


def compare(
    regions: Sequence[Region], blocks: Sequence[Block], region_of: Sequence[int | None] | None = None
) -> Comparison:
    """`region_of[i]` is the region of block i, where that is known."""
    drafted = [words(region.text) if region.category is not Category.FIGURE else [] for region in regions]
    written = [words(block.text) if block.category is not Category.FIGURE else [] for block in blocks]
    runs = [
        [] if region.category is Category.FIGURE else [(each.source, _runs(words(each.text))) for each in region.drafts]
        for region in regions
    ]
    if region_of is None:
        region_of = _regions(written, drafted, ([run for _, held in each for run in held] for each in runs))
    by_source: dict[str, set[str]] = {}
    for source, held in chain.from_iterable(runs):
        by_source.setdefault(source, set()).update(held)
    sources = [_found_anywhere(block, by_source) for block in written]
    anywhere = Counter(word for block in written for word in block)
    supported = Counter(word for region in drafted for word in region)
    corrections: list[Correction] = []
    omissions: list[Omission] = []
    inventions: list[Invention] = []
    for n, region in enumerate(regions):
        members = [b for b, of in enumerate(region_of) if of == n]
        theirs = [word for b in members for word in written[b]]
        matcher = SequenceMatcher(None, drafted[n], theirs, autojunk=False)
        for mine, other in _differences(matcher, drafted[n], theirs):
            if mine and other and members:
                corrections.append(Correction(" ".join(mine), " ".join(other), region.box))
            elif len(mine) >= FEWEST and not _covers(anywhere, mine):
                omissions.append(Omission(" ".join(mine), region.box))
            elif len(other) >= FEWEST and not _covers(supported, other):
                inventions.append(Invention(members[0], " ".join(other)))
        found = iter(_sources(matcher, region, theirs))
        for b in members:
            sources[b] = [here or elsewhere for elsewhere, here in zip(sources[b], found, strict=False)]
    for b, of in enumerate(region_of):
        if of is None and len(written[b]) >= FEWEST and not _covers(supported, written[b]):
            inventions.append(Invention(b, " ".join(written[b])))
    total = sum(supported.values())
    agreed = sum((supported & anywhere).values()) / total if total else 1.0
    found_in = tuple(map(tuple, sources))
    return Comparison(tuple(region_of), found_in, tuple(corrections), tuple(omissions), tuple(inventions), agreed)


def rest_of(drafted: str, written: str) -> str:
    """The part of the draft after what was written; the last word written may be incomplete.

    >>> rest_of("The qiuck brown fox jumps.", "The quick brown f")
    'fox jumps.'
    """
    mine, theirs = drafted.split(), written.split()
    blocks = SequenceMatcher(None, mine, theirs[:-1], autojunk=False).get_matching_blocks()
    last = blocks[-2] if len(blocks) > 1 else None  # only the end marker follows it
    # each of the answer's words after the match replaces one word of the draft
    at = len(theirs) - 1 if last is None else last.a + len(theirs) - 1 - last.b
    rest = mine[at:]
    return " ".join(rest[1:] if rest[:1] == theirs[-1:] else rest)


class _Index:
    """Which regions have an item; what more than a few have tells none of them."""

    def __init__(self, items: Iterable[Iterable[str]], sizes: Sequence[int]) -> None:
        self._sizes = sizes
        self._regions: dict[str, list[int]] = {}
        for n, each in enumerate(items):
            for item in set(each):
                if len(found := self._regions.setdefault(item, [])) <= MOST:
                    found.append(n)

    def likest(self, block: Set[str]) -> int | None:
        """Of the regions that share at least half of what one shares: the one of most nearly the block's size, so that
        a region that holds others' words too gives way; the first of equal ones."""
        found = (regions for item in block if len(regions := self._regions.get(item, [])) <= MOST)
        shared, size = Counter(n for regions in found for n in regions), len(block)
        least = max(shared.values(), default=0) / 2
        enough = [n for n, both in shared.items() if both >= max(least, SUPPORT * min(size, self._sizes[n]))]
        return max(enough, key=lambda n: (shared[n] / (size + self._sizes[n]), -n), default=None)


def _regions(written: Sequence[list[str]], drafted: Sequence[list[str]], runs: Iterable[list[str]]) -> list[int | None]:
    """For each block the next region with its very words, or else the one most like it by runs of letters, or by words.

    `runs` are those of all drafts of each region."""
    equal: dict[tuple[str, ...], list[int]] = {}
    for n, region in reversed([*enumerate(drafted)]):
        equal.setdefault(tuple(region), []).append(n)
    by_runs = _Index(runs, [len({*_runs(region)}) for region in drafted])
    by_words = _Index(drafted, [len({*region}) for region in drafted])
    found: list[int | None] = []
    for block in written:
        if block and (left := equal.get(tuple(block))):
            found.append(left.pop())
            continue
        best = by_runs.likest({*_runs(block)})
        found.append(by_words.likest({*block}) if best is None else best)
    return found


def _runs(block: list[str]) -> list[str]:
    letters = "".join(block)
    return [letters[at : at + RUN] for at in range(len(letters) - RUN + 1)]


def _found_anywhere(block: list[str], runs: Mapping[str, Set[str]]) -> list[str]:
    """For each word the first source whose drafts have the whole of it in such runs; `runs` by source."""
    ends = list(accumulate(map(len, block)))
    found = [""] * len(block)
    for source, held in runs.items():
        covered = bytearray(ends[-1] if ends else 0)
        for at, run in enumerate(_runs(block)):
            if run in held:
                covered[at : at + RUN] = b"\1" * RUN
        for n, (word, end) in enumerate(zip(block, ends, strict=True)):
            found[n] = found[n] or source * all(covered[end - len(word) : end])
    return found


def _sources(matcher: SequenceMatcher[str], region: Region, theirs: list[str]) -> list[str]:
    """For each word written there the first of the region's drafts that has it, in its order."""
    found = [""] * len(theirs)
    for n, draft in enumerate(region.drafts):
        if n:
            matcher.set_seq1(words(draft.text))
        for match in matcher.get_matching_blocks() if "" in found else ():
            for at in range(match.b, match.b + match.size):
                found[at] = found[at] or draft.source
    return found


def _differences(
    matcher: SequenceMatcher[str], mine: list[str], theirs: list[str]
) -> Iterator[tuple[list[str], list[str]]]:
    return ((mine[a:b], theirs[c:d]) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal")


def _covers(bag: Counter[str], wanted: list[str]) -> bool:
    """Whether nearly all of these words are somewhere else."""
    return sum((bag & Counter(wanted)).values()) >= 0.8 * len(wanted)
