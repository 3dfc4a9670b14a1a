"""Text of known structure through many producers of PDF, and back by several tools.

    python scripts/round_trip make PDFS [--seed 1] [--held-out]
    python scripts/round_trip read PDFS OUT [--tool docparse-fast] [--only NAME]
    python scripts/round_trip score PDFS OUT [--by producer|style|language|case] [--json FILE]

Producers that are installed are used: pdflatex, xelatex, lualatex, soffice, chromium and groff as commands, weasyprint,
typst and reportlab as packages. Tools compared are pymupdf4llm, markitdown, pdftotext; scoring takes markdown-it-py.
`styles.py` says which producers and styles are held out: they are made, read and scored apart.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path
from statistics import mean

from producing import make
from scoring import SCORES, scores
from tools import TOOLS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("make", "read", "score"):
        command = commands.add_parser(name)
        command.add_argument("pdfs", type=Path)
        if name == "make":
            command.add_argument("--seed", default="1")
            command.add_argument("--held-out", action="store_true")
            continue
        command.add_argument("out", type=Path)
        command.add_argument("--tool", choices=TOOLS, action="append")
        command.add_argument("--only", default="", help="the names begin so")
        command.add_argument("--by", choices=("producer", "style", "language", "case"))
        command.add_argument("--json", type=Path)
    given = parser.parse_args()
    if given.command == "make":
        make(given.pdfs, given.seed, held_out=given.held_out)
    elif given.command == "read":
        read(given.pdfs, given.out, given.tool or ["docparse-fast"], given.only)
    else:
        table(given.pdfs, given.out, given.tool or list(TOOLS), given.only, given.by, given.json)
    return 0


def read(pdfs: Path, out: Path, tools: list[str], only: str) -> None:
    for tool in tools:
        (out / tool).mkdir(parents=True, exist_ok=True)
        for pdf in sorted(pdfs.glob(f"{only}*.pdf")):
            try:
                text = TOOLS[tool](pdf)
            except Exception as error:  # a tool that fails has read nothing
                print(f"{tool}: {pdf.name}: {error!r}", file=sys.stderr)
                text = ""
            (out / tool / f"{pdf.stem}.md").write_text(text, encoding="utf-8")


def table(pdfs: Path, out: Path, tools: list[str], only: str, by: str | None, record: Path | None) -> None:
    print(f"{'':36}" + "".join(f"{name:>11}" for name in SCORES))
    figures: dict[str, dict[str, dict[str, float]]] = {}
    for tool in tools:
        texts = [(pdf.stem, out / tool / f"{pdf.stem}.md") for pdf in sorted(pdfs.glob(f"{only}*.pdf"))]
        figures[tool] = {name: _scored(pdfs, name, text) for name, text in texts if text.exists()}
        groups: dict[str, list[dict[str, float]]] = defaultdict(list)
        for name, found in figures[tool].items():
            producer, style, language = name.split("-")
            if by:
                groups[{"producer": producer, "style": style, "language": language, "case": name}[by]].append(found)
            groups["all"].append(found)
        for group, members in sorted(groups.items(), key=lambda pair: (pair[0] == "all", pair[0])):
            print(_row(f"{tool}, {group} ({len(members)})", members))
    if record:
        record.write_text(json.dumps(figures, indent=1), encoding="utf-8")


def _scored(pdfs: Path, name: str, text: Path) -> dict[str, float]:
    document = json.loads((pdfs / f"{name}.json").read_text(encoding="utf-8"))
    return scores(document, text.read_text(encoding="utf-8"))


def _row(name: str, members: list[dict[str, float]]) -> str:
    cells = ([found[score] for found in members if score in found] for score in SCORES)
    return f"{name:36}" + "".join(f"{mean(cell):11.1f}" if cell else f"{'-':>11}" for cell in cells)


if __name__ == "__main__":
    sys.exit(main())
