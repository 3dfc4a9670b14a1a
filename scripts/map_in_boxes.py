"""Tries the map of a document's Markdown: does each word's box hold that word, by another program's reading?

    python scripts/map_in_boxes.py [--pages N] [--ocr] [--show] PDF...

reads N pages of each PDF (3 unless said), spread over it, and looks in each word's box for its letters among the words
that poppler's `pdftotext -bbox` puts there. Says of how many letters of the Markdown a box is known, and how many of
the boxes hold their word, and nothing else; with --show also the ones that don't. Pages without a text layer are passed
over. With --ocr the pages are read as pictures, and words that the recogniser read otherwise than the layer has them
are counted apart: their boxes prove nothing.
"""

from __future__ import annotations

import argparse
import html
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from docparse_fast import DocparseError, ParseOptions, RasterOptions, parse  # noqa: E402
from docparse_fast.document import Box, Category, ParsedDocument  # noqa: E402
from docparse_fast.joining import flowing  # noqa: E402
from docparse_fast.options import DraftOptions, TargetOptions  # noqa: E402
from docparse_fast.pages import open_pages  # noqa: E402
from docparse_fast.rendering.markdown import render_markdown  # noqa: E402
from docparse_fast.rendering.text_map import MappedSpan, letters_of, printed_letters, spans_of  # noqa: E402

WORD = re.compile(r'<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)</word>')
AROUND = 1.0  # points: poppler's boxes are as high as the type, ours as the ink
DRAFTERS = ("text-layer", "embedded")
UNMAPPED = frozenset({Category.FORMULA})


@dataclass(slots=True)
class Count:
    letters: int = 0  # of the Markdown, that stand on a page
    boxed: int = 0  # of those in a word with a box
    spans: int = 0
    right: int = 0  # whose box holds the word's letters
    exact: int = 0  # and no word besides
    misread: int = 0  # words of a picture that the page's layer has nowhere

    def plus(self, other: Count) -> Count:
        return Count(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(Count)))

    def __str__(self) -> str:
        right, exact = (each / max(1, self.spans) for each in (self.right, self.exact))
        boxed = self.boxed / max(1, self.letters)
        hold = f"of {self.spans} boxes {right:.2%} hold their word, {exact:.2%} it alone"
        return f"{boxed:.2%} of the letters have boxes; {hold}" + (f"; {self.misread} misread" if self.misread else "")


def layer_words(path: Path, page: int) -> list[tuple[Box, str]]:
    said = subprocess.run(
        ["pdftotext", "-bbox", "-f", str(page), "-l", str(page), str(path), "-"], capture_output=True, check=False
    ).stdout.decode("utf-8", "replace")
    found = WORD.findall(said)
    return [(Box(*map(float, sides)), html.unescape(text)) for *sides, text in found]


def count_document(path: Path, document: ParsedDocument, *, show: bool) -> Count:
    count, joined = Count(), flowing(document)
    text = render_markdown(joined)
    by_layer = [page for page in document.pages if page.evidence.drafter in DRAFTERS and not page.evidence.turned]
    layers = {page.number: (layer_words(path, page.number), page.dpi) for page in by_layer}
    for span in spans_of(joined):
        layer, dpi = layers.get(span.page, ([], 0.0))
        if layer:
            _count_span(span, text, layer, dpi, count, show=show)
    return count


def _count_span(
    span: MappedSpan, text: str, layer: Sequence[tuple[Box, str]], dpi: float, count: Count, *, show: bool
) -> None:
    if span.block.category not in UNMAPPED:
        count.letters += len(printed_letters(text[span.start : span.end], span.block.category)[0])
    known = letters_of(" ".join(said for _, said in layer))[0]
    for word in span.words:
        wanted = letters_of(text[word.start : word.end])[0]
        if "text-layer" not in span.block.sources and wanted not in known:
            count.misread += 1
            continue
        count.boxed += len(wanted)
        around = word.box.scaled(72 / dpi)
        around = Box(around.x0 - AROUND, around.y0 - AROUND, around.x1 + AROUND, around.y1 + AROUND)
        held = [said for box, said in layer if _shared(around, box) > 0.5 or _shared(box, around) > 0.5]
        there = letters_of("".join(held))[0]
        right = not Counter(wanted) - Counter(there)
        count.spans += 1
        count.right += right
        count.exact += right and (len(there) == len(wanted) or (len(held) == 1 and wanted in there))
        if show and not right:
            print(f"  page {span.page}, {span.block.category}: {text[word.start : word.end]!r} and there {held}")


def _shared(one: Box, other: Box) -> float:
    return one.intersection(other) / one.area if one.area else 0.0


def spread(pages: int, wanted: int) -> str:
    return ",".join(
        str(n) for n in sorted({1 + (2 * n + 1) * pages // (2 * wanted) for n in range(wanted)}) if n <= pages
    )


def documents(paths: Sequence[Path], pages: int, ocr: str) -> Iterator[tuple[Path, ParsedDocument]]:
    for path in paths:
        try:
            with open_pages(path, RasterOptions()) as source:
                chosen = spread(len(source.numbers), pages)
            options = ParseOptions(
                raster=RasterOptions(pages=chosen),
                drafting=DraftOptions(ocr=ocr),
                target=TargetOptions(name="none"),
            )
            yield path, parse(path, options)
        except DocparseError as error:
            print(f"{path.name}: {error.code}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pdfs", nargs="+", type=Path)
    parser.add_argument("--pages", type=int, default=3)
    parser.add_argument("--ocr", action="store_const", const="always", default="never")
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    total, pages = Count(), 0
    for path, document in documents(asked.pdfs, asked.pages, asked.ocr):
        found = count_document(path, document, show=asked.show)
        if found.spans:
            pages += len(document.pages)
            print(f"{path.name}: {found}")
        total = total.plus(found)
    print(f"{pages} pages: {total}")


if __name__ == "__main__":
    main()
