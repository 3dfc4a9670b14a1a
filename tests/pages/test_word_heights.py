"""Pages are read alike whether PyMuPDF corrects the heights of words or not: another package may have said so."""

import pymupdf
import pytest

from docparse_fast.drafting.layout import PageLayout
from docparse_fast.pages import open_pages
from docparse_fast.system.mupdf import word_heights


@pytest.fixture
def page_with_dingbats(tmp_path):
    """In a font that says less of its height than its signs take."""
    document = pymupdf.open()
    page = document.new_page()
    for n in range(30):
        page.insert_text((72, 72 + 18 * n), "A line of signs", fontname="zadb")
    document.save(path := tmp_path / "a.pdf")
    return path


def heights(path):
    with open_pages(path) as opened:
        return [line.box.height for line in next(iter(opened.pages())).text_layer.lines]


def test_words_are_as_high_whatever_another_package_set(page_with_dingbats):
    """A statement whose reader had imported PyMuPDF before had its sums read in another order."""
    found = []
    for corrected in (True, False):
        with word_heights(corrected=corrected):
            found.append(heights(page_with_dingbats))
    assert found[0] == found[1] and found[0]


def test_the_layout_model_sees_the_same_whatever_another_package_set(page_with_dingbats):
    model, seen = PageLayout(), []
    with pymupdf.open(page_with_dingbats) as document:
        for corrected in (True, False):
            with word_heights(corrected=corrected):
                seen.append(model.seen(document[0], 1.0))
    assert seen[0] == seen[1] and seen[0]


def test_the_switch_is_left_as_it_was():
    before = pymupdf.TOOLS.unset_quad_corrections()
    with word_heights(corrected=before):
        assert pymupdf.TOOLS.unset_quad_corrections() is not before
    assert pymupdf.TOOLS.unset_quad_corrections() is before
