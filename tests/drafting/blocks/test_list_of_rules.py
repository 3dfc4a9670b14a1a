"""The list of rules, and what it leaves behind in a block."""

from dataclasses import replace

from docparse_fast.document import Box, Category, Draft, Region
from docparse_fast.drafting.blocks.assembly import assemble
from docparse_fast.drafting.blocks.drafted_block import DraftedBlock
from docparse_fast.drafting.blocks.rules import with_footnotes, with_their_likes
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import Measures


def row(text: str, y: float, *, x: float = 50.0, bold: bool = False, size: float = 10.0) -> Line:
    box = Box(x, y, x + 5 * len(text), y + 1.2 * size)
    return Line(box, f"**{text}**" if bold else text, size, "text-layer", bold=bold, plain=text)


PROSE = [
    row("Words that fill a line of their column from end to end, as prose does.", 200.0 + 12 * n) for n in range(6)
]


def because(*lines: Line) -> list[tuple[Category, str]]:
    found = assemble([*lines, *PROSE], 600, 800)
    return [(region.category, region.because) for region in found]


def test_a_block_says_by_which_sign_it_is_what_it_is():
    found = because(row("A larger line", 100, size=14), row("• an item of a list", 160))
    assert found == [(Category.SECTION_HEADER, "heading judge"), (Category.LIST_ITEM, "marker"), (Category.TEXT, "")]


def test_a_block_that_a_rule_made_something_else_bears_its_name():
    assert because(row("2.1 Basic functions of a brass band in a town", 186))[0] == (
        Category.SECTION_HEADER,
        "with_sections",
    )
    assert because(row("1. Introduction", 150, bold=True))[0] == (Category.SECTION_HEADER, "with_numbered")


def test_a_bold_line_above_a_list_is_a_heading():
    """It was a term, since the items below it are set farther in."""
    items = [row(f"{n}. The brass band repaired the gate", 150 + 14 * n, x=70) for n in (1, 2)]
    (kind, _), *rest = because(row("Travel advice", 150, bold=True), *items)
    assert (kind, rest[0]) == (Category.SECTION_HEADER, (Category.LIST_ITEM, "marker"))


def drafted(line: Line, kind: Category) -> DraftedBlock:
    return DraftedBlock(Region(line.box, kind, (Draft(line.text, "text-layer"),)), [line])


def kinds_of_names(*kinds: Category, size: float = 12) -> list[Category]:
    """Bold lines that were taken for these, after the rule."""
    lines = [row("The week ahead", 60.0 * n, bold=True, size=size) for n in range(len(kinds))]
    made = [drafted(line, kind) for line, kind in zip(lines, kinds, strict=True)]
    return [block.category for block in with_their_likes(made, Measures(10, 800))]


def test_a_bold_line_is_a_heading_where_half_of_its_likes_are():
    head, text = Category.SECTION_HEADER, Category.TEXT
    assert kinds_of_names(head, text) == [head, head]
    assert kinds_of_names(head, text, text) == [head, text, text]


def columns(above: str, following: str, number: str = "") -> list[Region]:
    """A column with small print at its foot, and another one beside it."""
    left = [row("Words that fill all of one narrow column here", 480.0 + 12 * n) for n in range(5)]
    small = [row(f"{number}Permission to make copies of all this is granted to", 600 + 9 * n, size=7) for n in range(3)]
    right = [row("Words that fill all of one narrow column here", 480.0 + 12 * n, x=320) for n in range(1, 14)]
    first = row(following, 480, x=320)
    return [*assemble([*left, row(above, 540), *small, first, *right], 600, 800)]


def test_small_print_within_a_sentence_is_a_note_behind_it():
    """Papers' permissions stood between the columns, within a word."""
    *_, last = columns("and it is the use of a standardised and hard-", "coded set of words that fill a column")
    assert (last.category, last.because) == (Category.FOOTNOTE, "with_notes_amid_text")
    numbered = columns("and it is the use of a standardised and hard-", "coded set of words that fill a column", "1. ")
    assert numbered[-1].category is Category.FOOTNOTE
    assert not any(region.category is Category.FOOTNOTE for region in columns("and so it ends.", "Another sentence"))


def test_a_bold_line_that_names_the_table_below_it_is_no_heading():
    table = Region(Box(50, 130, 400, 190), Category.TABLE, (Draft("<table></table>", "text-layer"),))
    found = assemble([row("Table 4 Pressures on land", 105, bold=True), *PROSE], 600, 800, fixed=[table])
    assert found[0].category is Category.CAPTION


def front(*above: Line) -> list[Category]:
    """A title, these, and the abstract's heading."""
    title, abstract = row("On the drying of clay", 40, bold=True, size=17), row("Abstract", 180, bold=True, size=12)
    return [kind for kind, _ in because(title, *above, abstract)][: len(above) + 2]


def test_authors_between_title_and_abstract_are_no_headings():
    head, text = Category.SECTION_HEADER, Category.TEXT
    names = [row(name, 80.0 + 30 * n, bold=True, size=12) for n, name in enumerate(("Ludwig Hothorn", "Kurt Zeileis"))]
    title, *authors, abstract = front(*names)
    assert (authors, abstract) == ([text, text], head) and title in (head, Category.TITLE)
    assert [kind for kind, _ in because(*names)][:2] == [head, head]


def test_a_title_below_a_journals_larger_name_stays_one():
    above = row("Toxins", 10, bold=True, size=26)
    title = row("On the drying of clay", 40, bold=True, size=17)
    found = because(above, title, row("Abstract", 180, bold=True, size=12))
    assert found[1][0] in (Category.SECTION_HEADER, Category.TITLE)


def note(text: str, y: float) -> Line:
    return row(text, y, size=8)


def test_the_rest_of_a_note_of_the_page_before_stands_above_the_next_note():
    """It stood within the sentence that goes on over the page's end."""
    rest, begun = note("soul, which teaches us nothing.", 740), note("⁴ A never-ending regress.", 770)
    assert [kind for kind, _ in because(rest, begun)][-2:] == [Category.FOOTNOTE] * 2
    assert because(rest)[-1][0] is Category.TEXT


def test_a_note_below_another_may_be_in_the_type_of_the_text():
    made = [
        drafted(line, kind)
        for line, kind in zip(
            (row("¹ https://a.example.org", 740), row("² An example.", 755)),
            (Category.FOOTNOTE, Category.TEXT),
            strict=True,
        )
    ]
    assert [block.category for block in with_footnotes(made, Measures(10, 800))] == [Category.FOOTNOTE] * 2


def test_a_dish_and_its_price_head_nothing():
    """On a menu some of the dishes were headings of what describes them."""
    dish = row("Lentils with mint", 150, bold=True)
    priced = Line(
        Box(50, 150, 300, 162),
        "**Lentils with mint** 9,50",
        10,
        "text-layer",
        bold=True,
        plain="Lentils with mint 9,50",
    )
    words = ((Box(50, 150, 135, 162), "mint"), (Box(280, 150, 300, 162), "9,50"))
    kinds = [because(replace(each, words=words[:n]))[0][0] for each, n in ((dish, 1), (priced, 2))]
    assert kinds == [Category.SECTION_HEADER, Category.TEXT]
