"""Converts many documents, one after the other, and records how each ended. Knows neither options nor terminals.

One bad document never stops the others.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from docparse_fast.document import Failure, ParsedDocument, ParsedPage
from docparse_fast.drafted import KeepPage, Source
from docparse_fast.errors import DocparseError, InputError, OutputError, UsageError, renamed
from docparse_fast.joining import revised, whole
from docparse_fast.options import ParseOptions, RasterOptions
from docparse_fast.page_result import KeepFigure
from docparse_fast.pages import OpenDocument, open_pages
from docparse_fast.pages.kinds import shown
from docparse_fast.pipeline import Pipeline
from docparse_fast.run.events import DocumentBegun, DocumentDone, PageBegun, PageDone, RunPlan, Trouble, Watcher
from docparse_fast.run.inputs import Input, is_file, is_folder
from docparse_fast.run.provenance import parsed_document
from docparse_fast.run.run_record import DocumentRecord, Run, count_joined, count_page, saving

OpenSource = Callable[[Input], AbstractContextManager[Source]]

log = logging.getLogger("docparse_fast")


class Output(Protocol):
    """Takes the pages of one document."""

    @property
    def keep_figure(self) -> KeepFigure | None:
        """Stores a picture and returns its link; None if pictures aren't kept."""

    @property
    def keep_page(self) -> KeepPage | None:
        """Receives the picture of every page; None if no output needs one."""

    def begin(self) -> None: ...

    def page(self, page: ParsedPage) -> None: ...

    def revise(self, page: ParsedPage) -> None:
        """Receives a page again that the whole document has changed."""

    def end(self, document: ParsedDocument) -> None: ...

    def forget(self) -> None:
        """Removes what an earlier run wrote for this document."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """What a run converts, and how each document is read and where it is kept."""

    inputs: Sequence[Input]
    options: ParseOptions
    pipeline_of: Callable[[Input], Pipeline]
    output_of: Callable[[Input], Output]
    done: Mapping[str, DocumentRecord] = field(default_factory=dict)  # finished before, by output folder: left alone
    open_source: OpenSource | None = None  # opens them, if not this process
    options_for: Callable[[Input], ParseOptions] | None = None  # of a document, if they are not all alike

    def options_of(self, source: Input) -> ParseOptions:
        return self.options_for(source) if self.options_for else self.options

    def opened(self, source: Input) -> AbstractContextManager[Source]:
        if self.open_source:
            return self.open_source(source)
        return open_input(source.path, source.name, self.options_of(source).raster)


def convert(
    what: Conversion,
    watcher: Watcher,
    save: Callable[[Run], None] = lambda _: None,
    is_interrupted: Callable[[], bool] = lambda: False,
) -> Run:
    """Converts every input in turn. Calls `save` from time to time, and at the end, also where the user interrupts.

    Calls `is_interrupted` after every page, because libraries in between can swallow a KeyboardInterrupt.
    """
    run = Run(what.options, [what.done.get(source.output) or DocumentRecord(source) for source in what.inputs])
    with _saved(run, save) as save_if_due:
        watcher.tell(plan_of(what.inputs, what.done))
        for record in run.records:
            if record.input.output in what.done:
                continue
            start = time.perf_counter()
            try:
                pipeline = what.pipeline_of(record.input)
                output = what.output_of(record.input)
                with pipeline.interruptible():
                    _convert_one(record, run, what, pipeline, output, watcher, is_interrupted)
            except KeyboardInterrupt:
                record.status = "interrupted"
                break
            finally:
                record.seconds = time.perf_counter() - start
                save_if_due()
            watcher.tell(DocumentDone(record))
    return run


@contextmanager
def _saved(run: Run, save: Callable[[Run], None]) -> Iterator[Callable[[], None]]:
    """Saves the run now and at the end; yields what saves it between, unless that was done a moment ago."""
    now_and_then = saving()

    def save_if_due() -> None:
        if now_and_then.is_due:
            with now_and_then.doing():
                save(run)

    save_if_due()
    try:
        yield save_if_due
    finally:
        save(run)


def plan_of(inputs: Iterable[Input], done: Container[str]) -> RunPlan:
    """Counts the work; `done` are the output folders of finished documents."""
    sizes = {source.output: size_of(source.path) for source in inputs}
    sizes_done = [size for output, size in sizes.items() if output in done]
    return RunPlan(len(sizes), sum(sizes.values()), len(sizes_done), sum(sizes_done))


# --------------------------------------------------------------------------------------- one document


def _convert_one(
    record: DocumentRecord,
    run: Run,
    what: Conversion,
    pipeline: Pipeline,
    output: Output,
    watcher: Watcher,
    is_interrupted: Callable[[], bool],
) -> None:
    options = what.options_of(record.input)
    try:
        with what.opened(record.input) as document:
            record.sha256, record.page_count = document.sha256, len(document.numbers)
            watcher.tell(DocumentBegun(record))
            output.begin()
            pages = []
            done = pipeline.pages(document, output.keep_figure, output.keep_page)
            # Asking first reports the number before the page is drawn.
            for _, page in zip(_told(document.numbers, record, watcher), done, strict=True):
                output.page(page)
                pages.append(page)
                count_page(record, page, options)
                watcher.tell(PageDone(record, page))
                _tell_once(run, pipeline.device.lost, watcher)
                if is_interrupted():
                    raise KeyboardInterrupt
            read = parsed_document(document, record.input.name, tuple(pages), options, pipeline.target)
            parsed = whole(read, document.bookmarks)
            count_joined(record, read, parsed)
        for page in revised(read, parsed):
            output.revise(page)
        output.end(parsed)
        record.status = parsed.status
        record.error = why_failed(parsed)
    except DocparseError as error:
        record.status, record.error = "failed", Failure(error.code, str(error))
        if isinstance(error, InputError) and is_file(record.input.path):
            _forget(output)
    except Exception as error:  # a bug of ours or of a native library must not cost the other documents
        if is_interrupted():
            raise KeyboardInterrupt from error
        log.debug("%s", record.input.name, exc_info=True)
        record.status, record.error = (
            "failed",
            Failure("worker_crashed", f"{record.input.name}: {type(error).__name__}: {error}"),
        )


def _tell_once(run: Run, lost: Failure | None, watcher: Watcher) -> None:
    if lost is not None and run.trouble is None:
        run.trouble = lost
        watcher.tell(Trouble(lost))


def _told(numbers: Iterable[int], record: DocumentRecord, watcher: Watcher) -> Iterator[int]:
    for number in numbers:
        watcher.tell(PageBegun(record, number))
        yield number


def size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # the error is reported when the file is opened
        return 0


def open_input(path: Path, name: str, raster: RasterOptions) -> OpenDocument:
    """The open document; of a folder with documents the inputs have those instead."""
    if is_folder(path) and os.access(path, os.R_OK | os.X_OK):
        raise InputError("empty", f"{name} holds no PDF and no image", remedy="check the path")
    try:
        return open_pages(path, raster)
    except (InputError, UsageError) as error:
        raise renamed(error, shown(path), name) from error


def _forget(output: Output) -> None:
    """Removes the output of an earlier file of this name; if that fails, the first error is reported all the same."""
    with suppress(OutputError):
        output.forget()


def why_failed(document: ParsedDocument) -> Failure | None:
    """The first page's error, if no page could be read."""
    first = document.pages[0].error
    return first if document.status == "failed" and first else None
