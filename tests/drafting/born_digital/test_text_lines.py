"""Words of a text layer as lines."""

from counted import calls_of

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.born_digital.text_lines import text_lines


def line(text: str, x: float, size: float) -> TextLine:
    box = Box(x, 100 - size, x + 0.5 * size * len(text), 100)
    return TextLine(box, (TextSpan(box, text, "Serif", size, 100),))


def test_many_small_words_level_with_each_other_look_for_larger_ones_alone():
    """4,000 notes on a page took four times as long as 2,000."""

    def cost(count: int) -> int:
        words = [line("note", 60 * n, 6) for n in range(count)]
        lines = [line("Prose", 60 * count, 12), *words]
        return calls_of(lambda: text_lines(lines))

    cost(10)
    assert cost(160) < 2.5 * cost(80)


def test_a_word_whose_letters_are_set_in_fonts_of_their_own_stands_as_one():
    """Chromium's Type 3 fonts hold a part of the letters each: a cell of such a table read `82 . 36`."""
    letters = [("82", 0), (".", 10), ("36 ", 12), ("net", 26)]
    spans = [TextSpan(Box(x, 90, x + 4.9 * len(text.strip()), 100), text, f"T{x}", 10, 100) for text, x in letters]
    spans[1] = TextSpan(Box(10, 90, 12, 100), ".", "T10", 10, 100)
    (read,) = text_lines([TextLine(Box(0, 90, 41, 100), tuple(spans))])
    assert [text for _, text in read.words] == ["82.36", "net"]


def test_lines_beside_a_drop_cap_are_no_marks_of_it():
    """A magazine's first three lines were raised marks of its initial, word by word: `On boat for a grey lies`."""
    initial = TextLine(Box(51, 132, 75, 170), (TextSpan(Box(51, 132, 75, 170), "O", "Serif", 34, 162),))
    beside = [
        TextLine(Box(78, y - 10, 208, y), (TextSpan(Box(78, y - 10, 208, y), text, "Serif", 9.5, y),))
        for y, text in ((146, "n a grey morning in March, the"), (157, "boat lies at the jetty as it has done"))
    ]
    assert [each.plain for each in text_lines([initial, *beside])] == ["O", *(line.text for line in beside)]


def test_words_of_a_justified_line_beside_a_drop_cap_are_no_marks_of_it():
    """MuPDF gives each word of such a line alone: `ome answered at once; S others`."""
    initial = TextLine(Box(57, 175, 82, 217), (TextSpan(Box(57, 175, 82, 217), "S", "Serif", 36, 207),))
    words = [
        TextLine(Box(x, 192, x + width, 203), (TextSpan(Box(x, 192, x + width, 203), word, "Serif", 9.5, 201),))
        for x, width, word in ((87, 33, "others"), (133, 23, "sent"), (169, 37, "nothing"))
    ]
    assert [each.plain for each in text_lines([initial, *words])] == ["S", "others", "sent", "nothing"]


def test_small_capitals_are_of_their_large_ones_type():
    """A journal's headings were smaller than its text."""
    pieces = [("I. I", 0, 10), ("NTRODUCTION", 16, 8), (" ", 70, 8)]
    spans = [TextSpan(Box(x, 92, x + 0.5 * size * len(t), 100), t, "Serif", size, 100) for t, x, size in pieces]
    (read,) = text_lines([TextLine(Box(0, 90, 70, 100), tuple(spans))])
    assert read.size == 10
    small = [
        TextSpan(Box(0, 90, 10, 100), "A ", "Serif", 10, 100),
        TextSpan(Box(12, 92, 80, 100), "footnote", "Serif", 8, 100),
    ]
    (other,) = text_lines([TextLine(Box(0, 90, 80, 100), tuple(small))])
    assert other.size == 8


def test_a_row_of_two_columns_is_cut_at_a_gutter_as_narrow_as_its_type():
    """LaTeX's own columns stand ten points apart: rows with a formula ran across both."""

    def row(y: float, *parts: tuple[float, str]) -> TextLine:
        spans = tuple(TextSpan(Box(x, y - 10, x + 5 * len(text), y), text, "Serif", 10, y) for x, text in parts)
        return TextLine(Box(parts[0][0], y - 10, spans[-1].box.x1, y), spans)

    left, right = (0, "the weights of the catch in the harbour"), (204, "were given by the owners of the boats")
    columns = [row(14 * n + 20, each) for n in range(8) for each in (left, right)]
    assert len(text_lines([*columns, row(160, left, right)])) == 18
    assert len(text_lines([columns[0], row(160, left, right)])) == 2
