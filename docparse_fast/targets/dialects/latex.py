"""LaTeX as models write it: commands, and the characters that they mean. Knows no model."""

from __future__ import annotations

import re

_GREEK = "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ"
_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi "
    "omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
)
SYMBOLS = {  # of mathematics, as in text layers and the output of recognisers
    **{letter: f"\\{name}" for letter, name in zip(_GREEK, _GREEK_NAMES.split(), strict=True)},
    "∂": r"\partial",
    "∇": r"\nabla",
    "∑": r"\sum",
    "∏": r"\prod",
    "∫": r"\int",
    "∞": r"\infty",
    "√": r"\sqrt",
    "≤": r"\leq",
    "≥": r"\geq",
    "≠": r"\neq",
    "≈": r"\approx",
    "≡": r"\equiv",
    "∼": r"\sim",
    "±": r"\pm",
    "×": r"\times",
    "·": r"\cdot",
    "⋯": r"\cdots",
    "…": r"\ldots",
    "→": r"\rightarrow",
    "⇒": r"\Rightarrow",
    "↔": r"\leftrightarrow",
    "∈": r"\in",
    "⊂": r"\subset",
    "⊆": r"\subseteq",
    "∪": r"\cup",
    "∩": r"\cap",
    "∅": r"\emptyset",
    "∀": r"\forall",
    "∃": r"\exists",
    "∥": r"\|",
    "′": r"\prime",
    "ℓ": r"\ell",
    "∗": r"\ast",
}
_OTHERS = (
    r"\frac{ \dfrac{ \sqrt{ \left( \right) \left[ \right] \left\{ \right\} \left| \right| \mathbf{ \mathrm{ \mathcal{ "
    r"\mathbb{ \mathit{ \boldsymbol{ \operatorname{ \text{ \overline{ \hat{ \tilde{ \bar{ \vec{ \dot{ \sum_{ \int_{ "
    r"\prod_{ \lim_{ \log \ln \exp \sin \cos \tan \max \min \sup \inf \det \cdots \ldots \dots \quad \qquad "
    r"\begin{array}{l} \begin{array}{c} \end{array} \begin{aligned} \end{aligned} \begin{cases} \end{cases} "
    r"\begin{matrix} \end{matrix} \begin{pmatrix} \end{pmatrix} \begin{equation} \end{equation} \tag{ \underbrace{ "
    r"\varepsilon \vartheta \varphi \varrho \le \ge \to \mapsto \langle \rangle \mid \parallel \perp \propto \in "
    r"\notin \circ \star \dagger \prime \mathsf{ \textbf{ \textit{"
)
COMMANDS = tuple(dict.fromkeys([*SYMBOLS.values(), *_OTHERS.split()]))
EXAMPLES = (  # of formulas: what follows what in LaTeX
    r"x_{1}, x_{2}, \ldots, x_{n}",
    r"f(x) = a x^{2} + b x + c",
    r"\frac{\partial f}{\partial x_{i}} = \sum_{k=1}^{n} a_{i k} x^{k} + \int_{0}^{1} g(t) \mathrm{d} t",
    r"\lim_{n \to \infty} \sqrt{x_{n}^{2} + 1} \leq \frac{1}{2} \left(1 + \frac{y}{x}\right)",
    r"\mathbf{A}^{-1} \mathbf{x} = - \hat{\theta}^{(k)}, \quad \alpha, \beta_{j} \in \mathbb{R}",
    r"\begin{array}{l} f(x) = \max_{y} \log p(y | x), \\ = g(x) + h(x). \\ \end{array}",
)

_SIGN = re.compile(
    r"\\(?:begin|end)\{\w+\*?\}(?:\{[lcr| ]+\})?|\\(?:left|right)(?:\\?[^\w\s]|\\[a-z]+)|\\[A-Za-z]+|\\.|\S"
)
_ALIGNED = re.compile(r"\\begin\{aligned\}((?:(?!\\begin).)*?)\\end\{aligned\}", re.DOTALL)
_MARK = re.compile(r"(?<!\\)& ?")
_NO_BLANK = re.compile(
    r"(?<=[({\[]) | (?=[)}\],;]|\\right[)\]}|])"  # inside brackets and before a comma
    r"| (?=\.(?! \d))"  # before a full stop, but not within a number
    r"|(?<=\}) (?=\{)"  # between a command's arguments
    r"|(?<=[A-Za-z]{2}) (?=[_^])"  # between a command and its index
)
_BESIDE_SIGN = re.compile(r" ?([-+=<>,/|_^]) ?| (?=[({\[])")


def spaced(latex: str) -> str:
    r"""LaTeX with a blank between any two signs, as models write it that learnt from normalised formulas.

    >>> print(spaced(r"\frac{x_1}{2n} = \sum_{i=1}^n f(x)"))
    \frac {x _ 1}{2 n} = \sum_ {i = 1} ^ n f (x)
    """
    return _NO_BLANK.sub("", " ".join(_SIGN.findall(latex)))


def in_one_column(latex: str) -> str:
    r"""The same, aligned lines without their marks and each ended.

    >>> print(in_one_column(r"\begin{aligned} x & = 2 \\ & = y \end{aligned}"))
    \begin{array}{l} x = 2 \\ = y \\ \end{array}
    """
    return spaced(_ALIGNED.sub(lambda rows: rf"\begin{{array}}{{l}}{_MARK.sub('', rows[1])}\\ \end{{array}}", latex))


def in_two_columns(latex: str) -> str:
    r"""The same, aligned lines with their marks.

    >>> print(in_two_columns(r"\begin{aligned} x & = 2 \\ & = y \end{aligned}"))
    \begin{array}{r l} x & = 2 \\ & = y \end{array}
    """
    return spaced(_ALIGNED.sub(lambda rows: rf"\begin{{array}}{{r l}}{rows[1]}\end{{array}}", latex))


def compact(latex: str) -> str:
    r"""LaTeX with blanks only between letters, numbers and commands that stand beside each other.

    >>> print(compact(r"x_1 + 2n \leq \frac{a}{b} Q^{m}R"))
    x_1+2 n \leq \frac{a}{b} Q^{m} R
    """
    return _BESIDE_SIGN.sub(lambda found: found[1] or "", spaced(latex))
