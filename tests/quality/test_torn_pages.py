"""Signs of a torn page: an order that white doesn't bear out, words and cells where a whole table has none."""

import pytest

from docparse_fast.document import Block, Box, Category, PageDraft
from docparse_fast.quality.doubts import doubts_of
from docparse_fast.quality.finished_page import FinishedPage
from docparse_fast.quality.structure import MEASURES, measured, structure_of
from docparse_fast.quality.torn_rows import torn_row
from docparse_fast.text.placed_words import PlacedWords

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


def prose(text: str, top: float, category: Category = Category.TEXT) -> Block:
    return Block(category, text, Box(60, top, 600, top + 60))


REST = "for two of the older machines so that work can begin on Monday."


def test_a_text_that_begins_within_a_sentence_that_none_begins_is_told():
    blocks = [prose(SENTENCE, 60), prose("Time (s)", 140), prose(REST, 200)]
    doubts = list(doubts_of(blocks, PageDraft(1, 900, 1200), None, None, cut_off=False))
    assert [(each.kind, each.block) for each in doubts] == [("torn_sentence", 2)]
    assert measured(FinishedPage(blocks))[MEASURES.index("begun_apart")] == 1


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(
            prose("The new pump, which a firm of this town has made for the yard, has paid", 139), id="its beginning"
        ),
        pytest.param(prose("x = 1", 139, Category.FORMULA), id="a formula"),
        pytest.param(prose("The new pump has paid:", 139), id="a colon"),
        pytest.param(prose("Keywords", 139, Category.SECTION_HEADER), id="a heading"),
    ],
)
def test_a_text_in_small_letters_is_not_told_behind(before):
    assert "torn_sentence" not in kinds([prose(SENTENCE, 60), before, prose(REST, 200)])


def test_a_second_row_of_heads_tells_two_tables_side_by_side():
    """A price list's groups stood above its heads: nothing was odd in the first row."""
    groups = "<tr><th>Office</th><th></th><th>Yard</th><th></th></tr>"
    heads = "<tr><th>Ref</th><th>Price Ref</th><th>Name</th><th>Price</th></tr>"
    row = "<tr><td>A1</td><td>3.20 W-12</td><td>Lamp</td><td>9.50</td></tr>"
    table = Block(Category.TABLE, f"<table>{groups}{heads}{3 * row}</table>", Box(60, 60, 600, 300))
    assert "doubtful_table" in kinds([table])
    assert measured(FinishedPage([table]))[MEASURES.index("words_before_figures")] > 0


def test_a_float_without_its_caption_and_a_cell_that_goes_on_are_counted():
    rows = "<tr><th>Item</th><th>Sum</th></tr><tr><td>Chair with</td><td>3</td></tr><tr><td>a back</td><td></td></tr>"
    table = Block(Category.TABLE, f"<table>{rows}</table>", Box(60, 60, 600, 300))
    caption = prose("Table 1. Chairs", 310, Category.CAPTION)

    def signs(*blocks: Block) -> list[float]:
        found = dict(zip(MEASURES, measured(FinishedPage(blocks)), strict=True))
        return [found["uncaptioned"], found["cells_that_go_on"]]

    assert signs(table) == [1, 0.25]
    assert signs(table, caption)[0] == 0


def kinds(blocks: list[Block]) -> set[str]:
    return {doubt.kind for doubt in doubts_of(blocks, PageDraft(1, 900, 1200), None, None, cut_off=False)}


def worded(category: Category, text: str, lines: list[list[tuple[float, str]]], top: float = 0.0) -> Block:
    """`lines` from above, of words by their left ends."""
    words = [
        (Box(x, top + 30 * n, x + 10 * len(said), top + 30 * n + 20), said)
        for n, line in enumerate(lines)
        for x, said in line
    ]
    return Block(category, text, Box.around(box for box, _ in words), words=PlacedWords.of(words))


def sentence(words: str, left: float = 0.0) -> list[tuple[float, str]]:
    placed, x = [], left
    for word in words.split():
        placed.append((x, word))
        x += 10 * len(word) + 6
    return placed


BODY = [[(0, "Monday"), (150, "4"), (300, "8:30")], [(0, "Friday"), (150, "7"), (300, "9:30")]]


def test_a_sentence_in_several_cells_of_a_table_is_a_doubt():
    """An e-mail's last sentence above a table was its head, word by word."""
    heads = [(0, "Day"), (150, "Gate"), (300, "Time")]
    rows = "<tr><td>Monday</td><td>4</td><td>8:30</td></tr><tr><td>Friday</td><td>7</td><td>9:30</td></tr>"
    taken_in = "<tr><td>The workshop Day</td><td>stays shut on Gate</td><td>Friday then Time</td></tr>"
    line = sentence("The workshop stays shut on Friday then")
    torn = worded(Category.TABLE, f"<table>{taken_in}{rows}</table>", [line, heads, *BODY])
    assert kinds([torn]) == {"doubtful_table"}
    leaders = worded(Category.TABLE, f"<table>{rows}</table>", [*BODY, sentence("Mon . . . . . . . 4 . . . 8:30")])
    assert not kinds([leaders])
    named = "<tr><td>Day</td><td>Gate</td><td>Time</td></tr>"
    assert not kinds([worded(Category.TABLE, f"<table>{named}{rows}</table>", [heads, *BODY])])


ACCOUNTS = "".join(f"<tr><td>{name}</td><td>{n}.50</td><td>{n}.75</td></tr>" for n, name in enumerate("ABCD"))


def test_a_head_that_is_a_table_of_its_own_is_a_doubt():
    """A balance sheet's ruled years were a table above it."""
    years = Block(Category.TABLE, "<table><tr><td>2026</td><td>2025</td></tr></table>", Box(150, 100, 400, 120))
    rows = Block(Category.TABLE, f"<table>{ACCOUNTS}</table>", Box(0, 125, 400, 245))
    assert kinds([years, rows]) == {"doubtful_table"}
    headed = Block(Category.TABLE, f"<table><tr><th>Item</th><th>A</th><th>B</th></tr>{ACCOUNTS}</table>", rows.box)
    assert not kinds([years, headed])


def test_a_row_of_a_head_in_the_text_above_a_table_is_a_doubt():
    """A data sheet's upper row of heads was a paragraph."""
    rows = "<tr><td></td><td></td><td>A-3</td></tr><tr><td>Mass</td><td>kg</td><td>199</td></tr>"
    table = worded(
        Category.TABLE, f"<table>{rows}</table>", [[(300, "A-3")], [(0, "Mass"), (150, "kg"), (300, "199")]], 100
    )
    heads = worded(Category.TEXT, "Name Unit Type", [[(0, "Name"), (150, "Unit"), (300, "Type")]], 70)
    assert kinds([heads, table]) == {"doubtful_table"}
    assert not kinds([worded(Category.TEXT, "Our machines weigh little", [sentence("Our machines")], 70), table])


def test_a_head_that_names_one_of_several_columns_is_a_doubt():
    lost = "<table><tr><th></th><th>Value</th><th></th></tr><tr><td>1 May</td><td>2 May</td><td>Fee</td></tr></table>"
    assert kinds([Block(Category.TABLE, lost, Box(0, 0, 400, 60))]) == {"doubtful_table"}
    spanning = lost.replace("<th></th><th>Value</th><th></th>", '<th colspan="3">Value</th>')
    assert not kinds([Block(Category.TABLE, spanning, Box(0, 0, 400, 60))])


def test_a_head_that_returns_at_the_end_of_another_is_a_doubt():
    """Two price lists side by side were one table, their middle columns one."""
    heads = "<tr><th>No.</th><th>Name</th><th>Price No.</th><th>Name</th><th>Price</th></tr>"
    body = "<tr><td>E-1</td><td>Door</td><td>3.60 S-6</td><td>Lead</td><td>9.65</td></tr>"
    assert "doubtful_table" in kinds([Block(Category.TABLE, f"<table>{heads}{body}</table>", Box(0, 0, 400, 60))])
    whole = heads.replace("Price No.", "Price")
    assert not kinds([Block(Category.TABLE, f"<table>{whole}{body}</table>", Box(0, 0, 400, 60))])


def test_lines_of_a_text_that_end_with_amounts_are_a_doubt():
    """A letter's three items on a scan were a sentence."""
    items = [sentence(f"{name} 07/05/2025 {n}06,98 EUR") for n, name in enumerate(("Filter", "Armchair", "Tube"))]
    text = " ".join(word for line in items for _, word in line)
    assert kinds([worded(Category.TEXT, text, items)]) == {"doubtful_table"}
    assert not kinds([worded(Category.TEXT, text, items[:2])])


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        ([["Run", "A", "B"], ["one", "0.3", "0.9"], ["two 0.7 94.5 0.6", "", ""]], "torn_row"),
        ([["Item", "Sum"], ["Wall paint, white 10", "8.54"], ["l", ""]], "torn_row"),
        ([["Run", "A", "B"], ["one", "0.9 43.2 ±", "1.9"], ["two", "0.5", "0.6"]], "torn_row"),
        ([["Size", "mm", "+/-"], ["Width", "12.0", "± 0.1"], ["Depth", "9.5", "± 0.2"]], None),
        (
            [["No.", "Name", "Mark"], ["1", "Lyle", "79"], ["", "Galen", ""], ["2", "Ole", "5"], ["", "Dahl", ""]],
            "torn_row",
        ),
        ([["No.", "Name"], ["1", "Ada"], ["2", "Ole"], ["•", "Kim"], ["4", "Eva"], ["5", "Lea"]], "odd_cell"),
        ([["Item", "Due"], ["Blind", "E227.96"], ["Filter", "£2,471.74"]], "odd_cell"),
        ([["Item", "Due"], ["Blind", "1 351,68"], ["Filter", "54 067,20"]], None),
        ([["Qty", "Price"], ["12", "1.50"], ["2", "8.00"], ["3", "9.00"], ["4", "1.00"]], None),
        ([["Item", "Price"], ["$", ""], ["Blue", "9.10"]], None),
        ([["Letter", "Sum"], ["Azure", "8.54"], ["B", ""], ["Blue", "9.10"]], None),
        ([["Item", "Due"], ["Blind", "£227.96"], ["Filter", "£2,471.74"]], None),
    ],
)
def test_what_a_cell_says_shows_a_row_that_is_torn_or_a_sign_misread(rows, kind):
    cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    assert kinds([Block(Category.TABLE, f"<table>{cells}</table>", Box(0, 0, 400, 60))]) == ({kind} if kind else set())


def test_thousands_set_apart_by_a_blank_are_one_figure():
    """Polish bills, whole, were doubted for two such amounts in a row."""
    rows = [
        ["Item", "Price", "Due"],
        ["Pump", "750,00", "80,00"],
        ["Valve", "1 351,68", "54 067,20"],
        ["Rope", "2,00", "4,00"],
    ]
    assert torn_row(rows) is None
    assert torn_row([[cell.replace(" ", "  0", 1) for cell in row] for row in rows]) == 3
