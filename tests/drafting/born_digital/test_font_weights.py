"""Fonts whose names say nothing: the strokes that they draw tell which are bold."""

import pymupdf
import pytest

from docparse_fast.document import Category
from docparse_fast.drafting.born_digital.text_layer import TextLayerDrafter
from docparse_fast.pages import open_pages

WORDS = "words of one kind stand in every line of this page"


def drafted(path, heavy: str, names: str) -> list[str]:
    """The page's paragraphs, where a run-in head is set in the font `heavy` and fonts are called by `names`."""
    document = pymupdf.open()
    page = document.new_page()
    for name, code in (("F1", "helv"), ("F2", heavy)):
        page.insert_font(fontname=name, fontbuffer=pymupdf.Font(code).buffer)
    page.insert_text((72, 100), "Several heavy words", fontname="F2", fontsize=10)
    for n in range(8):
        page.insert_text((72 + 110 * (n == 0), 100 + 13 * n), WORDS, fontname="F1", fontsize=10)
    for xref in range(1, document.xref_length()):
        for key in ("BaseFont", "FontName"):
            if document.xref_get_key(xref, key)[0] == "name":
                document.xref_set_key(xref, key, "/" + names.format(int("Bold" in document.xref_get_key(xref, key)[1])))
        if document.xref_get_key(xref, "Type")[1] == "/FontDescriptor":
            document.xref_set_key(xref, "Flags", "4")  # nothing about its weight
    document.save(path)
    with open_pages(path) as pages:
        draft = TextLayerDrafter().draft(next(iter(pages.pages())))
    return [region.text for region in draft.regions if region.category is Category.TEXT]


@pytest.mark.parametrize("names", ["CairoFont-{}-0", "AdvTTe45e47d{}", "F{}"])
def test_heavy_words_in_a_font_that_is_only_numbered_are_bold(tmp_path, names):
    """Journals lost their run-in heads, since nothing calls their fonts bold."""
    assert drafted(tmp_path / "made.pdf", "hebo", names)[0].startswith("**Several heavy words** words of")


def test_another_font_of_the_usual_weight_is_not(tmp_path):
    assert "**" not in drafted(tmp_path / "made.pdf", "tiro", "CairoFont-{}-0")[0]
