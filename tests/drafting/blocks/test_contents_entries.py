from collections.abc import Sequence

from docparse_fast.document import Box
from docparse_fast.drafting.blocks.contents_entries import parted_from_contents
from docparse_fast.drafting.lines import Line

RIGHT = 500


def rows(*texts: Sequence[str]) -> list[Line]:
    """Rows of cells; the last one of several ends at the right edge."""
    return [
        Line(_box(n, number, len(cells), text), text, 10, "embedded")
        for n, cells in enumerate(texts)
        for number, text in enumerate(cells)
    ]


def _box(row: int, number: int, cells: int, text: str) -> Box:
    width = 5 * len(text)
    x = RIGHT - width if number and number == cells - 1 else 40 + 60 * number
    return Box(x, 100 + 14 * row, x + width, 112 + 14 * row)


NUMBERED = (
    ("1", "Rivers", "3"),
    ("1.1", "Brooks", "3"),
    ("1.2", "Lakes", "7"),
    ("2", "Seas", "12"),
    ("3", "Ice", "30"),
)
LED = (("Rivers . . .", "3"), ("Brooks . .", "3"), ("Lakes", "7"), ("Seas . . .", "12"), ("Ice", "30"))


HEADING = ("Contents",)
AFTER = (("4", "What follows"), ("Rain falls on the hills and runs",), ("down to the sea.",))


def parted(*texts: Sequence[str]) -> tuple[list[str], list[str]]:
    entries, rest = parted_from_contents(rows(*texts))
    return [entry.text for entry in entries], [line.plain for line in rest]


def test_numbered_titles_with_pages_that_rise_are_contents():
    assert parted(HEADING, *NUMBERED)[0] == [
        "- 1 Rivers 3",
        "- 1.1 Brooks 3",
        "- 1.2 Lakes 7",
        "- 2 Seas 12",
        "- 3 Ice 30",
    ]


def test_leaders_tell_contents_and_are_left_out():
    assert parted(HEADING, *LED)[0] == ["- Rivers 3", "- Brooks 3", "- Lakes 7", "- Seas 12", "- Ice 30"]


def test_a_leader_and_its_page_may_be_read_with_the_title():
    led = ((f"{title[0].rstrip(' .')} .... {title[1]}",) for title in LED)
    assert parted(HEADING, *led)[0][0] == "- Rivers 3"


def test_a_title_goes_on_in_the_next_row():
    entries, _ = parted(HEADING, ("2", "Of rivers that have"), ("no name", "2"), *NUMBERED)
    assert entries[0] == "- 2 Of rivers that have no name 2"


def test_rows_below_the_heading_that_count_down_or_have_columns_of_numbers_are_no_contents():
    down = [("1", "Rivers", "30"), ("2", "Brooks", "12"), ("3", "Lakes", "7"), ("4", "Seas", "5"), ("5", "Ice", "3")]
    several = [(*cells[:2], "8.1", "9.2", cells[2]) for cells in NUMBERED]
    assert [parted(HEADING, *table)[0] for table in (down, several)] == [[], []]


def test_contents_end_where_no_row_ends_with_a_page():
    entries, rest = parted(HEADING, *NUMBERED, *AFTER)
    assert entries[-1] == "- 3 Ice 30"
    assert rest == ["Contents", *(cell for row in AFTER for cell in row)]


def test_each_dot_of_a_leader_may_be_a_piece_of_its_own():
    dotted = [(*row[:2], ".", ".", ".", row[2]) for row in NUMBERED]
    assert parted(HEADING, *dotted)[0][1] == "- 1.1 Brooks 3"


def test_numbered_rows_without_a_heading_that_says_so_are_left_alone():
    assert parted(("Lengths",), *NUMBERED)[0] == []


def test_two_lists_below_headings_that_name_them_stay_two_lists():
    figures = [("List of Figures",), ("1", "Rivers", "23"), ("2", "Brooks", "33"), ("3", "Seas", "37")]
    tables = [("List of Tables",), ("1", "Depths", "47"), ("2", "Lengths", "56")]
    entries, others = parted_from_contents(rows(*figures, *tables))
    texts = [region.text for region in entries]
    assert texts == ["- 1 Rivers 23", "- 2 Brooks 33", "- 3 Seas 37", "- 1 Depths 47", "- 2 Lengths 56"]
    assert [line.plain for line in others] == ["List of Figures", "List of Tables"]
