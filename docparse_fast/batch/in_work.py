"""A document in work: the pages still to be read, and where finished pages go.

Knows the output folder and the journal, and writes them in a safe order: first a page's files, then its line in the
journal; the document's line last. Knows no process.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from docparse_fast.batch import faults
from docparse_fast.batch.journal import DoneDocument, InputState, Journal, done_page
from docparse_fast.batch.messages import Opened, PageDrafted, PageRead
from docparse_fast.batch.planning import Work, is_to_retry
from docparse_fast.document import Failure, ParsedDocument, ParsedPage
from docparse_fast.drafted import DraftedPage
from docparse_fast.errors import OutputError
from docparse_fast.joining import revised, whole, with_compared_words
from docparse_fast.options import ParseOptions
from docparse_fast.options.recording import recorded
from docparse_fast.run.conversion import why_failed
from docparse_fast.run.events import DocumentBegun, PageBegun, PageDone, Watcher
from docparse_fast.run.inputs import is_file
from docparse_fast.run.outputs import DocumentFolder, is_aside, is_of_page
from docparse_fast.run.run_record import count_joined, count_page, record_as_json
from docparse_fast.verification.windows import blocks


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """The settings that all documents of a batch share."""

    out: Path
    options: ParseOptions
    models: Mapping[str, str]
    key: str


@dataclass(slots=True)
class PageGroup:
    """Pages that a target verifies together. Finished ones are drafted again, because crops share passes."""

    output: str  # the document's
    numbers: tuple[int, ...]
    drafted: dict[int, DraftedPage]
    files: dict[int, Mapping[str, bytes]]  # files of the drafted pages
    done: frozenset[int]
    begun: bool = False

    def take(self, drafted: PageDrafted) -> None:
        number = drafted.page.number
        self.drafted[number], self.files[number] = drafted.page, drafted.files

    @property
    def is_drafted(self) -> bool:
        return len(self.drafted) == len(self.numbers)


class DocumentInWork:
    def __init__(
        self, work: Work, settings: BatchSettings, journal: Journal, watcher: Watcher, *, for_target: bool
    ) -> None:
        self.record = work.record
        self.output = work.record.input.output
        self.path = work.record.input.path
        self.name = work.record.input.name
        self.seconds = 0.0  # spent on it so far
        self.opened: Opened | None = None
        self.to_read: deque[int] = deque()  # numbers not yet given to a worker
        self.blocks: dict[int, PageGroup] = {}  # by page number, if a target verifies
        self._kept = work.pages
        self._settings = settings
        self._journal = journal
        self._watcher = watcher
        self._for_target = for_target
        self._folder = DocumentFolder(
            settings.out / work.record.input.output, settings.options, self.path, work.vouched
        )
        self._pages: dict[int, ParsedPage] = {}
        self._to_retry = False

    # ------------------------------------------------------------------------------------------- pages

    def open(self, opened: Opened) -> None:
        self.opened = opened
        origin, numbers = self._origin(), set(opened.numbers)
        self._kept = {n: done for n, done in self._kept.items() if done.origin == origin and n in numbers}
        self.record.sha256, self.record.page_count = opened.sha256, len(opened.numbers)
        self.record.reused = len(self._kept)
        for number, done in self._kept.items():
            self._pages[number] = done.page
            count_page(self.record, done.page, self._settings.options)
            self._folder.digests |= done.files
        self._watcher.tell(DocumentBegun(self.record))
        self._folder.begin(keep=self._folder.digests)
        faults.reach("begun")
        self._lay_out(opened.numbers)

    def _lay_out(self, numbers: Sequence[int]) -> None:
        if not self._for_target:
            self.to_read = deque(n for n in numbers if n not in self._kept)
            return
        for together in blocks(numbers):
            done = frozenset(together) & self._kept.keys()
            if len(done) < len(together):
                block = PageGroup(self.output, together, {}, {}, done)
                self.blocks |= dict.fromkeys(together, block)
                self.to_read.extend(together)

    def begin_page(self, number: int) -> None:
        if number not in self._pages:  # else it is read again for its block
            self._watcher.tell(PageBegun(self.record, number))

    def keep(self, read: PageRead) -> None:
        """Writes the page's files first, then its line in the journal."""
        page = read.page
        for name, data in read.files.items():
            self._folder.store(name, data)
        self._folder.page(page)
        faults.reach("page-written")
        self._pages[page.number] = page
        count_page(self.record, page, self._settings.options)
        if is_to_retry(page):
            self._to_retry = True
        else:
            self._add_to_journal(page, read.files)
        faults.reach("page-kept")
        self._watcher.tell(PageDone(self.record, page))

    def _add_to_journal(self, page: ParsedPage, files: Container[str] = ()) -> None:
        digests = self._folder.digests
        own = {name: digest for name, digest in digests.items() if name in files or is_of_page(name, page.number)}
        worded = page if "map" in self._settings.options.formats else with_compared_words(page)
        self._journal.add_page(self.output, done_page(self._origin(), own, worded))

    # ------------------------------------------------------------------------------------------- the end

    @property
    def is_complete(self) -> bool:
        return self.opened is not None and len(self._pages) == len(self.opened.numbers)

    def finish(self) -> None:
        assert self.opened is not None
        settings = self._settings
        read = ParsedDocument(
            source=self.name,
            sha256=self.opened.sha256,
            pages=tuple(self._pages[number] for number in self.opened.numbers),
            options=recorded(settings.options),
            models=settings.models,
            warnings=self.opened.warnings,
        )
        document = whole(read, self.opened.bookmarks)
        count_joined(self.record, read, document)
        self._revise(read, document)
        self._folder.write_document(document)
        faults.reach("document-written")
        self.record.status, self.record.error = document.status, why_failed(document)
        self.record.seconds = self.seconds
        if not self._to_retry:
            files = {name: digest for name, digest in self._folder.digests.items() if not is_aside(name)}
            done = DoneDocument(self._origin(), files, record_as_json(self.record))
            self._journal.add_document(self.output, done)
        faults.reach("document-kept")
        if not self._to_retry:  # else the next run needs the good pages, with their pictures
            self._folder.clear_aside()

    def _revise(self, read: ParsedDocument, document: ParsedDocument) -> None:
        """Writes again what the whole document has changed; the journal keeps each page as it was read."""
        changed = {page.number for page in revised(read, document)}
        for page in document.pages:
            if page.number not in changed | self._kept.keys():  # an earlier run may have revised what it kept
                continue
            self._folder.revise(page)
            if self._to_retry and not is_to_retry(page):
                self._add_to_journal(self._pages[page.number])
        faults.reach("pages-revised")

    def fail(self, failure: Failure, *, is_unreadable: bool) -> None:
        """Records the failure; if the file is unreadable, also removes the output of an earlier file of this name."""
        self.record.status, self.record.error = "failed", failure
        self.record.seconds = self.seconds
        if is_unreadable and is_file(self.path):
            with suppress(OutputError):
                self._folder.forget()

    def _origin(self) -> InputState:
        assert self.opened is not None
        return InputState(self.opened.sha256, self._settings.key)
