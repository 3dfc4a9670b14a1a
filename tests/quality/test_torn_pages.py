"""Signs of a torn page: an order that the white between its blocks doesn't bear out."""

from docparse_fast.document import Block, Box, Category
from docparse_fast.quality.finished_page import FinishedPage
from docparse_fast.quality.structure import MEASURES, measured, structure_of

SENTENCE = "The new pump has paid for two of the older machines so that work can begin on Monday."
DATES = [Block(Category.TEXT, f"{2022 - n} – {2023 - n}", Box(60, 200 + 100 * n, 150, 220 + 100 * n)) for n in range(3)]
POSTS = [Block(Category.TEXT, "Clerk, Ralsby Ltd", Box(260, 200 + 100 * n, 420, 220 + 100 * n)) for n in range(3)]
DUTIES = [Block(Category.LIST_ITEM, SENTENCE, Box(260, 224 + 100 * n, 800, 270 + 100 * n)) for n in range(3)]
HEADS = [
    Block(Category.SECTION_HEADER, name, Box(60, y, 200, y + 20), level=2)
    for name, y in (("Posts", 160), ("Skills", 520))
]
SKILLS = Block(Category.TEXT, SENTENCE, Box(60, 560, 800, 580))


def uncut_steps(blocks: list[Block]) -> float:
    return measured(FinishedPage(blocks))[MEASURES.index("uncut_steps")]


def test_dates_before_all_posts_and_a_heading_between_are_steps_that_no_cut_makes():
    rows = [block for row in zip(DATES, POSTS, DUTIES, strict=True) for block in row]
    posts = [block for row in zip(POSTS, DUTIES, strict=True) for block in row]
    whole, torn = [HEADS[0], *rows, HEADS[1], SKILLS], [HEADS[0], *DATES, HEADS[1], *posts, SKILLS]
    assert uncut_steps(whole) == 0 < uncut_steps(torn)
    assert structure_of(torn) < structure_of(whole)


def test_two_columns_may_be_read_one_by_one_though_their_blocks_stand_level():
    assert uncut_steps([*DATES, *POSTS]) == uncut_steps([DATES[0], POSTS[0], DATES[1], POSTS[1]]) == 0
