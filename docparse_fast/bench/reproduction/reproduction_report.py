"""Shows a reproduction as paragraphs and tables, and as versioned JSON. Derives no figure.

docs/bench.md describes the JSON; a later release may add keys, and changes existing ones only with a new
version number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from docparse_fast.bench import paper
from docparse_fast.bench.record import to_json as record_json
from docparse_fast.bench.reproduction.reproduce import FIGURE_3, Reproduction
from docparse_fast.bench.reproduction.rows import OurRow
from docparse_fast.bench.reproduction.sessions import Session
from docparse_fast.bench.reproduction.sources import NANO, Need
from docparse_fast.bench.speedups import summary
from docparse_fast.bench.tables import LOST, NONE, Heading, Part, Remarks, Table, figure

FORMAT = "docparse-fast/reproduction"
VERSION = 2  # 1 had scores of our own, lengths and slow pages
SAME = "same as plain"
CLOCKS = {"cpu": "CPU seconds", "wall": "wall seconds"}
NANO_NOTE = (
    "nano is a toy of 4.8 million parameters that reads synthetic pages. Its figures are real and show how the method\n"
    "behaves, not what it gains: the drafter's models are heavier than nano, which no user's target is."
)
AAL_NOTE = (
    "AAL is Eq. 14: draft tokens a step, so plain decoding has 0 where the paper prints 1.00. SR_decode counts\n"
    "drafting and Stage 1 (paper, 4.2); the JSON has every way's seconds by span."
)
SCORE_NOTE = (
    "Ours are no scores but how like the page's letters are, where a folder has its text. The official tool says what\n"
    "a published data set's score is: --answers FOLDER writes what they read (docs/scores.md)."
)


def report(found: Reproduction) -> Iterator[Part]:
    """The table, the notes, and what is missing."""
    yield "\n".join([f"{found.table.label}. {found.table.title}", *found.table.notes])
    yield _table(found)
    if found.sessions:
        yield from _notes(found)
    for title, needs in (("Missing here:", found.needs), ("For the rest of the paper's table:", found.others)):
        if needs:
            yield title
            yield Remarks(tuple(map(_need, needs)))


def _table(found: Reproduction) -> Table:
    exact = any(row.exact for row in found.rows)
    columns = [Heading(""), Heading(""), *(Heading(column.name, column.group) for column in found.columns)]
    rows = [cells for row in found.rows for cells in _lines(found, row, exact=exact)]
    return Table((*columns, Heading(SAME)) if exact else tuple(columns), tuple(rows))


def _lines(found: Reproduction, row: OurRow, *, exact: bool) -> Iterator[tuple[str, ...]]:
    """Our line and below it the paper's."""
    yield (row.name, "ours", *_cells(found, row.ours), *([_of(row.exact)] if exact else []))
    if row.paper is not None:
        cells = _cells(found, row.paper, lost=found.table.datasets)
        yield ("", "paper", *cells, *([NONE] if exact else []))


def _cells(found: Reproduction, figures: Sequence[float | None] | None, lost: Sequence[str] = ()) -> Iterable[str]:
    """Formats figures; a missing one counts as lost if the paper prints it, in the columns of its data sets."""
    for value, column in zip(figures or [None] * len(found.columns), found.columns, strict=True):
        printed = bool(lost) and (not column.dataset or column.dataset in lost)
        yield figure(value, column.unit, LOST if printed else NONE)


def _of(pages: tuple[int, int] | None) -> str:
    return NONE if pages is None or not pages[1] else f"{pages[0]}/{pages[1]}"


# ------------------------------------------------------------------------------------ what is to be known


def _notes(found: Reproduction) -> Iterator[str]:
    if found.interrupted:
        yield "Interrupted: not every page was reached, nor perhaps every model and data set."
    first = found.sessions[0].measurement.settings
    yield (
        f"ours: {', '.join(dict.fromkeys(_named(session) for session in found.sessions))}; {first.device}, "
        f"{first.dtype},\n{CLOCKS[first.clock]}, median of {first.repeats}; drafts by {found.drafter}.\n"
        f"paper: {paper.hardware()}, drafts by PP-StructureV3.\n"
        "Other models and other hardware, so compare their shape."
    )
    measures = {column.measure for column in found.columns}
    notes = {
        NANO_NOTE: any(session.model == NANO for session in found.sessions),
        AAL_NOTE: "aal" in measures,
        SCORE_NOTE: "score" in measures,
        f"{SAME}: pages that at tau 1 were written token for token as plain decoding writes them.": any(
            row.exact for row in found.rows
        ),
        "Levels: bench/spoiling.py says what they measure.": found.table.key == FIGURE_3,
    }
    yield from (note for note, applies in notes.items() if applies)
    yield from found.notes
    for row in found.rows:
        if row.left_out:
            yield f"{row.name}: left out, as the output did not end within the cap: {', '.join(row.left_out)}."


def _named(session: Session) -> str:
    pages, folder = session.measurement.pages, session.dataset.folder.absolute()
    missing = [page.name for page in pages if not page.measured]
    left = f", {len(missing)} of them not measured: {', '.join(missing)}" if missing else ""
    shown = folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder
    return f"{session.measurement.settings.target} on {shown} ({len(pages)} pages{left})"


def _need(need: Need) -> str:
    return f"{need.what}: {need.fetch}{f' ({need.why_not})' if need.why_not else ''}"


# ------------------------------------------------------------------------------------------------- JSON


def to_json(found: Reproduction) -> str:
    return json.dumps(as_json(found), ensure_ascii=False, separators=(",", ":")) + "\n"


def as_json(found: Reproduction) -> dict[str, Any]:
    table = found.table
    return {
        "format": FORMAT,
        "version": VERSION,
        "table": table.key,
        "title": table.title,
        "paper": paper.citation(),
        "paper_hardware": paper.hardware(),
        "paper_notes": list(table.notes),
        "settings": {"tau": paper.TAU, "window": paper.WINDOW, "caps": table.caps, "drafter": found.drafter},
        "columns": [asdict(column) for column in found.columns],
        "rows": [_row_json(row) for row in found.rows],
        "needs": [asdict(need) for need in found.needs],
        "others": [asdict(need) for need in found.others],
        "notes": list(found.notes),
        "exit_code": found.exit_code,
        "sessions": [_session_json(session) for session in found.sessions],
    }


def _session_json(session: Session) -> dict[str, Any]:
    measurement = json.loads(record_json(session.measurement, summary(session.measurement)))
    data = session.dataset
    return {"model": session.model, "data": data.name, "folder": data.folder.name, "measurement": measurement}


def _row_json(row: OurRow) -> dict[str, Any]:
    return {**asdict(row), "exact": None if row.exact is None else {"pages": row.exact[0], "of": row.exact[1]}}
