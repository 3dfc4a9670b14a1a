"""The formulas of a LaTeX source, normalised: its author's macros are written out."""

from __future__ import annotations

import re
from collections.abc import Mapping

from normal import KNOWN, normal

from docparse_fast.drafting.formulas.type import COMMANDS

DISPLAYED = re.compile(
    r"\\begin\{(equation|align|eqnarray|displaymath|gather|multline|alignat)(\*?)\}(?:\{\d+\})?(.*?)\\end\{\1\2\}"
    r"|(?<!\\)\\\[(.*?)\\\]|\$\$(.*?)\$\$",
    re.DOTALL,
)
INLINE = re.compile(r"(?<![\\$])\$([^$]{1,300}?)(?<!\\)\$(?!\$)|\\\((.+?)\\\)", re.DOTALL)
CHUNK = re.compile(r"^<<.*?>>=.*?^@.*?$", re.DOTALL | re.MULTILINE)  # R's, in Sweave
COMMENT = re.compile(r"(?<!\\)%.*?\n")
QUOTED = r"verbatim|Verbatim|lstlisting|comment|S(?:input|output|code)|Code(?:Input|Output)?"
VERBATIM = re.compile(rf"\\begin\{{({QUOTED})\*?\}}.*?\\end\{{\1\*?\}}", re.DOTALL)
MACRO = re.compile(
    r"\\(?:(?:re)?new|provide)command\*?\s*\{?\s*(\\[A-Za-z]+)\s*\}?\s*(?:\[(\d)\])?\s*(?=\{)"
    r"|\\def\s*(\\[A-Za-z]+)\s*((?:#\d)*)\s*(?=\{)"
)
OPERATOR = re.compile(r"\\DeclareMathOperator\*?\s*\{?\s*(\\[A-Za-z]+)\s*\}?\s*(?=\{)")
COMMAND = re.compile(r"\\[A-Za-z]+")
ROW = re.compile(r"\\begin|\\end|\\\\\*?(?:\[[^\]]*\])?|\\.|.", re.DOTALL)
WITH_ARGUMENT = r"label|tag\*?|ref|eqref|cite[a-z]*|[vh]space\*?|[hv]?phantom|intertext|footnote|color|index"
SIZES = r"tiny|scriptsize|footnotesize|small|large|Large|LARGE|huge|Huge"
UNPRINTED = re.compile(
    rf"\\(?:{WITH_ARGUMENT})\s*\{{[^{{}}]*\}}|\\(?:allowbreak|lefteqn|eqno|boldmath|displaylimits|{SIZES})(?![A-Za-z])"
    r"|\\displaybreak(?:\[\d\])?|\\/|(?<=\\\\)\s*\[-?[\d.]+\s*[a-z]{2}\]"
)
SIGNS = frozenset(COMMANDS.values())
NOT_PLAIN = re.compile(r"\\(?:Sexpr|code|pkg|proglang|verb|texttt|choose|atop|begin\{tabular)")
UNUSABLE = re.compile(r"@|\\begin|\\end|csname|\\if")
DEEPEST = 6  # macros within macros
LEAST, LEAST_INLINE = 3, 2  # tokens
Macros = Mapping[str, tuple[int, str]]  # how many arguments, and the body


def formulas_of(source: str) -> tuple[list[str], list[str]]:
    """The rows of displayed formulas, and the formulas within lines; those that can't be compared are left out."""
    macros = _macros(source)
    body = source.partition(r"\begin{document}")[2] or source
    for pattern, instead in ((CHUNK, ""), (COMMENT, "\n"), (VERBATIM, " ")):
        body = pattern.sub(instead, body)
    displayed = [row for found in DISPLAYED.finditer(body) for row in _rows(_expanded(_inner(found), macros))]
    inline = [_expanded(found[1] or found[2], macros) for found in INLINE.finditer(DISPLAYED.sub(" ", body))]
    return _compared(displayed, macros, LEAST), _compared(inline, macros, LEAST_INLINE)


def _inner(found: re.Match[str]) -> str:
    return next(group for group in (found[3], found[4], found[5]) if group is not None)


def _compared(formulas: list[str], macros: Macros, least: int) -> list[str]:
    plain = [formula for formula in formulas if not NOT_PLAIN.search(formula) and "\n\n" not in formula]
    known = [formula for formula in plain if not any(name in macros for name in COMMAND.findall(formula))]
    normalised = [normal(UNPRINTED.sub(" ", formula)).rstrip(" .,;:") for formula in known]
    return [formula for formula in normalised if len(formula.split()) >= least and _is_known(formula)]


def _is_known(formula: str) -> bool:
    """No command of it comes from a class or a file that isn't there."""
    return all(name in SIGNS or name in KNOWN for name in COMMAND.findall(formula))


def _macros(source: str) -> dict[str, tuple[int, str]]:
    found: dict[str, tuple[int, str]] = {}
    for macro in MACRO.finditer(source):
        body, _ = _group(source, macro.end())
        if not UNUSABLE.search(body):
            found[macro[1] or macro[3]] = int(macro[2] or len(macro[4] or "") // 2), body
    for macro in OPERATOR.finditer(source):
        found[macro[1]] = 0, rf"\operatorname{{{_group(source, macro.end())[0]}}}"
    return found


def _group(text: str, start: int) -> tuple[str, int]:
    """What stands in the braces that open at `start`, and where the text goes on."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] in "{}" and text[at - 1] != "\\":
            depth += 1 if text[at] == "{" else -1
            if depth == 0:
                return text[start + 1 : at], at + 1
    return text[start + 1 :], len(text)


def _expanded(text: str, macros: Macros) -> str:
    for _ in range(DEEPEST):
        made, at = [], 0
        for command in COMMAND.finditer(text):
            if command.start() < at or command[0] not in macros:
                continue
            count, body = macros[command[0]]
            made.append(text[at : command.start()])
            at = command.end()
            arguments = []
            for _ in range(count):
                argument, at = _argument(text, at)
                arguments.append(argument)
            made.append(re.sub(r"#(\d)", lambda digit, given=arguments: _nth(given, int(digit[1])), body) + " ")
        if not made:
            return text
        text = "".join(made) + text[at:]
    return text


def _nth(arguments: list[str], n: int) -> str:
    return arguments[n - 1] if 0 < n <= len(arguments) else ""


def _argument(text: str, at: int) -> tuple[str, int]:
    while at < len(text) and text[at].isspace():
        at += 1
    if at < len(text) and text[at] == "{":
        return _group(text, at)
    token = COMMAND.match(text, at)
    return (token[0], token.end()) if token else (text[at : at + 1], at + 1)


def _rows(text: str) -> list[str]:
    """The lines of a displayed formula; those of a matrix within it are not parted."""
    rows, depth = [""], 0
    for token in ROW.findall(text):
        depth += (token in (r"\begin", "{")) - (token in (r"\end", "}"))
        if token.startswith("\\\\") and depth == 0:
            rows.append("")
        else:
            rows[-1] += token
    return rows
