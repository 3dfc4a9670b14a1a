"""Parsed documents to versioned JSON and back. Knows the keys that docs/keys.md promises; reads no page.

The same input gives the same bytes, except the `seconds` of each page; they are a separate key, easy to drop.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from docparse_fast.document import (
    NOT_MARKDOWN,
    Block,
    Box,
    Category,
    Failure,
    FormField,
    OutlineEntry,
    ParsedDocument,
    ParsedPage,
    Provenance,
)
from docparse_fast.evidence import PageEvidence
from docparse_fast.rendering.fields import field_as_json, fields_of
from docparse_fast.sums.table_sums import TableSums
from docparse_fast.system.typed_json import read
from docparse_fast.text.html_cells import grid_of
from docparse_fast.text.marks import struck_spans
from docparse_fast.text.placed_words import NO_WORDS, PlacedWords

FORMAT = "docparse-fast/document"
VERSION = 1
SELDOM = (
    "type_size",
    "score",
    "judged",
    "goes_on",
    "continues",
    "because",
    "csv",
    "structure",
)  # written only where there is something to say

NUMBERS = re.compile(r"\[\n\s+([-+.\de]+(?:,\n\s+[-+.\de]+)*)\n\s+\]")  # spread over lines, which no string ever is


_CONTROL = re.compile(r"[\x7f-\x9f]")  # JSON allows them as they are, but a terminal obeys some


def dumps(value: Any, indent: int | None = None) -> str:
    """JSON in the letters of its text, with every control character escaped.

    >>> print(dumps("é \x9b31m"))
    "é \\u009b31m"
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def render_json(document: ParsedDocument) -> str:
    text = dumps(as_json(document), indent=1)
    return NUMBERS.sub(lambda found: f"[{' '.join(found[1].split())}]", text) + "\n"


def as_json(document: ParsedDocument) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "source": {"name": document.source, "sha256": document.sha256},
        "status": document.status,
        "options": dict(document.options),
        "models": dict(document.models),
        "warnings": list(document.warnings),
        "outline": [asdict(entry) for entry in document.outline],
        "pages": [page_as_json(page, words=has_words(document.options)) for page in document.pages],
    }


def read_json(text: str) -> ParsedDocument:
    """Reads what `render_json` wrote.

    >>> read_json(render_json(ParsedDocument("a.pdf", "5d41", (ParsedPage(1, status="blank"),)))).pages[0].status
    'blank'
    """
    found = json.loads(text)
    if found.get("format") != FORMAT or found.get("version") != VERSION:
        raise ValueError(f"not a {FORMAT} of version {VERSION}")
    return ParsedDocument(
        source=found["source"]["name"],
        sha256=found["source"]["sha256"],
        pages=tuple(read_page(page) for page in found["pages"]),
        options=found["options"],
        models=found["models"],
        warnings=tuple(found["warnings"]),
        outline=tuple(OutlineEntry(**entry) for entry in found.get("outline", ())),
    )


def has_words(options: Mapping[str, object]) -> bool:
    """Whether the JSON keeps where each word stands, as a map is made of that."""
    formats = options.get("format")
    return isinstance(formats, Sequence) and "map" in formats


def page_as_json(page: ParsedPage, *, words: bool = False) -> dict[str, Any]:
    return {
        "number": page.number,
        "label": page.label,
        "width": page.width,
        "height": page.height,
        "dpi": round(page.dpi, 2),
        **({"flattened": page.flattened} if page.flattened else {}),
        "status": page.status,
        "error": {"code": page.error.code, "message": page.error.message} if page.error else None,
        "verified": page.verified,
        "exact": page.exact,
        "confidence": page.confidence,
        "structure": page.structure,
        "needs_look": page.needs_look,
        "left_out": page.left_out,
        "fields": [field_as_json(field, page.blocks) for field in fields_of(page.blocks, page.form)],
        "blocks": [_block(block, words=words) for block in page.blocks],
        "stats": page.evidence.as_json(),
        "seconds": {name: round(seconds, 4) for name, seconds in page.seconds.items()},
    }


def _block(block: Block, *, words: bool) -> dict[str, Any]:
    return {
        "category": str(block.category),
        "level": block.level,
        "box": _box(block.box),
        "text": block.text,
        "sources": list(block.sources),
        "confidence": block.confidence,
        "image": block.image,
        "spans": [{"text": span.text, "origin": span.origin, "source": span.source} for span in block.spans],
        **{name: value for name in SELDOM if (value := getattr(block, name))},
        **({"struck": struck} if (struck := _struck(block)) else {}),
        **({"table": shape} if (shape := _shape(block)) else {}),
        **({"sums": block.sums.as_json()} if block.sums is not None else {}),
        **({"words": {"text": block.words.text, "boxes": block.words.sides}} if words and block.words else {}),
    }


def _struck(block: Block) -> list[tuple[int, int]]:
    """From where to where its text is crossed out: what its Markdown, or its table's HTML, says."""
    if block.category is Category.TABLE:
        marks = zip(re.finditer("<del>", block.text), re.finditer("</del>", block.text), strict=False)
        return [(begin.end(), end.start()) for begin, end in marks]
    return [] if block.category in NOT_MARKDOWN else struck_spans(block.text)


def _shape(block: Block) -> dict[str, Any] | None:
    """How a table is made up: what its HTML says, for who doesn't read HTML."""
    cells = grid_of(block.text) if block.category is Category.TABLE else []
    if not cells:
        return None
    heads = {cell.row for cell in cells if cell.header} - {cell.row for cell in cells if not cell.header}
    rows = max(cell.row + cell.rows for cell in cells)
    return {
        "rows": rows,
        "columns": max(cell.column + cell.columns for cell in cells),
        "header_rows": next(n for n in range(rows + 1) if n not in heads),
        "spanning": [
            [cell.row, cell.column, cell.rows, cell.columns] for cell in cells if cell.rows * cell.columns > 1
        ],
    }


def _box(box: Box | None) -> list[float] | None:
    box = box.rounded() if box else None
    return [box.x0, box.y0, box.x1, box.y1] if box else None


def read_page(found: Mapping[str, Any]) -> ParsedPage:
    error = found["error"]
    return ParsedPage(
        number=found["number"],
        width=found["width"],
        height=found["height"],
        dpi=found["dpi"],
        label=found["label"],
        status=found["status"],
        error=Failure(error["code"], error["message"]) if error else None,
        verified=found["verified"],
        exact=found["exact"],
        confidence=found.get("confidence"),
        structure=found.get("structure"),
        blocks=tuple(_read_block(block) for block in found["blocks"]),
        form=tuple(_read_field(field, found["number"]) for field in found.get("fields", ()) if "name" in field),
        evidence=PageEvidence.from_json(found["stats"]),
        seconds=found["seconds"],
        flattened=found.get("flattened"),
    )


def _read_field(found: Mapping[str, Any], page: int) -> FormField:
    box = Box(*found["box"]) if found["box"] else None
    return FormField(found["name"], found["kind"], found["value"], page, box, found["label"])


def _read_block(found: Mapping[str, Any]) -> Block:
    box: Sequence[float] | None = found["box"]
    return Block(
        category=Category(found["category"]),
        text=found["text"],
        box=Box(*box) if box else None,
        level=found["level"],
        sources=tuple(found["sources"]),
        confidence=found["confidence"],
        image=found["image"],
        spans=tuple(Provenance(span["text"], span["origin"], span["source"]) for span in found["spans"]),
        **{name: found[name] for name in SELDOM if name in found},
        sums=read(TableSums, found["sums"]) if "sums" in found else None,
        words=PlacedWords.from_numbers(**found["words"]) if "words" in found else NO_WORDS,
    )
