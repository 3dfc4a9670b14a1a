"""Proofreads the documents of an output folder, each with its own file and options. Knows folders; prints nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from docparse_fast.document import EDITED, Failure, Page, ParsedDocument, ParsedPage
from docparse_fast.drafted import as_page_error
from docparse_fast.errors import DocparseError, PageError
from docparse_fast.options.recording import options_of
from docparse_fast.pages import open_pages
from docparse_fast.proofreading.kept import keep
from docparse_fast.proofreading.proofreader import Proofreader, ProofreadPage
from docparse_fast.run.edits import Edits, digest_of, read_edits
from docparse_fast.run.stored import read_document, source_of


@dataclass(frozen=True, slots=True)
class ProofreadDocument:
    output: str  # its folder below OUT
    source: str
    pages: tuple[ProofreadPage, ...] = ()
    error: DocparseError | None = None

    @property
    def read(self) -> tuple[ProofreadPage, ...]:
        return tuple(page for page in self.pages if page.error is None)

    @property
    def is_whole(self) -> bool:
        return self.error is None and len(self.read) == len(self.pages)


def proofread(
    out: Path, files: Iterable[Path], proofreader: Proofreader, password: str | None, tell: Callable[[str], None]
) -> Iterator[ProofreadDocument]:
    """Yields each document when its doubts are kept in its folder; `tell` is called with what is being read."""
    for file in files:
        yield _document(out, file.parent, proofreader, password, tell)


def _document(
    out: Path, folder: Path, proofreader: Proofreader, password: str | None, tell: Callable[[str], None]
) -> ProofreadDocument:
    output = folder.relative_to(out).as_posix()
    source = output
    try:
        document = read_document(folder / "document.json")
        source = document.source
        pages = tuple(_pages(document, folder, proofreader, password, tell))
        keep(folder, proofreader.target.identity.name, pages)
    except DocparseError as error:
        return ProofreadDocument(output, source, error=error)
    return ProofreadDocument(output, source, pages)


def _pages(
    document: ParsedDocument,
    folder: Path,
    proofreader: Proofreader,
    password: str | None,
    tell: Callable[[str], None],
) -> Iterator[ProofreadPage]:
    edits = read_edits(folder)
    wanted = {page.number: page for page in document.pages if page.status != "failed" and page.blocks}
    if not wanted:
        return
    raster = replace(options_of(document.options, password).raster, pages=None, max_pages=None)
    with open_pages(source_of(document, "proofread"), raster) as source:
        for page in source.pages(list(wanted)):
            parsed = wanted[page.number]
            tell(f"{document.source}, page {page.number}")
            found = _page(page, _corrected(parsed, edits), proofreader)
            yield replace(found, digest=digest_of(parsed))


def _page(page: Page, parsed: ParsedPage, proofreader: Proofreader) -> ProofreadPage:
    try:
        with as_page_error(page.number):
            turned = parsed.evidence.turned
            return proofreader.page(parsed, page.image.rotate(-turned, expand=True) if turned else page.image)
    except PageError as error:
        return ProofreadPage(page.number, error=Failure(error.code, str(error)))
    finally:
        page.close()


def _corrected(page: ParsedPage, edits: Edits) -> ParsedPage:
    """With a reader's words, each in the place of those that they correct."""
    found = edits.of_page(page)
    blocks = (
        replace(block, text=edit.text, category=edit.category or block.category, sources=(*block.sources, EDITED))
        if (edit := found.get(n)) is not None
        else block
        for n, block in enumerate(page.blocks)
    )
    return replace(page, blocks=tuple(blocks))
