"""The signs of TeX's fonts, by the names in their programs and encodings."""

from shown_codes import page_with, text_of

from docparse_fast.pages.sign_names import signs_of_program
from docparse_fast.pages.symbols import meant

MAP = "1 begincodespacerange <00><ff> endcodespacerange 2 beginbfrange <0c><0c><{beta}> <61><61><0061> endbfrange"


def written(folder, font: str, beta: str) -> str:
    """The text of a page on which code 12, `beta` by its encoding, stands under a map to Unicode."""
    file, chars, made = page_with(f"begincmap {MAP.format(beta=beta)} endcmap")
    file.update_object(
        made,
        f"<</Type/Font/Subtype/Type1/BaseFont/{font}/FirstChar 12/LastChar 97/Encoding<</Differences[12/beta 97/a]>>"
        f"/Widths[{'500 ' * 86}]/ToUnicode {chars} 0 R>>",
    )
    return text_of(file, made, "0c61", folder)


def test_a_font_program_s_names_tell_its_signs():
    head = b"/Encoding 256 array\ndup 18 /parenleftbigg put\ndup 213 /summationdisplay.1 put\ndup 65 /A put\n"
    assert signs_of_program(head) == {18: "(", 213: "∑"}


def test_a_sign_s_variant_is_the_sign():
    assert meant("∑\ufe01", "txexs") == "∑"


def test_a_name_is_believed_where_the_map_to_unicode_contradicts_it(tmp_path):
    assert written(tmp_path, "LMMathItalic10-Regular", "00b4") == "βa"


def test_a_map_to_unicode_that_fits_the_names_is_believed(tmp_path):
    assert written(tmp_path, "LMMathItalic10-Regular", "03b2") == "βa"


def test_the_names_of_text_fonts_are_not_asked(tmp_path):
    assert written(tmp_path, "Helvetica", "0062") == "ba"
