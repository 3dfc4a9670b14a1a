"""Rows of code set in character columns."""

from docparse_fast.document import Box, TextSpan
from docparse_fast.drafting.blocks.code_blocks import laid_out


def row(*words: tuple[str, float], pitch: float = 5.0) -> list[TextSpan]:
    return [TextSpan(Box(x, 0, x + pitch * len(text), 10), text, "Mono", 9, 8, mono=True) for text, x in words]


def test_words_keep_their_columns():
    rows = [(0.0, row(("int", 0), ("pointsize", 20))), (12.0, row(("x", 0), ("y", 20)))]
    assert laid_out(rows, 12) == "int pointsize\nx   y"


def test_blanks_of_spaced_out_letters_do_not_add_up_to_two():
    words = [(f"word{n}", n * 32.0) for n in range(8)]  # a blank of 7 where a letter has 5
    assert laid_out([(0.0, row(*words))], 12) == " ".join(text for text, _ in words)
