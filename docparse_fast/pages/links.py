"""The links of a PDF page that lead to the web, to mail or by a path. Knows addresses and boxes; knows no word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from docparse_fast.document import Box
from docparse_fast.system.mupdf import pymupdf
from docparse_fast.text.markup import leads_somewhere

LEAST_COVERED = 0.5  # of a word that is part of a link


class Links:
    """
    >>> links = Links([(Box(0, 0, 50, 10), "https://a.org"), (Box(0, 20, 50, 30), "https://b.org")])
    >>> links.at(Box(5, 21, 20, 29)), links.at(Box(45, 0, 65, 10))
    ('https://b.org', None)
    """

    def __init__(self, links: Sequence[tuple[Box, str]]) -> None:
        self._addresses = [address for _, address in links]
        boxes = [(box.x0, box.y0, box.x1, box.y1) for box, _ in links]
        self._x0, self._y0, self._x1, self._y1 = np.array(boxes, dtype=float).reshape(-1, 4).T

    def at(self, box: Box) -> str | None:
        """The first link under more than half of the box."""
        if not self._addresses or not box.area:
            return None
        width = np.minimum(self._x1, box.x1) - np.maximum(self._x0, box.x0)
        height = np.minimum(self._y1, box.y1) - np.maximum(self._y0, box.y0)
        is_under = width.clip(0) * height.clip(0) > LEAST_COVERED * box.area
        return self._addresses[int(is_under.argmax())] if is_under.any() else None


def links_of(page: pymupdf.Page, scale: float) -> Links:
    return Links([(box.scaled(scale), address) for box, address in _links(page) if leads_somewhere(address)])


def _links(page: pymupdf.Page) -> Iterator[tuple[Box, str]]:
    """Each link's box, in points on the page as it is displayed, and its address."""
    # PyMuPDF's get_links lists all annotations again for every link: minutes on a page with thousands.
    link = pymupdf.mupdf.fz_load_links(page.this)
    while link.m_internal:
        rect, address = link.rect(), link.uri()
        if address and pymupdf.mupdf.fz_is_external_link(address):
            yield Box(rect.x0, rect.y0, rect.x1, rect.y1), address
        link = link.next()
