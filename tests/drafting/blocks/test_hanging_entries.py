"""Lists of short entries whose second lines stand farther in, beside prose, whose first lines do."""

from dataclasses import replace

from docparse_fast.document import Box
from docparse_fast.drafting.blocks.entries import entry_starts
from docparse_fast.drafting.blocks.paragraphs import paragraphs
from docparse_fast.drafting.lines import Line
from docparse_fast.text.joined_text import joined

FULL = 200.0


def column(*rows: tuple[str, float, float]) -> list[Line]:
    """Each row's words, its left end and its right end."""
    return [Line(Box(x0, 14 * n, x1, 14 * n + 10), text, 10, "text-layer") for n, (text, x0, x1) in enumerate(rows)]


INDEX = column(
    ("set calendar command, 62, 63,", 0, FULL),
    ("361", 40, 55),
    ("set clip command, 165", 0, 110),
    ("set crange command, 255, 364,", 0, FULL),
    ("412", 40, 55),
    ("set grid command, 164, 257,", 0, FULL),
    ("364", 40, 55),
)


def texts(lines: list[Line]) -> list[str]:
    return [joined([line.text for line in group]) for group in paragraphs(lines)]


def test_an_entrys_second_line_stays_with_it():
    assert texts(INDEX) == [
        "set calendar command, 62, 63, 361",
        "set clip command, 165",
        "set crange command, 255, 364, 412",
        "set grid command, 164, 257, 364",
    ]


def test_an_entry_below_a_short_one_is_no_second_line():
    rows = column(
        ("size", 0, 30), ("ratio modifier, 269", 20, 120), ("terminal", 0, 50), ("gif modifier, 271", 20, 110)
    )
    assert True not in entry_starts([*INDEX, *rows], [False, True, True, False, True, False, *[True] * 4])[7:]


def test_first_lines_of_prose_that_stand_farther_in_begin_paragraphs():
    prose = column(
        *[
            row
            for n in range(4)
            for row in ((f"Paragraph {n} begins and", 20, FULL), ("goes on to the end of a line.", 0, FULL))
        ]
    )
    assert len(texts(prose)) == 4
    assert set(entry_starts(prose, [False] * 7)) == {None}


def test_an_entrys_second_line_may_begin_with_a_capital_where_no_line_comes_back_amid_a_sentence():
    """Half the second lines of a list of references began with a journal or a place: entries were torn there."""
    ends = ["Struct. Engrg. Rep. 27.", "tions by hand. Paris.", "Dunod, Paris.", "forms of bridges."]
    rows = [row for n, end in enumerate(ends) for row in ((f"Duan, L. (199{n}). On", 0, FULL), (end, 20, FULL - 2))]
    assert len(texts(column(*rows))) == len(ends)


def test_a_paragraphs_bold_words_may_fill_more_than_a_line():
    """Their first line was a heading, and the next one began a paragraph as a term does."""
    rows = []
    for n in range(3):
        rows += [(f"**Sentence {n} in bold type is**", 20, FULL), ("**long and ends here.** Then", 0, FULL)]
        rows += [("the paragraph goes on.", 0, 120)]
    lines = [replace(line, bold=line.text.endswith("**"), plain=line.text.replace("*", "")) for line in column(*rows)]
    assert len(paragraphs(lines)) == 3
