#!/usr/bin/env python3
"""Makes the man page and docs/commands.md of all commands' help; with --check, tells whether they are current."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import typer

from docparse_fast.cli import EXIT_CODES, app
from docparse_fast.version import __version__

ROOT = Path(__file__).parents[1]
MAN, MARKDOWN = ROOT / "docparse_fast/data/docparse-fast.1", ROOT / "docs/commands.md"
WIDTH = 10_000  # no line of the help is broken, so that each entry is one line
WHAT_FOR = (
    "What this page is for: to look up a command or an option, as `--help` prints them. "
    "`scripts/make_reference.py` writes it."
)
DONE = " ".join(EXIT_CODES.split())


@dataclass(frozen=True, slots=True)
class Entry:
    """A part of a command's help: a paragraph, a panel's title, or an option with what it does."""

    name: str = ""
    text: str = ""


# ------------------------------------------------------------------------------------------ reading the help


def commands(command, words: list[str]) -> Iterator[tuple[str, list[Entry]]]:
    """The commands that do something, each by the words that call it."""
    if not hasattr(command, "list_commands"):
        yield " ".join(words), list(entries(command, words))
        return
    for name in command.list_commands(None):
        yield from commands(command.get_command(None, name), [*words, name])


def entries(command, words: list[str]) -> Iterator[Entry]:
    settings = {"help_option_names": ["-h", "--help"], "terminal_width": WIDTH, "max_content_width": WIDTH}
    context = command.make_context("docparse-fast " + " ".join(words), [], resilient_parsing=True, **settings)
    epilog = " ".join((command.epilog or "").split())
    for line in command.get_help(context).splitlines():
        text = line.strip()
        if not text or text == epilog:
            continue
        if not line.startswith(" ") and text.endswith(":"):
            yield Entry(text.rstrip(":"))
        elif entry := re.match(r" {2}(\S.*?) {2,}(\S.*)", line):
            yield Entry(entry[1], entry[2])
        else:
            yield Entry("", text)


# ---------------------------------------------------------------------------------------------- the man page


def man_page(found: list[tuple[str, list[Entry]]]) -> str:
    lines = [
        f'.TH DOCPARSE\\-FAST 1 "" "docparse-fast {__version__}"',
        ".SH NAME",
        "docparse\\-fast \\- " + escaped("PDFs and scans to Markdown"),
        ".SH SYNOPSIS",
        ".B docparse\\-fast",
        "COMMAND [OPTIONS] ...",
        ".SH COMMANDS",
    ]
    for words, parts in found:
        lines += [f".SS {escaped(words)}", *(line for part in parts for line in roff(part))]
    lines += [".SH EXIT STATUS", escaped(DONE)]
    return "\n".join(lines) + "\n"


def roff(part: Entry) -> list[str]:
    if part.name and part.text:
        return [".TP", f".B {escaped(part.name)}", escaped(part.text)]
    return [".PP", f".B {escaped(part.name)}" if part.name else escaped(part.text)]


def escaped(text: str) -> str:
    """Text in which roff finds no request and no hyphenation."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


# -------------------------------------------------------------------------------------------- docs/commands.md


def markdown(found: list[tuple[str, list[Entry]]]) -> str:
    blocks = ["# Commands and options", WHAT_FOR]
    blocks.append("\n".join(f"- [{words}](#{words.replace(' ', '-')})" for words, _ in found))
    for words, parts in found:
        blocks += [f"## {words}", *panels(parts)]
    blocks += ["## Exit codes", DONE]
    return "\n\n".join(blocks) + "\n"


def panels(parts: list[Entry]) -> Iterator[str]:
    """Paragraphs as they are, usage as code, options as a table for each panel."""
    table: list[str] = []
    for part in parts:
        if part.name and part.text:
            table.append(f"| `{cell(part.name)}` | {cell(part.text)} |")
            continue
        if table:
            yield "\n".join(table)
        table = [f"| {part.name} | |", "| --- | --- |"] if part.name else []
        if part.text:
            yield f"`{part.text.removeprefix('Usage: ')}`" if part.text.startswith("Usage: ") else part.text
    if table:
        yield "\n".join(table)


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> int:
    found = list(commands(typer.main.get_command(app), []))
    pages = {MAN: man_page(found), MARKDOWN: markdown(found)}
    if "--check" in sys.argv[1:]:
        return int(any(not path.is_file() or path.read_text("utf-8") != text for path, text in pages.items()))
    for path, text in pages.items():
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
