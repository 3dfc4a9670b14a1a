"""Which pages of any documents cost the most CPU seconds when they are drafted, and what the usual page costs.

    python scripts/slowest_pages.py FOLDER FILE.pdf --most-pages 4

A page's own seconds in document.json are by the clock; on a machine that does other things they say little.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from docparse_fast import DocparseError, ParseOptions, Parser  # noqa: E402
from docparse_fast.options import RasterOptions, TargetOptions  # noqa: E402

SUFFIXES = {".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp", ".gif"}


def costs_of(path: Path, parser: Parser) -> Iterator[tuple[float, str]]:
    """Seconds and a name, for each page; a document that can't be read has none."""
    before = time.process_time()
    try:
        for page in parser.pages(path):
            after = time.process_time()
            yield after - before, f"{path}, page {page.number}: {page.evidence.drafter} {page.status}"
            before = after
    except DocparseError as error:
        print(f"{path}: {error}", file=sys.stderr)


def documents(named: Sequence[Path]) -> Iterator[Path]:
    for path in named:
        if path.is_dir():
            yield from sorted(each for each in path.rglob("*") if each.suffix.lower() in SUFFIXES)
        else:
            yield path


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("documents", nargs="+", type=Path, help="files, or folders of them")
    asked.add_argument("--most-pages", type=int, help="of each document")
    asked.add_argument("--show", type=int, default=5)
    given = asked.parse_args()
    raster = RasterOptions(max_pages=given.most_pages)
    parser = Parser(ParseOptions(raster=raster, target=TargetOptions(name="none")))
    found: list[tuple[float, str]] = []
    try:
        for path in documents(given.documents):
            found += costs_of(path, parser)
    except KeyboardInterrupt:
        print("interrupted; so far:")
    found.sort(reverse=True)
    for seconds, name in found[: given.show]:
        print(f"{seconds:8.2f}  {name}")
    if found:
        print(f"{median(seconds for seconds, _ in found):8.2f}  the usual one of {len(found)} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
