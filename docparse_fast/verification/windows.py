"""Which pages share Stage 1's passes: neighbours, by their places in the document. Knows pages and words.

Only places count, those of blank and failed pages too: so a page comes out the same wherever a run was broken off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from docparse_fast.drafted import DraftedPage

PAGES_TOGETHER = 4  # more would hold more images
WORDS_TOGETHER = 4000  # of their drafts


def blocks(numbers: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """A document's page numbers, in the groups from which `windows` are made.

    >>> list(blocks([1, 2, 3, 5, 8]))
    [(1, 2, 3, 5), (8,)]
    """
    for at in range(0, len(numbers), PAGES_TOGETHER):
        yield tuple(numbers[at : at + PAGES_TOGETHER])


def windows(pages: Iterable[DraftedPage]) -> Iterator[list[DraftedPage]]:
    """A document's pages from its first, or those of one block, drawn as they are needed."""
    window: list[DraftedPage] = []
    words = 0
    for place, page in enumerate(pages, start=1):
        window.append(page)
        words += sum(len(region.text.split()) for region in page.regions) if page.is_to_verify else 0
        if place % PAGES_TOGETHER == 0 or words >= WORDS_TOGETHER:
            yield window
            window, words = [], 0
    if window:
        yield window
