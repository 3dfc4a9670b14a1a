"""Keeps MuPDF from following a page's tags in a circle. Knows which element of the structure has which parent.

MuPDF goes from each tagged piece of a page to its element's parent and on to the root. Where an element is its own
ancestor, it never arrives.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from docparse_fast.system.mupdf import pymupdf

DEEPEST = 1000  # elements within elements


def leave_circles_out(page: pymupdf.Page) -> None:
    """Takes the page's tags from it, in memory, where one of their elements is its own ancestor."""
    own = pymupdf._as_pdf_page(page).obj()
    number = _get(own, "StructParents")
    if not pymupdf.mupdf.pdf_is_int(number):
        return
    ended: set[int] = set()
    if not all(_ends(element, ended) for element in _elements(page.parent, pymupdf.mupdf.pdf_to_int(number))):
        pymupdf.mupdf.pdf_dict_dels(own, "StructParents")


def _elements(document: pymupdf.Document, number: int) -> Iterator[Any]:
    """The elements of a page's tagged pieces."""
    root = _get(pymupdf.mupdf.pdf_trailer(pymupdf._as_pdf_document(document)), "Root")
    found = pymupdf.mupdf.pdf_lookup_number(_get(_get(root, "StructTreeRoot"), "ParentTree"), number)
    for index in range(pymupdf.mupdf.pdf_array_len(found)):
        yield pymupdf.mupdf.pdf_array_get(found, index)


def _ends(element: Any, ended: set[int]) -> bool:
    """Whether the element's parents lead to a root; `ended` are elements of which it is known."""
    passed: set[int] = set()
    while pymupdf.mupdf.pdf_is_dict(element):
        number = pymupdf.mupdf.pdf_to_num(element)
        if number in ended:
            break
        if number in passed or len(passed) > DEEPEST:
            return False
        passed.add(number)
        element = _get(element, "P")
    ended |= passed
    return True


def _get(dictionary: Any, name: str) -> Any:
    return pymupdf.mupdf.pdf_dict_gets(dictionary, name)
