"""What the arithmetic of tables finds: sums that hold, digits that were spoilt, and alarms without a cause.

`python scripts/sums.py GRIDS...`: folders of JSON files, a table each, with `rows` as lists of texts. Four figures:
the sums of the tables as they are; one digit of each spoilt, any figure's and one's that stands in a sum; and how many
hold by chance where all digits but the first of each figure are drawn anew.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from pathlib import Path

from docparse_fast.sums.checking import Checked, checked
from docparse_fast.sums.figures import figures_of

Rows = list[list[str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("grids", nargs="+", type=Path, help="folders of tables")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--spoil", type=int, default=3, help="how often each table is spoilt")
    parser.add_argument("-v", action="store_true", help="name the alarms")
    options = parser.parse_args()
    for folder in options.grids:
        tables = {path.stem: json.loads(path.read_text("utf-8"))["rows"] for path in sorted(folder.glob("*.json"))}
        print(f"{folder}: {len(tables)} tables")
        _as_they_are(tables, verbose=options.v)
        for within in (False, True):
            _spoilt(tables, random.Random(options.seed), options.spoil, within=within)
        _redrawn(tables, random.Random(options.seed))


def _as_they_are(tables: dict[str, Rows], *, verbose: bool) -> None:
    started = time.process_time()
    found = {name: checked(rows) for name, rows in tables.items()}
    seconds = (time.process_time() - started) / max(1, len(tables))
    kinds = Counter(relation.kind for each in found.values() for relation in each.relations)
    with_sums = [name for name, each in found.items() if each.relations]
    held = sum(len(relation.held) for each in found.values() for relation in each.relations)
    broken = sum(len(relation.broken) for each in found.values() for relation in each.relations)
    print(f"  as they are: {len(with_sums)} with sums; {held} sums hold, {broken} don't; {dict(kinds)}")
    alarms = [(name, misfit) for name, each in found.items() for misfit in each.misfits]
    alarmed = len({name for name, _ in alarms})
    print(f"  alarms without a cause: {len(alarms)} in {alarmed} tables; {1000 * seconds:.1f} ms a table")
    for name, misfit in alarms if verbose else ():
        row, column = misfit.cell
        print(f"    {name}: row {row}, column {column}: {tables[name][row][column]!r} for {misfit.needed.value}")


def _spoilt(tables: dict[str, Rows], dice: random.Random, times: int, *, within: bool) -> None:
    """Of each table that has sums, one digit is made another; `within`: of a figure that stands in a sum that holds."""
    tried = noticed = named = among = elsewhere = 0
    for rows in tables.values():
        before = checked(rows)
        if not before.relations:
            continue
        for _ in range(times):
            cell = _pick(rows, before, dice, within=within)
            after = checked(_with_digit(rows, cell, dice))
            tried += 1
            cells = [misfit.cell for misfit in after.misfits if not misfit.others]
            others = [other for misfit in after.misfits for other in (misfit.cell, *misfit.others)]
            named += cell in cells
            among += cell in others
            lost = sum(len(r.held) for r in after.relations) < sum(len(r.held) for r in before.relations)
            noticed += lost
            elsewhere += bool(others) and cell not in others
    where = "a figure in a sum" if within else "any figure"
    shares = ", ".join(
        f"{100 * count / max(1, tried):.1f} % {what}"
        for count, what in (
            (named, "named"),
            (among, "named, alone or among others"),
            (elsewhere, "another cell named"),
            (noticed, "fewer sums hold"),
        )
    )
    print(f"  {where} spoilt, {tried} times: {shares}")


def _pick(rows: Rows, found: Checked, dice: random.Random, *, within: bool) -> tuple[int, int]:
    grid = figures_of(rows)
    cells = [(r, c) for r, row in enumerate(grid) for c, figure in enumerate(row) if figure is not None]
    return dice.choice([cell for cell in cells if cell in found.held] if within else cells)


def _with_digit(rows: Rows, cell: tuple[int, int], dice: random.Random) -> Rows:
    text = rows[cell[0]][cell[1]]
    at = dice.choice([n for n, sign in enumerate(text) if sign.isdigit()])
    first = text[at] != "0" and not any(sign.isdigit() for sign in text[:at])
    digit = dice.choice([each for each in "0123456789"[first:] if each != text[at]])
    spoilt = [list(row) for row in rows]
    spoilt[cell[0]][cell[1]] = f"{text[:at]}{digit}{text[at + 1 :]}"
    return spoilt


def _redrawn(tables: dict[str, Rows], dice: random.Random) -> None:
    """Each figure's digits but the first drawn anew: what holds then, holds by chance."""
    found = [checked(_with_other_digits(rows, dice)) for rows in tables.values()]
    many = sum(bool(each.relations) for each in found)
    alarms = sum(bool(each.misfits) for each in found)
    print(f"  digits drawn anew: {many} of {len(found)} tables have a sum by chance, {alarms} an alarm")


def _with_other_digits(rows: Rows, dice: random.Random) -> Rows:
    grid = figures_of(rows)
    return [
        [_other_digits(text, dice) if r < len(grid) and grid[r][c] else text for c, text in enumerate(row)]
        for r, row in enumerate(rows)
    ]


def _other_digits(text: str, dice: random.Random) -> str:
    places = [n for n, sign in enumerate(text) if sign.isdigit()]
    lone = len(places) == 1
    signs = list(text)
    for n in places if lone else places[1:]:
        signs[n] = dice.choice("0123456789"[lone:])
    return "".join(signs)


if __name__ == "__main__":
    main()
