"""Prints and scans pages whose text is known, reads them, and shows how far their confidence can be trusted.

    python scripts/page_confidence.py read PDFS... -o read.jsonl [--pages 2] [--seed 1] [--way fax]
    python scripts/page_confidence.py show read.jsonl [--half 0|1] [--json FILE]

The PDFs have a sound text layer: what is read of it, without a look at pixels, is the truth. Each page is spoilt in
one of the round trip's ways, by turns, and read as any scan is: lines, layout, tables and all. A block's words are
compared with those of the page.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import cycle
from pathlib import Path
from typing import Any

import pymupdf
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts"), str(ROOT / "scripts" / "round_trip")]

from fit_confidence import Measured, plain, shown  # noqa: E402
from spoiling import DRAWN, WAYS, scanned  # noqa: E402

from docparse_fast import ParseOptions, parse  # noqa: E402
from docparse_fast.document import Box, Category, Draft, Page, PageDraft, PageSource, Region  # noqa: E402
from docparse_fast.drafting.rivals import text_of  # noqa: E402
from docparse_fast.drafting.scans.certainty import words_in  # noqa: E402
from docparse_fast.drafting.scans.embedded import EmbeddedDrafter  # noqa: E402
from docparse_fast.options import DraftOptions, RasterOptions  # noqa: E402

LATEX = frozenset("\\{}^_$")
FEWEST_WORDS = 60  # of a page


def read_all(pdfs: Sequence[Path], out: Path, pages: int, seed: str, only: str | None) -> None:
    drafter, ways = EmbeddedDrafter(), cycle(random.Random(seed).sample(list(WAYS), len(WAYS)))
    with out.open("a", encoding="utf-8") as stream:
        for pdf in pdfs:
            for number, truth in _chosen(pdf, pages, seed):
                record = _record(drafter, pdf, number, only or next(ways), seed) | {"truth": truth}
                stream.write(json.dumps(record, ensure_ascii=False) + "\n")
                stream.flush()


def _chosen(pdf: Path, count: int, seed: str) -> Iterator[tuple[int, str]]:
    with pymupdf.open(pdf) as document:
        numbers = list(range(document.page_count))
    random.Random(f"{seed} {pdf.name}").shuffle(numbers)
    for number in numbers[: 3 * count]:
        text = truth_of(pdf, number)
        if len(words(text)) >= FEWEST_WORDS and "\ufffd" not in text and count > 0:
            count -= 1
            yield number, text


def truth_of(pdf: Path, number: int) -> str:
    asked = ParseOptions(raster=RasterOptions(pages=str(number + 1)), drafting=DraftOptions(drafter="text-layer"))
    return "\n".join(as_printed(block.text) for block in parse(pdf, asked).pages[0].blocks)


def _record(drafter: EmbeddedDrafter, pdf: Path, number: int, way: str, seed: str) -> dict[str, Any]:
    with pymupdf.open(pdf) as document, pymupdf.open() as alone:
        alone.insert_pdf(document, from_page=number, to_page=number)
        source = Path(f"/tmp/{pdf.stem}-{number}.pdf")
        alone.save(source)
    with pymupdf.open(stream=scanned(source, way, seed), filetype="pdf") as scan:
        image = Image.open(io.BytesIO(scan[0].get_pixmap(dpi=DRAWN).tobytes("png"))).convert("RGB")
    source.unlink()
    draft = drafter.draft(Page(1, image.width, image.height, DRAWN, PageSource(lambda: image, lambda: None)))
    first = [(region.category.value, region.drafts[0]) for region in draft.regions if region.drafts]
    blocks = [
        {"text": d.text, "category": category, "words": d.certainty.words, "right": d.certainty.right}
        for category, d in first
        if d.certainty
    ]
    return {"pdf": pdf.name, "page": number + 1, "way": way, "unread": draft.unread_words, "blocks": blocks}


# ------------------------------------------------------------------------------------------------- measuring


def words(text: str) -> list[str]:
    """Those with a letter or a digit, and no LaTeX: the dots of a leader don't count, and a formula has no words."""
    text = unescape(text).replace('"', "'")
    found = [plain(word.text) for word in words_in(list(text), [1.0] * len(text))]
    return [word for word in found if any(map(str.isalnum, word)) and not LATEX.intersection(word)]


def measured(pages: Sequence[dict[str, Any]]) -> dict[str, list[Measured]]:
    found: dict[str, list[Measured]] = {"blocks": [], "pages": []}
    for page in pages:
        truth, blocks = words(page["truth"]), [(block, words(as_printed(block["text"]))) for block in page["blocks"]]
        hits = taken_from(truth, [own for _, own in blocks])
        known = [(block, own, hit) for (block, own), hit in zip(blocks, hits, strict=True) if own]
        found["blocks"] += [Measured(b["right"] / b["words"], hit / len(own), len(own)) for b, own, hit in known]
        expected = sum(block["right"] for block, _ in blocks)
        total = sum(block["words"] for block, _ in blocks) + page["unread"]
        standing = max(len(truth), sum(len(own) for _, own in blocks))
        found["pages"].append(Measured(expected / total if total else 0.0, sum(hits) / standing, standing))
    return found


def taken_from(truth: Sequence[str], blocks: Sequence[Sequence[str]]) -> list[int]:
    """How many words of each block stand on the page, wherever: confidence speaks of words, not of their order.

    >>> taken_from(["a", "b", "b"], [["b", "c"], ["b", "b"]])
    [1, 1]
    """
    left, found = Counter(truth), []
    for own in blocks:
        both = Counter(own) & left
        left -= both
        found.append(both.total())
    return found


def as_printed(markdown: str) -> str:
    region = Region(Box(0, 0, 1, 1), Category.TEXT, (Draft(markdown, "embedded"),))
    return text_of(PageDraft(1, 1, 1, (region,)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    reading = commands.add_parser("read")
    reading.add_argument("pdfs", type=Path, nargs="+")
    reading.add_argument("-o", type=Path, required=True)
    reading.add_argument("--pages", type=int, default=2, help="of each PDF")
    reading.add_argument("--seed", default="1")
    reading.add_argument("--way", choices=WAYS)
    showing = commands.add_parser("show")
    showing.add_argument("read", type=Path)
    showing.add_argument("--half", type=int, choices=(0, 1), help="pages of even or of odd place alone")
    showing.add_argument("--json", type=Path)
    asked = parser.parse_args()
    if asked.command == "read":
        read_all(asked.pdfs, asked.o, asked.pages, asked.seed, asked.way)
        return
    pages = [json.loads(line) for line in asked.read.read_text("utf-8").splitlines()]
    chosen = pages if asked.half is None else pages[asked.half :: 2]
    results = {name: shown(name, measures) for name, measures in measured(chosen).items()}
    if asked.json:
        asked.json.write_text(json.dumps(results, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
