"""The tags of a page, which MuPDF follows from parent to parent."""

from __future__ import annotations

import pymupdf
import pytest
from page_files import raw_pdf

from docparse_fast.pages import open_pages
from docparse_fast.pages.tag_circles import leave_circles_out


@pytest.mark.parametrize(("parent", "stays"), [(b"5 0 R", True), (b"6 0 R", False), (b"7 0 R", False)])
def test_tags_that_go_in_a_circle_are_taken_from_the_page(tmp_path, parent, stays):
    """A fuzz found a page on which MuPDF went from parent to parent for ever, when it was drawn."""
    tagged = raw_pdf(
        b"/MediaBox[0 0 100 100]/StructParents 0",
        1,
        b"null",
        b"<</Type/StructTreeRoot/K 6 0 R/ParentTree<</Nums[0[7 0 R]]>>>>",
        b"<</Type/StructElem/S/L/P %s/K 7 0 R>>" % parent,
        b"<</Type/StructElem/S/P/P 6 0 R/K 0>>",
    ).replace(b"/Type/Catalog", b"/Type/Catalog/StructTreeRoot 5 0 R")
    with pymupdf.open(stream=tagged) as document:
        page = document[0]
        leave_circles_out(page)
        assert (document.xref_get_key(page.xref, "StructParents") == ("int", "0")) is stays
    (tmp_path / "a.pdf").write_bytes(tagged)
    with open_pages(tmp_path / "a.pdf") as document:
        assert next(document.pages()).image.size
