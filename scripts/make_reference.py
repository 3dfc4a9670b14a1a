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
    "What this page is for: to look up a command, an option or an environment variable, as `--help` says them "
    "(`scripts/make_reference.py`). `bench`: [benchmarks](bench.md)."
)
DONE = " ".join(EXIT_CODES.split())
EXAMPLES = {
    "convert": (
        "docparse-fast convert report.pdf -o out/                     # out/report/document.md, document.json",
        "docparse-fast convert scans/*.tif -o out/ --lang ru          # in Cyrillic, with Tesseract's data",
        "docparse-fast convert report.pdf -o - --pages 1-3            # prints Markdown",
        "docparse-fast convert scan.pdf -o out/ --format md,json,pdf  # a searchable copy too",
    ),
    "batch": (
        "docparse-fast batch scans/ -o out/ --jobs 4",
        "docparse-fast batch scans/ -o out/ --include '2019/*' --page-timeout 120 --max-memory 2G",
    ),
    "watch": ("docparse-fast watch inbox/ -o out/ --settle 10",),
    "verify": ("docparse-fast verify out/ --target dots.ocr",),
    "proofread": ("docparse-fast proofread out/ --target dots.ocr --below 0.3",),
    "review": ("docparse-fast review out/ --open",),
    "doctor": ("docparse-fast doctor --json", "docparse-fast doctor --measure dots.ocr"),
    "serve": ("docparse-fast serve --model dots.ocr --print",),
    "mcp": ("docparse-fast mcp papers/ -o text/ --target none",),
    "models download": ("docparse-fast models download dots.ocr --to dots.ocr",),
    "models verify": ("docparse-fast models verify ./dots.ocr",),
    "bench run": ("docparse-fast bench run samples/nano --target nano --json nano.json",),
}
VARIABLES = {
    "DOCPARSE_PASSWORD": "the password of encrypted PDFs, unless --password gives one",
    "DOCPARSE_API_KEY": "the key of the server that --target names",
    "DOCPARSE_FAST_TOKEN": "the token of docparse-fast service (service.md)",
    "DOCPARSE_FAST_CONFIG": "the file of options; empty: none (settings.md)",
    "DOCPARSE_FAST_DPI, ...": "an option, whatever its name (settings.md)",
    "DOCPARSE_FAST_WARM": "1: as with --warm",
    "DOCPARSE_FAST_TESSDATA_URL": "where `models download rus` fetches Tesseract's data",
    "DOCPARSE_FAST_PPSTRUCTURE_MODELS": "a folder of models for --drafter ppstructure",
    "DOCPARSE_FAST_PPSTRUCTURE_ENGINE": "what runs those models: paddle, onnxruntime or transformers",
    "DOCPARSE_FAST_FAULT": "makes a batch fail on purpose (batch.md)",
    "HF_HUB_OFFLINE": "1: as with --offline",
    "HF_ENDPOINT": "another hub to download from",
    "HF_HOME, HF_HUB_CACHE": "the hub's own cache of weights",
    "TESSDATA_PREFIX": "where Tesseract's data is looked for first",
    "XDG_CACHE_HOME": "where a target's measured costs are kept; ~/.cache unless said",
    "XDG_DATA_HOME": "where downloaded Tesseract data is kept; ~/.local/share unless said",
    "XDG_RUNTIME_DIR": "where --warm's process is met, if only you can enter it; else TMPDIR",
    "RAY_ADDRESS": "the cluster of --engine ray, unless --address names one",
    "TMPDIR": "where temporary files are written",
    "OMP_NUM_THREADS": "how many threads the networks take",
}


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
        lines += [line for example in EXAMPLES.get(words, ()) for line in roff(Entry("", f"Example: {example}"))]
    lines += [".SH ENVIRONMENT", *(line for name, text in VARIABLES.items() for line in roff(Entry(name, text)))]
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
    found = [(words, parts) for words, parts in found if not words.startswith("bench ")]
    blocks = ["# Commands and options", WHAT_FOR, " ".join(f"[{words}]({anchor(words)})" for words, _ in found)]
    told: dict[tuple[str, str], str] = {}
    sizes: dict[tuple[str, str], int] = {}
    for words, parts in found:
        said = list(panels(words, parts, told, sizes))
        first = next((at for at, text in enumerate(said) if text.startswith(("**", "As in"))), len(said))
        examples = ["\n".join(["```sh", *EXAMPLES[words], "```"])] if words in EXAMPLES else []
        blocks += [f"## {words}", *said[:first], *examples, *said[first:]]
    blocks += ["## Environment variables", "\n".join(f"- `{name}`: {text}" for name, text in VARIABLES.items())]
    blocks += ["Exit codes and errors: [what a run leaves behind](output.md#exit-codes-and-errors)."]
    return "\n\n".join(blocks) + "\n"


def panels(
    words: str, parts: list[Entry], told: dict[tuple[str, str], str], sizes: dict[tuple[str, str], int]
) -> Iterator[str]:
    """Paragraphs as they are, usage as code, options as lists; what an earlier command has is named only, last.

    `told` has each option with its text, and the first command that has it; `sizes` how many options a command's
    group has.
    """
    title, options, before = "", list[Entry](), dict[str, list[str]]()
    for part in [*parts, Entry()]:
        if part.name and part.text:
            options.append(part)
            continue
        yield from panel(words, title, options, told, sizes, before)
        title, options = part.name, []
        if part.text:
            yield f"`{part.text.removeprefix('Usage: ')}`" if part.text.startswith("Usage: ") else part.text
    if before:
        yield (
            "As in "
            + "; ".join(f"[{first}]({anchor(first)}): {', '.join(all_)}" for first, all_ in before.items())
            + "."
        )


def panel(
    words: str,
    title: str,
    options: list[Entry],
    told: dict[tuple[str, str], str],
    sizes: dict[tuple[str, str], int],
    before: dict[str, list[str]],
) -> Iterator[str]:
    """A list of the options that no earlier command has; `before` gets the others, a whole group by its name."""
    sizes[words, title] = len(options)
    known: dict[str, list[str]] = {}
    rows = []
    for option in options:
        first = told.setdefault((option.name, option.text), words)
        if first == words:
            rows.append(f"- `{option.name}`: {option.text}")
        elif not option.name.endswith("--help"):
            known.setdefault(first, []).append(f"`{option.name.split(', ')[-1].split(' ')[0]}`")
    if rows:
        yield "\n".join([f"**{title}**\n", *rows])
    for first, names in known.items():
        whole = len(names) == len(options) == sizes.get((first, title))
        before.setdefault(first, []).extend([f"*{title}*"] if whole else names)


def anchor(words: str) -> str:
    return f"#{words.replace(' ', '-')}"


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
