"""Blanks between words far apart; letters are given with their places in a line of ten heights."""

from docparse_fast.drafting.scans.word_ink import with_blanks


def read(text, places):
    return "".join(letter for letter, _ in with_blanks(list(zip(text, places, strict=True)), 10))


def test_words_of_two_columns_get_their_blank():
    assert read("rowsum", [0.1, 0.13, 0.16, 0.4, 0.43, 0.46]) == "row sum"


def test_letters_set_apart_stay_one_word():
    assert read("TITLE", [0.1, 0.2, 0.3, 0.4, 0.5]) == "TITLE"


def test_chinese_set_apart_gets_no_blank():
    assert read("上海目录", [0.1, 0.2, 0.6, 0.7]) == "上海目录"


def test_a_blank_that_was_read_is_not_doubled():
    assert read("ab cd", [0.1, 0.13, 0.3, 0.5, 0.53]) == "ab cd"
