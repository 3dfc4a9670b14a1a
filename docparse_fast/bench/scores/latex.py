r"""LaTeX as tokens that can be compared: what only changes spacing, size or typeface is gone, synonyms are one.

Knows commands; renders nothing. Two formulas that look alike may still differ here (`x_i^2`, `x^2_i` do not; a macro
and what it stands for do): the official tools render, and so forgive more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|[^\s]", re.DOTALL)

# Arguments and all: they name or number a formula, or a cell's alignment.
WITH_ARGUMENT = re.compile(
    r"\\(?:tag|label)\*?\s*\{[^{}]*\}"
    r"|\\(?:begin|end)\s*\{(?:array|tabular)\}(?:\s*\{[^{}]*\})?"
    r"|\\(?:begin|end)\s*\{[A-Za-z]+\*?\}"
)
FUNCTIONS = "sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan log ln exp lim max min sup inf det dim ker arg"
NAMED = re.compile(rf"\\(?:operatorname\*?|mathrm|text|rm)\s*\{{\s*({'|'.join(FUNCTIONS.split())})\s*\}}")

# Commands that change only size, spacing or typeface, by their names; and signs that do.
LOOKS = re.compile(
    r"\\(?:left|right|[bB]igg?[lrm]?|(?:display|text|script)style|(?:no)?limits"
    r"|math(?:rm|bf|it|sf|tt|normal|op|bin|rel)|text(?:bf|it|rm|sf)?|operatorname\*?|boldsymbol|bm|pmb|rm|bf|it"
    r"|q?quad|hspace|vspace|phantom|hfill)"
    r"|\\[,;:!>\\\s]|[~&]"
)
SYNONYMS = {
    r"\leq": r"\le",
    r"\leqslant": r"\le",
    r"\geq": r"\ge",
    r"\geqslant": r"\ge",
    r"\neq": r"\ne",
    r"\to": r"\rightarrow",
    r"\gets": r"\leftarrow",
    r"\dfrac": r"\frac",
    r"\tfrac": r"\frac",
    r"\cfrac": r"\frac",
    r"\lbrace": r"\{",
    r"\rbrace": r"\}",
    r"\vert": "|",
    r"\mid": "|",
    r"\lvert": "|",
    r"\rvert": "|",
    r"\Vert": r"\|",
    r"\dots": r"\ldots",
    r"\land": r"\wedge",
    r"\lor": r"\vee",
    r"\neg": r"\lnot",
    r"\ast": "*",
    r"\times": "×",
    r"\cdot": "·",
    r"\prime": "'",
    r"\colon": ":",
    "−": "-",
}
LETTERS = """alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho final sigma tau
upsilon phi chi psi omega"""
GREEK = {name: chr(ord("α") + at) for at, name in enumerate(LETTERS.split())} | {
    "varepsilon": "ε",
    "vartheta": "θ",
    "varphi": "φ",
    "infty": "∞",
    "times": "×",
    "cdot": "·",
    "pm": "±",
    "circ": "°",
}
GREEK |= {name.capitalize(): letter.upper() for name, letter in GREEK.items() if letter.isalpha()}


def latex_tokens(latex: str) -> list[str]:
    r"""
    >>> latex_tokens(r"\left( \mathrm{d} x^{2} \leq \dfrac{1}{2}\right) \tag{3}")
    ['(', 'd', 'x', '^', '2', '\\le', '\\frac', '1', '2', ')']
    >>> latex_tokens("x^{2}_{i}") == latex_tokens("x_i^2")
    True
    """
    latex = NAMED.sub(r"\\\1 ", WITH_ARGUMENT.sub(" ", latex.strip().strip("$")))
    kept = [SYNONYMS.get(token, token) for token in TOKEN.findall(latex) if not LOOKS.fullmatch(token)]
    tokens = _subscripts_first(_without_lone_braces(kept))
    while tokens and tokens[-1] in {".", ",", ";"}:
        tokens.pop()
    return tokens


def contains(tokens: Sequence[str], part: Sequence[str]) -> bool:
    """Whether `part` stands in `tokens` in one piece."""
    width = len(part)
    return any(list(tokens[at : at + width]) == list(part) for at in range(len(tokens) - width + 1))


def readable_latex(latex: str) -> str:
    r"""A formula within a line of text, as near to plain text as it goes.

    >>> readable_latex(r"10^{5} \mathrm{~cm}"), readable_latex(r"\alpha < 5\%")
    ('105cm', 'α<5%')
    """
    return "".join(_readable(token) for token in latex_tokens(latex) if token not in {"{", "}", "^", "_", "$"})


def _readable(token: str) -> str:
    name = token.removeprefix("\\")
    return name if name == token else GREEK.get(name, name)


def _without_lone_braces(tokens: list[str]) -> list[str]:
    """Braces around one token or none say nothing."""
    done: list[str] = []
    for token in tokens:
        if token == "}" and done and done[-1] == "{":
            done.pop()
        elif token == "}" and len(done) > 1 and done[-2] == "{" and done[-1] != "}":
            done[-2:] = done[-1:]
        else:
            done.append(token)
    return done


def _subscripts_first(tokens: list[str]) -> list[str]:
    ordered: list[str] = []
    at = 0
    while at < len(tokens):
        after = _script_end(tokens, at) if tokens[at] == "^" else None
        if after is not None and after < len(tokens) and tokens[after] == "_":
            end = _script_end(tokens, after)
            if end is not None:
                ordered += tokens[after:end] + tokens[at:after]
                at = end
                continue
        ordered.append(tokens[at])
        at += 1
    return ordered


def _script_end(tokens: list[str], at: int) -> int | None:
    """Where the script that begins at `at` ends: one token, or a group of them."""
    if at + 1 >= len(tokens):
        return None
    depth = 0
    for place in range(at + 1, len(tokens)):
        depth += (tokens[place] == "{") - (tokens[place] == "}")
        if depth == 0:
            return place + 1
    return None
