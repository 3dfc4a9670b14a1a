"""What an agent may do: convert a document of its folders, read its pages, search what was converted.

Knows folders and documents; knows no protocol. Every path that an agent names is resolved first, links too, and must
lie in a folder that the user has named. Outputs are those of `convert`, each in OUT under its document's path and name.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain, count
from pathlib import Path
from threading import Lock
from typing import Any

from docparse_fast.agents.staleness import why_stale
from docparse_fast.batch.limits import Limits
from docparse_fast.batch.within_limits import bounded
from docparse_fast.document import ParsedDocument, ParsedPage
from docparse_fast.errors import DocparseError, InputError, UsageError, recalled
from docparse_fast.joining import flowing
from docparse_fast.opening import open_pipeline
from docparse_fast.options import ParseOptions
from docparse_fast.options.recording import recorded
from docparse_fast.pipeline import Pipeline
from docparse_fast.progress import Watchers
from docparse_fast.rendering.chunks import render_chunks
from docparse_fast.rendering.json import read_json
from docparse_fast.rendering.text_map import in_points, sides, size_of
from docparse_fast.review.pictures import picture_of
from docparse_fast.run import conversion
from docparse_fast.run.edits import read_edits
from docparse_fast.run.inputs import Input, documents_below, is_folder, readable
from docparse_fast.run.outputs import WHOLE, DocumentFolder, file_digest, page_file
from docparse_fast.run.run_record import DocumentRecord

NEEDED = ("md", "json")  # formats that the verbs read
MOST_LISTED = 500
MOST_FOUND = 50
REPLACED = "\ufffd"  # stands in the names that are listed for what isn't UTF-8
AROUND = 120  # characters of a passage on either side of what was searched for
DOCUMENTS_IN_MEMORY = 16


@dataclass(frozen=True, slots=True)
class Passage:
    """A place where the searched words stand."""

    document: str
    page: int
    heading: str
    text: str
    hits: int


class Desk:
    """One pipeline, used by one thread at a time."""

    def __init__(self, folders: Sequence[Path], out: Path, options: ParseOptions) -> None:
        for folder in folders:
            if not is_folder(folder):
                raise UsageError(f"{readable(folder)} is not a folder", remedy="name folders that exist")
        self._folders = {name: Path(os.path.realpath(folder)) for name, folder in _named(folders).items()}
        self._out = out
        self._options = replace(options, formats=tuple(dict.fromkeys((*options.formats, *NEEDED))))
        self._pipeline: Pipeline | None = None
        self._turn = Lock()

    # ------------------------------------------------------------------------------------------ the verbs

    def documents(self, first: int = 0, named: str = "") -> dict[str, Any]:
        """The documents of the folders, which of them have been converted, and which of those have changed since.

        Those whose files are gone come last. From the numbered one on, of those whose names hold `named`.
        """
        listed: dict[str, Path | None] = {output: path for path, output in self._listed()}
        listed |= {output: None for output in self._converted_outputs() if output not in listed}
        meant = [each for each in listed.items() if named.casefold() in each[0].casefold()][max(0, first) :]
        found = [self._listing(output, path) for output, path in meant[:MOST_LISTED]]
        return {"documents": found, "left_out": len(meant) - len(found)}

    def convert(self, document: str) -> dict[str, Any]:
        """Converts the document, unless it is done and unchanged; says what came of it."""
        with self._turn:
            source = self._source(document)
            done = self._done(source)
            if done is None:
                record = self._converted(source)
                if record.error is not None and record.status == "failed":
                    raise recalled(record.error.code, record.error.message)
                done = self._parsed(source.output)
            return _summary(source.output, done)

    def read_page(self, document: str, page: int) -> dict[str, Any]:
        """A page's Markdown, with a reader's corrections, and what is doubtful about it."""
        with self._turn:
            output = self._converted_output(document)
            parsed = self._parsed(output)
            found = _page_of(parsed, output, page)
            text = (self._out / output / page_file(page)).read_text("utf-8")
            return {
                "document": output,
                **self._staleness(output),
                "page": page,
                "of": len(parsed.pages),
                "status": found.status,
                "confidence": found.confidence,
                "doubts": [doubt.message for doubt in found.evidence.doubts],
                "markdown": text,
            }

    def blocks(self, document: str, page: int) -> dict[str, Any]:
        """What stands on a page, in reading order, with a reader's corrections, and where."""
        with self._turn:
            output = self._converted_output(document)
            found = read_edits(self._out / output).page(_page_of(self._parsed(output), output, page))
            boxes = [sides(block.box) for block in found.blocks]
            return {
                "document": output,
                **self._staleness(output),
                **size_of(found),
                "blocks": [
                    {
                        "block": number,
                        "category": str(block.category),
                        "text": block.text,
                        "confidence": block.confidence,
                        "box": box,
                        "points": in_points(box, found.dpi) if box else None,
                    }
                    for number, (block, box) in enumerate(zip(found.blocks, boxes, strict=True))
                ],
            }

    def chunks(self, document: str, first: int, limit: int) -> dict[str, Any]:
        """A document's sections for search, from the numbered one on, as in `chunks.jsonl`."""
        with self._turn:
            output = self._converted_output(document)
            read = flowing(read_edits(self._out / output).document(self._parsed(output)))
            tables, furniture = self._options.tables, self._options.keep_furniture
            lines = render_chunks(read, tables=tables, keep_furniture=furniture).splitlines()
            shown = lines[max(0, first) :][: max(1, min(limit, MOST_FOUND))]
            parts = [json.loads(line) for line in shown]
            return {"document": output, **self._staleness(output), "of": len(lines), "chunks": parts}

    def page_picture(self, document: str, page: int) -> bytes:
        """A page as it was read, upright, as WebP; raises InputError if its file has changed since."""
        with self._turn:
            source = self._source(document)
            parsed = self._parsed(self._converted_output(source.output))
            found = _page_of(parsed, source.output, page)
            if parsed.sha256 != file_digest(source.path):
                raise InputError("not_found", f"{source.output} has changed since", remedy="call convert again")
            return picture_of(source.path, self._options.raster, found)

    def search(self, words: str, document: str = "", limit: int = 10) -> dict[str, Any]:
        """The passages that hold all of the words, or their headings do; those with most of them first."""
        wanted = [word for word in re.findall(r"\w+", words.casefold()) if word]
        if not wanted:
            raise UsageError("there are no words to search for")
        with self._turn:
            outputs = [self._converted_output(document)] if document else self._converted_outputs()
            found = [passage for output in outputs for passage in self._passages(output, wanted)]
        found.sort(key=lambda passage: -passage.hits)
        shown = found[: max(1, min(limit, MOST_FOUND))]
        stale = {output: self._staleness(output) for output in {each.document for each in shown}}
        return {
            "searched": len(outputs),
            "found": len(found),
            "passages": [
                {
                    "document": each.document,
                    **stale[each.document],
                    "page": each.page,
                    "heading": each.heading,
                    "text": each.text,
                }
                for each in shown
            ],
        }

    # ---------------------------------------------------------------------------------------------- paths

    def _source(self, document: str) -> Input:
        """The file: named as `documents` names it, or by a path that lies in one of the folders."""
        for path in self._meant(document):
            real = Path(os.path.realpath(path))
            for name, folder in self._folders.items():
                if real.is_relative_to(folder) and real.is_file():
                    below = readable(real.relative_to(folder))
                    return Input(real, below, self._output(name, below))
        raise InputError("not_found", f"{document!r} is in none of the folders", remedy="list_documents names them")

    def _output(self, folder: str, below: str) -> str:
        return below if len(self._folders) == 1 else f"{folder}/{below}"

    def _listed(self) -> Iterator[tuple[Path, str]]:
        """The documents by names that can be sent, whatever bytes they have."""
        for name, folder in self._folders.items():
            for path, below in documents_below(folder, self._out):
                yield path, self._output(name, readable(Path(below)))

    def _meant(self, document: str) -> Iterator[Path]:
        if not document or "\0" in document:
            return
        if REPLACED in document:
            yield from (path for path, output in self._listed() if output == document)
        path = Path(document)
        if path.is_absolute():
            yield path
            return
        for name, folder in self._folders.items():
            yield folder / path
            if path.parts[:1] == (name,):
                yield folder / Path(*path.parts[1:])

    def _converted_output(self, document: str) -> str:
        """The output of a document that has been converted; its file may be gone by now."""
        if document in self._converted_outputs():
            return document
        output = self._source(document).output
        if not (self._out / output / WHOLE["json"]).is_file():
            raise InputError("not_found", f"{output} has not been converted", remedy="call convert first")
        return output

    def _listing(self, output: str, path: Path | None) -> dict[str, Any]:
        converted = (record := self._out / output / WHOLE["json"]).is_file()
        stale = why_stale(record, path) if converted else ""
        said = _file_said(path) if path else {}
        return {"document": output, "converted": converted, **({"stale": stale} if stale else {}), **said}

    def _staleness(self, output: str) -> dict[str, str]:
        """Why what was read of it may be out of date, where it may."""
        try:
            source = self._source(output)
            path = source.path if source.output == output else None
        except InputError:
            path = None
        why = why_stale(self._out / output / WHOLE["json"], path)
        return {"stale": why} if why else {}

    def _converted_outputs(self) -> list[str]:
        found = sorted(self._out.rglob(WHOLE["json"]))
        return [file.parent.relative_to(self._out).as_posix() for file in found if not file.is_symlink()]

    # ------------------------------------------------------------------------------------------ documents

    def _done(self, source: Input) -> ParsedDocument | None:
        if not (self._out / source.output / WHOLE["json"]).is_file():
            return None
        parsed = self._parsed(source.output)
        same = parsed.options == recorded(self._options) and parsed.sha256 == file_digest(source.path)
        return parsed if same else None

    def _converted(self, source: Input) -> DocumentRecord:
        if self._pipeline is None:
            self._pipeline = open_pipeline(self._options)
        folder = DocumentFolder(self._out / source.output, self._options, source.path)
        limits = Limits(jobs=1, page_timeout=self._options.speculation.page_timeout)
        with bounded(self._pipeline, self._options, limits, lambda: False) as (pipeline, open_source):
            what = conversion.Conversion(
                [source], self._options, lambda _: pipeline, lambda _: folder, open_source=open_source
            )
            return conversion.convert(what, Watchers([])).records[0]

    def _parsed(self, output: str) -> ParsedDocument:
        file = self._out / output / WHOLE["json"]
        try:
            return _read(file, file.stat().st_mtime_ns)
        except (OSError, ValueError, KeyError, TypeError, DocparseError) as error:
            raise InputError("corrupt", f"{output} can't be read", remedy="call convert again") from error

    def _passages(self, output: str, wanted: Sequence[str]) -> Iterator[Passage]:
        edits = read_edits(self._out / output)
        heading = ""
        for page in edits.document(self._parsed(output)).pages:
            for block in page.blocks:
                text = " ".join(block.text.split())
                heading = text if block.category in ("title", "section_header") else heading
                folded, above = text.casefold(), heading.casefold()
                hits = [folded.count(word) for word in wanted]
                if any(hits) and all(hit or word in above for hit, word in zip(hits, wanted, strict=True)):
                    at = next(folded.index(word) for word in wanted if word in folded)
                    shown = text[max(0, at - AROUND) : at + len(wanted[0]) + AROUND]
                    yield Passage(output, page.number, heading, shown, sum(hits))


def _file_said(path: Path) -> dict[str, Any]:
    """The file's size, and when it was changed last; nothing of one that is gone or closed."""
    try:
        found = path.stat()
    except OSError:
        return {}
    changed = datetime.fromtimestamp(found.st_mtime, UTC)
    return {"bytes": found.st_size, "changed": changed.isoformat(timespec="seconds")}


def _page_of(parsed: ParsedDocument, output: str, number: int) -> ParsedPage:
    for page in parsed.pages:
        if page.number == number:
            return page
    pages = f"{parsed.pages[0].number} to {parsed.pages[-1].number}" if parsed.pages else "none"
    raise UsageError(f"{output} has no page {number}", remedy=f"it has {pages}")


@lru_cache(DOCUMENTS_IN_MEMORY)
def _read(file: Path, changed: int) -> ParsedDocument:
    return read_json(file.read_text("utf-8"))


def _named(folders: Sequence[Path]) -> dict[str, Path]:
    """The folders by their own names; a name that comes again gets a number.

    >>> list(_named([Path("a/scans"), Path("b/scans"), Path("b/scans-2")]))
    ['scans', 'scans-2', 'scans-2-2']
    """
    found: dict[str, Path] = {}
    for folder in folders:
        name = Path(os.path.realpath(folder)).name or "root"
        numbered = (f"{name}-{number}" for number in count(2))
        found[next(each for each in chain([name], numbered) if each not in found)] = folder
    return found


def _summary(output: str, parsed: ParsedDocument) -> dict[str, Any]:
    doubtful = [page for page in parsed.pages if page.needs_look]
    return {
        "document": output,
        "status": parsed.status,
        "warnings": list(parsed.warnings),
        "pages": [page.number for page in parsed.pages],
        "verified_pages": sum(page.verified != "none" for page in parsed.pages),
        "pages_to_look_at": [
            {"page": page.number, "why": [doubt.message for doubt in page.evidence.doubts] or [page.status]}
            for page in doubtful
        ],
        "outline": [{"level": each.level, "title": each.title, "page": each.page} for each in parsed.outline],
    }
