"""Prints the Arabic sample with Chromium: MuPDF shapes Arabic too, but writes down wrong letters for some shapes."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from texts import ARABIC

from docparse_fast.system.mupdf import pymupdf

STYLE = """@page { size: A4; margin: 28mm 24mm; } body { font: 13pt/1.7 Amiri; margin: 0; } p { margin: 0 0 8pt; }
h1 { font-size: 24pt; margin: 0 0 10pt; } h2 { font-size: 16pt; margin: 12pt 0 4pt; }"""


def arabic() -> pymupdf.Document | None:
    """Nothing where there is no Chromium. Another one, or another Amiri, prints other bytes."""
    program = shutil.which("chromium")
    if program is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        page, pdf = Path(folder) / "page.html", Path(folder) / "page.pdf"
        html = f'<html dir="rtl" lang="ar"><meta charset="utf-8"><style>{STYLE}</style>{ARABIC}</html>'
        page.write_text(html, encoding="utf-8")
        command = [
            program,
            "--headless",
            "--no-sandbox",
            "--no-pdf-header-footer",
            f"--print-to-pdf={pdf}",
            page.as_uri(),
        ]
        subprocess.run(command, check=True, capture_output=True)
        return pymupdf.open(stream=pdf.read_bytes(), filetype="pdf")
