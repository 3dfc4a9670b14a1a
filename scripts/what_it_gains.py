"""Makes docs/results.md from the figures in docs/figures/. Nothing in it is typed by hand.

    python scripts/what_it_gains.py              # writes it between its two marks in docs/results.md
    python scripts/what_it_gains.py --check      # exit 1 if docs/results.md says anything else

`docs/figures/` holds the unchanged output of `docparse-fast bench run --json`, `bench replay --json` and `bench engine
--json`. The section shows whole pages first, then stored answers, and CPUs before GPUs; the paper's figures follow with
their hardware.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

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
from docparse_fast.errors import UsageError

ROOT = Path(__file__).resolve().parents[1]
BEGIN = "<!-- scripts/what_it_gains.py makes what follows of docs/figures/ -->"
STORED = (
    "**Stored answers of real models** (`docparse-fast bench replay`): passes that our drafts would have saved,\n"
    "counted without the models. Most of these pages were looked at while the drafts were made better. Why steps end:\n"
    "docs/figures/bench-replay.json."
)
ENGINE_ALONE = "**The engine alone** (float32, more levels and ways: docs/figures/bench-engine-cpu.json)"
END = "<!-- what it gains ends here -->"
LEFT_OUT = re.compile(
    r"speculative, for [245789]$|chain, for (1|3|10)$"
)  # of the engine's rows, where they are no losses


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--page", type=Path, default=ROOT / "docs/results.md")
    parser.add_argument("--figures", type=Path, default=ROOT / "docs/figures")
    given = parser.parse_args()
    try:
        before = given.page.read_text(encoding="utf-8")
        after = with_section(before, section(given.figures))
    except UsageError as error:
        print(error, file=sys.stderr)
        return 2
    if given.check:
        return int(before != after)
    given.page.write_text(after, encoding="utf-8")
    return 0


def with_section(page: str, made: str) -> str:
    """
    >>> with_section(f"a\\n{BEGIN}\\nold\\n{END}\\nb\\n", "new") == f"a\\n{BEGIN}\\n\\nnew\\n\\n{END}\\nb\\n"
    True
    """
    head, begin, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end):
        raise UsageError("there is no place for it", remedy=f"put these two lines in its place: {BEGIN} {END}")
    return f"{head}{BEGIN}\n\n{made}\n\n{END}{tail}"


def section(folder: Path) -> str:
    kept = [_report(path) for path in sorted(folder.glob("*.json"))]
    if not kept:
        raise UsageError(f"{folder} holds no figures", remedy="keep there what bench run and bench engine --json write")
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


if __name__ == "__main__":
    sys.exit(main())
