from dataclasses import dataclass

import numpy as np

from docparse_fast.drafting.scans.quoted_words import has_unread_words, with_quoted
from docparse_fast.drafting.scans.tesseract import ReadPiece

HEIGHT, WIDTH = 20, 400
PIECES = [ReadPiece("файл", 0.0, 0.2), ReadPiece("сопй", 0.5, 0.7)]


@dataclass(frozen=True)
class Made:
    text: str
    confidence: float = 0.99

    @property
    def marks(self):
        return tuple((letter, (n + 0.5) / len(self.text)) for n, letter in enumerate(self.text))

    @property
    def sureness(self):
        return tuple(self.confidence for _ in self.text)


def line():
    """Two words, where PIECES say."""
    crop = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    crop[5:15, 0:80] = crop[5:15, 200:280] = 0
    return crop


def texts(reading: Made, script: str = "cyrillic", own: float = 0.2, whole: Made = Made("")):
    """What stands after the second word was looked at; the first is surely of the line's script."""

    def looks(crop):
        return {script: 1.0 if crop[5:15, 4:40].min() == 0 and crop.shape[1] < 84 else own}

    found = with_quoted(line(), PIECES, script, looks, lambda crops: [reading for _ in crops], whole)
    return [piece.text for piece in found]


def test_a_latin_word_is_the_recognisers():
    assert texts(Made("config")) == ["файл", "config"]


def test_letters_that_merely_look_latin_are_not_taken():
    assert texts(Made("copy")) == ["файл", "сопй"]


def test_a_doubtful_reading_is_not_taken():
    assert texts(Made("config", 0.9)) == ["файл", "сопй"]


def test_a_word_that_looks_like_the_lines_script_is_left_alone():
    assert texts(Made("config"), own=0.95) == ["файл", "сопй"]


def test_a_word_that_two_readings_agree_on_is_taken_with_less_certainty():
    whole = Made("".join(" " if n < 20 else "config"[n - 20] if n < 26 else " " for n in range(40)), 0.92)
    assert texts(Made("config", 0.92), whole=whole) == ["файл", "config"]


def test_two_readings_that_differ_are_not_taken():
    whole = Made("".join(" " if n < 20 else "config"[n - 20] if n < 26 else " " for n in range(40)), 0.92)
    assert texts(Made("contig", 0.92), whole=whole) == ["файл", "сопй"]


def test_a_word_that_the_other_reader_skipped_is_put_between_its_neighbours():
    whole = Made("".join(" " if n < 20 else "config"[n - 20] if n < 26 else " " for n in range(40)), 0.99)
    pieces = [PIECES[0], ReadPiece("два", 0.8, 0.9)]

    def looks(crop):
        return {"cyrillic": 1.0 if crop.shape[1] < 84 else 0.0}  # the first word is cut at the line's edge

    found = with_quoted(line(), pieces, "cyrillic", looks, lambda crops: [Made("config")], whole)
    assert [piece.text for piece in found] == ["файл", "config", "два"]


def test_a_word_with_few_letters_for_its_width_is_unread():
    """`Ho Lenovo` stood for `Ноутбук Lenovo`: of seven letters two look like Latin ones."""
    whole, second = "ф" * 8 + " " * 12, " " * 12
    assert not has_unread_words(line(), Made(whole + "ф" * 8 + second))
    assert has_unread_words(line(), Made(whole + "Ho" + " " * 6 + second))


def test_a_part_of_a_word_is_not_taken():
    """The whole line's reading said `GtkS` of `GtkSourceView`, and so did its cut."""
    whole = Made("".join(" " if n < 20 else "conf"[n - 20] if n < 24 else " " for n in range(40)), 0.92)
    crop = line()
    crop[5:15, 238:240] = 255  # a gap between two letters
    found = with_quoted(
        crop, PIECES, "cyrillic", lambda cut: {"cyrillic": 0.0}, lambda cuts: [Made("conf", 0.92)], whole
    )
    assert [piece.text for piece in found] == ["файл", "сопй"]
