"""The large signs of TeX's fonts, by the names in their programs."""

from docparse_fast.pages.sign_names import signs_of_program
from docparse_fast.pages.symbols import meant


def test_a_font_program_s_names_tell_its_signs():
    head = b"/Encoding 256 array\ndup 18 /parenleftbigg put\ndup 213 /summationdisplay.1 put\ndup 65 /A put\n"
    assert signs_of_program(head) == {18: "(", 213: "∑"}


def test_a_sign_s_variant_is_the_sign():
    assert meant("∑\ufe01", "txexs") == "∑"
