"""Makes docs/samples.md: each document in samples/ beside what comes out of it.

    python scripts/show_samples.py               # writes the page and its pictures
    python scripts/show_samples.py --check       # exit 1 if the page says anything else

What comes out is what tests/golden/samples holds, to which a test holds the product.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from PIL import Image

from docparse_fast.system.mupdf import pymupdf

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/samples.md"
PICTURES = ROOT / "docs/images/samples"
WIDTH = 400  # pixels of a picture
COLOURS = 32
SHOWN_BEFORE = "mixed.pdf"  # its pages stand above, alone
ROWS = 4  # of a table are shown
WORDS, FIRST = 12, 6  # a longer paragraph is shown by its first words
INTRODUCTION = """# Samples

What this page is for: to see what comes out before you install anything. At the left stand the documents of `samples/`,
at the right their Markdown, mistakes too; of long tables four rows, of long paragraphs the beginning. All are invented
(`scripts/make_samples`), and tests hold the product to what is shown. No target looked at any of it.

```sh
docparse-fast convert samples/ -o out/
```
"""
SAMPLES = {
    "invoice.pdf": "An invoice, born digital: the table has rules under its rows only.",
    "scanned-table.pdf": "A scanned report, tilted and grainy, with a table.",
    "turned-letter.tif": "A letter from a fax machine, lying on its side.",
    "form.pdf": "A form with labels, boxes to tick and a table.",
    "two-page-table.pdf": "A table over two pages: one table, with one head. Running heads are left out.",
    "paper.pdf": "A paper in two columns, with a formula, a figure and a note.",
    "slide.pdf": "A slide with a list in two levels beside a picture.",
    "chinese.pdf": "A scanned page in Chinese.",
    "arabic.pdf": "A page in Arabic, read from right to left.",
    "mixed.pdf": "Three pages: the scanned table with its text, the letter as a picture, and an empty one.",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        return int(PAGE.read_text(encoding="utf-8") != page())
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name in SAMPLES:
        for number, picture in enumerate(pictures(ROOT / "samples" / name), 1):
            (PICTURES / picture_name(name, number)).write_bytes(picture)
        for number, (box, dpi, _) in enumerate(figures(name), 1):
            (PICTURES / figure_name(name, number)).write_bytes(figure(ROOT / "samples" / name, box, dpi))
    PAGE.write_text(page(), encoding="utf-8")
    return 0


def page() -> str:
    return "\n".join([INTRODUCTION, *(section(name, about) for name, about in SAMPLES.items())])


def section(name: str, about: str) -> str:
    with pymupdf.open(ROOT / "samples" / name) as document:
        shown = [picture_name(name, n) for n in range(1, len(document) + 1)]
    images = "\n".join(f'<img src="images/samples/{each}" width="{WIDTH}" alt="{name}">' for each in shown)
    markdown = (ROOT / f"tests/golden/samples/{name}.md").read_text(encoding="utf-8").strip()
    for number, (_, _, after) in enumerate(figures(name), 1):  # parse() leaves pictures out, convert writes them
        line = f'<img src="images/samples/{figure_name(name, number)}" width="{WIDTH // 2}" alt="Figure of {name}">'
        markdown = markdown.replace(after, f"{line}\n\n{after}", 1)
    markdown = re.sub(r"<table>.*</table>", first_rows, markdown)
    markdown = "\n".join(map(first_words, markdown.split("\n")))
    if name == SHOWN_BEFORE:
        markdown = "What comes out of each stands above."
    return (
        f"## {name}\n\n{about} [As it is written](../tests/golden/samples/{name}.md).\n\n"
        f'<table><tr><td valign="top" width="{WIDTH}">\n{images}\n</td><td valign="top" dir="auto">\n\n'
        f"{markdown}\n\n</td></tr></table>\n"
    )


def first_rows(table: re.Match[str]) -> str:
    rows = table[0].split("<tr>")
    return table[0] if len(rows) <= ROWS + 1 else "<tr>".join([*rows[: ROWS + 1], "<td>...</td></tr></table>"])


def first_words(line: str) -> str:
    words = line.split()
    return line if line.startswith("<") or len(words) <= WORDS else f"{' '.join(words[:FIRST])} ..."


def figures(name: str) -> Iterator[tuple[list[float], float, str]]:
    """Each figure on the first page of a born-digital sample: box, dots per inch, and the text that comes after it."""
    path = ROOT / f"tests/golden/samples/{name}.json"
    if path.exists():
        page = json.loads(path.read_text(encoding="utf-8"))["pages"][0]
        for block, following in pairwise(page["blocks"]):
            if block["category"] == "figure":
                yield block["box"], page["dpi"], following["text"]


def figure_name(name: str, number: int) -> str:
    return f"{Path(name).stem}-figure-{number}.png"


def picture_name(name: str, number: int) -> str:
    return f"{Path(name).stem}-{number}.png"


def pictures(path: Path) -> Iterator[bytes]:
    with pymupdf.open(path) as document:
        for sheet in document:
            yield drawn(sheet, WIDTH)


def figure(path: Path, box: list[float], dpi: float) -> bytes:
    with pymupdf.open(path) as document:
        return drawn(document[0], WIDTH // 2, pymupdf.Rect(*(72 / dpi * edge for edge in box)))


def drawn(sheet: Any, width: int, clip: Any = None) -> bytes:
    scale = 2 * width / (clip or sheet.rect).width
    pixels = sheet.get_pixmap(matrix=pymupdf.Matrix(scale, scale), clip=clip, alpha=False)
    image = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)
    small = image.resize((width, round(width * image.height / image.width)), Image.Resampling.LANCZOS)
    data = io.BytesIO()
    small.quantize(COLOURS).save(data, "PNG", optimize=True)
    return data.getvalue()


if __name__ == "__main__":
    sys.exit(main())
