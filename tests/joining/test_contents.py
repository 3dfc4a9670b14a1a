"""Contents that are lists on their own pages already."""

from __future__ import annotations

from docparse_fast.document import Block, Box, Category, ParsedDocument, ParsedPage
from docparse_fast.joining import whole


def listed(number: int, *titles: str, level: int = 0) -> ParsedPage:
    blocks = [
        Block(Category.LIST_ITEM, f"- {title} {n}", Box(60, 90 + 20 * n, 540, 102 + 20 * n), level=level)
        for n, title in enumerate(titles, 1)
    ]
    head = Block(Category.SECTION_HEADER, "Contents", Box(60, 60, 540, 80), level=2, type_size=14)
    return ParsedPage(number, 600, 800, 72.0, blocks=(*[head][: number == 1], *blocks))


def levels(*pages: ParsedPage) -> list[list[int]]:
    found = whole(ParsedDocument("a.pdf", "", pages)).pages
    return [[block.level for block in page.blocks if block.category is Category.LIST_ITEM] for page in found]


def test_contents_that_go_on_within_a_chapter_keep_the_depths_that_their_numbers_tell():
    first = listed(1, "1 Rivers", "1.1 Brooks", "2 Seas", "2.1 Ice", "2.2 Salt")
    second = listed(2, "2.2.1 Salt lakes", "2.3 Tides", "3 Rain", "3.1 Clouds", "3.2 Snow")
    assert levels(first, second) == [[0, 1, 0, 1, 1], [2, 1, 0, 1, 1]]


def test_figures_that_are_numbered_by_chapter_are_one_flat_list():
    assert levels(listed(1, "1.1 A brook", "1.2 A lake", "2.1 A sea", "2.2 A storm", "3.1 A cloud")) == [[0] * 5]
