"""Mathematical signs under the names of Latin letters."""

from shown_codes import page_with, text_of

SYMBOLIC, LETTERS = 4, 32
MAP = "begincmap 1 begincodespacerange <00><ff> endcodespacerange 1 beginbfrange <bc><ff><00bc> endbfrange endcmap"


def written(folder, names: str, codes: str, flags: int = SYMBOLIC) -> str:
    file, mapped, made = page_with(MAP)
    described = file.get_new_xref()
    file.update_object(described, f"<</Type/FontDescriptor/FontName/AdvMath/Flags {flags}>>")
    file.update_object(
        made,
        f"<</Type/Font/Subtype/Type1/BaseFont/AdvMath/FirstChar 2/LastChar 254/Widths[{'600 ' * 253}]"
        f"/FontDescriptor {described} 0 R/ToUnicode {mapped} 0 R/Encoding<</Differences[{names}]>>>>",
    )
    return text_of(file, made, codes, folder)


def test_signs_of_mathtime_are_named(tmp_path):
    names = "2/C0/C2 102/f 188/onequarter 222/Thorn 240/eth 254/thorn"
    assert written(tmp_path, names, "f002bc03defe66") == "(-=×)+{"


def test_a_fraction_among_letters_is_one(tmp_path):
    assert written(tmp_path, "188/onequarter 233/eacute", "bce9") == "¼é"


def test_a_letter_of_a_font_of_letters_is_one(tmp_path):
    assert written(tmp_path, "240/eth 254/thorn", "fef0", LETTERS) == "þð"
