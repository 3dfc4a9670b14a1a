"""Fits the judge of tables: collects what is proposed on pages of known truth, and fits boosted trees to it.

    python scripts/fit_tables.py collect FOLDER ROWS.jsonl   # ID.pdf beside ID.json: {"tables": [{"rows": [[text]]}]}
    python scripts/fit_tables.py fit ROWS.jsonl ...          # needs scikit-learn; writes the judge's weights

A row is one candidate: its measures, and its quality: the F1 of its cells' neighbours (right and below) against the
truth's best table, or how many of its rows are pairs of a label and its value; 0 where neither is there.

`fit` reports held out by producer (`"producer"` in ID.json): how far the
judge is off, and what the tables chosen by it are worth beside each reader's and beside the best possible choice.
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

from docparse_fast.document import Box
from docparse_fast.drafting.auto import AutoDrafter
from docparse_fast.drafting.born_digital import page_tables
from docparse_fast.drafting.lines import LayoutBox, Line
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.choosing import AS_TEXT
from docparse_fast.drafting.tables.evidence import MEASURES, measured_all
from docparse_fast.drafting.tables.judge import WEIGHTS
from docparse_fast.options import DraftOptions, RasterOptions
from docparse_fast.pages import open_pages

TREES, DEPTH, RATE, LEAST = 120, 4, 0.07, 12  # few and shallow: some hundreds of tables are known
MOST_PAGES = 8  # of a document: so that a long one doesn't outweigh the others
TEXT = 0.4  # the quality, for the report, of lines left as text
AS_PAIRS = 0.8  # of a table's quality
Relation = tuple[str, str, str]
Row = dict[str, Any]


def collect(folder: Path, rows_file: Path) -> None:
    with rows_file.open("w") as out:
        for truth_file in sorted(folder.glob("*.json")):
            document = truth_file.with_suffix(".pdf")
            if not document.exists():
                continue
            truth = json.loads(truth_file.read_text())
            for row in _rows_of(document, truth):
                out.write(json.dumps(row) + "\n")
            out.flush()


def _rows_of(document: Path, truth: dict[str, Any]) -> Iterator[Row]:
    tables = [[[_key(cell) for cell in row] for row in table["rows"]] for table in truth.get("tables", [])]
    seen: list[tuple[int, Sequence[TableCandidate], Sequence[Line], Sequence[Box], Sequence[LayoutBox]]] = []
    page_number = 0

    def watch(found: Sequence[TableCandidate], lines: Sequence[Line], rules: Sequence[Box], labels: Any) -> None:
        seen.append((page_number, list(found), list(lines), rules, labels))

    page_tables.watched = watch
    drafter = AutoDrafter(DraftOptions())
    with open_pages(document, RasterOptions()) as pages:
        for page in islice(pages.pages(), MOST_PAGES):
            page_number = page.number
            drafter.draft(page)
            page.close()
    pairs = Counter(("right", _key(label), _key(value)) for label, value in truth.get("pairs", []))
    for number, found, lines, rules, labels in seen:
        text = _key("".join(line.plain for line in lines))
        wanted = [_neighbours(rows, text) for rows in tables]
        for candidate, measures in zip(found, measured_all(found, lines, rules, labels), strict=True):
            grid = _grid(candidate)
            got = _neighbours(grid, text)
            yield {
                "document": document.stem,
                "group": truth.get("producer", document.stem.split("-")[0]),
                "page": number,
                "reader": candidate.reader,
                "lines": sorted(candidate.lines),
                "letters": sum(len(lines[n].plain) for n in candidate.lines),
                "measures": [round(value, 5) for value in measures],
                "grid": grid,
                "quality": round(max([_as_pairs(grid, pairs), *(_f1(got, each) for each in wanted)]), 4),
            }


def _key(text: str) -> str:
    return re.sub(r"\s|\.{3,}|_{2,}", "", unicodedata.normalize("NFKC", text).casefold())


def _grid(candidate: TableCandidate) -> list[list[str]]:
    grid = [[""] * candidate.width for _ in range(candidate.height)]
    for cell in candidate.cells:
        grid[cell.row][cell.column] = _key(cell.text)
    return grid


def _neighbours(rows: Sequence[Sequence[str]], text: str) -> Counter[Relation]:
    """Pairs of filled cells next to each other, as far as both stand on the page."""
    found: Counter[Relation] = Counter()
    for way, lists in (("right", rows), ("below", list(zip(*rows, strict=False)))):
        for cells in lists:
            filled = [cell for cell in cells if cell]
            found.update((way, a, b) for a, b in pairwise(filled) if a in text and b in text)
    return found


def _as_pairs(grid: Sequence[Sequence[str]], pairs: Counter[Relation]) -> float:
    """How well a table says labels and their values, beside or below: nearly as well as a table of its own."""
    known = Counter((a.rstrip(":"), b) for (_, a, b), n in pairs.items() for _ in range(n))
    beside = [(row[n], row[n + 1]) for row in grid for n in range(0, len(row) - 1, 2) if row[n]]
    below = [
        pair for upper, lower in zip(grid[::2], grid[1::2], strict=False) for pair in zip(upper, lower, strict=True)
    ]
    shares = [_known_share([pair for pair in said if pair[0]], known) for said in (beside, below)]
    return AS_PAIRS * max(shares)


def _known_share(said: Sequence[tuple[str, str]], known: Counter[tuple[str, str]]) -> float:
    return (Counter((a.rstrip(":"), b) for a, b in said) & known).total() / max(1, len(said))


def _f1(got: Counter[Relation], wanted: Counter[Relation]) -> float:
    return 2 * (got & wanted).total() / max(1, got.total() + wanted.total())


# ------------------------------------------------------------------------------------------------------ fit


def fit(files: Sequence[Path]) -> None:
    rows = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    groups = sorted({row["group"] for row in rows})
    print(f"{len(rows)} candidates of {len({row['document'] for row in rows})} documents, {len(groups)} groups")
    for group in groups:
        model = _trees([row for row in rows if row["group"] != group])
        held = [row for row in rows if row["group"] == group]
        for row, quality in zip(held, model.predict([row["measures"] for row in held]), strict=True):
            row["judged"] = float(quality)
    _report(rows)
    target = Path("docparse_fast/data") / WEIGHTS
    target.write_text(json.dumps(_as_json(_trees(rows)), separators=(",", ":")) + "\n")
    print(f"wrote {target}")


def _trees(rows: Sequence[Row]) -> Any:
    from sklearn.ensemble import GradientBoostingRegressor

    model = GradientBoostingRegressor(
        n_estimators=TREES, max_depth=DEPTH, learning_rate=RATE, min_samples_leaf=LEAST, subsample=0.7, random_state=0
    )
    weights = [min(400, row["letters"]) ** 0.5 for row in rows]
    return model.fit([row["measures"] for row in rows], [row["quality"] for row in rows], sample_weight=weights)


def _as_json(model: Any) -> dict[str, Any]:
    trees = []
    for (estimator,) in model.estimators_:
        tree = estimator.tree_
        parts = zip(tree.feature, tree.threshold, tree.children_left, tree.children_right, tree.value, strict=True)
        trees.append(
            [
                [int(f) if low >= 0 else -1, round(float(t), 5), int(low), int(high), round(RATE * float(v[0][0]), 6)]
                for f, t, low, high, v in parts
            ]
        )
    return {"measures": MEASURES, "start": round(float(model.init_.constant_[0][0]), 6), "trees": trees}


def _report(rows: Sequence[Row]) -> None:
    error = sum(abs(row["judged"] - row["quality"]) for row in rows) / len(rows)
    print(f"held out by group: off by {error:.3f} a candidate; always the mean would be off by {_spread(rows):.3f}")
    bins = defaultdict(list)
    for row in rows:
        bins[min(9, int(10 * max(0.0, row["judged"])))].append(row["quality"])
    for n, held in sorted(bins.items()):
        print(
            f"  judged {n / 10:.1f}-{(n + 1) / 10:.1f}: {len(held):5} candidates, quality {sum(held) / len(held):.3f}"
        )
    places = _places(rows)
    readers = sorted({row["reader"] for row in rows})
    print(f"{len(places)} places; mean quality of what is chosen ({TEXT} for text):")
    for name, key in (("judge", lambda row: row["judged"]), ("best possible", lambda row: row["quality"])):
        best = [max(place, key=key) for place in places]
        kept = [row["quality"] if key(row) > AS_TEXT else TEXT for row in best]
        print(f"  {name:14} {sum(kept) / len(kept):.3f}", dict(Counter(row["reader"] for row in best)))
    for reader in readers:
        alone = [max((row["quality"] for row in place if row["reader"] == reader), default=None) for place in places]
        known = [quality for quality in alone if quality is not None]
        print(f"  {reader:14} {sum(known) / len(known):.3f} at {len(known)} places")


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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    collecting = verbs.add_parser("collect")
    collecting.add_argument("folder", type=Path)
    collecting.add_argument("rows", type=Path)
    fitting = verbs.add_parser("fit")
    fitting.add_argument("rows", type=Path, nargs="+")
    told = parser.parse_args()
    if told.verb == "collect":
        collect(told.folder, told.rows)
    else:
        fit(told.rows)


if __name__ == "__main__":
    main()
