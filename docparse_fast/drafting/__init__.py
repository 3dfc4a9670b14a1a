"""Drafters: whoever says what stands on a page before a target looks at it. Knows no target and no tokens."""

from __future__ import annotations

from typing import Protocol

from docparse_fast.document import Page, PageDraft


class Drafter(Protocol):
    """Proposes once, fixed: the paper's q_phi.

    >>> draft = open_drafter(DraftOptions()).draft(page)      # doctest: +SKIP
    """

    name: str

    def draft(self, page: Page) -> PageDraft: ...
