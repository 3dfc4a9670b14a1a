"""A normal form of LaTeX formulas: two formulas that print alike have the same one."""

from __future__ import annotations

import re

TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|[^\s\\]")
SAME = {
    r"\le": r"\leq", r"\ge": r"\geq", r"\ne": r"\neq", r"\to": r"\rightarrow", r"\gets": r"\leftarrow",
    r"\land": r"\wedge", r"\lor": r"\vee", r"\lnot": r"\neg", r"\dots": r"\ldots", r"\dotsc": r"\ldots",
    r"\dotsb": r"\ldots", r"\cdots": r"\ldots", r"\mid": "|", r"\vert": "|", r"\lvert": "|", r"\rvert": "|",
    r"\Vert": r"\|", r"\lVert": r"\|", r"\rVert": r"\|", r"\parallel": r"\|", r"\colon": ":", r"\iff":
    r"\Leftrightarrow", r"\Longleftrightarrow": r"\Leftrightarrow", r"\implies": r"\Rightarrow",
    r"\Longrightarrow": r"\Rightarrow", r"\longrightarrow": r"\rightarrow", r"\longleftarrow": r"\leftarrow",
    r"\longmapsto": r"\mapsto", r"\lbrace": r"\{", r"\rbrace": r"\}", r"\lbrack": "[", r"\rbrack": "]",
    r"\owns": r"\ni", r"\ast": "*", r"\centerdot": r"\cdot", r"\widehat": r"\hat", r"\widetilde": r"\tilde",
    r"\overline": r"\bar", r"\mathscr": r"\mathcal", r"\boldsymbol": r"\mathbf", r"\bm": r"\mathbf",
    r"\dfrac": r"\frac", r"\tfrac": r"\frac", r"\dbinom": r"\binom", r"\tbinom": r"\binom", r"\bigtriangleup":
    r"\triangle", r"\hslash": r"\hbar", r"\smallsetminus": r"\setminus", r"\varnothing": r"\emptyset",
    r"\middle": "", r"\vartriangle": r"\triangle", r"\lt": "<", r"\gt": ">", r"\overrightarrow": r"\vec",
}  # fmt: skip
NOTHING = r"""
    \left \right \big \Big \bigg \Bigg \bigl \bigr \Bigl \Bigr \biggl \biggr \Biggl \Biggr \bigm \displaystyle
    \textstyle \scriptstyle \limits \nolimits \, \; \: \! \> \quad \qquad ~ \hfill \nonumber \notag \mathop \mathrel
    \mathbin \mathord \mathopen \mathclose \strut \mathstrut \thinspace \enspace \negthinspace \space
"""
DROPPED = frozenset({*NOTHING.split(), "\\ ", ""})
SET_UPRIGHT = r"\text \mathrm \operatorname \operatorname* \textrm \mbox \textit \mathit \hbox \rm \mathsf \textnormal"
UPRIGHT = frozenset(SET_UPRIGHT.split())
FUNCTION_NAMES = """
    sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp lim max min sup inf det dim ker gcd
    deg arg hom Pr limsup liminf argmax argmin
"""
FUNCTIONS = frozenset(FUNCTION_NAMES.split())
FENCED = {"pmatrix": "()", "bmatrix": "[]", "vmatrix": "||", "smallmatrix": "  "}
GRID = r"\grid"


def normal(latex: str) -> str:
    """
    >>> normal(r"x^2_{i}") == normal(r"x_i^{2}"), normal(r"\\left(\\frac ab\\right)") == normal(r"(\\frac{a}{b})")
    (True, True)
    >>> normal(r"f'(x)") == normal(r"f^{\\prime}(x)"), normal("x") == normal("y")
    (True, False)
    """
    latex = re.sub(r"\.\s*\.\s*\.", r"\\ldots ", latex)
    latex = re.sub(r"\\tag\*?\s*\{[^{}]*\}|\\label\s*\{[^{}]*\}", "", latex)
    return " ".join(_Reader([_same(token) for token in TOKEN.findall(latex)]).sequence())


def _same(token: str) -> str:
    return SAME.get(token, token)


class _Reader:
    """Reads tokens into a list in which every argument and script has braces."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0

    def _next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else ""

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def sequence(self, ends: tuple[str, ...] = ()) -> list[str]:
        made: list[str] = []
        while self.at < len(self.tokens) and self._peek() not in ends:
            made += self._item(made)
        return made

    def _item(self, before: list[str]) -> list[str]:
        token = self._next()
        if token in DROPPED or token == "&":
            return []
        if token in ("_", "^", "'"):
            return self._scripts(token)
        if token == "{":
            inner = self.sequence(("}",))
            self._next()
            return inner
        if token in UPRIGHT:
            return self._upright()
        if token == r"\begin":
            return self._environment()
        return self._command(token)

    def _command(self, token: str) -> list[str]:
        if token == r"\binom":
            return ["(", GRID, "{", *self._argument(), ";", *self._argument(), "}", ")"]
        if token in (r"\frac", r"\overset", r"\underset", r"\stackrel"):
            name = r"\overset" if token == r"\stackrel" else token
            return [name, "{", *self._argument(), "}", "{", *self._argument(), "}"]
        if token == r"\sqrt":
            return self._root()
        if token == r"\substack":
            return self._argument()
        if token in _ALPHABETS:
            return [part for one in self._argument() for part in ([token, "{", one, "}"] if one.isalnum() else [one])]
        if token in _ONE_ARGUMENT:
            return [token, "{", *self._argument(), "}"]
        if token[1:] in FUNCTIONS:
            return list(token[1:])
        if token == r"\pmod":
            return ["(", *"mod", *self._argument(), ")"]
        if token in (r"\bmod", r"\mod"):
            return list("mod")
        if token == r"\\":
            return [";"]
        return [token]

    def _argument(self) -> list[str]:
        while self._peek() in DROPPED and self.at < len(self.tokens):
            self._next()
        if self._peek() == "{":
            self._next()
            inner = self.sequence(("}",))
            self._next()
            return inner
        return self._item([])

    def _root(self) -> list[str]:
        index: list[str] = []
        if self._peek() == "[":
            self._next()
            index = self.sequence(("]",))
            self._next()
        return [r"\sqrt", *(["[", *index, "]"] if index else []), "{", *self._argument(), "}"]

    def _upright(self) -> list[str]:
        if self._peek() != "{":
            return []
        return [char for token in self._argument() for char in token if not char.isspace()]

    def _scripts(self, first: str) -> list[str]:
        under: list[str] = []
        over: list[str] = []
        token = first
        while True:
            if token == "'":
                over.append(r"\prime")
            elif token == "_":
                under += self._argument()
            else:
                over += self._argument()
            if self._peek() not in ("_", "^", "'"):
                break
            token = self._next()
        return [*(["_", "{", *under, "}"] if under else []), *(["^", "{", *over, "}"] if over else [])]

    def _environment(self) -> list[str]:
        name = "".join(self._argument()).rstrip("*")
        if name == "array":
            self._argument()
        rows = self.sequence((r"\end",))
        self._next()
        self._argument()
        while rows and rows[-1] == ";":
            rows.pop()
        left, right = FENCED.get(name, "  ")
        if name == "Bmatrix":
            left, right = r"\{", r"\}"
        if name == "Vmatrix":
            left, right = r"\|", r"\|"
        if name in ("cases", "rcases"):
            left = r"\{"
        grid = [*rows] if name in _LINES else [GRID, "{", *rows, "}"]
        return [*([left] if left.strip() else []), *grid, *([right] if right.strip() else [])]


LINE_NAMES = "aligned align gathered gather split multline equation eqnarray alignat"
_LINES = frozenset(LINE_NAMES.split())
WITH_ONE_ARGUMENT = r"""
    \hat \tilde \bar \vec \dot \ddot \check \breve \acute \grave \mathring \dddot \underline \overbrace \underbrace
    \mathtt \xrightarrow \xleftarrow \overleftarrow \boxed
"""
_ALPHABETS = frozenset({r"\mathbb", r"\mathcal", r"\mathfrak", r"\mathbf"})
_ONE_ARGUMENT = frozenset(WITH_ONE_ARGUMENT.split())
