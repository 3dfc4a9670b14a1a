"""Papers' first pages: people side by side are blocks, not a table's cells."""

import pytest

from docparse_fast.document import Box, Category, TextLayer, TextLine, TextSpan
from docparse_fast.drafting.born_digital.text_layer import reading_of

SIZE = 20.0
COLUMN = ("Ana de la Cruz", "University of Porto", "ana@porto.edu")
OTHER = ("Jo Okafor", "Institute of Physics", "jo@ip.org")


def line(text: str, middle: float, y: float, size: float = SIZE, *, mono: bool = False, bold: bool = False) -> TextLine:
    width = 0.5 * size
    x = middle - width * len(text) / 2
    spans = []
    for word in text.split(" "):
        box = Box(x, y - 0.8 * size, x + width * len(word), y + 0.2 * size)
        font = "Courier" if mono else "Times"
        spans.append(TextSpan(box, word + " ", font, size, y, bold=bold, mono=mono, visible=True))
        x += width * (len(word) + 1)
    return TextLine(Box.around(span.box for span in spans), tuple(spans))


def prose(x0: float, y: float, rows: int = 12) -> list[TextLine]:
    words = "results of this kind were seen by many before now"
    return [line(words, x0 + len(words) * SIZE / 4, y + n * 1.2 * SIZE) for n in range(rows)]


def page(*columns: tuple[str, ...], mono: bool = False) -> TextLayer:
    lines = [line("A Title of a Paper", 600, 100, 36)]
    for n, column in enumerate(columns):
        for k, words in enumerate(column):
            mail = mono and "@" in words
            lines.append(line(words, 200 + 400 * n, 200 + 1.2 * SIZE * k, mono=mail))
    return TextLayer((tuple(lines), tuple(prose(80, 400)), tuple(prose(650, 400))))


def regions(layer: TextLayer):
    return reading_of(layer, 1240, 1754)


@pytest.mark.parametrize("mono", [False, True])
def test_people_side_by_side_are_read_one_by_one(mono):
    read = [
        (region.category, " ".join(region.text.split())) for region in regions(page(COLUMN, OTHER, COLUMN, mono=mono))
    ]
    assert read[1:4] == [(Category.TEXT, " ".join(column)) for column in (COLUMN, OTHER, COLUMN)]


def test_a_table_of_people_stays_a_table():
    names = ("Name", "Ana Cruz", "Jo Okafor", "Li Wei", "Eve Roy")
    places = ("Place", "Porto University", "Institute of Physics", "Kyoto School", "Roy Research")
    mails = ("Mail", "ana@porto.edu", "jo@ip.org", "li@wei.cn", "eve@roy.fr")
    assert Category.TABLE in {region.category for region in regions(page(names, places, mails))}


def test_a_bold_title_in_the_top_margin_is_no_running_head():
    lines = [line("A Title of a Paper", 625, 100, 1.2 * SIZE, bold=True), *prose(80, 250), *prose(650, 250)]
    assert regions(TextLayer((tuple(lines),)))[0].category in (Category.TITLE, Category.SECTION_HEADER)
