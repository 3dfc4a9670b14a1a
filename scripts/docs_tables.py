"""Tables and figures of README and the docs, from the records under docs/figures.

    python scripts/docs_tables.py                # writes the tables in their pages

A page names its tables in the mark above each. scripts/round_trip scores, scripts/peers.py measures,
scripts/training/formulas reads scans, `docparse-fast bench run`, `replay` and `engine --json` tell what drafts gain:
tables of these are made here by name, whole pages before stored answers before the engine. What was measured once is in
docs/figures/pages/PAGE.json: `on` (the day), `by` (the command), `machine`, and the table's `heads` and `rows`, or
figures and the words in which the page `says` them. Tests hold the pages to all of it (tests/test_docs_figures.py).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean, median
from typing import Any

from docparse_fast.bench.engine.engine_report import report as engine_report
from docparse_fast.bench.engine.record import FORMAT as ENGINE
from docparse_fast.bench.engine.record import from_json as read_engine
from docparse_fast.bench.paper import citation, hardware, paper_table
from docparse_fast.bench.record import from_json
from docparse_fast.bench.replay.replay_report import CAUSES
from docparse_fast.bench.replay.replay_report import report as replay_report
from docparse_fast.bench.replay.replaying import FORMAT as REPLAY
from docparse_fast.bench.replay.replaying import from_json as read_replay
from docparse_fast.bench.report import report
from docparse_fast.bench.tables import Heading, Loss, Part, Remarks, Table, figure, markdown

ROOT = Path(__file__).resolve().parents[1]
FIGURES = ROOT / "docs/figures"
MARKED = re.compile(
    r"(<!-- scripts/docs_tables\.py makes this table of docs/figures/: (\S+) -->\n)(.*?)(<!-- it ends here -->)",
    re.DOTALL,
)
ALL_SCORES = ("words", "order", "headings", "level", "paragraphs", "items", "tables", "code", "emphasis", "mono")
SHOWN = ("words", "headings", "tables")
NONE = "–"
FIGURE = re.compile(r"[.\d*–]|$")  # how a cell of a column of figures begins
STORED = (
    "**Stored answers of real models** (`docparse-fast bench replay`): passes that our drafts would have saved,\n"
    "counted without the models. Most of these pages were looked at while the drafts were made better. Why steps end:\n"
    "docs/figures/bench-replay.json."
)
ENGINE_ALONE = "**The engine alone** (float32, more levels and ways: docs/figures/bench-engine-cpu.json)"
# of the engine's rows, where they are no losses
LEFT_OUT = re.compile(r"speculative, for [245789]$|chain, for (1|3|10)$")


def seconds(number: float) -> str:
    """
    >>> seconds(2.5), seconds(0.0024)
    ('2.50', '0.002')
    """
    return f"{number:.2f}" if number >= 0.01 else f"{number:.3f}"


def main() -> None:
    for page in pages():
        page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def with_tables(page: str, figures: Path = FIGURES) -> str:
    return MARKED.sub(lambda found: f"{found[1]}\n{made(found[2], figures)}\n\n{found[4]}", page)


def made(name: str, figures: Path = FIGURES) -> str:
    if name in MADE:
        return MADE[name](figures)
    page, _, measured = name.partition("/")
    record = read(figures / f"pages/{page}.json")[measured]
    return table(record["heads"], record["rows"])


def said(page: str, figures: Path = FIGURES) -> Iterator[str]:
    """What a page says by its record, with the figures of that and of other records filled in."""
    path = figures / f"pages/{page}.json"
    for record in read(path).values() if path.exists() else ():
        for words in record.get("says", ()):
            yield words.format_map(Records(record))


class Records(dict[str, Any]):
    """A measurement's own figures, and behind them all kept records by file name, `.` written as `_`."""

    def __missing__(self, name: str) -> Any:
        if name.startswith("gains_"):
            return gains(Records()["bench-run-" + name.removeprefix("gains_")])
        (path,) = (path for path in FIGURES.rglob("*.json") if path.stem.replace(".", "_") == name)
        return read(path)


def gains(record: Any) -> dict[str, float]:
    """What `bench run` leaves to be worked out: the part that no draft saves, and ways beside one another."""
    spans = dict.fromkeys(("prefill", "full"), 0.0)
    for page in record["pages"]:
        for name in spans:
            spans[name] += median(seconds[name] for seconds in page["ways"]["plain"]["rounds"])
    drafting = sum(draft["seconds"] for page in record["pages"] for draft in page["drafts"].values())
    ways = record["summary"]["ways"]
    found = {
        "unsaved": 100 * spans["prefill"] / spans["full"],
        "perfect": spans["full"] / (spans["prefill"] + drafting),
    }
    if "hf-generate" in ways:
        ours, theirs = (ways[way]["end_to_end_speedup"] for way in ("speculative", "hf-generate"))
        found["to_generate"] = ours / theirs
    return found


def readme_table(figures: Path = FIGURES) -> str:
    pages, scans = scores(figures, "round-trip-held-out"), scores(figures, "scans-peers")
    born, scanned, sizes = (read(figures / f"peers/{name}.json") for name in ("born-digital", "scans", "installed"))
    rows = []
    for tool, size in sizes["tools"].items():
        cells = [average(pages.get(tool), name) for name in SHOWN] + [average(scans.get(tool), "words")]
        costs = [record["tools"].get(tool) for record in (born, scanned)]
        cells += [seconds(cost["cpu_seconds_a_page"]) if cost else NONE for cost in costs]
        cells += [" / ".join(str(cost["peak_mb"]) for cost in costs if cost), str(size)]
        rows.append([tool, *cells])
    heads = ["tool", *SHOWN, "words of scans", "CPU s a page", "CPU s a scan", "memory, MB", "installed, MB"]
    return table(heads, rows)


def quality_table(figures: Path = FIGURES) -> str:
    """All scores of the born-digital documents."""
    found = scores(figures, "round-trip-held-out")
    return table(
        ["tool", *ALL_SCORES], [[tool, *(average(cases, name) for name in ALL_SCORES)] for tool, cases in found.items()]
    )


def language_table(figures: Path = FIGURES) -> str:
    """Wrong characters in a hundred, by language."""
    read_pages = read(figures / "quality/languages.json")
    rows = []
    for language in dict.fromkeys(row["language"] for row in read_pages):
        shares = []
        for kind in ("clean", "scanned"):
            mine = [row for row in read_pages if (row["language"], row["kind"], row["lang"]) == (language, kind, "")]
            shares.append(f"{100 * sum(row['wrong'] for row in mine) / sum(row['letters'] for row in mine):.1f}")
        rows.append([language, *shares])
    return table(["", "clean", "spoilt like a scan"], rows)


def formula_table(figures: Path = FIGURES) -> str:
    """Formulas exactly right and mean likeness, by source and resolution; lengths and kinds are in the record."""
    record = read(figures / "quality/formulas-on-scans.json")
    kept = [
        (name, one)
        for name, one in record.items()
        if name in ("all", "grammar", "real") or re.match(r"real \d+ dpi", name)
    ]
    named = [(name.replace("real", "documentation").replace("grammar", "of the grammar"), one) for name, one in kept]
    return table(
        ["", "formulas", "exact", "alike"],
        [[name, str(one["count"]), f"{one['exact']:.1f}", f"{one['alike']:.1f}"] for name, one in named],
    )


def what_it_gains(figures: Path = FIGURES) -> str:
    kept = [_report(path) for path in sorted(figures.glob("*.json"))]
    parts = said_once(part for _, parts in sorted(kept, key=lambda one: one[0]) for part in parts)
    if not any(on_gpu for (*_, on_gpu), _ in kept):
        parts.append("On a GPU: [what an H200 said](gpu-day.md#what-an-h200-said).")
    return markdown([*parts, *paper()])


def said_once(parts: Iterable[Part]) -> list[Part]:
    """Without the words that stood above an earlier table too."""
    kept: list[Part] = []
    for part in parts:
        if part not in kept or not isinstance(part, str) or part.startswith("**"):
            kept.append(part)
    return kept


def first_table(parts: Iterable[Part]) -> Iterator[Part]:
    """The first table with some of its rows, and all that lose; of others what loses. The record has the rest."""
    tables: list[Table] = []
    for part in parts:
        if isinstance(part, Table):
            tables += [] if part.detail else [part]
            if tables == [part]:
                kept = (row for row in part.rows if has_loss(row) or not LEFT_OUT.match(row[0]))
                yield replace(part, rows=tuple(kept))
        elif isinstance(part, Remarks) and len(tables) > 1:
            name = tables[-1].columns[0].name
            yield Remarks(tuple(f"{name}: {line}" for line in part.lines if line.startswith("Slower")))
        else:
            yield part


def has_loss(row: tuple[str, ...]) -> bool:
    return any(isinstance(cell, Loss) for cell in row)


def _report(path: Path) -> tuple[tuple[int, bool], list[Part]]:
    """A report and its sort key: the engine last, GPUs last."""
    text = path.read_text(encoding="utf-8")
    if f'"{ENGINE}"' in text:
        engine = read_engine(text)
        return (2, engine.clock == "wall"), [ENGINE_ALONE, *first_table(engine_report(engine))]
    if f'"{REPLAY}"' in text:
        shown = first_table(replay_report(read_replay(text)))
        return (1, False), [STORED, *(part for part in shown if part != CAUSES)]
    pages = from_json(text)
    return (0, pages.settings.clock == "wall"), ["**Whole pages**", *report(pages)]


def paper() -> Iterator[Part]:
    printed = paper_table("table1")
    overall = [at for at, column in enumerate(printed.columns) if column.group == "Overall"]
    yield f"**The paper's** ({citation().partition(',')[0]}, {printed.label}), on {hardware()}:"
    rows = [
        (row.name, *(figure(row.figures[at], "x") for at in overall))
        for row in printed.rows
        if row.way in ("hsd", "hsd-exact")
    ]
    yield Table((Heading(""), *(Heading(printed.columns[at].name) for at in overall)), tuple(rows))
    yield "\n".join(note.replace("*", r"\*") for note in printed.notes)


def scores(figures: Path, name: str) -> dict[str, dict[str, dict[str, float]]]:
    found: dict[str, dict[str, dict[str, float]]] = read(figures / f"quality/{name}.json")
    return found


def average(cases: dict[str, dict[str, float]] | None, name: str) -> str:
    found = [case[name] for case in (cases or {}).values() if name in case]
    return f"{mean(found):.1f}" if found else NONE


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns of figures stand on the right.

    >>> print(table(["tool", "words"], [["ours", "99.6"]]))
    | tool | words |
    | --- | ---: |
    | ours | 99.6 |
    """
    marks = [
        "---",
        *("---:" if all(map(FIGURE.match, column)) else "---" for column in list(zip(*rows, strict=True))[1:]),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in (heads, marks, *rows))


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


MADE = {
    "peers": readme_table,
    "quality": quality_table,
    "languages": language_table,
    "formulas": formula_table,
    "gains": what_it_gains,
}

if __name__ == "__main__":
    main()
