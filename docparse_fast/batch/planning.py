"""Finds the documents of a batch, and those that are done already. Opens none of them; writes nothing.

A document is done if the journal has it with the same input, options, models and code, and all its files are unchanged.
A document with a failed page is not done: its other pages are kept, and the failed one is tried again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from docparse_fast.batch.journal import DoneDocument, DonePage, InputState, Journal, digest_of, is_whole
from docparse_fast.document import ParsedPage
from docparse_fast.errors import InputError, UsageError
from docparse_fast.options import ParseOptions
from docparse_fast.options.recording import recorded
from docparse_fast.run.conversion import plan_of
from docparse_fast.run.events import RunPlan
from docparse_fast.run.inputs import Input, documents_below, inputs_of, is_folder, readable, told_documents_below
from docparse_fast.run.run_record import DocumentRecord, record_of

RETRIED = frozenset(
    {"timeout", "out_of_memory", "worker_crashed"}
)  # errors of partial pages where another try may succeed


@dataclass(slots=True)
class Work:
    """One document and its earlier results, before it is opened."""

    record: DocumentRecord
    done: DoneDocument | None = None  # if set, nothing is left to do
    pages: dict[int, DonePage] = field(default_factory=dict)  # finished pages to continue from
    vouched: Mapping[str, str] = field(default_factory=dict)  # files of earlier runs, with their digests


def summed_up(works: Sequence[Work], duplicates: int) -> RunPlan:
    done = {work.record.input.output for work in works if work.done is not None}
    plan = plan_of((work.record.input for work in works), done)
    return replace(plan, pages_done=sum(len(work.pages) for work in works), duplicates=duplicates)


@dataclass(frozen=True, slots=True)
class Found:
    all: tuple[Input, ...]  # all documents of the folder
    chosen: tuple[Input, ...]  # those that the patterns select
    duplicates: int


def find_documents(
    folder: Path,
    out: Path,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    only: Sequence[Path] | None = None,
) -> Found:
    """A folder's documents; raises InputError if there are none. Patterns select among them; output names stay.

    So does a list, `only`; raises UsageError if it names what is no document of the folder.
    """
    check_folders(folder, out)
    found = _documents_of(told_documents_below(folder, out), folder, include, exclude)
    if only is not None:
        found = replace(found, chosen=_listed(found, folder, only))
    if not found.chosen:
        fitting = " that --include and --exclude let through" if found.all else ""
        raise InputError("empty", f"{readable(folder)} holds no PDF and no image{fitting}", remedy="check the path")
    return found


def _listed(found: Found, folder: Path, only: Sequence[Path]) -> tuple[Input, ...]:
    wanted = {os.path.realpath(path): path for path in only}
    there = {os.path.realpath(source.path) for source in found.all}
    for file, path in wanted.items():
        if file not in there:
            raise UsageError(f"{readable(path)} is no document in {readable(folder)}", remedy="take it off the list")
    return tuple(source for source in found.chosen if os.path.realpath(source.path) in wanted)


def check_folders(folder: Path, out: Path) -> None:
    if not is_folder(folder):
        if not os.path.lexists(folder):
            raise UsageError(f"{readable(folder)} does not exist", remedy="check the path")
        raise UsageError(f"{readable(folder)} is not a folder", remedy="convert takes files")
    if Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(out)):
        raise UsageError(f"{readable(folder)} lies in OUT, {readable(out)}", remedy="name another folder with -o")
    _check_readable(folder)


def documents_of(folder: Path, out: Path, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> Found:
    """A folder's documents, without hidden ones; there may be none."""
    return _documents_of(list(documents_below(folder, out)), folder, include, exclude)


def _documents_of(
    members: Sequence[tuple[Path, PurePosixPath]], folder: Path, include: Sequence[str], exclude: Sequence[str]
) -> Found:
    found = inputs_of(members)
    chosen = [source for source in found if _is_chosen(source, folder, include, exclude)]
    return Found(tuple(found), tuple(chosen), len(members) - len(found))


def _check_readable(folder: Path) -> None:
    try:
        next(folder.iterdir(), None)
    except OSError as error:
        reason = f"{readable(folder)} can't be opened ({error.strerror})"
        raise InputError("not_found", reason, remedy="check the path and its permissions") from error


def _is_chosen(source: Input, folder: Path, include: Sequence[str], exclude: Sequence[str]) -> bool:
    path = PurePosixPath(readable(source.path.relative_to(folder)))
    return (not include or matches(path, include)) and not matches(path, exclude)


def matches(path: PurePosixPath, patterns: Sequence[str]) -> bool:
    """Whether a pattern matches the path, one of its parts, or a folder above it.

    >>> [matches(PurePosixPath("old/2019/scan.pdf"), [p]) for p in ("*.pdf", "old", "old/*.pdf", "2019", "*.png")]
    [True, True, True, True, False]
    """
    names = [str(path), *path.parts, *map(str, path.parents)]
    return any(fnmatchcase(name, pattern.rstrip("/")) for pattern in patterns for name in names)


# ------------------------------------------------------------------------------------------ what is done


def key_of(options: ParseOptions, models: dict[str, str]) -> str:
    """A short hash of everything that affects an output: options, formats and models, but not time limits."""
    deciding = recorded(options, lambda option: option.decides)
    if options.target.is_remote:
        deciding["target"] = "a server"  # which one makes no difference: `models` has its model
    said = json.dumps([deciding, options.formats, models], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def plan_batch(inputs: Sequence[Input], out: Path, journal: Journal, key: str, *, force: bool = False) -> list[Work]:
    return [_work(source, out, journal, key, force=force) for source in inputs]


def _work(source: Input, out: Path, journal: Journal, key: str, *, force: bool) -> Work:
    done, pages = journal.documents.get(source.output), journal.pages.get(source.output, {})
    if done is None and not pages:
        return Work(DocumentRecord(source))
    origin, folder = InputState(digest_of(source.path), key), out / source.output
    if not force and done is not None and done.origin == origin and is_whole(folder, done.files):
        return Work(record_of(source, done.record), done)
    is_kept = {n: not force and page.origin == origin and is_whole(folder, page.files) for n, page in pages.items()}
    vouched = dict(done.files) if done is not None else {}
    for page in pages.values():
        vouched |= page.files
    return Work(DocumentRecord(source), None, {n: page for n, page in pages.items() if is_kept[n]}, vouched)


def is_to_retry(page: ParsedPage) -> bool:
    """Whether another try may succeed. An answer that reached its length limit would reach it again."""
    return page.status == "failed" or (page.error is not None and page.error.code in RETRIED)
