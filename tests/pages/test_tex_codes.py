"""Characters under control codes, as TeX's bitmap fonts have them."""

from docparse_fast.pages.tex_codes import name_codes

PROSE = "the proper approach is to code it as a covariate that depends on time "


def named(text: str, font: str = "F25") -> str:
    blocks = [{"lines": [{"spans": [{"font": font, "chars": [{"c": char} for char in PROSE + text]}]}]}]
    name_codes(blocks)
    return "".join(char["c"] for char in blocks[0]["lines"][0]["spans"][0]["chars"])[len(PROSE) :]


def test_ligatures_and_dashes_of_the_newer_encoding_are_named():
    assert named("\x1cnish the coe\x1ecients \x16 di\x1berently") == "finish the coefficients — differently"


def test_ligatures_and_quotation_marks_of_the_older_encoding_are_named():
    assert named('\x0crst a "coe\x0ecient{') == "first a ”coefficient–"


def test_a_font_that_is_mostly_codes_keeps_them():
    text = "\x1c\x01\x02\x03\x04\x05" * 20
    assert named(text) == text


def test_plain_text_is_left_as_it_is():
    assert named('a "word" {2}') == 'a "word" {2}'
