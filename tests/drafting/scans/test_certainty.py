"""What is to be expected of words, from what the recogniser said of them."""

from __future__ import annotations

import pytest

from docparse_fast.drafting.scans.certainty import certainty_of, probability, signs_of, words_in
from docparse_fast.drafting.scans.ocr import Ocr
from docparse_fast.evidence import Certainty, summed


def share(text: str, sure: float, unread: float = 0.0) -> float:
    return certainty_of(list(text), [sure] * len(text), unread, width=0.5 * len(text)).share


def test_words_read_surely_are_likely_right():
    assert share("plain words of a page", 0.999) > 0.97


def test_the_less_sure_the_letters_the_less_likely_is_the_word():
    found = [share("plain words of a page", sure) for sure in (0.6, 0.8, 0.9, 0.99)]
    assert found == sorted(found)
    assert found[0] < 0.5


def test_ink_without_letters_says_that_the_rest_is_wrong_too():
    assert share("plain words of a page", 0.95, unread=0.6) < 0.3


def test_odd_words_are_less_likely():
    odd, plain = (signs_of(words_in(text, [0.97] * 5), 0.0)[0] for text in ("w0rds", "words"))
    assert probability(odd) < probability(plain)


def test_a_line_of_nothing_is_expected_to_lack_all_its_words():
    assert certainty_of([], [], unread=1.0, width=20.0).share == 0.0
    assert certainty_of([], [], unread=1.0, width=20.0).words > 5


def test_certainties_add_up_word_by_word():
    assert summed([Certainty(3, 3), None, Certainty(1, 0)]) == Certainty(4, 3)
    assert summed([None]) is None


@pytest.fixture(scope="module")
def ocr() -> Ocr:
    return Ocr()


def test_a_smeared_line_is_less_certain_than_a_clean_one(ocr):
    import cv2
    import numpy as np
    from PIL import Image, ImageDraw, ImageFont

    clean = Image.new("L", (900, 120), 255)
    ImageDraw.Draw(clean).text((30, 40), "The quick brown fox jumps over it", font=ImageFont.load_default(40), fill=0)
    pixels = np.repeat(np.asarray(clean)[:, :, None], 3, axis=2)
    smeared = cv2.GaussianBlur(pixels, (0, 0), 6.5)
    (one,) = ocr.read(pixels).lines
    others = ocr.read(smeared)
    assert one.certainty.share > 0.9
    assert sum(line.certainty.right for line in others.lines) < 0.8 * one.certainty.right
