"""Decides which pages share Stage 1's passes: neighbours in the document. Knows pages and words.

Windows end by page numbers and words alone, blank and failed pages included, so a resumed run gives every page the same
result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from docparse_fast.drafted import DraftedPage

PAGES_TOGETHER = 4  # more would hold more images in memory
WORDS_TOGETHER = 4000  # of their drafts


def blocks(numbers: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The document's page numbers in the groups from which `windows` are made.

    >>> list(blocks([1, 2, 3, 5, 8]))
    [(1, 2, 3, 5), (8,)]
    """
    for at in range(0, len(numbers), PAGES_TOGETHER):
        yield tuple(numbers[at : at + PAGES_TOGETHER])


def windows(pages: Iterable[DraftedPage], is_read: Callable[[DraftedPage], bool]) -> Iterator[list[DraftedPage]]:
    """Groups the pages of a document, or of one block, reading them as they are needed.

    `is_read` says whether Stage 1 reads crops of a page. Those before the first such page of a window wait for no other
    page: each comes alone, at once.
    """
    window: list[DraftedPage] = []
    words = 0
    for place, page in enumerate(pages, start=1):
        words += sum(len(region.text.split()) for region in page.regions) if page.is_to_verify else 0
        if window or is_read(page):
            window.append(page)
        else:
            yield [page]
        if place % PAGES_TOGETHER == 0 or words >= WORDS_TOGETHER:
            if window:
                yield window
            window, words = [], 0
    if window:
        yield window
