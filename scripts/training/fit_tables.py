"""Fits the judge of tables: collects what is proposed on pages of known truth, and fits boosted trees to it.

    python scripts/training/fit_tables.py collect FOLDER ROWS.jsonl [--layout never]
    python scripts/training/fit_tables.py fit ROWS.jsonl ...          # needs scikit-learn; writes the judge's weights

FOLDER holds ID.pdf beside ID.json: {"tables": [{"rows": [[text]]}]}. A row is one candidate: its measures; its quality,
the F1 of its cells' neighbours (right and below) and of its whole rows against the truth's best table, or how many of
its rows are pairs of a label and its value; and what its lines are worth as text: all letters in no table of the truth.

`fit` reports held out by producer (`"producer"` in ID.json): how far the
judge is off, and what the tables chosen by it are worth beside each reader's and beside the best possible choice.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
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

from docparse_fast.document import Box
from docparse_fast.drafting.auto import AutoDrafter
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables import page_tables
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.choosing import (
    AS_TABLE,
    AS_TABLE_UNSEEN,
    AS_TEXT,
    AS_TEXT_UNSEEN,
    Weighed,
    best_together,
)
from docparse_fast.drafting.tables.evidence import HEARD, MEASURES, measured_all
from docparse_fast.options import DraftOptions

RATE = 0.05
TREES = {  # of depth 5, more of each seen: off by 2 % more
    "n_estimators": 200,
    "max_depth": 6,
    "learning_rate": RATE,
    "min_samples_leaf": 20,
    "subsample": 0.5,
    "max_features": 0.25,
}
MOST_PAGES = 8  # of a document: so that a long one doesn't outweigh the others
NOWHERE = Box(0, 0, 0, 0)
AS_PAIRS = 0.9  # of a table's quality
HEADLESS = 0.85  # of a table's quality
TORN = 0.7  # of labels and values are lost in running text: they stand side by side mostly
Relation = tuple[str, str, str]


def _rows_of(document: Path, truth: dict[str, Any], *, layout: str) -> Iterator[Row]:
    tables = [[[key_of(cell) for cell in row] for row in table["rows"]] for table in truth.get("tables", [])]
    seen: list[tuple[int, Sequence[TableCandidate], Sequence[Line], Sequence[tuple[float, ...]]]] = []
    page_number = 0
    judged = page_tables.weighed

    def watched(found: Sequence[TableCandidate], lines: Sequence[Line], *drawn: Any) -> list[Any]:
        seen.append((page_number, list(found), list(lines), measured_all(found, lines, *drawn)))
        return judged(found, lines, *drawn)

    enough, page_tables.ENOUGH = page_tables.ENOUGH, math.inf  # or networks are not asked everywhere
    page_tables.weighed = watched
    drafter = AutoDrafter(DraftOptions(layout=layout))
    try:
        for page in first_pages(document, MOST_PAGES):
            page_number = page.number
            drafter.draft(page)
    finally:
        page_tables.weighed, page_tables.ENOUGH = judged, enough
    pairs = Counter(("right", key_of(label), key_of(value)) for label, value in truth.get("pairs", []))
    for number, found, lines, measured in _last_of_each(seen):
        text = key_of("".join(line.plain for line in lines))
        cells = [cell for rows in tables for row in rows for cell in row if cell]
        for candidate, measures in zip(found, measured, strict=True):
            grid = _grid(candidate)
            in_table = [len(lines[n].plain) for n in candidate.lines if _is_of_table(lines[n], cells)]
            yield {
                "page": number,
                "reader": candidate.reader,
                "lines": sorted(candidate.lines),
                "letters": sum(len(lines[n].plain) for n in candidate.lines),
                "in_table": sum(in_table),  # of the letters, as far as lines tell
                "in_pairs": _letters_of_pairs(grid, pairs),
                "measures": [round(value, 5) for value in measures],
                "grid": grid,
                "quality": round(max([_as_pairs(grid, pairs), *(_likeness(grid, each, text) for each in tables)]), 4),
            }


def _last_of_each(seen: Sequence[tuple[int, Any, Any, Any]]) -> Iterator[tuple[int, Any, Any, Any]]:
    """What is weighed alone first, and then with more beside it, once."""
    for n, call in enumerate(seen):
        later = (other for other in seen[n + 1 :] if other[0] == call[0])
        if not any(set(call[1]) <= set(other[1]) for other in later):
            yield call


def _is_of_table(line: Line, cells: Sequence[str]) -> bool:
    """Whether a line's words stand in a cell of the truth, or cells of the truth in the line."""
    text = key_of(line.plain)
    return any(text in cell or (len(cell) > 2 and cell in text) for cell in cells) if text else False


def _grid(candidate: TableCandidate) -> list[list[str]]:
    grid = [[""] * candidate.width for _ in range(candidate.height)]
    for cell in candidate.cells:
        grid[cell.row][cell.column] = key_of(cell.text)
    return grid


def _neighbours(rows: Sequence[Sequence[str]], text: str) -> Counter[Relation]:
    """Pairs of filled cells next to each other, as far as both stand on the page."""
    found: Counter[Relation] = Counter()
    for way, lists in (("right", rows), ("below", list(zip(*rows, strict=False)))):
        for cells in lists:
            filled = [cell for cell in cells if cell]
            found.update((way, a, b) for a, b in pairwise(filled) if a in text and b in text)
    return found


def _likeness(grid: Sequence[Sequence[str]], rows: Sequence[Sequence[str]], text: str) -> float:
    """As far as both stand on the page."""
    alike = (_f1(_neighbours(grid, text), _neighbours(rows, text)) + _f1(_whole(grid, text), _whole(rows, text))) / 2
    return alike * _with_its_head(_whole(grid, text), _whole(rows[:1], text))


def _with_its_head(got: Counter[tuple[str, ...]], head: Counter[tuple[str, ...]]) -> float:
    """Rows without the names of their columns are hard to read: that costs more than one row of many."""
    return 1.0 if head <= got else HEADLESS


def _whole(rows: Sequence[Sequence[str]], text: str) -> Counter[tuple[str, ...]]:
    filled = (tuple(cell for cell in row if cell) for row in rows)
    return Counter(row for row in filled if row and all(cell in text for cell in row))


def _as_pairs(grid: Sequence[Sequence[str]], pairs: Counter[Relation]) -> float:
    """How well a table says labels and their values, beside or below: nearly as well as a table of its own."""
    known = Counter((a.rstrip(":"), b) for (_, a, b), n in pairs.items() for _ in range(n))
    beside = [(row[n], row[n + 1]) for row in grid for n in range(0, len(row) - 1, 2) if row[n]]
    below = [
        pair for upper, lower in zip(grid[::2], grid[1::2], strict=False) for pair in zip(upper, lower, strict=True)
    ]
    shares = [_known_share([pair for pair in said if pair[0]], known) for said in (beside, below)]
    return AS_PAIRS * max(shares)


def _letters_of_pairs(grid: Sequence[Sequence[str]], pairs: Counter[Relation]) -> int:
    said = {text.rstrip(":") for _, *pair in pairs for text in pair}
    return sum(len(cell) for row in grid for cell in row if cell.rstrip(":") in said)


def _known_share(said: Sequence[tuple[str, str]], known: Counter[tuple[str, str]]) -> float:
    return (Counter((a.rstrip(":"), b) for a, b in said) & known).total() / max(1, len(said))


def _f1(got: Counter[Any], wanted: Counter[Any]) -> float:
    return 2 * (got & wanted).total() / max(1, got.total() + wanted.total())


# ------------------------------------------------------------------------------------------------------ fit


def fit(files: Sequence[Path]) -> None:
    rows = rows_of(files)
    print(f"{len(rows)} candidates of {len({row['document'] for row in rows})} documents")
    for row in rows:
        row["text"] = _text_worth(row) / max(1, row["letters"])
    seen, unseen = ([row for row in rows if bool(row["measures"][HEARD]) is heard] for heard in (True, False))
    for some, names in ((seen, (AS_TABLE, AS_TEXT)), (unseen, (AS_TABLE_UNSEEN, AS_TEXT_UNSEEN))):
        print(f"{names[0]}: {len(some)} candidates")
        for wanted, judged in (("quality", "judged"), ("text", "judged_text")):
            judge_held_out(some, judged, partial(_trees, wanted=wanted))
        _report(some)
        for wanted, name in zip(("quality", "text"), names, strict=True):
            write_weights(name, _trees(some, wanted), MEASURES, RATE)


def _trees(rows: Sequence[Row], wanted: str) -> Any:
    weights = [min(400, row["letters"]) ** 0.5 for row in rows]
    return trees_of(rows, wanted, TREES, weights)


def _report(rows: Sequence[Row]) -> None:
    error = sum(abs(row["judged"] - row["quality"]) for row in rows) / len(rows)
    print(f"held out by group: off by {error:.3f} a candidate; always the mean would be off by {_spread(rows):.3f}")
    print_calibration(rows, "judged", "quality")
    places = _places(rows)
    for name, keys in (("judges", ("judged", "judged_text")), ("best possible", ("quality", "text"))):
        print(f"  {name:14} {_worth(places, *keys):.4f} of all letters stand right")
    for reader in sorted({row["reader"] for row in rows}):
        worth = _worth(places, "judged", "judged_text", without=reader)
        alone = [max((row["quality"] for row in place if row["reader"] == reader), default=None) for place in places]
        known = [quality for quality in alone if quality is not None]
        print(f"  {reader:14} {sum(known) / len(known):.3f} alone at {len(known)} places; without it {worth:.4f}")


def _worth(places: Sequence[Sequence[Row]], quality: str, text: str, without: str = "") -> float:
    """The share of letters that stand right: in tables by their quality, as text where the truth has no table."""
    got = total = 0.0
    for place in places:
        heard = sorted((row for row in place if row["reader"] != without), key=lambda row: row[quality])
        row_of = {frozenset(row["lines"]): row for row in heard}  # of the same lines, the best
        weighed = [
            Weighed(TableCandidate(row["reader"], NOWHERE, (), lines), row[quality], row["letters"], row[text])
            for lines, row in row_of.items()
        ]
        ordered = sorted(weighed, key=lambda each: each.quality, reverse=True)
        chosen = [row_of[each.candidate.lines] for each in best_together(ordered)]
        whole = max(place, key=lambda row: row["letters"])
        left = _text_worth(whole) - sum(map(_text_worth, chosen))
        got += sum(row["letters"] * row["quality"] for row in chosen) + max(0.0, left)
        total += whole["letters"]
    return got / max(1.0, total)


def _text_worth(row: Row) -> float:
    """Letters that are right as text."""
    return max(0.0, row["letters"] - row["in_table"] - TORN * row["in_pairs"])


def _spread(rows: Sequence[Row]) -> float:
    mean = sum(row["quality"] for row in rows) / len(rows)
    return sum(abs(row["quality"] - mean) for row in rows) / len(rows)


def _places(rows: Sequence[Row]) -> list[list[Row]]:
    """Candidates of one page that share a line, together."""
    places: list[tuple[tuple[str, int], set[int], list[Row]]] = []
    for row in rows:
        at, lines, members = (row["document"], row["page"]), set(row["lines"]), [row]
        for place in [place for place in places if place[0] == at and place[1] & lines]:
            places.remove(place)
            lines, members = lines | place[1], [*place[2], *members]
        places.append((at, lines, members))
    return [members for _, _, members in places]


def main() -> None:
    told = asked(__doc__, ["folder"], ["fit"], collect={"--layout": {"default": "auto"}})
    if told.verb == "collect":
        collect(told.folder, told.rows, partial(_rows_of, layout=told.layout))
    else:
        fit(told.rows)


if __name__ == "__main__":
    main()
