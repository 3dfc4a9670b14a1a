#!/usr/bin/env python3
"""Makes PDFs with formulas whose LaTeX is known, in many fonts.

    python scripts/training/formulas/make_formulas.py OUT --seed 1 --count 60 --style cm --style stix

Every style gives OUT/STYLE.pdf, OUT/STYLE.tex and OUT/STYLE.json: a list of {"id", "display", "latex", "kinds"}. In the
text, a displayed formula follows the words "Statement D7 says", an inline one stands in a sentence about "item I7".
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path

from grammar import Grammar
from normal import normal


@dataclass(frozen=True)
class Style:
    engine: str
    preamble: str
    options: str = "10pt"
    document: str = "article"
    held_out: bool = True
    longest: int = 60  # tokens in a displayed line


PLAIN = r"\usepackage{amsmath,amssymb}"
UNICODE = r"\usepackage{amsmath}\usepackage{unicode-math}"
STYLES = {
    "cm": Style("pdflatex", PLAIN, held_out=False),
    "amsart": Style("pdflatex", PLAIN, document="amsart", held_out=False),
    "cm-t1": Style(
        "pdflatex",
        PLAIN + r"\usepackage[T1]{fontenc}\usepackage{lmodern}",
        "10pt,twocolumn",
        held_out=False,
        longest=24,
    ),
    "times": Style("pdflatex", PLAIN + r"\usepackage{mathptmx}"),
    "palatino": Style("pdflatex", PLAIN + r"\usepackage{mathpazo}", "12pt", held_out=False),
    "stix": Style("pdflatex", r"\usepackage{amsmath}\usepackage{stix}"),
    "kp": Style("pdflatex", r"\usepackage{amsmath}\usepackage{kpfonts}"),
    "fourier": Style("pdflatex", PLAIN + r"\usepackage{fourier}"),
    "newtx": Style("pdflatex", r"\usepackage{amsmath}\usepackage{newtxtext,newtxmath}", held_out=False),
    "xelm": Style("xelatex", UNICODE + r"\setmathfont{latinmodern-math.otf}"),
    "lualm": Style("lualatex", UNICODE),
    "xestix": Style(
        "xelatex",
        UNICODE
        + r"\setmainfont{STIXTwoText-Regular.otf}[BoldFont=STIXTwoText-Bold.otf]\setmathfont{STIXTwoMath-Regular.otf}",
    ),
    "termes": Style(
        "xelatex",
        UNICODE
        + r"\setmainfont{texgyretermes-regular.otf}[BoldFont=texgyretermes-bold.otf]"
        + r"\setmathfont{texgyretermes-math.otf}",
    ),
    "dvips": Style("dvips", PLAIN, held_out=False),
}
OPENINGS = (
    "Statement {id} says that", "It is known from statement {id} that", "By the remark before statement {id} we have",
    "The following is statement {id}, which we use below:",
)  # fmt: skip
AFTER = ("This is used again in the next section.", "The proof is left to the reader.", "Nothing else is needed here.")
INLINE = (
    "In item {id} we suppose that ${latex}$ holds for the rest of the section.",
    "Now take item {id} and note that ${latex}$ gives what we want.",
    "Let item {id} be such that ${latex}$, as it was shown in the last lemma.",
)
NUMBERED = 0.2  # of the displayed formulas


@dataclass(frozen=True)
class Formula:
    id: str
    display: bool
    latex: str
    kinds: list[str]
    number: str = ""


def formulas(seed: int, count: int, longest: int) -> list[Formula]:
    """`count` displayed and `count` inline formulas."""
    grammar, chance = Grammar(seed), random.Random(seed)
    made, number = [], 0
    for n in range(count):
        latex, kinds = _short(grammar, longest)
        numbered = chance.random() < NUMBERED
        number += numbered
        made.append(Formula(f"D{n}", True, latex, kinds, str(number) if numbered else ""))
        made.append(Formula(f"I{n}", False, *grammar.inline()))
    return made


def _short(grammar: Grammar, longest: int) -> tuple[str, list[str]]:
    """A formula that fits a line."""
    while True:
        latex, kinds = grammar.displayed()
        if max(len(normal(line).split()) for line in latex.split(r"\\")) < longest:
            return latex, kinds


def document(style: Style, made: list[Formula], seed: int) -> str:
    chance = random.Random(seed)
    lines = [rf"\documentclass[{style.options}]{{{style.document}}}", style.preamble, r"\begin{document}"]
    for formula in made:
        lines += [_paragraph(formula, chance), ""]
    return "\n".join([*lines, r"\end{document}", ""])


def _paragraph(formula: Formula, chance: random.Random) -> str:
    if not formula.display:
        return chance.choice(INLINE).format(id=formula.id, latex=formula.latex)
    name = "equation" if formula.number else "equation*"
    opening, after = chance.choice(OPENINGS).format(id=formula.id), chance.choice(AFTER)
    return f"{opening}\n\\begin{{{name}}}\n{formula.latex}\n\\end{{{name}}}\n{after}"


def typeset(out: Path, name: str, style: Style) -> bool:
    if style.engine == "dvips":
        steps = [["latex"], ["dvips", "-q", f"{name}.dvi"], ["ps2pdf", f"{name}.ps"]]
    else:
        steps = [[style.engine]]
    for step in steps:
        command = [*step, "-interaction=nonstopmode", f"{name}.tex"] if len(step) == 1 else step
        subprocess.run(command, cwd=out, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=300)
    return (out / f"{name}.pdf").exists()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60, help="displayed formulas in each style, and as many inline")
    parser.add_argument("--style", action="append", choices=sorted(STYLES))
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for name in given.style or STYLES:
        made = formulas(given.seed, given.count, STYLES[name].longest)
        (given.out / f"{name}.tex").write_text(document(STYLES[name], made, given.seed))
        (given.out / f"{name}.json").write_text(json.dumps([asdict(formula) for formula in made], indent=1))
        print(name, "made" if typeset(given.out, name, STYLES[name]) else "FAILED")


if __name__ == "__main__":
    main()
