#!/usr/bin/env python3
"""Compares formulas in Markdown with those that `make_formulas.py` set.

python scripts/training/formulas/score_formulas.py OUT/STYLE.json STYLE.md [--show 10]
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path

from normal import normal

DISPLAY = re.compile(r"\$\$(.*?)\$\$", re.DOTALL)
INLINE = re.compile(r"(?<![\\$])\$(?!\$)(.+?)(?<!\\)\$")
MARK = r"\b{id}\b(.*?)(?=\b(?:Statement|statement|item) [DI]\d+\b|\Z)"


def found_formula(markdown: str, formula: dict) -> str:
    passage = re.search(MARK.format(id=formula["id"]), markdown, re.DOTALL)
    if passage is None:
        return ""
    if formula["display"]:
        return " \\\\ ".join(DISPLAY.findall(passage[1]))
    text = DISPLAY.sub(" ", passage[1])
    return " ".join(INLINE.findall(text))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth", type=Path)
    parser.add_argument("markdown", type=Path)
    parser.add_argument("--show", type=int, default=0, help="how many wrong formulas to print")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    markdown = given.markdown.read_text()
    right, total, alike, shown = Counter(), Counter(), Counter(), 0
    for formula in json.loads(given.truth.read_text()):
        found = found_formula(markdown, formula)
        truth, read = normal(formula["latex"]), normal(found)
        score = SequenceMatcher(None, truth.split(), read.split(), autojunk=False).ratio()
        keys = ["display" if formula["display"] else "inline"]
        if formula["display"]:
            keys += [f"  {kind}" for kind in formula["kinds"]]
        for key in keys:
            right[key] += truth == read
            total[key] += 1
            alike[key] += score
        if truth != read and shown < given.show:
            shown += 1
            print(
                formula["id"],
                formula["kinds"],
                f"\n  truth {formula['latex']}\n  found {found}\n  T {truth}\n  F {read}",
            )
    for key in sorted(total, key=lambda key: (key.strip() not in ("display", "inline"), key)):
        shares = (100 * each[key] / total[key] for each in (right, alike))
        print("{:14s} right {:5.1f}  alike {:5.1f}  of {}".format(key, *shares, total[key]))
    if given.json:
        given.json.write_text(json.dumps({key: [right[key], alike[key], total[key]] for key in total}))


if __name__ == "__main__":
    main()
