#!/usr/bin/env python3
"""Makes the man page from the help of all commands, scripts/make_man.py; with --check, tells whether it is current."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import typer

from docparse_fast.cli import EXIT_CODES, app
from docparse_fast.version import __version__

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docparse_fast/data/docparse-fast.1"
WIDTH = 10_000  # no line of the help is broken, so that each entry is one line


def man_page() -> str:
    command = typer.main.get_command(app)
    lines = [
        f'.TH DOCPARSE\\-FAST 1 "" "docparse-fast {__version__}"',
        ".SH NAME",
        "docparse\\-fast \\- " + escaped("PDFs and scans to Markdown"),
        ".SH SYNOPSIS",
        ".B docparse\\-fast",
        "COMMAND [OPTIONS] ...",
        ".SH COMMANDS",
    ]
    for words, each in commands(command, []):
        lines += [f".SS {escaped(' '.join(words))}", *body(each, words)]
    lines += [".SH EXIT STATUS", escaped(" ".join(EXIT_CODES.split()))]
    return "\n".join(lines) + "\n"


def commands(command, words: list[str]) -> Iterator[tuple[list[str], object]]:
    """The commands that do something, each with the words that call it."""
    if not hasattr(command, "list_commands"):
        yield words, command
        return
    for name in command.list_commands(None):
        yield from commands(command.get_command(None, name), [*words, name])


def body(command, words: list[str]) -> Iterator[str]:
    """The help of one command: its paragraphs, then each panel with its entries."""
    settings = {"help_option_names": ["-h", "--help"], "terminal_width": WIDTH, "max_content_width": WIDTH}
    context = command.make_context("docparse-fast " + " ".join(words), [], resilient_parsing=True, **settings)
    epilog = " ".join((command.epilog or "").split())
    for line in command.get_help(context).splitlines():
        text = line.strip()
        if not text or text == epilog:
            continue
        if not line.startswith(" ") and text.endswith(":"):
            yield from (".PP", f".B {escaped(text.rstrip(':'))}")
        elif entry := re.match(r" {2}(\S.*?) {2,}(\S.*)", line):
            yield from (".TP", f".B {escaped(entry[1])}", escaped(entry[2]))
        else:
            yield from (".PP", escaped(text))


def escaped(text: str) -> str:
    """Text in which roff finds no request and no hyphenation."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def main() -> int:
    page = man_page()
    if "--check" in sys.argv[1:]:
        return int(page != PAGE.read_text("utf-8"))
    PAGE.write_text(page, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
