"""Fits the judge of structure: measures converted pages of known truth, and fits boosted trees to which of them stand.

    docparse-fast convert FOLDER -o OUT --target none --format md,json,map
    python scripts/training/fit_structure.py collect OUT FOLDER ROWS.jsonl
    python scripts/training/fit_structure.py fit ROWS.jsonl ... [--onto]  # needs scikit-learn; writes the weights
    python scripts/training/fit_structure.py trade ROWS.jsonl ...    # what each bound finds, and what it doubts in vain

FOLDER holds ID.pdf beside ID.json: {"tables": [{"rows": [[text]], "header_rows": 1}], "order": [text], "paragraphs":
[text]}, each of them optional. A page stands where nine of ten of its tables' rows stand whole in one row of a table,
and nine of ten of the pieces of `order` in turn; it stands half where one of its paragraphs is whole in no block. Of a
document with several pages each row and piece belongs to the page that has most of it. Pages are rarely torn now: a
page that stands is there twice, once torn on purpose (`tearing.py`), with a small weight.

`fit` reports held out by producer (`"producer"` in ID.json): how often pages of each likelihood stood, and how many of
those that don't are among the worst. `--onto` adds trees to those that ship, for what these are off on the rows.
"""

from __future__ import annotations

import json
import random
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fitting import Row, asked, judge_held_out, key_of, print_calibration, rows_of, trees_of, write_weights
from tearing import torn

from docparse_fast.document import Block, Category
from docparse_fast.drafting.words import MARKER
from docparse_fast.quality.finished_page import FinishedPage
from docparse_fast.quality.structure import MEASURES, SCRIPT, WEIGHTS, measured, structure_of
from docparse_fast.rendering.json import read_json
from docparse_fast.system.fitted import fitted_trees
from docparse_fast.text.html_cells import rows_of as rows_of_table
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read

RATE = 0.025
TREES = {
    "n_estimators": 300,
    "max_depth": 4,
    "learning_rate": RATE,
    "min_samples_leaf": 8,
    "subsample": 0.6,
    "max_features": 0.5,
}
STANDS = 0.9  # of rows, and of pieces in order
WEIGHT = {"table": 0.1, "order": 0.02}  # of a torn copy: so small that the trees still tell how often a page is torn
HALF = 0.5  # stands a page that tore a paragraph alone
BOUNDS = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
SHARES = (0.1, 0.2, 0.3, 0.5)
SPLIT = 3  # cells of a page that one of the truth may be split into


def collect(converted: Path, folder: Path, rows_file: Path) -> None:
    chance = random.Random(0)
    with rows_file.open("w") as out:
        for found in sorted(converted.glob("*/document.json")):
            truth_file = folder / f"{found.parent.name}.json"
            truth = json.loads(truth_file.read_text()) if truth_file.exists() else {}
            pages = read_json(found.read_text()).pages
            for page, of_page in zip(pages, _by_page(truth, [page.blocks for page in pages]), strict=True):
                if of_page["tables"] or len(of_page["order"]) > 1:
                    row = {
                        "document": found.parent.name,
                        "page": page.number,
                        "group": truth.get("producer", ""),
                        "measures": _rounded(page.blocks),
                        "tables": len(of_page["tables"]),
                        "torn_tables": sum(
                            rows_whole(page.blocks, {"tables": [t]}) < STANDS for t in of_page["tables"]
                        ),
                        "rows": round(rows_whole(page.blocks, of_page), 3),
                        "order": round(in_order(page.blocks, of_page), 3),
                        "stands": stands(page.blocks, of_page),
                        "structure": structure_of(page.blocks),
                        "doubted": int(page.needs_look),
                    }
                    out.write(json.dumps(row) + "\n")
                    kind, copy = torn(page.blocks, chance) if row["stands"] == 1 else ("", ())
                    if kind:
                        out.write(json.dumps(row | {"measures": _rounded(copy), "stands": 0, "torn": kind}) + "\n")


def _rounded(blocks: Sequence[Block]) -> list[float]:
    return [round(value, 5) for value in measured(FinishedPage(blocks))]


def stands(blocks: Sequence[Block], truth: dict[str, Any]) -> float:
    if min(rows_whole(blocks, truth), in_order(blocks, truth)) < STANDS:
        return 0.0
    texts = [key_of(as_read(unmarked(block.text))) for block in blocks]
    return 1.0 if all(any(key_of(each) in text for text in texts) for each in truth.get("paragraphs", ())) else HALF


def _by_page(truth: dict[str, Any], pages: Sequence[Sequence[Block]]) -> list[dict[str, Any]]:
    """What of the truth stands on each page."""
    if len(pages) == 1:
        return [{kind: truth.get(kind, ()) for kind in ("tables", "order", "paragraphs")}]
    texts = ["".join(_words(blocks)) for blocks in pages]
    bodies = [
        (row, place)
        for table in truth.get("tables", ())
        for row in table["rows"][table.get("header_rows", 1) :]
        if (place := _page_of([key_of(cell) for cell in row], texts)) is not None
    ]
    placed = {
        kind: [(piece, _page_of([key_of(piece)], texts)) for piece in truth.get(kind, ())]
        for kind in ("order", "paragraphs")
    }
    return [
        {
            "tables": [{"rows": rows, "header_rows": 0}] if (rows := [row for row, at in bodies if at == n]) else [],
            **{kind: [piece for piece, at in pieces if at == n] for kind, pieces in placed.items()},
        }
        for n in range(len(pages))
    ]


def _page_of(keys: Sequence[str], texts: Sequence[str]) -> int | None:
    """The page that has more of these words than any other; none where two have as many."""
    counts = [sum(len(key) for key in keys if key in text) for text in texts]
    return counts.index(max(counts)) if counts.count(max(counts)) == 1 else None


def rows_whole(blocks: Sequence[Block], truth: dict[str, Any]) -> float:
    """The share of the tables' body rows that stand whole in a row of a table, each in another."""
    wanted = [
        [key for cell in row if (key := key_of(cell))]
        for table in truth.get("tables", ())
        for row in table["rows"][table.get("header_rows", 1) :]
    ]
    tables = (block for block in blocks if block.category is Category.TABLE)
    free = [[key for cell in row if (key := key_of(cell))] for block in tables for row in rows_of_table(block.text)]
    pool = {key for row in wanted for key in row if len(key) > 1}
    whole = 0
    for row in wanted:
        at = next((n for n, found in enumerate(free) if _holds(found, row, pool)), None)
        if at is not None:
            whole += 1
            del free[at]
    return whole / len(wanted) if wanted else 1.0


def _holds(found: Sequence[str], row: Sequence[str], pool: set[str]) -> bool:
    """Whether the row's cells stand there in turn, and no cell of another row."""
    at, used = 0, set[int]()
    for cell in row:
        places = ((n, k) for n in range(at, len(found)) for k in range(1, SPLIT + 1))
        place = next(((n, k) for n, k in places if "".join(found[n : n + k]) == cell), None)
        if place is None:
            return False
        used.update(range(place[0], sum(place)))
        at = sum(place)
    return bool(row) and not any(key in pool and key not in row for n, key in enumerate(found) if n not in used)


def in_order(blocks: Sequence[Block], truth: dict[str, Any]) -> float:
    """The share of steps from one piece to the next that the longest run in turn makes."""
    wanted = [key_of(MARKER.sub("", piece)) for piece in truth.get("order", ())]  # Markdown marks items otherwise
    text = "".join(_words(blocks))
    places = [place for piece in wanted if (place := text.find(piece)) >= 0]
    ends: list[int] = []
    for place in places:
        at = bisect_left(ends, place)
        ends[at : at + 1] = [place]
    return max(0, len(ends) - 1) / (len(wanted) - 1) if len(wanted) > 1 else 1.0


def _words(blocks: Sequence[Block]) -> Iterator[str]:
    for block in blocks:
        if block.category is Category.TABLE:
            yield from (key_of(cell) for row in rows_of_table(block.text) for cell in row)
        else:
            yield key_of(as_read(unmarked(block.text)))


def fit(files: Sequence[Path], *, onto: bool) -> None:
    rows = rows_of(files)
    for row in rows:
        row["shipped"] = fitted_trees(WEIGHTS, MEASURES, SCRIPT).quality(row["measures"]) if onto else 0.0
        row["off"] = row["stands"] - row["shipped"]
    judge_held_out(rows, "judged", _trees)
    for row in rows:
        row["judged"] += row["shipped"]
    read = [row for row in rows if not row.get("torn")]
    print(f"{len(read)} pages, {sum(row['stands'] for row in read)} stand; {len(rows) - len(read)} torn copies")
    print_calibration(read, "judged", "stands")
    _print_worst(read, "judged")
    write_weights(WEIGHTS, _trees(rows), MEASURES, RATE, onto=onto)


def trade(files: Sequence[Path]) -> None:
    """How many of the pages that don't stand are below each bound, and how many of those that do."""
    rows = [row for row in rows_of(files) if not row.get("torn")]
    print("structure below: torn pages, whole pages")
    for row in rows:
        row["structure"] = 1.0 if row["structure"] is None else row["structure"]
    for bound in BOUNDS:
        print(f"  {bound:.2f}: {_shares(rows, [row['structure'] < bound for row in rows])}")
    print(f"any doubt: {_shares(rows, [bool(row['doubted']) for row in rows])}")
    print_calibration(rows, "structure", "stands")
    _print_worst(rows, "structure")


def _print_worst(rows: Sequence[Row], judged: str) -> None:
    """How many of the pages and tables that don't stand are among those that are judged worst."""
    ordered = sorted(rows, key=lambda row: row[judged])
    torn, tables = sum(not row["stands"] for row in rows), sum(row["torn_tables"] for row in rows)
    for share in SHARES:
        worst = ordered[: round(share * len(rows))]
        pages, cut = sum(not row["stands"] for row in worst), sum(row["torn_tables"] for row in worst)
        print(f"  the worst {share:.0%}: {pages} of {torn} torn pages, {cut} of {tables} torn tables")


def _shares(rows: Sequence[Row], doubted: Sequence[bool]) -> str:
    parts = [[found for row, found in zip(rows, doubted, strict=True) if row["stands"] == kind] for kind in (0, 1)]
    return ", ".join(f"{sum(part)} of {len(part)} ({100 * sum(part) / max(1, len(part)):.1f} %)" for part in parts)


def _trees(rows: Sequence[Row]) -> Any:
    return trees_of(rows, "off", TREES, [WEIGHT.get(row.get("torn"), 1.0) for row in rows])


def main() -> None:
    onto = {"action": "store_true", "help": "add trees to those that ship"}
    told = asked(__doc__, ["converted", "folder"], ["fit", "trade"], fit={"--onto": onto})
    if told.verb == "collect":
        collect(told.converted, told.folder, told.rows)
    elif told.verb == "trade":
        trade(told.rows)
    else:
        fit(told.rows, onto=told.onto)


if __name__ == "__main__":
    main()
