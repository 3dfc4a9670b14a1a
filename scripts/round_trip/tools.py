"""Reads PDFs with docparse-fast and with the tools it is compared to. Knows how each is called."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path


def docparse_fast(pdf: Path) -> str:
    """The whole document's Markdown; what `-o -` prints page by page is not joined."""
    with tempfile.TemporaryDirectory() as out:
        command = ["docparse-fast", "convert", str(pdf), "-o", out, "--target", "none", "-q"]
        subprocess.run(command, capture_output=True, check=False)
        found = list(Path(out).glob("*/document.md"))
        return found[0].read_text(encoding="utf-8") if found else ""


def pymupdf4llm(pdf: Path) -> str:
    import pymupdf4llm as tool

    return str(tool.to_markdown(str(pdf), header=False, footer=False, use_ocr=False))


def pdftotext(pdf: Path) -> str:
    text = subprocess.run(["pdftotext", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
    return re.sub(r"([\\`*_<>\[\]#|-])", r"\\\1", text)


def markitdown(pdf: Path) -> str:
    from markitdown import MarkItDown

    return str(MarkItDown().convert(str(pdf)).text_content)


TOOLS: dict[str, Callable[[Path], str]] = {
    "docparse-fast": docparse_fast,
    "pymupdf4llm": pymupdf4llm,
    "pdftotext": pdftotext,
    "markitdown": markitdown,
}
