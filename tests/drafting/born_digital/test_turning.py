"""Pages whose characters a file sets one below the other."""

from docparse_fast.document import Box, TextLayer, TextLine, TextSpan
from docparse_fast.drafting.born_digital.turning import turned_upright

COLUMNS = ("政令第百四十九号の一部を改正する", "歩行者は、進行することができる。「と」")
MARKS = "、。「」"


def character(sign: str, x: float, y: float) -> TextLine:
    """Ten points square; a mark runs down as it does in a file, and its box begins higher than the mark."""
    mark = sign in MARKS
    box = Box(x, y - 3 * mark, x + 10, y + 10 - 3 * mark)
    return TextLine(box, (TextSpan(box, sign, "Ming", 10, x + 5 if mark else y + 8.8),), vertical=mark, downwards=mark)


def test_marks_stand_in_their_place_among_characters_set_one_below_the_other():
    """A gazette's commas and brackets were read apart from the words, as lines of their own."""
    lines = [
        character(sign, 400 - 20 * c, 50 + 10 * n) for c, text in enumerate(COLUMNS) for n, sign in enumerate(text)
    ]
    layer = TextLayer(blocks=(tuple(sorted(lines, key=lambda line: line.vertical)),))
    assert [line.text for line in turned_upright(layer, 600, 800).layer.lines] == list(COLUMNS)
