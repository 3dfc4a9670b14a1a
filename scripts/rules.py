#!/usr/bin/env python3
"""What rules of drafting earn, and whether a change of the code changed any page.

    python scripts/rules.py digest PDF_OR_FOLDER... -o RECORD.json [--pages 1-4] [--draft ocr=never]
    python scripts/rules.py compare RECORD.json [--every 5] [--show 3]
    python scripts/rules.py off RECORD.json [--row NAME]... [--half 0] [--score 'score.py {out} --json {json}']...
    python scripts/rules.py rows

`digest` reads the documents in one process and keeps the Markdown of every page in RECORD.json, beside the list of what
was read and how. `compare` reads the same list with the code that is here now, names the pages that differ, and ends
with 1 if there is one; with --every 5 it reads each fifth document, with --show 3 it prints the first differences. A
folder holds documents or, if it has a `cases.json` with `id`, `file` and `pages`, those. RECORD.json is an input too.

`off` reads the documents of a record (or PDFs and folders) and switches one row after the other off: a row of a list of
rules, or one of the functions named in ROWS below. A row MODULE:FUNCTION=RESULT given with --row is any other function,
which then returns RESULT: a Python literal, or `first`, its own first argument. A page on which the row never answers
anything else is not read again, so a run costs little more than the pages that rows touch. Printed for each row: pages
on which it acted, pages and documents whose Markdown moves without it and, for each --score, the figures of its JSON
that move. {out} is a folder with NAME/document.md and NAME/document.json. --half splits the documents in two by
their names, so that one half can be looked at and the other reported.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import importlib
import json
import os
import shlex
import subprocess
import sys
import tempfile
from ast import literal_eval
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from docparse_fast.document import Page, PageDraft, ParsedDocument
from docparse_fast.drafting.auto import AutoDrafter
from docparse_fast.errors import DocparseError
from docparse_fast.joining import flowing, whole
from docparse_fast.opening import open_pipeline
from docparse_fast.options import DraftOptions, ParseOptions, RasterOptions, TargetOptions
from docparse_fast.pages import open_pages
from docparse_fast.pipeline import Pipeline
from docparse_fast.rendering.json import render_json
from docparse_fast.rendering.markdown import render_markdown, render_page
from docparse_fast.run.inputs import find_inputs
from docparse_fast.run.outputs import write
from docparse_fast.run.provenance import parsed_document

DRAFTING = "docparse_fast.drafting"
Idle = Callable[..., Any]  # what a row that is switched off answers


def first(*given: Any, **_: Any) -> Any:
    return given[0]


def second(*given: Any, **_: Any) -> Any:
    return given[1]


def nothing(*_: Any, **__: Any) -> Any:
    return []


def no(*_: Any, **__: Any) -> Any:
    return False


def silent(*_: Any, **__: Any) -> Any:
    return None


def none_and_all(*given: Any, **_: Any) -> Any:
    return [], given[0]


LISTS: Mapping[str, Idle] = {  # MODULE:NAME of tuples of functions, and what each answers that has nothing to say
    "blocks.rules:RULES": first,
    "blocks.paragraphs:SIGNS": silent,
    "blocks.code_rows:SIGNS": silent,
}
ROWS: Mapping[str, Idle] = {
    "blocks.assembly:_of_one_piece": second,
    "blocks.fragments:whole_lines": first,
    "blocks.assembly:downwards": no,
    "blocks.furniture:furniture": lambda *_, **__: {},
    "blocks.line_ends:set_line_by_line": no,
    "blocks.code_blocks:code_blocks": nothing,
    "blocks.contents_entries:parted_from_contents": none_and_all,
    "born_digital.sheet:parted_from_watermarks": none_and_all,
    "born_digital.layer_tables:with_marks": second,
    "born_digital.drawn_figures:with_bullets": first,
    "born_digital.drawn_figures:figure_boxes": nothing,
    "born_digital.drawn_figures:placed_drawings": nothing,
    "born_digital.text_lines:flowing_lines": first,
    "tables.fields:led_lists": nothing,
    "tables.fields:fields": nothing,
    "tables.parts:parts_of": nothing,
    "tables.heads:with_heads": second,
    "formulas.displayed:formulas": nothing,
    "formulas.fragments:joined_lines": first,
    "formulas.inline:has_formulas": no,
}


@dataclass(frozen=True, slots=True)
class Source:
    """A document and how it is read."""

    name: str
    path: str
    pages: str | None = None
    draft: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of a document: each page's Markdown by its number, or the error that ended it."""

    pages: Mapping[int, str]
    document: ParsedDocument | None = None


# ------------------------------------------------------------------------------------------------- reading


@cache
def pipeline_for(draft: tuple[tuple[str, str], ...]) -> Pipeline:
    return open_pipeline(ParseOptions(drafting=DraftOptions(**dict(draft)), target=TargetOptions(name="none")))


def read(source: Source) -> Reading:
    draft = tuple(sorted(source.draft.items()))
    options = ParseOptions(
        drafting=DraftOptions(**dict(draft)),
        target=TargetOptions(name="none"),
        raster=RasterOptions(pages=source.pages),
    )
    try:
        with open_pages(source.path, options.raster) as opened:
            pages = tuple(pipeline_for(draft).pages(opened))
            document = whole(parsed_document(opened, source.path, pages, options, None), opened.bookmarks)
    except DocparseError as error:
        return Reading({0: f"error: {error.code}"})
    except Exception as error:  # a bug of the code that is looked at must not end the comparison
        print(f"{source.name}: {error!r}", file=sys.stderr)
        return Reading({0: f"bug: {error!r}"})
    return Reading({page.number: render_page(page) for page in document.pages}, document)


def sources(given: Iterable[Path], pages: str | None, draft: Mapping[str, str]) -> Iterator[Source]:
    for path in given:
        cases = path / "cases.json"
        if path.suffix == ".json":
            listed = json.loads(path.read_text("utf-8"))["documents"]
            yield from (Source(one["name"], one["path"], one["pages"], one["draft"]) for one in listed)
        elif cases.is_file():
            for case in json.loads(cases.read_text("utf-8")):
                file = path / (case.get("file") or case["input"])
                some = case.get("pages")
                yield Source(case["id"], str(file), some if isinstance(some, str) else pages, draft)
        else:
            for found in find_inputs([path], None):
                yield Source(str(found.path.with_suffix("").name), str(found.path), pages, draft)


def half_of(name: str) -> int:
    return hashlib.sha256(name.encode()).digest()[0] % 2


# ------------------------------------------------------------------------------------------- digest, compare


def digest(given: argparse.Namespace) -> int:
    documents = []
    for source in sources(given.inputs, given.pages, dict(given.draft)):
        found = read(source).pages
        documents.append(asdict(source) | {"markdown": found})
        print(f"{source.name}: {len(found)} pages", flush=True)
    write(given.o, json.dumps({"documents": documents}, ensure_ascii=False) + "\n")
    print(f"{len(documents)} documents, {sum(len(one['markdown']) for one in documents)} pages -> {given.o}")
    return 0


def compare(given: argparse.Namespace) -> int:
    stored = json.loads(given.record.read_text("utf-8"))["documents"][:: given.every]
    names, pages, shown = [], 0, 0
    for one in stored:
        now = read(Source(one["name"], one["path"], one["pages"], one["draft"])).pages
        before = {int(number): text for number, text in one["markdown"].items()}
        pages += len(before)
        for number in sorted(before.keys() | now.keys()):
            old, new = before.get(number, ""), now.get(number, "")
            if old == new:
                continue
            names.append(f"{one['name']}, page {number}")
            print(names[-1], flush=True)
            if (shown := shown + 1) <= given.show:
                print("\n".join(list(difflib.unified_diff(old.split("\n"), new.split("\n"), lineterm="", n=1))[2:]))
    print(f"{len(names)} of {pages} pages of {len(stored)} documents differ")
    return int(bool(names))


# ------------------------------------------------------------------------------------------------------- off


def known_rows(named: Sequence[str]) -> dict[str, tuple[Any, Idle]]:
    """Each row's function by the row's name, and what it answers when it is switched off."""
    found: dict[str, tuple[Any, Idle]] = {}
    for place, idle in LISTS.items():
        module, _, name = place.partition(":")
        for row in getattr(importlib.import_module(f"{DRAFTING}.{module}"), name):
            found[row.__name__] = row, idle
    for place, idle in ROWS.items():
        module, _, name = place.partition(":")
        found.setdefault(name, (getattr(importlib.import_module(f"{DRAFTING}.{module}"), name), idle))
    if not named:
        return found
    return {name.partition("=")[0]: found[name] if name in found else _own_row(name) for name in named}


def _own_row(text: str) -> tuple[Any, Idle]:
    place, _, result = text.partition("=")
    module, _, name = place.partition(":")
    if not name or not result:
        raise SystemExit(f"no row {text}: `rows` lists them; another function is MODULE:FUNCTION=RESULT")
    value = None if result == "first" else literal_eval(result)
    return getattr(importlib.import_module(module), name), first if result == "first" else lambda *_, **__: value


@contextmanager
def replaced(function: Any, by: Any) -> Iterator[None]:
    """Everywhere in the package, also in lists of rules: modules import functions by their names."""
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("docparse_fast")]
    held = [(module, name, value) for module in modules for name, value in list(vars(module).items())]
    changed = [(m, name, value, by) for m, name, value in held if value is function]
    for module, name, value in held:
        if isinstance(value, tuple) and any(row is function for row in value):
            changed.append((module, name, value, tuple(by if row is function else row for row in value)))
    for _, _, value in held:
        getattr(value, "cache_clear", lambda: None)()
    for module, name, _, new in changed:
        setattr(module, name, new)
    try:
        yield
    finally:
        for module, name, old, _ in changed:
            setattr(module, name, old)


Place = tuple[str, int]  # a document's name and a page's number


class Desk:
    """Reads documents, knows on which page it is, and takes pages that can't have changed from the first reading."""

    def __init__(self) -> None:
        self.drafts: dict[Place, PageDraft] = {}
        self.acted: dict[str, set[Place]] = defaultdict(set)
        self.document = ""
        self.page = 0
        self.again: set[Place] | None = None  # the pages to draft again; all, in the first reading

    def read(self, source: Source) -> Reading:
        self.document = source.name
        return read(source)

    def draft(self, draft: Callable[[AutoDrafter, Page], PageDraft]) -> Callable[[AutoDrafter, Page], PageDraft]:
        def drafted(drafter: AutoDrafter, page: Page) -> PageDraft:
            self.page = page.number
            place = self.document, page.number
            if self.again is not None and place not in self.again and place in self.drafts:
                return self.drafts[place]
            made = draft(drafter, page)
            if self.again is None:
                self.drafts[place] = made
            return made

        return drafted

    def watched(self, name: str, function: Callable[..., Any], idle: Idle) -> Callable[..., Any]:
        def called(*given: Any, **named: Any) -> Any:
            without = idle(*(list(one) if isinstance(one, list) else one for one in given), **named)
            made = function(*given, **named)
            if not _same(made, without):
                self.acted[name].add((self.document, self.page))
            return made

        called.__name__ = name
        return called


def _same(made: Any, without: Any) -> bool:
    if isinstance(made, list | tuple) and isinstance(without, list | tuple):
        return len(made) == len(without) and all(map(_same, made, without))
    return bool(made is without or made == without)


def off(given: argparse.Namespace) -> int:
    listed = [s for s in sources(given.inputs, None, {}) if given.half is None or half_of(s.name) == given.half]
    rows, desk = known_rows(given.row), Desk()
    AutoDrafter.draft = desk.draft(AutoDrafter.draft)  # type: ignore[method-assign]
    with tempfile.TemporaryDirectory() as made:
        base = Path(made) / "base"
        before = first_reading(listed, rows, desk, base if given.score else None)
        print(f"{len(listed)} documents, {len(desk.drafts)} pages", flush=True)
        scores = [figures(command, base) for command in given.score]
        report = []
        for name, (function, idle) in rows.items():
            out = Path(made) / "off"
            found = switched_off(name, function, idle, listed, desk, before, (base, out) if given.score else None)
            after = [figures(command, out) for command in given.score]
            found["scores"] = [moved(a, b) for a, b in zip(scores, after, strict=True)]
            report.append(found)
            counts = "acted {acted}, moves {pages} pages of {documents} documents".format(**found)
            print(f"{name}: {counts}", *found["named"][: given.show], *_told(found["scores"]), sep="\n  ", flush=True)
    if given.json:
        write(given.json, json.dumps({"documents": len(listed), "pages": len(desk.drafts), "rows": report}) + "\n")
    return 0


def first_reading(
    listed: Sequence[Source], rows: Mapping[str, tuple[Any, Idle]], desk: Desk, out: Path | None
) -> dict[str, Reading]:
    watching = [replaced(function, desk.watched(name, function, idle)) for name, (function, idle) in rows.items()]
    for each in watching:
        each.__enter__()
    before = {source.name: desk.read(source) for source in listed}
    for each in reversed(watching):
        each.__exit__(None, None, None)
    for name, reading in before.items() if out else ():
        keep(reading, out / name)  # type: ignore[operator]
    return before


def switched_off(
    name: str,
    function: Any,
    idle: Idle,
    listed: Sequence[Source],
    desk: Desk,
    before: Mapping[str, Reading],
    folders: tuple[Path, Path] | None,
) -> dict[str, Any]:
    desk.again = desk.acted[name]
    touched = {document for document, _ in desk.again}
    changed: list[Place] = []
    if folders:
        subprocess.run(["rm", "-rf", folders[1]], check=True)
        subprocess.run(["cp", "-r", *folders], check=True)
    with replaced(function, idle):
        for source in listed:
            if source.name not in touched:
                continue
            old, new = before[source.name].pages, desk.read(source)
            pages = [n for n in old.keys() | new.pages.keys() if old.get(n) != new.pages.get(n)]
            changed += [(source.name, n) for n in sorted(pages)]
            if pages and folders:
                keep(new, folders[1] / source.name)
    documents = {document for document, _ in changed}
    named = [f"{document}, page {page}" for document, page in changed]
    counts = {"acted": len(desk.again), "pages": len(changed), "documents": len(documents)}
    return {"row": name, **counts, "named": named}


def keep(reading: Reading, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if reading.document is None:
        return
    (folder / "document.md").write_text(render_markdown(flowing(reading.document)), "utf-8")
    (folder / "document.json").write_text(render_json(reading.document), "utf-8")


def figures(command: str, out: Path) -> dict[str, float]:
    """The numbers of a scorer's JSON by their keys; those of single documents are left out."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "figures.json"
        words = [word.replace("{out}", str(out)).replace("{json}", str(file)) for word in shlex.split(command)]
        said = subprocess.run(words, capture_output=True, text=True, env=os.environ)
        text = file.read_text("utf-8") if file.is_file() else said.stdout
    try:
        return dict(_leaves(json.loads(text), "", {path.name for path in out.rglob("*") if path.is_dir()}))
    except ValueError:
        raise SystemExit(f"{command}: no JSON in {{json}} or its output\n{said.stderr}") from None


def _leaves(value: Any, key: str, documents: set[str]) -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name.split("/")[-1] not in documents:
                yield from _leaves(inner, f"{key}.{name}".lstrip("."), documents)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield key, float(value)


def moved(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, list[float]]:
    return {key: [value, after[key]] for key, value in before.items() if key in after and after[key] != value}


def _told(scores: Sequence[Mapping[str, Sequence[float]]]) -> list[str]:
    return [f"{key}: {old:.2f} -> {new:.2f} without it" for score in scores for key, (old, new) in score.items()]


# ------------------------------------------------------------------------------------------------------ main


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("digest")
    one.add_argument("inputs", nargs="+", type=Path)
    one.add_argument("-o", type=Path, required=True)
    one.add_argument("--pages")
    one.add_argument("--draft", action="append", default=[], type=lambda text: tuple(text.split("=", 1)))
    one.set_defaults(run=digest)
    one = commands.add_parser("compare")
    one.add_argument("record", type=Path)
    one.add_argument("--every", type=int, default=1)
    one.add_argument("--show", type=int, default=0)
    one.set_defaults(run=compare)
    one = commands.add_parser("off")
    one.add_argument("inputs", nargs="+", type=Path)
    one.add_argument("--row", action="append", default=[])
    one.add_argument("--half", type=int, choices=(0, 1))
    one.add_argument("--score", action="append", default=[])
    one.add_argument("--show", type=int, default=0, help="pages to name for each row")
    one.add_argument("--json", type=Path)
    one.set_defaults(run=off)
    one = commands.add_parser("rows")
    one.set_defaults(run=lambda _: print("\n".join(known_rows(()))) or 0)
    given = parser.parse_args()
    return int(given.run(given))


if __name__ == "__main__":
    sys.exit(main())
