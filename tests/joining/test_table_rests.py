"""Rows of a table that stand alone at the top of the next page, or of the next column."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docparse_fast.document import Block, Box, Category, ParsedDocument, ParsedPage
from docparse_fast.evidence import Doubt, PageEvidence
from docparse_fast.joining import flowing, flowing_page, whole, with_compared_words
from docparse_fast.rendering.csv_tables import csv_files, with_csv_names
from docparse_fast.rendering.markdown import render_markdown, render_page
from docparse_fast.text.placed_words import PlacedWord, PlacedWords

LEFT, STEP, LINE = (60, 120, 400), 40, 15  # where columns begin, from row to row, from line to line
HEAD = ("No.", "Action", "Due")
ROWS = [("1", "Open the lower store", "2025-07-19"), ("2", "Mend the pump", "2025-07-26"), ("3", "Pay", "2025-08-02")]
REST = ("4", "Share the heating plan", "2025-08-09")


def words_of(text: str, x: float, y: float) -> list[PlacedWord]:
    found = []
    for word in text.split():
        found.append((Box(x, y, x + 6 * len(word), y + 10), word))
        x += 6 * len(word) + 3
    return found


def block(text: str, x: float, y: float, category: Category = Category.TEXT) -> Block:
    words = [word for n, line in enumerate(text.split("\n")) for word in words_of(line, x, y + LINE * n)]
    said = " ".join(text.split())
    return Block(category, said, Box.around(box for box, _ in words), words=PlacedWords.of(words))


def loose(row: tuple[str, ...], y: float, by: float = 0) -> list[Block]:
    return [block(cell, x + by, y) for cell, x in zip(row, LEFT, strict=True) if cell]


def table(y: float, *rows: tuple[str, ...]) -> Block:
    placed = [(cell, x, y + STEP * n) for n, row in enumerate(rows) for cell, x in zip(row, LEFT, strict=True)]
    words = [word for cell, x, top in placed for word in words_of(cell, x, top)]
    marks = ["th", *["td"] * (len(rows) - 1)]
    html = "".join(
        f"<tr>{''.join(f'<{mark}>{cell}</{mark}>' for cell in row)}</tr>" for mark, row in zip(marks, rows, strict=True)
    )
    box = Box.around(box for box, _ in words)
    return Block(Category.TABLE, f"<table>{html}</table>", box, words=PlacedWords.of(words))


FIRST = ParsedPage(1, 600, 800, 72.0, blocks=(table(620, HEAD, *ROWS),))
PROSE = "The next meeting is held in the hall behind the harbour, as it was in the spring of the year before. "
AFTER = block(4 * PROSE, 60, 200)


def second(*blocks: Block) -> ParsedPage:
    return ParsedPage(2, 600, 800, 72.0, blocks=blocks)


def read(*pages: ParsedPage, **options: object) -> ParsedDocument:
    return whole(ParsedDocument("a.pdf", "", pages, options=options))


def tables(document: ParsedDocument) -> list[str]:
    flown = [block for page in flowing(document).pages for block in page.blocks]
    return [block.text for block in flown if block.category is Category.TABLE and block.text]


def test_a_row_alone_on_the_next_page_is_a_row_of_the_table():
    """Minutes had the last action as four lines of text on their second page."""
    found = read(FIRST, second(*loose(REST, 60), AFTER))
    row = "".join(f"<td>{cell}</td>" for cell in REST)
    assert [text.endswith(f"<tr>{row}</tr></table>") for text in tables(found)] == [True]
    assert found.pages[1].blocks[-1] == AFTER and not found.pages[1].evidence.doubts


def test_its_file_of_the_table_has_the_row():
    found = read(FIRST, second(*loose(REST, 60)))
    (text,) = csv_files(flowing(with_csv_names(found, flowing(found)))).values()
    assert text.splitlines()[-1] == ",".join(REST) and ",".join(REST) in _pipes(found)


def _pipes(document: ParsedDocument) -> str:
    return render_markdown(flowing(document), tables="pipe").replace(" | ", ",")


def test_a_cell_of_several_lines_is_one_cell_and_the_next_row_another():
    rest = [block("4", 60, 60), block("Share the\nplan of the heating", 120, 60), block("2025-08-09", 400, 60)]
    found = read(FIRST, second(*rest, *loose(("5", "Ask", "2025-08-16"), 60 + STEP + LINE)))
    assert "<td>Share the plan of the heating</td>" in tables(found)[0] and tables(found)[0].count("<tr>") == 6


def test_a_row_that_leaves_cells_blank_joins_and_has_a_doubt():
    found = read(FIRST, second(*loose(("", "All that is left to do", "2025-08-09"), 60), AFTER))
    assert len(tables(found)) == 1
    assert [each.kind for each in found.pages[1].evidence.doubts] == ["doubtful_table"]


@pytest.mark.parametrize(
    "blocks",
    [
        pytest.param([AFTER], id="a paragraph"),
        pytest.param([block("Share the heating plan", 60, 60, Category.SECTION_HEADER), AFTER], id="a heading"),
        pytest.param([block("4", 60, 60), AFTER], id="one piece"),
        pytest.param([block("- Share the plan", 60, 60, Category.LIST_ITEM), AFTER], id="a list"),
        pytest.param([block("4", 60, 60), block("Share the plan", 160, 60), AFTER], id="pieces at other places"),
        pytest.param([block("Present", 60, 60), block("Ann 4, Ben 5", 120, 60)], id="another kind of contents"),
        pytest.param([*loose(REST, 60), block("beside it", 500, 62), AFTER], id="something beside it"),
    ],
)
def test_other_lines_stay_text(blocks):
    found = read(FIRST, second(*blocks))
    assert found.pages[1].blocks == tuple(blocks) and len(tables(found)) == 1


def test_a_table_far_above_its_page_s_end_does_not_go_on():
    first = ParsedPage(1, 600, 800, 72.0, blocks=(table(100, HEAD, *ROWS),))
    assert not read(first, second(*loose(REST, 60))).pages[1].continues


def test_a_head_and_a_row_that_were_read_as_pairs_are_that():
    """A repeated head and one row below it were labels with their values."""
    pairs = table(60, HEAD, REST)
    rows = "".join(f"<tr><td>{head}</td><td>{cell}</td></tr>" for head, cell in zip(HEAD, REST, strict=True))
    found = read(FIRST, second(replace(pairs, text=f"<table>{rows}</table>"), AFTER))
    assert tables(found)[0].count("<tr>") == 5 and tables(found)[0].count("Action") == 1


def test_a_row_at_the_top_of_the_next_column_is_a_row_of_the_table():
    page = ParsedPage(1, 1200, 800, 72.0, blocks=(table(620, HEAD, *ROWS), *loose(REST, 60, by=540)))
    (found,) = read(page).pages
    assert render_page(flowing_page(found)).count("<tr>") == 5


def test_pages_that_are_not_compared_stay_and_have_a_doubt():
    blocks = (*loose(REST, 60), AFTER)
    found = read(FIRST, second(*blocks), no_join=True)
    assert found.pages[1].blocks == blocks
    assert [each.kind for each in found.pages[1].evidence.doubts] == ["doubtful_table"]


def test_a_doubt_about_a_block_below_keeps_its_block():
    evidence = PageEvidence(doubts=(Doubt("torn_sentence", "half", 3),))
    found = read(FIRST, replace(second(*loose(REST, 60), AFTER), evidence=evidence)).pages[1]
    assert found.blocks[found.evidence.doubts[0].block or 0] == AFTER


def test_pages_from_a_journal_are_joined_as_if_they_were_just_read():
    """A run that goes on has pages back without most of their words."""
    pages = [with_compared_words(page) for page in (FIRST, second(*loose(REST, 60), AFTER))]
    assert len(tables(read(*pages))) == 1 and not pages[1].blocks[-1].words
