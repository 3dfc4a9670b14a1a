"""Fits the judge of headings: measures the blocks of pages whose headings are known, and fits boosted trees to them.

    python scripts/training/fit_headings.py collect FOLDER ROWS.jsonl   # ID.pdf beside ID.json: {"headings": [text]}
    python scripts/training/fit_headings.py fit ROWS.jsonl ... [--scans] [--onto]  # needs scikit-learn; writes weights

`--onto` adds trees to those that ship, for what these are off on the rows: papers of a new kind need no old ones. A
document without "headings" keeps what the judge says of it.

`fit` reports held out by producer (`"producer"` in ID.json): headings found and wrong ones, beside those that type
alone tells, and what the score is worth.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path
from typing import Any

from fitting import (
    Row,
    asked,
    collect,
    first_pages,
    judge_held_out,
    key_of,
    print_calibration,
    rows_of,
    trees_of,
    write_weights,
)

from docparse_fast.drafting.auto import AutoDrafter
from docparse_fast.drafting.blocks import assembly
from docparse_fast.drafting.blocks.headings import (
    MEASURES,
    ONE_READ_TYPE,
    WEIGHTS,
    WEIGHTS_OF_SCANS,
    heading_judge,
    measured,
)
from docparse_fast.drafting.lines import Line
from docparse_fast.options import DraftOptions

RATE = 0.08
TREES = {"n_estimators": 150, "max_depth": 4, "learning_rate": RATE, "min_samples_leaf": 15, "subsample": 0.7}
MORE = 120  # trees onto those that ship
ALMOST = 0.85  # of two texts' letters: the same, one of them misread
MOST_PAGES = 12  # of a document: so that a long one doesn't outweigh the others


def _rows_of(document: Path, truth: dict[str, Any]) -> Iterator[Row]:
    wanted, judge = {key_of(text) for text in truth.get("headings", ())}, heading_judge(WEIGHTS)
    seen: list[tuple[str, tuple[float, ...]]] = []

    def watched(lines: Sequence[Line], *around: Any) -> tuple[float, ...]:
        found = measured(lines, *around)
        seen.append((" ".join(line.plain for line in lines), found))
        return found

    assembly.measured = watched
    drafter = AutoDrafter(DraftOptions())
    try:
        for page in first_pages(document, MOST_PAGES):
            drafter.draft(page)
    finally:
        assembly.measured = measured
    for text, measures in seen:
        yield {
            "text": text[:80],
            "measures": [round(value, 5) for value in measures],
            "heading": int(_is_one_of(key_of(text), wanted)) if "headings" in truth else judge.quality(measures),
        }


def _is_one_of(read: str, wanted: Collection[str]) -> bool:
    """A scan's letters may be misread."""
    return read in wanted or any(SequenceMatcher(None, read, text).ratio() > ALMOST for text in wanted)


def _blurred(row: Row) -> Row:
    """The block on a page on which bold type can't be told: its place, its words and its label still say something."""
    told = dict(zip(MEASURES, row["measures"], strict=True))
    told |= dict.fromkeys(("bold", "bold_page", "bold_below", "heavier", "heavier_below"), 0.0)
    told["by_type"] *= told["larger"] > math.log(ONE_READ_TYPE)
    return row | {"measures": list(told.values())}


def fit(files: Sequence[Path], weights: str, *, onto: bool) -> None:
    rows = rows_of(files)
    if weights == WEIGHTS_OF_SCANS:
        rows += [_blurred(row) for row in rows]
    for row in rows:
        row["shipped"] = heading_judge(weights).quality(row["measures"]) if onto else 0.0
        row["off"] = row["heading"] - row["shipped"]
    trees = partial(trees_of, wanted="off", chosen=TREES | ({"n_estimators": MORE} if onto else {}))
    judge_held_out(rows, "judged", trees)
    known = [row | {"judged": row["judged"] + row["shipped"]} for row in rows if isinstance(row["heading"], int)]
    print(f"{len(rows)} blocks, {sum(row['heading'] for row in known)} headings")
    by_type = MEASURES.index("by_type")
    for name, told in (
        ("judge", lambda row: row["judged"] > 0.5),
        ("type", lambda row: row["measures"][by_type] > 0.5),
    ):
        found = [row for row in known if told(row)]
        right = sum(row["heading"] for row in found)
        print(f"  {name}: {right} of {sum(row['heading'] for row in known)} found, {len(found) - right} wrong")
    print_calibration(known, "judged", "heading")
    write_weights(weights, trees(rows), MEASURES, RATE, onto=onto)


def main() -> None:
    onto = {"action": "store_true", "help": "add trees to those that ship"}
    scans = {"action": "store_true", "help": "the rows are of scans, which have a judge of their own"}
    told = asked(__doc__, ["folder"], ["fit"], fit={"--scans": scans, "--onto": onto})
    if told.verb == "collect":
        collect(told.folder, told.rows, _rows_of)
    else:
        fit(told.rows, WEIGHTS_OF_SCANS if told.scans else WEIGHTS, onto=told.onto)


if __name__ == "__main__":
    main()
