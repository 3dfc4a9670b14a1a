"""Writes formulas to train and test the symbol detector on: from a grammar, and out of real documentation.

    python scripts/training/formulas/train_formulas.py grammar --count 9000 --seed 1 grammar.txt
    python scripts/training/formulas/train_formulas.py real FOLDER... real.txt

A line is one formula. The real ones stand in docstrings (`.. math::`, `:math:`) and web pages (`\\[`, `\\(`, `$`).
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from pathlib import Path

from train_sources import LONGEST, real, tidy

LOWER = "abcdefghijklmnopqrstuvwxyz"
UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
GREEK_NAMES = """alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi
    rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi
    Psi Omega"""
SYMBOLS_NAMES = "infty partial nabla ell hbar emptyset Re Im aleph top bot forall exists neg prime dagger imath wp"
BINARY_NAMES = """+ + + + - - - - \\cdot \\times \\pm \\mp \\cup \\cap \\circ \\oplus \\otimes \\wedge \\vee \\setminus
    \\ast \\star \\div / / \\bullet \\odot \\ominus \\sqcup"""
RELATIONS_NAMES = """= = = = = = < > \\le \\ge \\le \\ge \\neq \\approx \\equiv \\sim \\simeq \\cong \\in \\in \\notin
    \\subset \\subseteq \\supset \\to \\to \\rightarrow \\Rightarrow \\mapsto \\propto \\ll \\gg \\perp \\mid
    \\parallel \\leftarrow \\leftrightarrow \\Leftrightarrow \\prec \\succ \\preceq \\models \\vdash \\longrightarrow
    \\iff \\implies \\asymp \\doteq \\ni \\leqslant \\geqslant \\lesssim := \\colon \\triangleq \\supseteq
    \\hookrightarrow \\rightharpoonup \\uparrow \\downarrow \\subsetneq \\nmid \\lhd"""
FUNCTIONS_NAMES = "sin cos tan log ln exp max min sup inf det dim ker gcd deg arg lim cosh sinh tanh arctan Pr cot"
WORDS_NAMES = "if otherwise for and where all such that with or else when on in is subject to div grad curl tr rank"
ACCENTS_NAMES = "hat tilde bar vec dot ddot widehat widetilde overline underline check breve acute mathring"
GREEK, SYMBOLS, BINARY, RELATIONS = (
    names.split() for names in (GREEK_NAMES, SYMBOLS_NAMES, BINARY_NAMES, RELATIONS_NAMES)
)
FUNCTIONS, WORDS, ACCENTS = FUNCTIONS_NAMES.split(), WORDS_NAMES.split(), ACCENTS_NAMES.split()
FENCES = [
    *[("(", ")")] * 6, *[("[", "]")] * 3, ("\\{", "\\}"), ("\\{", "\\}"), ("|", "|"), ("|", "|"), ("\\|", "\\|"),
    ("\\langle", "\\rangle"), ("\\lfloor", "\\rfloor"), ("\\lceil", "\\rceil"), ("(", "]"), ("[", ")"),
]  # fmt: skip
BIG_NAMES = "sum sum sum prod int int int oint iint bigcup bigcap bigoplus bigotimes coprod bigvee bigwedge"
BIG = BIG_NAMES.split()
BLACKBOARD = "RRRNZQCEPFHKTS"
ROW = r" \\ "


class Grammar:
    """Random formulas. What is rare in print is not rare here: a recogniser must have seen it."""

    def __init__(self, seed: int) -> None:
        self.pick = random.Random(seed)

    def formula(self) -> str:
        kind = self.pick.random()
        if kind < 0.07:
            return self.rows()
        if kind < 0.12:
            return f"{self.atom()} = {self.matrix()}" + (f" {self.operator()} {self.atom()}" if kind < 0.1 else "")
        if kind < 0.16:
            return self.cases()
        sides = self.pick.choice([1, 2, 2, 2, 3])
        return f" {self.pick.choice(RELATIONS)} ".join(
            self.terms(self.pick.choice([0, 1, 2, 2, 3])) for _ in range(sides)
        )

    def terms(self, depth: int) -> str:
        count = self.pick.choice([1, 1, 1, 2, 2, 3])
        made = [self.term(depth)]
        for _ in range(count - 1):
            made += [self.operator(), self.term(depth)]
        sign = "-" if self.pick.random() < 0.1 else ""
        return sign + " ".join(made)

    def operator(self) -> str:
        return self.pick.choice(BINARY)

    def term(self, depth: int) -> str:
        return " ".join(self.factor(depth) for _ in range(self.pick.choice([1, 1, 1, 2, 2, 3])))

    def factor(self, depth: int) -> str:
        if depth <= 0:
            return self.scripted(0) if self.pick.random() < 0.4 else self.atom()
        makers: list[Callable[[int], str]] = [
            *[self.scripted] * 6, *[self.fraction] * 3, *[self.fenced] * 3, *[self.big] * 2, self.root, self.function,
            self.accented, self.called, self.braced, lambda _: self.atom(), lambda _: self.number(), self.stacked,
        ]  # fmt: skip
        return self.pick.choice(makers)(depth - 1)

    def atom(self) -> str:
        chance = self.pick.random()
        if chance < 0.42:
            return self.pick.choice(LOWER)
        if chance < 0.55:
            return self.pick.choice(UPPER)
        if chance < 0.76:
            return f"\\{self.pick.choice(GREEK)}"
        if chance < 0.86:
            return self.number()
        if chance < 0.9:
            return f"\\{self.pick.choice(SYMBOLS)}"
        if chance < 0.92:
            return f"\\mathbf{{{self.pick.choice(LOWER + UPPER)}}}"
        if chance < 0.94:
            return f"\\mathcal{{{self.pick.choice(UPPER)}}}"
        if chance < 0.96:
            return f"\\mathbb{{{self.pick.choice(BLACKBOARD)}}}"
        if chance < 0.97:
            return f"\\mathfrak{{{self.pick.choice(LOWER + UPPER)}}}"
        if chance < 0.985:
            return f"\\mathrm{{{self.pick.choice(LOWER + UPPER)}}}"
        if chance < 0.99:
            return "\\%"
        return self.pick.choice(["\\ldots", "\\cdots", "\\dots", "n!", "\\sharp", "\\angle", "\\triangle", "\\square"])

    def number(self) -> str:
        whole = str(self.pick.randint(0, 9) if self.pick.random() < 0.6 else self.pick.randint(10, 2999))
        return whole + (f".{self.pick.randint(0, 999)}" if self.pick.random() < 0.15 else "")

    def scripted(self, depth: int) -> str:
        base = self.atom() if self.pick.random() < 0.85 else f"\\mathrm{{{self.pick.choice(LOWER)}}}"
        below = f"_{{{self.script(depth)}}}" if self.pick.random() < 0.6 else ""
        primes = self.pick.random()
        if primes < 0.08:
            return base + below + "'" * self.pick.choice([1, 1, 2])
        above = f"^{{{self.script(depth)}}}" if not below or self.pick.random() < 0.3 else ""
        return base + below + above

    def script(self, depth: int) -> str:
        chance = self.pick.random()
        if chance < 0.5:
            return self.atom()
        if chance < 0.6:
            return f"{self.pick.choice(LOWER)},{self.pick.choice(LOWER)}"
        if chance < 0.66:
            return f"\\text{{{self.pick.choice(WORDS)}}}"
        if chance < 0.75:
            return self.pick.choice(
                ["-1", "+", "*", "\\ast", "\\dagger", "T", "\\top", "(n)", "(k+1)", "2n", "1/2", "-"]
            )
        if chance < 0.9 or depth <= 0:
            return f"{self.atom()}{self.pick.choice('+-=')}{self.atom()}"
        return self.terms(depth - 1)

    def fraction(self, depth: int) -> str:
        command = self.pick.choice(["frac"] * 6 + ["tfrac", "dfrac"])
        return f"\\{command}{{{self.terms(depth)}}}{{{self.terms(depth)}}}"

    def fenced(self, depth: int) -> str:
        left, right = self.pick.choice(FENCES)
        if self.pick.random() < 0.5:
            return f"{left} {self.terms(depth)} {right}" + self.power()
        if self.pick.random() < 0.1:
            return f"\\left. {self.terms(depth)} \\right|_{{{self.script(0)}}}"
        if self.pick.random() < 0.2:
            size = self.pick.choice(["big", "Big", "bigg"])
            return f"\\{size}l{left} {self.terms(depth)} \\{size}r{right}"
        return f"\\left{left} {self.terms(depth)} \\right{right}" + self.power()

    def power(self) -> str:
        return f"^{{{self.script(0)}}}" if self.pick.random() < 0.25 else ""

    def big(self, depth: int) -> str:
        name = self.pick.choice(BIG)
        limits = self.pick.random()
        below = f"_{{{self.pick.choice(LOWER)}={self.pick.choice('01')}}}" if limits < 0.4 else f"_{{{self.script(0)}}}"
        above = f"^{{{self.script(0)}}}" if self.pick.random() < 0.6 else ""
        end = f" \\,d{self.pick.choice(LOWER)}" if "int" in name and self.pick.random() < 0.7 else ""
        return f"\\{name}{below if limits < 0.9 else ''}{above} {self.term(depth)}{end}"

    def root(self, depth: int) -> str:
        degree = "[3]" if self.pick.random() < 0.15 else ""
        return f"\\sqrt{degree}{{{self.terms(depth)}}}"

    def function(self, depth: int) -> str:
        name = self.pick.choice(FUNCTIONS)
        if name in ("lim", "max", "min", "sup", "inf") and self.pick.random() < 0.7:
            name += f"_{{{self.pick.choice(LOWER)} {self.pick.choice(RELATIONS)} {self.atom()}}}"
        elif self.pick.random() < 0.2:
            name += "^2"
        return f"\\{name} " + (self.term(depth) if self.pick.random() < 0.5 else f"({self.terms(depth)})")

    def accented(self, depth: int) -> str:
        name = self.pick.choice(ACCENTS)
        wide = name in ("widehat", "widetilde", "overline", "underline")
        inner = self.term(0) if wide and self.pick.random() < 0.6 else self.atom()
        return f"\\{name}{{{inner}}}"

    def called(self, depth: int) -> str:
        arguments = ", ".join(self.terms(depth - 1) for _ in range(self.pick.choice([1, 1, 2, 3])))
        return f"{self.pick.choice(LOWER + UPPER)}({arguments})"

    def braced(self, depth: int) -> str:
        if self.pick.random() < 0.6:
            return self.scripted(depth)
        name, sign = self.pick.choice([("overbrace", "^"), ("underbrace", "_")])
        return f"\\{name}{{{self.terms(depth)}}}{sign}{{{self.script(0)}}}"

    def stacked(self, depth: int) -> str:
        if self.pick.random() < 0.5:
            return f"\\binom{{{self.atom()}}}{{{self.atom()}}}"
        if self.pick.random() < 0.5:
            return f"\\overset{{{self.script(0)}}}{{{self.pick.choice(['=', 'to', self.atom()])}}}".replace(
                "{to}", "{\\to}"
            )
        return f"\\text{{ {' '.join(self.pick.choice(WORDS) for _ in range(2))} }}"

    def matrix(self) -> str:
        kind = self.pick.choice(["pmatrix", "pmatrix", "bmatrix", "vmatrix", "matrix", "Bmatrix"])
        columns = self.pick.randint(1, 4)
        cell: Callable[[], str] = (lambda: self.scripted(0)) if self.pick.random() < 0.5 else self.atom
        rows = [" & ".join(cell() for _ in range(columns)) for _ in range(self.pick.randint(2, 4))]
        if self.pick.random() < 0.25:
            rows[len(rows) // 2] = " & ".join(["\\vdots"] * (columns - 1) + ["\\ddots"])
        return f"\\begin{{{kind}}} {ROW.join(rows)} \\end{{{kind}}}"

    def cases(self) -> str:
        rows = [
            f"{self.terms(1)} & \\text{{{self.pick.choice(['if', 'for', 'if ', 'when '])}}} {self.terms(0)} "
            f"{self.pick.choice(RELATIONS)} {self.atom()}"
            for _ in range(self.pick.choice([1, 2, 2, 3]))
        ]
        rows.append(f"{self.terms(0)} & \\text{{otherwise}}")
        return f"{self.scripted(0)} = \\begin{{cases}} {ROW.join(rows)} \\end{{cases}}"

    def rows(self) -> str:
        rows = [
            f"{self.terms(1)} &{self.pick.choice(RELATIONS)} {self.terms(2)}"
            for _ in range(self.pick.choice([2, 2, 3]))
        ]
        return f"\\begin{{aligned}} {ROW.join(rows)} \\end{{aligned}}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["grammar", "real"])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=9000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.kind == "grammar":
        grammar = Grammar(asked.seed)
        found = [" ".join(grammar.formula().split()) for _ in range(asked.count)]
    else:
        found = sorted({text for latex in real(asked.folders) if (text := tidy(latex))})
        random.Random(asked.seed).shuffle(found)
        found = found[: asked.count]
    kept = [text for text in found if len(text) <= LONGEST]
    asked.out.write_text("\n".join(kept) + "\n", encoding="utf-8")
    print(len(kept), "formulas")


if __name__ == "__main__":
    main()
