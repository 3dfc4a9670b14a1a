"""Text of known structure through many producers of PDF, and back by several tools.

    python scripts/round_trip make PDFS [--seed 1] [--held-out] [--sections 4]
    python scripts/round_trip scan PDFS SCANS [--seed 1] [--each 1]
    python scripts/round_trip read PDFS OUT [--tool docparse-fast] [--only NAME]
    python scripts/round_trip score PDFS OUT [--by producer|style|language|way|case] [--alike 0.9] [--json FILE]

Producers that are installed are used: pdflatex, xelatex, lualatex, soffice, chromium and groff as commands, weasyprint,
typst and reportlab as packages. Tools compared are pymupdf4llm, markitdown, pdftotext, and tesseract and rapidocr for
scans; scoring takes markdown-it-py. `scan` prints each document and scans it in so many ways, by turns (`spoiling.py`);
what was read of scans is compared with `--alike`, since a paragraph with a wrong letter is still a paragraph (takes
rapidfuzz). `styles.py` says which producers and styles are held out: they are made, read and scored apart.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path
from statistics import mean

from producing import make, scan
from scoring import SCORES, scores
from tools import TOOLS

GROUPS = ("producer", "style", "language", "way", "case")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("make", "scan", "read", "score"):
        command = commands.add_parser(name)
        command.add_argument("pdfs", type=Path)
        if name in ("make", "scan"):
            command.add_argument("--seed", default="1")
        if name == "make":
            command.add_argument("--held-out", action="store_true")
            command.add_argument("--sections", type=int, default=4)
            continue
        command.add_argument("out", type=Path)
        if name == "scan":
            command.add_argument("--each", type=int, default=1)
            continue
        command.add_argument("--tool", choices=TOOLS, action="append")
        command.add_argument("--only", default="", help="the names begin so")
        command.add_argument("--by", choices=GROUPS)
        command.add_argument("--alike", type=float, default=1.0)
        command.add_argument("--json", type=Path)
    given = parser.parse_args()
    if given.command == "make":
        make(given.pdfs, given.seed, held_out=given.held_out, sections=given.sections)
    elif given.command == "scan":
        scan(given.pdfs, given.out, given.seed, given.each)
    elif given.command == "read":
        read(given.pdfs, given.out, given.tool or ["docparse-fast"], given.only)
    else:
        table(given.pdfs, given.out, given.tool or list(TOOLS), given.only, given.by, given.json, given.alike)
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


def table(
    pdfs: Path, out: Path, tools: list[str], only: str, by: str | None, record: Path | None, alike: float
) -> None:
    print(f"{'':36}" + "".join(f"{name:>11}" for name in SCORES))
    figures: dict[str, dict[str, dict[str, float]]] = {}
    for tool in tools:
        texts = [(pdf.stem, out / tool / f"{pdf.stem}.md") for pdf in sorted(pdfs.glob(f"{only}*.pdf"))]
        figures[tool] = {name: _scored(pdfs, name, text, alike) for name, text in texts if text.exists()}
        groups: dict[str, list[dict[str, float]]] = defaultdict(list)
        for name, found in figures[tool].items():
            parts = dict(zip(GROUPS, name.split("-"), strict=False))
            if by:
                groups[{**parts, "case": name}[by]].append(found)
            groups["all"].append(found)
        for group, members in sorted(groups.items(), key=lambda pair: (pair[0] == "all", pair[0])):
            print(_row(f"{tool}, {group} ({len(members)})", members))
    if record:
        record.write_text(json.dumps(figures, indent=1), encoding="utf-8")


def _scored(pdfs: Path, name: str, text: Path, alike: float) -> dict[str, float]:
    document = json.loads((pdfs / f"{name}.json").read_text(encoding="utf-8"))
    return scores(document, text.read_text(encoding="utf-8"), alike)


def _row(name: str, members: list[dict[str, float]]) -> str:
    cells = ([found[score] for found in members if score in found] for score in SCORES)
    return f"{name:36}" + "".join(f"{mean(cell):11.1f}" if cell else f"{'-':>11}" for cell in cells)


if __name__ == "__main__":
    sys.exit(main())
