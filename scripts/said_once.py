"""Checks that each word of a text layer is in the draft once: not lost, not said twice, not made up in a table.

    python scripts/said_once.py FOLDER_OR_PDF... [--pages 6] [--from 1]

Prints every page of a sound layer that breaks one of these, with the letters it is about, and exits with 1 if there is
one. U+FFFD counts where the layer itself has the character. Letters are counted, as in tests/drafting/said_once.py.
"""

from __future__ import annotations

import argparse
import html
import re
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from drafting.said_once import letters, lost_and_doubled  # noqa: E402

from docparse_fast.document import Category, Page, PageDraft, TextLayer  # noqa: E402
from docparse_fast.drafting.born_digital.soundness import judge  # noqa: E402
from docparse_fast.drafting.born_digital.text_layer import TextLayerDrafter  # noqa: E402
from docparse_fast.errors import DocparseError  # noqa: E402
from docparse_fast.options import RasterOptions  # noqa: E402
from docparse_fast.pages import open_pages  # noqa: E402

CELL = re.compile(r"<t[dh][^<>]*>(.*?)</t[dh]>", re.DOTALL)
TAG = re.compile(r"<[^<>]*>")
UNKNOWN = "\ufffd"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", type=Path, nargs="+")
    parser.add_argument("--pages", type=int, default=6, help="of each document")
    parser.add_argument("--from", dest="first", type=int, default=1)
    given = parser.parse_args()
    found = checked = 0
    for path in (pdf for name in given.inputs for pdf in (sorted(name.glob("*.pdf")) if name.is_dir() else [name])):
        try:
            with open_pages(path, RasterOptions()) as pages:
                for page in islice(pages.pages(), given.first - 1, given.first - 1 + given.pages):
                    checked += 1
                    for fault in faults(page):
                        found += 1
                        print(f"{path.name}, page {page.number}: {fault}", flush=True)
        except DocparseError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
    print(f"{checked} pages checked, {found} faults")
    return int(found > 0)


def faults(page: Page) -> Iterator[str]:
    layer = page.text_layer
    if layer is None or judge(layer, page.width, page.height).verdict != "sound":
        return
    draft = TextLayerDrafter().draft(page)
    lost, doubled = lost_and_doubled(layer, draft)
    if lost:
        yield f"{lost.total()} lost: {''.join(lost.elements())[:60]}"
    if doubled:
        yield f"{doubled.total()} said twice: {''.join(doubled.elements())[:60]}"
    unknown = sum(region.text.count(UNKNOWN) for region in draft.regions)
    if unknown > sum(line.text.count(UNKNOWN) for line in layer.lines):
        yield f"{unknown} U+FFFD"
    yield from made_up(layer, draft)


def made_up(layer: TextLayer, draft: PageDraft) -> Iterator[str]:
    """Words of a table's cells that the page doesn't have."""
    words = letters_of(" ".join(line.text for line in layer.lines))
    for region in draft.regions:
        if region.category is Category.TABLE:
            cells = (html.unescape(TAG.sub("", cell)) for cell in CELL.findall(region.text))
            yield from (f"not on the page: {cell[:60]}" for cell in cells if letters([cell]) - letters([words]))


def letters_of(text: str) -> str:
    return "".join(char for char in text if char.isalnum())


if __name__ == "__main__":
    sys.exit(main())
