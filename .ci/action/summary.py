"""Prints a table of what became of each document, for the summary of a job: python summary.py OUT/run.json"""

from __future__ import annotations

import html
import json
import sys
from pathlib import Path

MOST_ROWS = 200  # a summary may have a megabyte
ORDER = ("failed", "partial", "interrupted", "pending", "ok")


def summary(run: dict) -> str:
    inputs = sorted(run["inputs"], key=lambda found: ORDER.index(found["status"]))
    rows = [_row(found) for found in inputs[:MOST_ROWS]]
    left = [f"\n{len(inputs) - MOST_ROWS} more"] if len(inputs) > MOST_ROWS else []
    return "\n".join(["| document | status | pages | look at |", "| --- | --- | ---: | --- |", *rows, *left])


def _row(found: dict) -> str:
    error = f" ({found['error']['code']})" if found["error"] else ""
    pages = ", ".join(map(str, found["to_look_at"][:10]))
    return f"| <code>{_shown(found['input'])}</code> | {found['status']}{error} | {found['pages']} | {pages} |"


def _shown(name: str) -> str:
    """A name that ends no cell and holds no markup."""
    plain = "".join(char if char.isprintable() else " " for char in name)
    return "".join(f"&#{ord(char)};" if char in "|`*_[]\\!~:@#" else char for char in html.escape(plain, quote=False))


if __name__ == "__main__":
    path = Path(sys.argv[1])
    print(summary(json.loads(path.read_text("utf-8"))) if path.is_file() else "Nothing was converted.")
