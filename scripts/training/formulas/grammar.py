"""Random formulas by a grammar, as LaTeX. The same seed gives the same formulas."""

from __future__ import annotations

import random
from collections.abc import Callable

LETTERS = list("abcdefghijklmnpqrstuvwxyzABCDEFGHKLMNPQRSTUVWXYZ")
GREEK_NAMES = (
    r"\alpha \beta \gamma \delta \varepsilon \epsilon \zeta \eta \theta \kappa \lambda \mu \nu \xi \pi \rho \sigma "
    r"\tau \phi \varphi \chi \psi \omega \Gamma \Delta \Theta \Lambda \Xi \Pi \Sigma \Phi \Psi \Omega"
)
GREEK = GREEK_NAMES.split()
ALPHABETS = (r"\mathbb", "RNZQCPEF"), (r"\mathcal", "ABCFHLMNOPS"), (r"\mathfrak", "agpmS"), (r"\mathbf", "xyzuvAB01")
RELATION_NAMES = r"= = = = < > \leq \geq \neq \approx \equiv \sim \in \subseteq \subset \to \mapsto \ll \cong \propto"
RELATIONS = RELATION_NAMES.split()
BINARY_NAMES = r"+ + + + - - - \cdot \times \pm \cup \cap \otimes \oplus \wedge \circ \setminus"
BINARY = BINARY_NAMES.split()
FUNCTIONS = [r"\sin", r"\cos", r"\tan", r"\log", r"\ln", r"\exp", r"\det", r"\dim", r"\ker", r"\arg"]
LIMITED = [r"\max", r"\min", r"\sup", r"\inf", r"\lim", r"\limsup"]
BIG = [r"\sum", r"\sum", r"\sum", r"\prod", r"\bigcup", r"\bigcap", r"\bigoplus", r"\coprod"]
INTEGRALS = [r"\int", r"\int", r"\int", r"\oint", r"\iint"]
ACCENTS = [r"\hat", r"\tilde", r"\bar", r"\vec", r"\dot", r"\ddot", r"\widehat", r"\widetilde", r"\overline"]
FENCES = ("(", ")"), ("[", "]"), (r"\{", r"\}"), ("|", "|"), (r"\|", r"\|"), (r"\langle", r"\rangle")
MORE_FENCES = (r"\lfloor", r"\rfloor"), (r"\lceil", r"\rceil")
WORDS = ["if", "for all", "where", "and", "otherwise", "for", "such that", "or", "as", "with probability"]
DOTS = [r"\ldots", r"\cdots"]
KINDS = [
    "scripts",
    "fraction",
    "root",
    "big",
    "integral",
    "limits",
    "function",
    "fence",
    "matrix",
    "cases",
    "aligned",
    "accent",
    "text",
    "alphabet",
    "binomial",
    "brace",
    "dots",
    "set",
    "prime",
    "product",
    "arrow",
]


class Grammar:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.kinds: set[str] = set()

    def displayed(self) -> tuple[str, list[str]]:
        """A formula and the kinds of structure in it."""
        self.kinds = set()
        return self._tidy(self._statement(3)), sorted(self.kinds)

    def inline(self) -> tuple[str, list[str]]:
        """Shorter than displayed ones, as in papers: variables, relations, now and then a fraction or a sum."""
        self.kinds = set()
        shape = self.random.random()
        if shape < 0.35:
            text = self._simple()
        elif shape < 0.75:
            text = f"{self._simple()} {self._one(RELATIONS)} {self._simple()}"
        elif shape < 0.9:
            text = f"{self._simple()} {self._one(RELATIONS)} {self._simple()} {self._one(BINARY)} {self._term(1)}"
        else:
            text = self._relation(1)
        return self._tidy(text), sorted(self.kinds)

    def _simple(self) -> str:
        shapes = [
            self._scripted,
            self._scripted,
            self._argument,
            self._alphabet,
            self._accented,
            self._list,
            self._primed,
        ]
        return self.random.choice(shapes)(0) if self.random.random() < 0.7 else self._letter()

    def _tidy(self, text: str) -> str:
        return " ".join(text.split())

    def _one(self, options: list[str]) -> str:
        return self.random.choice(options)

    def _statement(self, depth: int) -> str:
        shape = self.random.random()
        if shape < 0.1:
            return self._aligned(depth - 1)
        if shape < 0.2:
            return self._cases(depth - 1)
        if shape < 0.28:
            self.kinds.add("text")
            return f"{self._relation(depth - 1)} \\quad\\text{{{self._one(WORDS)}}}\\quad {self._relation(1)}"
        return self._relation(depth)

    def _aligned(self, depth: int) -> str:
        self.kinds.add("aligned")
        lines = [f"{self._term(1)} &= {self._sum(depth)}"]
        lines += [f"&{self._one(['=', '=', '<', chr(92) + 'leq'])} {self._sum(depth)}" for _ in range(self._few(1, 2))]
        return r"\begin{aligned} " + r" \\ ".join(lines) + r" \end{aligned}"

    def _cases(self, depth: int) -> str:
        self.kinds.add("cases")
        rows = [f"{self._sum(1)} & \\text{{if }} {self._relation(1)}" for _ in range(self._few(1, 2))]
        rows.append(f"{self._sum(1)} & \\text{{otherwise}}")
        return f"{self._term(1)} = \\begin{{cases}} " + r" \\ ".join(rows) + r" \end{cases}"

    def _few(self, low: int, high: int) -> int:
        return self.random.randint(low, high)

    def _relation(self, depth: int) -> str:
        parts = [self._sum(depth)]
        for _ in range(self._few(1, 2) if depth > 1 else 1):
            parts += [self._one(RELATIONS), self._sum(depth)]
        return " ".join(parts)

    def _sum(self, depth: int) -> str:
        parts = [self._product(depth)]
        for _ in range(self._few(0, 2)):
            parts += [self._one(BINARY), self._product(depth)]
        return " ".join(parts)

    def _product(self, depth: int) -> str:
        return " ".join(self._term(depth) for _ in range(self._few(1, 2)))

    def _term(self, depth: int) -> str:
        if depth <= 0:
            return self._atom()
        shapes: list[Callable[[int], str]] = [
            self._scripted, self._scripted, self._scripted, self._fraction, self._fraction, self._root, self._big,
            self._integral, self._limited, self._function, self._fenced, self._fenced, self._accented, self._alphabet,
            self._set, self._matrix, self._binomial, self._brace, self._list, self._argument, self._primed, self._arrow,
        ]  # fmt: skip
        return self.random.choice(shapes)(depth - 1) if self.random.random() < 0.75 else self._atom()

    def _letter(self) -> str:
        return self._one(LETTERS) if self.random.random() < 0.7 else self._one(GREEK)

    def _atom(self) -> str:
        shape = self.random.random()
        if shape < 0.55:
            return self._one(LETTERS)
        if shape < 0.75:
            return self._one(GREEK)
        if shape < 0.8:
            return self._one([r"\infty", r"\partial", r"\nabla", r"\ell", r"\emptyset", r"\hbar"])
        return str(self._few(0, 9) if shape < 0.95 else self._few(10, 99))

    def _scripted(self, depth: int) -> str:
        self.kinds.add("scripts")
        base = self._one(LETTERS) if self.random.random() < 0.7 else self._one(GREEK)
        shape = self.random.random()
        under, over = f"_{{{self._script(depth)}}}", f"^{{{self._script(depth)}}}"
        return base + (under if shape < 0.4 else over if shape < 0.75 else under + over)

    def _script(self, depth: int) -> str:
        shape = self.random.random()
        if shape < 0.5:
            return self._atom()
        if shape < 0.7:
            return f"{self._atom()} {self._one(['+', '-'])} {self._atom()}"
        if shape < 0.8:
            return f"{self._atom()},{self._atom()}"
        if shape < 0.9 and depth > 0:
            return self._scripted(0)
        return f"{self._atom()} {self._atom()}"

    def _fraction(self, depth: int) -> str:
        self.kinds.add("fraction")
        return f"\\frac{{{self._sum(depth)}}}{{{self._sum(depth)}}}"

    def _root(self, depth: int) -> str:
        self.kinds.add("root")
        index = f"[{self._few(3, 5)}]" if self.random.random() < 0.2 else ""
        return f"\\sqrt{index}{{{self._sum(depth)}}}"

    def _big(self, depth: int) -> str:
        self.kinds.add("big")
        shape = self.random.random()
        letter = self._one(list("ijknm"))
        under = f"{letter}={self._few(0, 1)}" if shape < 0.6 else f"{letter} \\in {self._one(LETTERS)}"
        over = f"^{{{self._one(['n', 'N', 'm', 'n-1', chr(92) + 'infty'])}}}" if shape < 0.6 else ""
        return f"{self._one(BIG)}_{{{under}}}{over} {self._product(depth)}"

    def _integral(self, depth: int) -> str:
        self.kinds.add("integral")
        ends = f"_{{{self._atom()}}}^{{{self._atom()}}}" if self.random.random() < 0.7 else ""
        return f"{self._one(INTEGRALS)}{ends} {self._product(depth)} \\, d{self._one(list('xyztu'))}"

    def _limited(self, depth: int) -> str:
        self.kinds.add("limits")
        under = f"{self._one(list('xynt'))} {self._one([chr(92) + 'to', chr(92) + 'in'])} {self._atom()}"
        return f"{self._one(LIMITED)}_{{{under}}} {self._term(depth)}"

    def _function(self, depth: int) -> str:
        self.kinds.add("function")
        power = "^{2}" if self.random.random() < 0.2 else ""
        inner = self._term(depth - 1)
        return (
            f"{self._one(FUNCTIONS)}{power} {inner}"
            if self.random.random() < 0.5
            else (f"{self._one(FUNCTIONS)}{power}({inner})")
        )

    def _fenced(self, depth: int) -> str:
        self.kinds.add("fence")
        left, right = self.random.choice(FENCES + MORE_FENCES if self.random.random() < 0.3 else FENCES[:3])
        power = f"^{{{self._atom()}}}" if self.random.random() < 0.3 else ""
        if self.random.random() < 0.6:
            return f"\\left{left} {self._sum(depth)} \\right{right}{power}"
        return f"{left} {self._sum(0)} {right}{power}"

    def _argument(self, depth: int) -> str:
        self.kinds.add("fence")
        inner = ", ".join(self._atom() for _ in range(self._few(1, 3)))
        return f"{self._one(list('fghFGP'))}({inner})"

    def _matrix(self, depth: int) -> str:
        if depth < 1:
            return self._atom()
        self.kinds.add("matrix")
        columns = self._few(2, 3)
        rows = [" & ".join(self._cell() for _ in range(columns)) for _ in range(self._few(2, 3))]
        name = self._one(["pmatrix", "pmatrix", "bmatrix", "vmatrix"])
        return f"\\begin{{{name}}} " + r" \\ ".join(rows) + f" \\end{{{name}}}"

    def _cell(self) -> str:
        return self._atom() if self.random.random() < 0.6 else self._scripted(0)

    def _binomial(self, depth: int) -> str:
        self.kinds.add("binomial")
        return f"\\binom{{{self._atom()}}}{{{self._atom()}}}"

    def _accented(self, depth: int) -> str:
        self.kinds.add("accent")
        name = self._one(ACCENTS)
        wide = name.startswith(("\\wide", "\\over")) and self.random.random() < 0.5
        return f"{name}{{{self._one(LETTERS)}{self._one(LETTERS) if wide else ''}}}"

    def _alphabet(self, depth: int) -> str:
        self.kinds.add("alphabet")
        name, letters = self.random.choice(ALPHABETS)
        power = f"^{{{self._one(list('nmd2'))}}}" if self.random.random() < 0.3 else ""
        return f"{name}{{{self._one(list(letters))}}}{power}"

    def _brace(self, depth: int) -> str:
        if depth < 1:
            return self._atom()
        self.kinds.add("brace")
        if self.random.random() < 0.5:
            return f"\\underbrace{{{self._sum(0)}}}_{{{self._atom()}}}"
        return f"\\overbrace{{{self._sum(0)}}}^{{{self._atom()}}}"

    def _set(self, depth: int) -> str:
        self.kinds.add("set")
        letter = self._one(LETTERS)
        return f"\\{{ {letter} \\in {self._one(LETTERS)} : {self._relation(0)} \\}}"

    def _list(self, depth: int) -> str:
        self.kinds.add("dots")
        letter = self._one(list("abxyz"))
        if self.random.random() < 0.5:
            return f"{letter}_{{1}} + \\cdots + {letter}_{{n}}"
        return f"({letter}_{{1}}, \\ldots, {letter}_{{n}})"

    def _primed(self, depth: int) -> str:
        self.kinds.add("prime")
        return f"{self._one(LETTERS)}{self._one([chr(39), chr(39) * 2])}({self._atom()})"

    def _arrow(self, depth: int) -> str:
        self.kinds.add("arrow")
        arrow = self._one([r"\Rightarrow", r"\iff", r"\longrightarrow", r"\hookrightarrow", r"\leftarrow", r"\implies"])
        return f"{self._one(LETTERS)} {arrow} {self._one(LETTERS)}"
