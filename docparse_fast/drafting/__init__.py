"""Drafters say what stands on a page before a target looks at it. Knows no target and no tokens."""

from __future__ import annotations

import os
from typing import Protocol

from docparse_fast.document import NO_DRAFTER, Page, PageDraft
from docparse_fast.options import DraftOptions
from docparse_fast.system.providers import choose


class Drafter(Protocol):
    """Proposes once, fixed: the paper's q_phi.

    >>> draft = open_drafter(DraftOptions()).draft(page)      # doctest: +SKIP
    """

    name: str

    def draft(self, page: Page) -> PageDraft: ...


def open_drafter(options: DraftOptions, threads: int | None = None) -> Drafter:
    """The drafter that the options name, on `threads` threads; ModelError where what it needs is not here."""
    choose(options.provider)
    threads = threads or min(4, os.cpu_count() or 1)
    # imported by need: each rests on libraries and weights of its own
    match options.drafter:
        case "auto":
            from docparse_fast.drafting.auto import AutoDrafter

            return AutoDrafter(options, threads)
        case "text-layer":
            from docparse_fast.drafting.born_digital.text_layer import TextLayerDrafter

            return TextLayerDrafter()
        case "embedded":
            from docparse_fast.drafting.scans.embedded import EmbeddedDrafter

            return EmbeddedDrafter(threads, options.lang)
        case "ppstructure":
            from docparse_fast.drafting.ppstructure import PPStructureDrafter

            return PPStructureDrafter(threads, options.lang)
        case _:
            return NoDrafter()


class NoDrafter:
    """Drafts nothing: a target reads every page by itself."""

    name = NO_DRAFTER

    def draft(self, page: Page) -> PageDraft:
        return PageDraft(page.number, *page.image.size, (), self.name)
