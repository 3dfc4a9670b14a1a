"""Makes the documents in samples/: python scripts/make_samples [FOLDER]

They are small and varied, and every run makes the same bytes, so that a sample changes only with this script. All their
content is invented. Born-digital samples use MuPDF's fonts, the Arabic one Chromium and Amiri; scans are pictures of
such pages, grey, tilted and noisy.
`python scripts/show_samples.py` then shows in docs/samples.md what comes out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from browser import arabic
from business import invoice, register
from drawn import chinese, form, letter, paper, report, slide
from scans import scanned, turned
from setting import pdf_bytes, sheet

from docparse_fast.system.mupdf import pymupdf


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parents[2] / "samples")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in samples():
        (folder / name).write_bytes(content)


def samples() -> Iterator[tuple[str, bytes]]:
    yield "invoice.pdf", pdf_bytes(invoice())
    yield "two-page-table.pdf", pdf_bytes(register())
    if printed := arabic():
        yield "arabic.pdf", pdf_bytes(printed)
    yield "paper.pdf", pdf_bytes(paper())
    yield "scanned-table.pdf", pdf_bytes(scanned(report(), tilt=0.7))
    yield "turned-letter.tif", turned(letter())
    yield "chinese.pdf", pdf_bytes(scanned(chinese(), tilt=-0.4))
    yield "mixed.pdf", pdf_bytes(mixed())
    yield "slide.pdf", pdf_bytes(slide())
    yield "form.pdf", pdf_bytes(form())


def mixed() -> pymupdf.Document:
    """A page of text, a scanned page and an empty page."""
    document = report()
    scan = scanned(letter(), tilt=0.4)
    document.insert_pdf(scan)
    sheet(document)
    return document


if __name__ == "__main__":
    main()
