"""Mathematical signs under the names of Latin letters."""

import pymupdf

from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages

SYMBOLIC, LETTERS = 4, 32
MAP = "begincmap 1 begincodespacerange <00><ff> endcodespacerange 1 beginbfrange <bc><ff><00bc> endbfrange endcmap"


def written(folder, names: str, codes: str, flags: int = SYMBOLIC) -> str:
    file = pymupdf.open()
    page = file.new_page()
    page.insert_text((72, 72), "x", fontname="helv")
    mapped, described, made = (file.get_new_xref() for _ in range(3))
    file.update_object(mapped, "<<>>")
    file.update_stream(mapped, MAP.encode())
    file.update_object(described, f"<</Type/FontDescriptor/FontName/AdvMath/Flags {flags}>>")
    file.update_object(
        made,
        f"<</Type/Font/Subtype/Type1/BaseFont/AdvMath/FirstChar 2/LastChar 254/Widths[{'600 ' * 253}]"
        f"/FontDescriptor {described} 0 R/ToUnicode {mapped} 0 R/Encoding<</Differences[{names}]>>>>",
    )
    file.xref_set_key(page.xref, "Resources", f"<</Font<</M {made} 0 R>>>>")
    file.update_stream(page.get_contents()[0], f"BT /M 12 Tf 72 700 Td <{codes}> Tj ET".encode())
    file.save(folder / "page.pdf")
    with open_pages(folder / "page.pdf", RasterOptions()) as document:
        layer = next(iter(document.pages())).text_layer
        return "".join(line.text for block in layer.blocks for line in block)


def test_signs_of_mathtime_are_named(tmp_path):
    names = "2/C0/C2 102/f 188/onequarter 222/Thorn 240/eth 254/thorn"
    assert written(tmp_path, names, "f002bc03defe66") == "(-=×)+{"


def test_a_fraction_among_letters_is_one(tmp_path):
    assert written(tmp_path, "188/onequarter 233/eacute", "bce9") == "¼é"


def test_a_letter_of_a_font_of_letters_is_one(tmp_path):
    assert written(tmp_path, "240/eth 254/thorn", "fef0", LETTERS) == "þð"
