"""Tables of README and the docs, made of the records under docs/figures.

    python scripts/docs_tables.py                # writes them in their pages

scripts/round_trip scores, scripts/peers.py measures, scripts/languages and scripts/formulas read scans; a test holds
the pages to what this writes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FIGURES = ROOT / "docs/figures"
BEGIN = "<!-- scripts/docs_tables.py makes this table of docs/figures/ -->"
END = "<!-- it ends here -->"
ALL_SCORES = ("words", "order", "headings", "level", "paragraphs", "items", "tables", "code", "emphasis", "mono")
SHOWN = ("words", "headings", "tables")
NONE = "–"


def seconds(number: float) -> str:
    """
    >>> seconds(2.5), seconds(0.0024)
    ('2.50', '0.002')
    """
    return f"{number:.2f}" if number >= 0.01 else f"{number:.3f}"


def main() -> None:
    for name, made in MADE.items():
        page = ROOT / name
        page.write_text(with_table(page.read_text(encoding="utf-8"), made()), encoding="utf-8")


def with_table(page: str, made: str) -> str:
    head, _, rest = page.partition(BEGIN)
    return f"{head}{BEGIN}\n\n{made}\n\n{END}{rest.partition(END)[2]}"


def readme_table(figures: Path = FIGURES) -> str:
    pages, scans = scores(figures, "round-trip-held-out"), scores(figures, "scans-peers")
    born, scanned, sizes = (read(figures / f"peers/{name}.json") for name in ("born-digital", "scans", "installed"))
    rows = []
    for tool, size in sizes["tools"].items():
        cells = [average(pages.get(tool), name) for name in SHOWN] + [average(scans.get(tool), "words")]
        costs = [record["tools"].get(tool) for record in (born, scanned)]
        cells += [seconds(cost["cpu_seconds_a_page"]) if cost else NONE for cost in costs]
        cells += [" / ".join(str(cost["peak_mb"]) for cost in costs if cost), str(size)]
        rows.append([tool, *cells])
    heads = ["tool", *SHOWN, "words of scans", "CPU s a page", "a scanned page", "memory, MB", "installed, MB"]
    return table(heads, rows)


def quality_table(figures: Path = FIGURES) -> str:
    """All scores of the born-digital documents."""
    found = scores(figures, "round-trip-held-out")
    return table(
        ["tool", *ALL_SCORES], [[tool, *(average(cases, name) for name in ALL_SCORES)] for tool, cases in found.items()]
    )


def language_table(figures: Path = FIGURES) -> str:
    """Wrong characters in a hundred, by language."""
    read_pages = read(figures / "quality/languages.json")
    rows = []
    for language in dict.fromkeys(row["language"] for row in read_pages):
        shares = []
        for kind, lang in (("clean", ""), ("clean", language), ("scanned", ""), ("scanned", language)):
            mine = [row for row in read_pages if (row["language"], row["kind"], row["lang"]) == (language, kind, lang)]
            shares.append(f"{100 * sum(row['wrong'] for row in mine) / sum(row['letters'] for row in mine):.1f}")
        rows.append([language, *shares])
    return table(["", "clean", "clean, `--lang`", "spoilt like a scan", "spoilt, `--lang`"], rows)


def formula_table(figures: Path = FIGURES) -> str:
    """Formulas exactly right and mean likeness, by source, resolution, length and kind."""
    record = read(figures / "quality/formulas-on-scans.json")
    kept = [(name, one) for name, one in record.items() if not name.startswith(("confidence", "font", "grammar "))]
    named = [(name.replace("real", "documentation").replace("grammar", "of the grammar"), one) for name, one in kept]
    return table(
        ["", "formulas", "exact", "alike"],
        [[name, str(one["count"]), f"{one['exact']:.1f}", f"{one['alike']:.1f}"] for name, one in named],
    )


def scores(figures: Path, name: str) -> dict[str, dict[str, dict[str, float]]]:
    found: dict[str, dict[str, dict[str, float]]] = read(figures / f"quality/{name}.json")
    return found


def average(cases: dict[str, dict[str, float]] | None, name: str) -> str:
    found = [case[name] for case in (cases or {}).values() if name in case]
    return f"{mean(found):.1f}" if found else NONE


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---", *("---:" for _ in heads[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


MADE = {
    "README.md": readme_table,
    "docs/results.md": quality_table,
    "docs/offline.md": language_table,
    "docs/formulas.md": formula_table,
}

if __name__ == "__main__":
    main()
