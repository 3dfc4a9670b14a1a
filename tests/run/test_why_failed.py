"""Why a document failed: its first page's error, if no page could be read."""

from __future__ import annotations

from docparse_fast.document import Failure, ParsedDocument, ParsedPage
from docparse_fast.run.conversion import why_failed

WHY = Failure("ocr_failed", "no such file")


def test_a_document_fails_for_its_first_pages_reason_if_no_page_was_read():
    failed = ParsedPage(1, status="failed", error=WHY)
    assert why_failed(ParsedDocument("a.pdf", "", (failed,))) == WHY
    assert why_failed(ParsedDocument("a.pdf", "", (failed, ParsedPage(2)))) is None
