"""Fonts whose names say nothing: the strokes that they draw tell which are bold."""

from dataclasses import replace

import pymupdf
import pytest

from docparse_fast.document import TextLayer
from docparse_fast.drafting.born_digital.font_weights import with_weights
from docparse_fast.pages import open_pages

WORDS = "words of one kind stand in every line of this page"


def told_bold(path, heavy: str, names: str) -> str:
    """The words that are told to be bold, where the file calls its fonts by `names`, which say nothing of weight."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 86), "Several heavy words", fontname=heavy, fontsize=10)
    for n in range(8):
        page.insert_text((72, 100 + 13 * n), WORDS, fontname="helv", fontsize=10)
    document.save(path)
    with open_pages(path) as pages:
        made = next(iter(pages.pages()))
        layer = with_weights(_renamed(made.text_layer, names), made)
    return "".join(span.text for line in layer.lines for span in line.spans if span.bold)


def _renamed(layer: TextLayer, names: str) -> TextLayer:
    def line(each):
        others = [int(span.font != "Helvetica") for span in each.spans]
        fonts = [names.format(n, ("Regular", "Medium")[n]) for n in others]
        spans = zip(each.spans, fonts, strict=True)
        return replace(each, spans=tuple(replace(span, font=font, bold=False) for span, font in spans))

    return replace(layer, blocks=tuple(tuple(map(line, block)) for block in layer.blocks))


@pytest.mark.parametrize("names", ["CairoFont-{}-0", "AdvTTe45e47d{}", "F{}"])
def test_heavy_words_in_a_font_that_is_only_numbered_are_bold(tmp_path, names):
    """Journals lost their run-in heads, since nothing calls their fonts bold."""
    assert told_bold(tmp_path / "made.pdf", "hebo", names) == "Several heavy words"


def test_another_font_of_the_usual_weight_and_a_font_with_a_name_are_not(tmp_path):
    assert told_bold(tmp_path / "made.pdf", "tiro", "CairoFont-{}-0") == ""
    assert told_bold(tmp_path / "made.pdf", "hebo", "Georgia{}") == ""


@pytest.mark.parametrize(
    ("names", "words"), [("Roboto-{1}", "Several heavy words"), ("Georgia{0}-{1}", ""), ("Roboto{1}", "")]
)
def test_the_medium_weight_of_the_usual_font_is_bold_where_no_font_is_called_so(tmp_path, names, words):
    """What pdfmake calls bold is its font's medium weight: such invoices had no headings and no heads of tables."""
    assert told_bold(tmp_path / "made.pdf", "hebo", names) == words
