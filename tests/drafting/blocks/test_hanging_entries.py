"""Lists of short entries whose second lines stand farther in, beside prose, whose first lines do."""

from docparse_fast.document import Box
from docparse_fast.drafting.blocks.paragraphs import entry_starts, paragraphs
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
