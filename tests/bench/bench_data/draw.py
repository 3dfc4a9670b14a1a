"""Draws the pages of the data sets here from their own lists: run it after changing one of those.

The lists are made by hand in the published formats; no word of them comes from the data sets themselves.
"""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path

import pymupdf

HERE = Path(__file__).parent
PICTURE = 1.0  # pixels a point

LETTERS = {
    "arxiv_math/wave_pg1": ["1 Waves in shallow water", "Long waves slow down where the ground rises.", "c = √(g h)"],
    "old_scans_math/angle": ["Two straight lines that cross make four angles.", "α + β = 180°"],
    "tables/fares": [
        "Line      Fares     Passengers",
        "North     120       48",
        "South     95        51",
        "Total               99",
    ],
    "old_scans/letter": ["The harbour, 3rd of May", "Dear sister,", "I write in haste, for the boat is leaving."],
    "headers_footers/journal": ["Journal of Small Waves", "Ropes are weakest at the knot.", "12"],
    "multi_column/ropes": ["Hemp rots from the inside.", "Nylon does not rot."],
    "long_tiny_text/words": ["heaving line, n. A light rope to throw.", "hawser, n. A thick rope for towing."],
}


def main() -> None:
    for record in json.loads((HERE / "OmniDocBench/OmniDocBench.json").read_text("utf-8")):
        draw_blocks(record)
    for name, lines in LETTERS.items():
        draw_lines(lines, HERE / f"olmOCR-bench/bench_data/pdfs/{name}.pdf")
    for path in sorted(HERE.glob("Ocean-OCR/OCR_eval_data/document_*.json")):
        for entry in json.loads(path.read_text("utf-8")):
            draw_text(entry["conversations"][1]["value"].strip(), path.with_suffix("") / entry["image"])


def draw_blocks(record: dict) -> None:
    info = record["page_info"]
    with pymupdf.open() as document:
        page = document.new_page(width=info["width"], height=info["height"])
        for annotation in record["layout_dets"]:
            x0, y0, _, _, x1, y1, _, _ = annotation["poly"]
            words = annotation.get("text") or annotation.get("latex") or annotation.get("html") or ""
            if annotation["category_type"] == "table":
                page.insert_htmlbox((x0, y0, x1, y1), words.replace("<table>", "<table border='1'>"))
            else:
                page.insert_htmlbox((x0, y0, x1, y1), unescape(words))
        save_picture(page, HERE / "OmniDocBench/images" / info["image_path"])


def draw_text(text: str, path: Path) -> None:
    with pymupdf.open() as document:
        page = document.new_page(width=420, height=200)
        page.insert_htmlbox((20, 20, 400, 180), text)
        save_picture(page, path)


def draw_lines(lines: list[str], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with pymupdf.open() as document:
        page = document.new_page(width=420, height=200)
        page.insert_htmlbox((20, 20, 400, 180), "".join(f"<p>{line.replace('  ', '&nbsp; ')}</p>" for line in lines))
        document.subset_fonts()
        document.save(path, garbage=4, deflate=True)


def save_picture(page: pymupdf.Page, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    page.get_pixmap(matrix=pymupdf.Matrix(PICTURE, PICTURE), colorspace=pymupdf.csGRAY).save(path)


if __name__ == "__main__":
    main()
