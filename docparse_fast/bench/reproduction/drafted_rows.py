"""Decodes rows for which a model drafts, with a target that verifies every block whole. Knows no page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docparse_fast.errors import PageError
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.growing_answer import Decoded, Row
from docparse_fast.speculative.stored_answer import EVEN
from docparse_fast.speculative.target import Target
from docparse_fast.timing import Timer

if TYPE_CHECKING:
    from docparse_fast.targets.loading.document_model import DocumentModel


def at_even_costs(target: DocumentModel) -> Target:
    """The target's decoder again, with rows of its own and passes that cost the same at any width."""
    from docparse_fast.targets.decoder.vlm import VisionLanguageTarget  # imported late: it needs torch

    return VisionLanguageTarget(target.decoder.network, slots=1, eos=target.decoder.eos, costs=EVEN)


def decoded_row(decoder: Target, row: Row, speculation: Speculation, timer: Timer | None = None) -> Decoded:
    """PageError if its draft model failed: the table would show a model that helps nothing."""
    decoded = next(iter(spec_decode(decoder, [row], speculation, timer)))
    if decoded.model and decoded.model.failure:
        raise PageError("draft_failed", f"the draft model failed: {decoded.model.failure}")
    return decoded
