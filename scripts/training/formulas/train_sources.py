"""Finds formulas in documentation: docstrings (`.. math::`, `:math:`) and web pages (`\\\\[`, `\\\\(`)."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

INLINE_ROLE = re.compile(r":math:`([^`]{1,200})`")
BLOCK = re.compile(r"\.\. math::[ \t]*(?P<first>[^\n]*)\n(?P<rest>(?:[ \t]*\n|[ \t]+[^\n]*\n)*)")
BRACKETS = re.compile(r"\\\[(.{3,400}?)\\\]|\\\((.{1,200}?)\\\)", re.DOTALL)
FORBIDDEN = re.compile(
    r"\\(new|re|def|label|ref|eqref|cite|color|href|tag|includegraphics|hbox|cr\b|verb|footnote)|%|\$|#|<"
)
LONGEST = 300
SUFFIXES = (".py", ".rst", ".html", ".pyx", ".tex", ".txt")


def real(folders: list[Path]) -> Iterator[str]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                text = path.read_text(encoding="utf-8", errors="replace")
                yield from _of_web(text) if path.suffix == ".html" else _of_docstrings(text)


def _of_docstrings(text: str) -> Iterator[str]:
    if '"""' in text and not re.search(r'r"""', text):
        text = text.replace("\\\\", "\\")
    for match in INLINE_ROLE.finditer(text):
        yield match[1]
    for match in BLOCK.finditer(text):
        indent = None
        kept = [match["first"]] if match["first"].strip() else []
        for line in match["rest"].splitlines():
            depth = len(line) - len(line.lstrip())
            if line.strip().startswith(":"):
                continue
            if line.strip() and indent is None:
                indent = depth
            if line.strip() and depth < (indent or 0):
                break
            kept.append(line.strip())
        yield from re.split(r"\n\s*\n", "\n".join(kept))


def _of_web(text: str) -> Iterator[str]:
    for match in BRACKETS.finditer(html.unescape(re.sub(r"</?(em|span|p|br)[^>]*>", "", text))):
        yield match[1] or match[2]


def tidy(latex: str) -> str | None:
    """On one line, in the environments that stand inside a formula; None where it is not one."""
    text = " ".join(latex.split()).strip(" .,;")
    text = re.sub(r"\\begin\{(align|eqnarray|gather|split|equation|multline)\*?\}", r"\\begin{aligned}", text)
    text = re.sub(r"\\end\{(align|eqnarray|gather|split|equation|multline)\*?\}", r"\\end{aligned}", text)
    if ("&" in text or "\\\\" in text) and "\\begin" not in text:
        text = f"\\begin{{aligned}} {text} \\end{{aligned}}"
    text = re.sub(r"(\\nonumber|\\notag|\\,\s*(?=\\end))", "", text)
    text = re.sub(r"\\\\?$", "", text).strip()
    ours = 1 <= len(text) <= LONGEST and not FORBIDDEN.search(text) and text.isascii()
    return text if ours and re.search(r"[A-Za-z0-9]", text) and _balanced(text) else None


def _balanced(text: str) -> bool:
    """Whether TeX can take the formula as an argument."""
    depth = 0
    for brace in re.findall(r"\\.|[{}]", text):
        depth += {"{": 1, "}": -1}.get(brace, 0)
        if depth < 0:
            return False
    begun, ended = (re.findall(rf"\\{word}\{{(\w+\*?)\}}", text) for word in ("begin", "end"))
    return depth == 0 and sorted(begun) == sorted(ended)
