#!/usr/bin/env python3
"""Compares formulas in Markdown with the LaTeX sources of the articles that were converted.

    apt-get download r-cran-actuar r-cran-coin ...
    dpkg-deb -x r-cran-actuar_*.deb FOLDER/r-cran-actuar
    python scripts/training/formulas/articles.py FOLDER OUT [--part held|looked] [--show 10]

Each X.pdf of at most 40 pages that has X.Rnw or X.tex beside it is converted, unless OUT has it. Packages are parted in
two by the names of their folders: one half to look at, one half only to be counted. A row of a displayed formula is
right if the Markdown has it, whole or as a part of a longer formula, after normalising.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import pymupdf
from latex_sources import formulas_of
from normal import normal

SUFFIXES = (".Rnw", ".rnw", ".tex", ".ltx")
DISPLAYED = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
INLINE = re.compile(r"(?<![\\$])\$(?!\$)(.+?)(?<!\\)\$", re.DOTALL)
CODE = re.compile(r"```.*?```|(?<!`)`[^`\n]+`", re.DOTALL)
MOST_PAGES = 40


@dataclass
class Found:
    formulas: list[str]  # normalised, displayed ones and those within lines
    rows: list[str]  # of displayed formulas

    def has(self, formula: str) -> bool:
        return any(f" {formula} " in f" {other} " for other in self.formulas)

    def likeness(self, formula: str) -> float:
        tokens = formula.split()
        ratios = (SequenceMatcher(None, tokens, row.split(), autojunk=False).ratio() for row in self.rows)
        return max(ratios, default=0.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--part", choices=("looked", "held"), default="looked")
    parser.add_argument("--show", type=int, default=0, help="so many formulas that are not right; of `looked` only")
    given = parser.parse_args()
    counted: Counter[str] = Counter()
    alike = 0.0
    left = given.show if given.part == "looked" else 0
    for pdf, source in articles(given.folder, given.part):
        displayed, inline = formulas_of(source.read_text(encoding="utf-8", errors="replace"))
        markdown = converted(pdf, given.out / pdf.relative_to(given.folder).with_suffix(""))
        found = read(markdown)
        for formula in map(_trimmed, displayed):
            right = found.has(formula)
            counted.update({"displayed": 1, "displayed right": int(right)})
            alike += 1.0 if right else found.likeness(formula)
            if not right and left > 0:
                print(pdf.name, formula, sep="\n  ")
                left -= 1
        rights = sum(found.has(formula) for formula in map(_trimmed, inline))
        counted.update({"inline": len(inline), "inline right": rights})
    for kind in ("displayed", "inline"):
        print(f"{kind}: {100 * counted[kind + ' right'] / max(1, counted[kind]):.1f} right of {counted[kind]}")
    print(f"displayed, alike: {100 * alike / max(1, counted['displayed']):.1f}")


def articles(folder: Path, part: str) -> Iterator[tuple[Path, Path]]:
    for pdf in sorted(folder.rglob("*.pdf")):
        package = pdf.relative_to(folder).parts[0]
        source = next((pdf.with_suffix(suffix) for suffix in SUFFIXES if pdf.with_suffix(suffix).exists()), None)
        held = hashlib.sha1(package.encode()).digest()[0] % 2 == 0
        if source is not None and held == (part == "held") and pymupdf.open(pdf).page_count <= MOST_PAGES:
            yield pdf, source


def converted(pdf: Path, out: Path) -> str:
    if not out.exists():
        command = ["docparse-fast", "convert", pdf, "-o", out, "--target", "none"]
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    made = next(out.glob("*/document.md"), None)
    return made.read_text(encoding="utf-8") if made else ""


def read(markdown: str) -> Found:
    text = CODE.sub("", markdown)
    displayed = [_trimmed(normal(formula)) for formula in DISPLAYED.findall(text)]
    inline = [_trimmed(normal(formula)) for formula in INLINE.findall(DISPLAYED.sub(" ", text))]
    rows = [_trimmed(row) for formula in displayed for row in formula.split(" ; ")]
    return Found([*displayed, *inline], [*rows, *displayed])


def _trimmed(formula: str) -> str:
    return formula.rstrip(" .,;:")


if __name__ == "__main__":
    main()
