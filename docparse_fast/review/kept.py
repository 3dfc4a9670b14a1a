"""Tells a batch's journal that a document's files have changed on purpose, so that its next run leaves them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from docparse_fast.batch.batch import JOURNAL, STATE
from docparse_fast.batch.journal import Journal
from docparse_fast.batch.lock import locked
from docparse_fast.errors import OutputError


def keep_in_journal(out: Path, name: str, digests: Mapping[str, str]) -> None:
    """`digests` are those of the files that were written. While a batch runs, its journal is left alone: the batch
    converts the document again some day, and applies the edits."""
    path = out / STATE / JOURNAL
    if not path.is_file():
        return
    with suppress(OutputError), locked(out / STATE / "lock", out):
        journal = Journal.read(path)
        done = journal.documents.get(name)
        if done is not None:
            journal.add_document(name, replace(done, files={**done.files, **digests}))
        journal.close()
