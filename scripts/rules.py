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

`off` reads the documents of a record (or PDFs and folders) and switches one row after the other off: a finder, a sign
or a rule of a list, one of the functions named below, a reader of tables, a label of the layout model. A row
MODULE:FUNCTION=RESULT given with --row is any other function, which then returns RESULT: a Python literal, or `first`,
its own first argument. A page on which the row never answers anything else is not read again, and what a network said
of a picture is remembered, so a run costs little more than the pages that rows touch; with --most 8 it reads only eight
of a row's documents again. Printed for each row: on how many documents it acts, the pages and documents whose Markdown
moves without it and, for each --score, the figures of its JSON that move. {out} is a folder with NAME/document.md and
NAME/document.json. --half splits the documents in two by their names, so that one half can be looked at and the other
reported.
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
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from functools import cache, reduce
from inspect import isgenerator
from pathlib import Path
from typing import Any, get_args

from docparse_fast.document import Page, PageDraft, ParsedDocument
from docparse_fast.drafting.auto import AutoDrafter
from docparse_fast.drafting.layout import CATEGORIES
from docparse_fast.drafting.tables.white_rows import BegunBy
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
Answers = Callable[..., Any]
Off = Callable[[Answers], Answers]  # of a row's function, what stands in for it


def saying(idle: Answers) -> Off:
    return lambda _: idle


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


def without(told: Callable[[Any], bool]) -> Off:
    """Off: what is told is left out of the answer."""
    return lambda function: lambda *given, **named: [one for one in function(*given, **named) if not told(one)]


def unless(told: Callable[..., bool]) -> Off:
    """Off: nothing is answered where that is told of the arguments."""
    return lambda function: lambda *given, **named: [] if told(*given) else function(*given, **named)


LISTS: Mapping[str, Answers] = {  # MODULE:NAME of tuples of functions, and what each answers that has nothing to say
    "born_digital.text_layer:FINDERS": first,
    "blocks.paragraphs:SIGNS": silent,
    "blocks.rules:RULES": first,
    "blocks.code_rows:SIGNS": silent,
}
NEVER_OFF = {"lines_in_order"}  # the page's text would be lost
IDLE: Mapping[Answers, str] = {  # MODULE:NAME or MODULE:CLASS.NAME of functions that answer so where they say nothing
    no: """
        blocks.assembly:downwards blocks.line_ends:set_line_by_line formulas.inline:has_formulas
        tables.no_table:_is_list tables.no_table:_are_rows_of_items tables.page_tables:_cuts
        tables.no_table:_is_chance tables.spoilt:_joins_columns
        tables.spoilt:_parts_rows blocks.assembly:_one_piece blocks.headings:_introduces
        blocks.headings:looks_like_heading blocks.headings:says_it_is_none""",
    first: """
        blocks.fragments:whole_lines born_digital.text_lines:flowing_lines formulas.fragments:joined_lines
        tables.choosing:_unspoilt tables.choosing:_untorn
        tables.choosing:_with_its_sum tables.choosing:_with_its_head tables.parts:in_its_sheet tables.parts:without_name
        tables.page_tables:_on_one_side tables.grid:_under_heads""",
    second: """
        born_digital.layer_tables:with_marks tables.heads:with_heads tables.heads:spanned_by_rules
        scans.ticks:with_ticks""",
    nothing: """
        born_digital.drawn_figures:figure_boxes born_digital.drawn_figures:placed_drawings tables.fields:led_lists
        tables.fields:fields tables.page_tables:_lattices tables.page_tables:_level_places
        tables.page_tables:ruled_places tables.page_tables:TableChoice._places tables.page_tables:TableChoice._halves
        tables.page_tables:TableChoice._read_again tables.page_tables:TableChoice._seen_beyond
        tables.places:sides_off_level tables.parts:at_heads tables.parts:parts_of tables.gutters:gutters_below_head
        tables.readers:_seams blocks.panels:panels blocks.panels:seams_across blocks.panels:head_of
        blocks.stacks:paragraphs_among blocks.assembly:level_stacks scans.lone_signs:lone_signs""",
    none_and_all: "born_digital.sheet:parted_from_watermarks scans.printed_code:printed_code",
}
OFF: Mapping[str, tuple[str, Off]] = {  # by a row's name its MODULE:NAME, and what stands in for it
    "furniture": ("blocks.furniture:furniture", saying(lambda *_, **__: ({}, []))),
    "one column": ("blocks.reading_order:columns", saying(lambda boxes, *_, **__: [list(range(len(boxes)))])),
    "stacks": ("blocks.stacks:parted_by_stacks", saying(lambda order, *_, **__: [list(order)])),
    "headings judged": ("blocks.assembly:is_heading", saying(no)),
    "names between": ("tables.places:between_names", saying(lambda rows, *_, **__: [list(rows)] if rows else [])),
    "text beside": ("tables.parts:without_text", saying(lambda whole, *_, **__: iter([whole]))),
    **{
        f"reader {name}": ("tables.readers:GridReaders.read", without(lambda one, name=name: one.reader == name))
        for name in ("grid", "grid-white", "model")
    },
    **{
        f"rows by {by}": ("tables.readers:white_slots", unless(lambda *given, by=by: given[2:] == (by,)))
        for by in get_args(BegunBy)
    },
    **{
        f"label {kind.value}": ("layout:PageLayout.seen", without(lambda one, kind=kind: one.category is kind))
        for kind in CATEGORIES.values()
    },
}
REMEMBERED = (  # what networks say of the same picture, or sums of the same rows, isn't asked twice
    "tables.candidates:proof",
    "layout:PageLayout.seen",
    "tables.structure:TableReader.look",
    "tables.structure:GridLines.slots",
    "scans.ocr:TextDetector.look",
    "scans.ocr:Ocr.read",
    "scans.orientation:PageOrientation.ways",
)


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


@dataclass(frozen=True, slots=True)
class Row:
    """What can be switched off: a function, and what stands in for it."""

    owner: Any  # a module or a class
    function: Answers
    off: Off


def row_of(place: str, off: Off) -> Row:
    module, _, name = place.partition(":")
    *path, last = name.split(".")
    owner = reduce(
        getattr, path, importlib.import_module(module if module.startswith("docparse") else f"{DRAFTING}.{module}")
    )
    return Row(owner, getattr(owner, last), off)


def known_rows(named: Sequence[str]) -> dict[str, Row]:
    """The rows by their names; a row of a list is called as its function."""
    found: dict[str, Row] = {}
    for place, idle in LISTS.items():
        module, _, name = place.partition(":")
        owner = importlib.import_module(f"{DRAFTING}.{module}")
        of_list = (function for function in getattr(owner, name) if function.__name__ not in NEVER_OFF)
        found |= {function.__name__: Row(owner, function, saying(idle)) for function in of_list}
    for idle, places in IDLE.items():
        found |= {place.partition(":")[2]: row_of(place, saying(idle)) for place in places.split()}
    found |= {name: row_of(*each) for name, each in OFF.items()}
    if not named:
        return found
    return {name.partition("=")[0]: found[name] if name in found else _own_row(name) for name in named}


def _own_row(text: str) -> Row:
    place, _, result = text.partition("=")
    if ":" not in place or not result:
        raise SystemExit(f"no row {text}: `rows` lists them; another function is MODULE:FUNCTION=RESULT")
    value = None if result == "first" else literal_eval(result)
    return row_of(place, saying(first if result == "first" else lambda *_, **__: value))


@contextmanager
def replaced(row: Row, by: Answers) -> Iterator[None]:
    """Everywhere in the package, also in lists of rules: modules import functions by their names."""
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("docparse_fast")]
    held = [(owner, name, value) for owner in (*modules, row.owner) for name, value in list(vars(owner).items())]
    changed: list[tuple[Any, str, Any, Any]] = [
        (owner, name, value, by) for owner, name, value in held if value is row.function
    ]
    for owner, name, value in held:
        if isinstance(value, tuple) and any(one is row.function for one in value):
            changed.append((owner, name, value, tuple(by if one is row.function else one for one in value)))
    for _, _, value in held:
        getattr(value, "cache_clear", lambda: None)()
    for owner, name, _, new in changed:
        setattr(owner, name, new)
    try:
        yield
    finally:
        for owner, name, old, _ in changed:
            setattr(owner, name, old)


def remembered(function: Answers) -> Answers:
    """The same, asked once for the same arguments: a page is known by its words, a picture by its pixels."""
    known: dict[Any, Any] = {}

    def answered(*given: Any, **named: Any) -> Any:
        told = tuple(map(_told_by, given)), repr(named)
        if told not in known:
            known[told] = function(*given, **named)
        return list(known[told]) if isinstance(known[told], list) else known[told]

    answered.__name__ = function.__name__
    return answered


def _told_by(given: Any) -> str:
    if hasattr(given, "get_text"):
        return f"{given.parent.name} {given.number} {given.get_text('words')}"
    if hasattr(given, "tobytes"):
        return hashlib.sha256(given.tobytes()).hexdigest()
    return type(given).__name__ if type(given).__repr__ is object.__repr__ else repr(given)


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

    def watched(self, rows: Mapping[str, Row]) -> Answers:
        """The function that these rows share; remembers on which pages each of them makes a difference."""
        (function,) = {id(row.function): row.function for row in rows.values()}.values()
        stand_ins = {name: row.off(function) for name, row in rows.items()}

        def called(*given: Any, **named: Any) -> Any:
            kept = tuple(list(one) if isinstance(one, list) or isgenerator(one) else one for one in given)
            answer = function(*kept, **named)
            made = _held(answer)
            for name, stand_in in stand_ins.items():
                place = self.document, self.page
                if place not in self.acted[name]:
                    copied = tuple(list(one) if isinstance(one, list) else one for one in kept)
                    if not _same(made, _held(stand_in(*copied, **named))):
                        self.acted[name].add(place)
            return iter(made) if isinstance(answer, Iterator) else made

        called.__name__ = function.__name__
        return called


def _held(made: Any) -> Any:
    return list(made) if isinstance(made, Iterator) else made


def _same(made: Any, without: Any) -> bool:
    if made is without:
        return True
    if is_dataclass(made) and type(made) is type(without):
        return all(_same(getattr(made, each.name), getattr(without, each.name)) for each in fields(made))
    if isinstance(made, list | tuple) and isinstance(without, list | tuple):
        return len(made) == len(without) and all(map(_same, made, without))
    return bool(made == without)


def off(given: argparse.Namespace) -> int:
    listed = [s for s in sources(given.inputs, None, {}) if given.half is None or half_of(s.name) == given.half]
    for place in () if any("scans" in name for name in given.row) else REMEMBERED:
        row = row_of(place, remembered)
        setattr(row.owner, row.function.__name__, remembered(row.function))
    rows, desk = known_rows(given.row), Desk()
    AutoDrafter.draft = desk.draft(AutoDrafter.draft)  # type: ignore[method-assign]
    with tempfile.TemporaryDirectory() as made:
        base = Path(made) / "base"
        before = first_reading(listed, rows, desk, base if given.score else None)
        print(f"{len(listed)} documents, {len(desk.drafts)} pages", flush=True)
        scores = [figures(command, base) for command in given.score]
        report = []
        for name, row in rows.items():
            out = Path(made) / "off"
            found = switched_off(name, row, listed, desk, before, (base, out) if given.score else None, given.most)
            after = [figures(command, out) for command in given.score]
            found["scores"] = [moved(a, b) for a, b in zip(scores, after, strict=True)]
            report.append(found)
            counts = "acts on {on} documents; of {read} it moves {documents}, {pages} pages".format(**found)
            print(f"{name}: {counts}", *found["named"][: given.show], *_told(found["scores"]), sep="\n  ", flush=True)
    if given.json:
        write(given.json, json.dumps({"documents": len(listed), "pages": len(desk.drafts), "rows": report}) + "\n")
    return 0


def first_reading(
    listed: Sequence[Source], rows: Mapping[str, Row], desk: Desk, out: Path | None
) -> dict[str, Reading]:
    by_function: dict[int, dict[str, Row]] = defaultdict(dict)
    for name, row in rows.items():
        by_function[id(row.function)][name] = row
    watching = [replaced(next(iter(some.values())), desk.watched(some)) for some in by_function.values()]
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
    row: Row,
    listed: Sequence[Source],
    desk: Desk,
    before: Mapping[str, Reading],
    folders: tuple[Path, Path] | None,
    most: int,
) -> dict[str, Any]:
    desk.again = desk.acted[name]
    touched = sorted({document for document, _ in desk.again})
    read_again = set(touched[:: -(-len(touched) // most)] if most and touched else touched)
    changed: list[Place] = []
    if folders:
        subprocess.run(["rm", "-rf", folders[1]], check=True)
        subprocess.run(["cp", "-r", *folders], check=True)
    with replaced(row, row.off(row.function)):
        for source in listed:
            if source.name not in read_again:
                continue
            old, new = before[source.name].pages, desk.read(source)
            pages = [n for n in old.keys() | new.pages.keys() if old.get(n) != new.pages.get(n)]
            changed += [(source.name, n) for n in sorted(pages)]
            if pages and folders:
                keep(new, folders[1] / source.name)
    documents = {document for document, _ in changed}
    named = [f"{document}, page {page}" for document, page in changed]
    counts = {"acted": len(desk.again), "on": len(touched), "read": len(read_again)}
    counts |= {"pages": len(changed), "documents": len(documents)}
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
    one.add_argument("--most", type=int, default=0, help="documents that are read again for a row, evenly chosen")
    one.add_argument("--json", type=Path)
    one.set_defaults(run=off)
    one = commands.add_parser("rows")
    one.set_defaults(run=lambda _: print("\n".join(known_rows(()))) or 0)
    given = parser.parse_args()
    return int(given.run(given))


if __name__ == "__main__":
    sys.exit(main())
