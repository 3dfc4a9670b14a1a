"""What the scripts that fit judges share: rows, trees, holding out a group, calibration, the weights' files.

Knows rows with "measures" and a "group"; not what is judged.
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from docparse_fast.document import Page
from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages

DATA = Path("docparse_fast/data")
ALIKE = (
    {ord(sign): "'" for sign in "‘’‚‛′`´"} | {ord(sign): '"' for sign in "“”„‟″«»"} | {ord(c): "-" for c in "‐‑‒–—−"}
)
Row = dict[str, Any]


def key_of(text: str) -> str:
    """By which words of a page and of its truth are compared."""
    return re.sub(r"\s|\.{3,}|_{2,}", "", unicodedata.normalize("NFKC", text).casefold().translate(ALIKE))


def collect(folder: Path, rows_file: Path, measured: Callable[[Path, dict[str, Any]], Iterable[Row]]) -> None:
    """The rows of each ID.pdf that has its truth beside it; their group is the truth's producer."""
    with rows_file.open("w") as out:
        for truth_file in sorted(folder.glob("*.json")):
            document, truth = truth_file.with_suffix(".pdf"), json.loads(truth_file.read_text())
            about = {"document": document.stem, "group": truth.get("producer", document.stem.split("-")[0])}
            for row in measured(document, truth) if document.exists() else ():
                out.write(json.dumps(about | row) + "\n")
            out.flush()


def first_pages(document: Path, most: int) -> Iterator[Page]:
    with open_pages(document, RasterOptions()) as pages:
        for page in islice(pages.pages(), most):
            yield page
            page.close()


def rows_of(files: Sequence[Path]) -> list[Row]:
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def trees_of(rows: Sequence[Row], wanted: str, chosen: dict[str, Any], weights: Sequence[float] | None = None) -> Any:
    """Boosted trees from the rows' measures to what they are wanted to say."""
    from sklearn.ensemble import GradientBoostingRegressor

    model = GradientBoostingRegressor(random_state=0, **chosen)
    return model.fit([row["measures"] for row in rows], [row[wanted] for row in rows], sample_weight=weights)


def asked(about: str | None, folders: Sequence[str], verbs: Sequence[str], **more: Any) -> argparse.Namespace:
    """`collect` FOLDER ... ROWS, and each of the verbs with ROWS ...; `more` has a verb's options, by its name."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="verb", required=True)
    for verb in ("collect", *verbs):
        command = commands.add_parser(verb)
        for folder in folders if verb == "collect" else ():
            command.add_argument(folder, type=Path)
        command.add_argument("rows", type=Path, nargs=None if verb == "collect" else "+")
        for option, settings in more.get(verb, {}).items():
            command.add_argument(option, **settings)
    return parser.parse_args()


def judge_held_out(rows: Sequence[Row], into: str, trees: Callable[[Sequence[Row]], Any]) -> None:
    """Puts into each row what trees say of it that were fitted on all other groups."""
    groups = sorted({row["group"] for row in rows})
    if len(groups) < 2:
        raise SystemExit("rows of one group: give those of two producers or more, so that one can be held out")
    for group in groups:
        model = trees([row for row in rows if row["group"] != group])
        held = [row for row in rows if row["group"] == group]
        for row, value in zip(held, model.predict([row["measures"] for row in held]), strict=True):
            row[into] = float(value)


def print_calibration(rows: Sequence[Row], judged: str, wanted: str) -> None:
    bins = defaultdict(list)
    for row in rows:
        bins[min(9, int(10 * max(0.0, row[judged])))].append(row[wanted])
    for n, held in sorted(bins.items()):
        print(f"  judged {n / 10:.1f}-{(n + 1) / 10:.1f}: {len(held):6} rows, {wanted} {sum(held) / len(held):.3f}")


def write_weights(name: str, model: Any, measures: Sequence[str], rate: float, *, onto: bool = False) -> None:
    """`onto` keeps the trees that ship, which may know some of the measures only, and adds these to them."""
    kept = json.loads((DATA / name).read_text()) if onto else {"measures": [], "start": 0.0, "trees": []}
    if gone := set(kept["measures"]) - set(measures):
        raise SystemExit(f"{name} asks for {', '.join(sorted(gone))}: fit it without --onto")
    place = [measures.index(each) for each in kept["measures"]]
    trees = [[[place[n[0]] if n[0] >= 0 else n[0], *n[1:]] for n in tree] for tree in kept["trees"]]
    for (estimator,) in model.estimators_:
        tree = estimator.tree_
        parts = zip(tree.feature, tree.threshold, tree.children_left, tree.children_right, tree.value, strict=True)
        trees.append(
            [
                [int(f) if low >= 0 else -1, round(float(t), 5), int(low), int(high), round(rate * float(v[0][0]), 6)]
                for f, t, low, high, v in parts
            ]
        )
    found = {
        "measures": measures,
        "start": round(kept["start"] + float(model.init_.constant_[0][0]), 6),
        "trees": trees,
    }
    (DATA / name).write_text(json.dumps(found, separators=(",", ":")) + "\n")
    print(f"wrote {DATA / name}")
