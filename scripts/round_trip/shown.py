"""What of a document's structure its PDF shows: marked words set otherwise, headings of a level of their own.

    python scripts/round_trip/shown.py PDFS

Some producers lose structure themselves: XeTeX prints italics in the upright font where a language's font has none, and
groff's headings of all levels look alike. No reader can find these again. The bound is each score's best.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import pymupdf
from scoring import squashed
from styles import STYLES

FLAGS = pymupdf.TEXT_COLLECT_STYLES | pymupdf.TEXT_PRESERVE_WHITESPACE
NUMBERED = {style.name for style in STYLES if style.numbered}
BOLD = 8  # MuPDF's style flag of a character


class Look(NamedTuple):
    font: str
    bold: bool
    lean: float  # of a letter's box: what it reaches sideways for each step up
    size: float


def main(folder: Path) -> None:
    found: dict[str, list[tuple[float | None, float | None]]] = defaultdict(list)
    for pdf in sorted(folder.glob("*.pdf")):
        document, letters = json.loads(pdf.with_suffix(".json").read_text("utf-8")), letters_by_look(pdf)
        producer, style, _ = pdf.stem.split("-")
        level = 100.0 if style in NUMBERED else level_shown(document, letters)
        found[producer].append((emphasis_shown(document, letters), level))
    found["all"] = [bounds for made in list(found.values()) for bounds in made]
    print(f"{'most that a reader can score':36}{'emphasis':>11}{'level':>11}")
    for producer, bounds in found.items():
        cells = (mean(known) for n in (0, 1) if (known := [bound[n] for bound in bounds if bound[n] is not None]))
        print(f"{f'{producer} ({len(bounds)})':36}" + "".join(f"{cell:11.1f}" for cell in cells))


def letters_by_look(pdf: Path) -> dict[Look, str]:
    """The file's letters in the order of its commands, those of each look for themselves."""
    found: dict[Look, list[str]] = defaultdict(list)
    with pymupdf.open(pdf) as document:
        for page in document:
            textpage = page.get_textpage(flags=FLAGS)  # kept: its characters go with it
            for block in textpage.this:
                if block.m_internal.type != pymupdf.mupdf.FZ_STEXT_BLOCK_TEXT:
                    continue
                for char in (char.m_internal for line in block for char in line):
                    found[_look(char)].append(chr(char.c))
    return {look: squashed("".join(signs)) for look, signs in found.items()}


def _look(char: Any) -> Look:
    corners = char.quad
    height = corners.ll.y - corners.ul.y or 1
    font = pymupdf.mupdf.ll_fz_font_name(char.font).split("+")[-1]
    return Look(font, bool(char.flags & BOLD), round((corners.ul.x - corners.ll.x) / height, 1), round(char.size, 1))


def emphasis_shown(document: Mapping[str, Any], letters: Mapping[Look, str]) -> float | None:
    """Of a hundred bold and italic stretches, how many look otherwise than the text around, as far as found."""
    usual = max(letters, key=lambda look: len(letters[look]))[:3]
    marked = [run["text"] for run in _runs(document) if run["style"] in ("bold", "italic")]
    looks = [{look[:3] for look in looks_of(text, letters)} for text in marked]
    return mean(100.0 * (seen != {usual}) for seen in looks) if looks else None


def level_shown(document: Mapping[str, Any], letters: Mapping[Look, str]) -> float | None:
    """Of a hundred headings, how many are right if all that look alike are put on their most frequent level."""
    levels: dict[frozenset[Look], list[int]] = defaultdict(list)
    headings = [block for block in document["blocks"] if block["kind"] == "heading"]
    for heading in headings:
        looks = looks_of("".join(run["text"] for run in heading["runs"]), letters)
        if looks:
            levels[looks].append(heading["level"])
    alike = sum(len(group) - max(Counter(group).values()) for group in levels.values())
    return 100.0 * (len(headings) - alike) / len(headings) if headings else None


def looks_of(text: str, letters: Mapping[Look, str]) -> frozenset[Look]:
    wanted = squashed(text)
    return frozenset(look for look, said in letters.items() if wanted in said or wanted[::-1] in said)


def _runs(document: Mapping[str, Any]) -> Sequence[Mapping[str, str]]:
    blocks = document["blocks"]
    return [run for b in blocks for runs in (b["runs"], *(c for row in b["rows"] for c in row)) for run in runs]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
