"""A reproduction as text for people and as versioned JSON. Knows what was found; works nothing out but sums.

The JSON is described in docs/bench.md; a later version may add keys, and changes none without a new number.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from docparse_fast.bench import paper
from docparse_fast.bench.figures import Figures, seconds, summary
from docparse_fast.bench.paper import Column
from docparse_fast.bench.record import PageRecord
from docparse_fast.bench.record import to_json as record_json
from docparse_fast.bench.reproduction.draft_quality import AT_TAU_1, MEANING, UNSPOILT
from docparse_fast.bench.reproduction.limits import by_length, costs, slow_pages
from docparse_fast.bench.reproduction.reproduce import Reproduction
from docparse_fast.bench.reproduction.row_ways import MAIN
from docparse_fast.bench.reproduction.rows import OurRow
from docparse_fast.bench.reproduction.sessions import DRAFT, Session, same_as_plain
from docparse_fast.bench.reproduction.sources import NANO, Need
from docparse_fast.bench.tables import LOST, NONE, Heading, Line, figure, text_table

FORMAT = "docparse-fast/reproduction"
VERSION = 1
SHOWN_SLOW = 20  # pages; the JSON has them all
SAME = "same as plain"
SPANS = (
    "pages",
    "tokens a step",
    "drafting",
    "stage 1",
    "look and parse",
    "decode",
    "end to end",
    "engine speed-up",
    SAME,
)
SPEED = ("AAL", "SR_decode", "SR_e2e")
CLOCKS = {"cpu": "CPU seconds", "wall": "wall seconds"}
NANO_NOTE = (
    "nano is a toy of 4.8 million parameters that reads synthetic pages. Its figures are real and show how the method\n"
    "behaves, not what it gains: the drafter's models are heavier than nano, which no user's target is."
)
AAL_NOTE = (
    "AAL is Eq. 14: draft tokens a step, so plain decoding has 0 where the paper prints 1.00. SR_decode counts\n"
    "drafting and Stage 1 (paper, 4.2); the engine speed-up below counts neither."
)


# ------------------------------------------------------------------------------------------------- text


def report(found: Reproduction) -> str:
    """Everything, in the order in which one asks."""
    parts = ["\n".join([f"{found.table.label}. {found.table.title}", *found.table.notes]), _table(found)]
    if found.sessions:
        parts += _notes(found)
    for session in found.sessions:
        parts += _session(found, session)
    parts += _needs(found)
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(found: Reproduction) -> str:
    exact = any(row.exact for row in found.rows)
    headings = [Heading(column.name, column.group) for column in found.columns]
    lines = []
    for row in found.rows:
        same = [_of(row.exact)] if exact else []
        lines.append(Line(row.name, "ours", (*_cells(row.ours, found.columns), *same)))
        if row.paper is not None:
            theirs = _cells(row.paper, found.columns, lost=found.table.datasets)
            lines.append(Line(row.name, "paper", (*theirs, *([NONE] if exact else []))))
    return text_table([*headings, Heading(SAME)] if exact else headings, lines)


def _cells(
    figures: Sequence[float | None] | None, columns: Sequence[Column], lost: Sequence[str] = ()
) -> tuple[str, ...]:
    """A figure that isn't there is `lost` where the paper prints one: in its own data sets' columns."""
    if figures is None:
        return tuple(NONE for _ in columns)
    return tuple(
        figure(value, column.unit, LOST if lost and (not column.dataset or column.dataset in lost) else NONE)
        for value, column in zip(figures, columns, strict=True)
    )


def _of(pages: tuple[int, int] | None) -> str:
    return NONE if pages is None else f"{pages[0]}/{pages[1]}"


# ------------------------------------------------------------------------------------ what is to be known


def _notes(found: Reproduction) -> Iterator[str]:
    if found.interrupted:
        yield "Interrupted: not every page was come to, nor perhaps every model and data set."
    first = found.sessions[0].measurement.settings
    yield (
        f"ours: {', '.join(dict.fromkeys(_named(session) for session in found.sessions))}; {first.device}, "
        f"{first.dtype},\n{CLOCKS[first.clock]}, median of {first.repeats}; drafts by {found.drafter}.\n"
        f"paper: {paper.hardware()}, drafts by PP-StructureV3.\n"
        "Other models and other hardware, so compare their shape."
    )
    if any(session.model == NANO for session in found.sessions):
        yield NANO_NOTE
    if any(column.measure == "aal" for column in found.columns):
        yield AAL_NOTE
    if any(row.exact for row in found.rows):
        yield f"{SAME}: pages that at tau 1 were written token for token as plain decoding writes them."
    kinds = [kind for kind in MEANING if any(row.way.startswith(f"{kind} ") for row in found.rows)]
    if kinds:
        yield "\n".join(["Levels:", *(f"  {kind}: {MEANING[kind]}" for kind in kinds)])
    yield "\n".join(found.notes)
    for row in found.rows:
        if row.left_out:
            yield f"{row.name}: left out, as the output did not end within the cap: {', '.join(row.left_out)}."


def _named(session: Session) -> str:
    pages = session.measurement.pages
    missing = [page for page in pages if not page.measured]
    left = f", {len(missing)} of them not measured: {', '.join(page.name for page in missing)}" if missing else ""
    return f"{session.measurement.settings.target} on {_folder(session)} ({len(pages)} pages{left})"


def _folder(session: Session) -> str:
    folder = session.dataset.folder.absolute()
    return str(folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder)


# ------------------------------------------------------------------------------------ one target, one data set


def _session(found: Reproduction, session: Session) -> Iterator[str]:
    name = f"{session.model} on {_folder(session)}"
    measures = {column.measure for column in found.columns}
    if "score" in measures and (scores := _scores(session)):
        yield f"Scores of {name}, by what is measured:\n\n{scores}"
    ways = _shown(session)
    if measures & {"decode_speedup", "end_to_end_speedup", "draft_seconds"}:
        yield f"Where {name} spends its seconds, a page:\n\n{_spans(session, ways)}"
    way = MAIN if MAIN in ways else UNSPOILT
    if way in ways and measures & {"decode_speedup", "end_to_end_speedup"}:
        yield f"By length of the plain output ({way}):\n\n{_lengths(session, way)}"
        yield _slow(session, way)


def _shown(session: Session) -> list[str]:
    """Ways that say something of their own: what tau 1 is checked with beside a variant does not."""
    ways = session.measurement.ways
    return [way for way in ways if session.pages(way) and not way.endswith(AT_TAU_1)]


def _scores(session: Session) -> str:
    from docparse_fast.bench.scores import MEASURES

    drafts = dict.fromkeys(name for page in session.measurement.pages for name in page.drafts)
    of_drafts = {f"draft, {name}" if len(drafts) > 1 else "draft": session.scores(DRAFT, name) for name in drafts}
    of_ways = {way: session.scores(way) for way in _shown(session)}
    found = {name: scores for name, scores in {**of_drafts, **of_ways}.items() if scores.measures}
    measures = dict.fromkeys(measure for scores in found.values() for measure in scores.measures)
    headings = [Heading("overall"), *(Heading(MEASURES.get(measure, measure)) for measure in measures)]
    lines = [
        Line(
            name,
            "",
            tuple(
                figure(value, "score")
                for value in (scores.overall, *(scores.measures.get(measure) for measure in measures))
            ),
        )
        for name, scores in found.items()
    ]
    return text_table(headings, lines) if lines else ""


def _spans(session: Session, ways: Sequence[str]) -> str:
    return text_table([Heading(name) for name in SPANS], [_span_line(session.pages(way), way) for way in ways])


def _span_line(pages: Sequence[PageRecord], way: str) -> Line:
    total = Figures.sum(Figures.of(page, way) for page in pages)
    spent = [costs(page, way) for page in pages]
    each = (
        sum(cost["drafting-dominated"] for cost in spent),
        sum(seconds(page.ways[way], "stage_1") for page in pages),
        sum(cost["prefill-dominated"] for cost in spent),
        sum(seconds(page.ways[way], "decode") for page in pages),
        total.full_seconds,
    )
    same = same_as_plain(pages, way)
    return Line(
        way,
        "",
        (
            str(len(pages)),
            f"{total.tokens_per_step:.2f}",
            *(f"{value / len(pages):.3f}s" for value in each),
            f"{total.engine_speedup:.2f}x",
            _of(same) if same[1] else NONE,
        ),
    )


def _lengths(session: Session, way: str) -> str:
    lines = [
        Line(f"{bucket.label} tokens", "", (str(bucket.figures.pages), *_speed(bucket.figures)))
        for bucket in by_length(session.pages(way), way)
    ]
    return text_table([Heading(name) for name in ("pages", *SPEED)], lines)


def _slow(session: Session, way: str) -> str:
    slow = slow_pages(session.pages(way), way)
    if not slow:
        return ""
    lines = [Line(page.name, "", (*_speed(page.figures), page.limit)) for page in slow[:SHOWN_SLOW]]
    table = text_table([Heading(name) for name in (*SPEED, "")], lines)
    more = f"\n... and {len(slow) - SHOWN_SLOW} more" if len(slow) > SHOWN_SLOW else ""
    return f"Pages that gain less than the whole ({way}), and what holds them back:\n\n{table}{more}"


def _speed(figures: Figures) -> tuple[str, ...]:
    return (
        figure(figures.average_acceptance_length, "x"),
        figure(figures.decode_speedup, "x"),
        figure(figures.end_to_end_speedup, "x"),
    )


# ---------------------------------------------------------------------------------------- what is missing


def _needs(found: Reproduction) -> Iterator[str]:
    if found.needs:
        yield "Missing here:\n" + "\n".join(map(_need, found.needs))
    if found.others:
        yield "For the rest of the paper's table:\n" + "\n".join(map(_need, found.others))


def _need(need: Need) -> str:
    why = f"\n    ({need.why_not})" if need.why_not else ""
    return f"  {need.what}\n    {need.fetch}{why}"


# ------------------------------------------------------------------------------------------------- JSON


def to_json(found: Reproduction) -> str:
    return json.dumps(as_json(found), ensure_ascii=False, separators=(",", ":")) + "\n"


def as_json(found: Reproduction) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "table": found.table.key,
        "title": found.table.title,
        "paper": paper.citation(),
        "paper_hardware": paper.hardware(),
        "paper_notes": list(found.table.notes),
        "settings": {"tau": paper.TAU, "window": paper.WINDOW, "cap": found.table.cap, "drafter": found.drafter},
        "columns": [asdict(column) for column in found.columns],
        "rows": [_row_json(row) for row in found.rows],
        "needs": [asdict(need) for need in found.needs],
        "others": [asdict(need) for need in found.others],
        "notes": list(found.notes),
        "exit_code": found.exit_code,
        "sessions": [_session_json(session) for session in found.sessions],
    }


def _row_json(row: OurRow) -> dict[str, Any]:
    return {
        "name": row.name,
        "way": row.way,
        "model": row.model,
        "paper": None if row.paper is None else list(row.paper),
        "ours": None if row.ours is None else list(row.ours),
        "why_not": row.why_not,
        "left_out": list(row.left_out),
        "exact": None if row.exact is None else {"pages": row.exact[0], "of": row.exact[1]},
    }


def _session_json(session: Session) -> dict[str, Any]:
    ways = [way for way in session.measurement.ways if session.pages(way)]
    return {
        "model": session.model,
        "data": session.dataset.name,
        "folder": session.dataset.folder.name,
        "lengths": {way: _lengths_json(session, way) for way in ways},
        "slow_pages": {way: _slow_json(session, way) for way in ways},
        "measurement": json.loads(record_json(session.measurement, summary(session.measurement))),
    }


def _lengths_json(session: Session, way: str) -> list[dict[str, Any]]:
    return [{"length": bucket.label, **_figures_json(bucket.figures)} for bucket in by_length(session.pages(way), way)]


def _slow_json(session: Session, way: str) -> list[dict[str, Any]]:
    slow = slow_pages(session.pages(way), way)
    return [{"page": page.name, "limit": page.limit, **_figures_json(page.figures)} for page in slow]


def _figures_json(figures: Figures) -> dict[str, Any]:
    return {
        "pages": figures.pages,
        "average_acceptance_length": figures.average_acceptance_length,
        "decode_speedup": figures.decode_speedup,
        "end_to_end_speedup": figures.end_to_end_speedup,
    }
