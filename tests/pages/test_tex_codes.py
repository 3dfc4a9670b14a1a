"""Characters under control codes, as TeX's bitmap fonts have them."""

from docparse_fast.pages.tex_codes import name_codes

PROSE = "the proper approach is to code it as a covariate that depends on time "


def named(text: str, font: str = "F25", ink: float = 7.0) -> str:
    chars = [{"c": char, "bbox": (0.0, 0.0, 5.0, ink)} for char in PROSE + text]
    blocks = [{"lines": [{"spans": [{"font": font, "chars": chars}]}]}]
    name_codes(blocks)
    return "".join(char["c"] for char in blocks[0]["lines"][0]["spans"][0]["chars"])[len(PROSE) :]


def test_ligatures_and_dashes_of_the_newer_encoding_are_named():
    assert named("\x1cnish the coe\x1ecients \x16 di\x1berently") == "finish the coefficients — differently"


def test_ligatures_and_quotation_marks_of_the_older_encoding_are_named():
    assert named('\x0crst a "coe\x0ecient{') == "first a ”coefficient–"


def test_the_drawn_codes_of_a_font_that_is_mostly_codes_have_no_meaning():
    text = "\x1c\x01\x02\x03\x04\x05" * 20
    assert (named(text), named(text, ink=0.0)) == ("\ufffd" * len(text), text)


def test_a_code_that_no_encoding_of_tex_has_is_not_lost():
    assert named("a \x07 b") == "a \ufffd b"


def test_letters_of_the_newer_encodings_upper_half_are_named():
    assert named("\x1cne Stra\xffe, \xd7uvre, \xa7") == "fine Straße, Œuvre, ğ"


def test_a_german_letter_without_ligatures_keeps_its_sharp_s():
    """Only its code tells which encoding a bitmap font has: `Grüße` was `Grüÿe`."""
    assert (named("Gr\xfc\xffe"), named("l'Ha\xff", font="Garamond")) == ("Grüße", "l'Haÿ")


def test_plain_text_is_left_as_it_is():
    assert named('a "word" {2}') == 'a "word" {2}'
