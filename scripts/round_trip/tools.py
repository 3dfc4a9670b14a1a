"""Reads PDFs with docparse-fast and with the tools it is compared to. Knows how each is called."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path


def docparse_fast(pdf: Path) -> str:
    done = subprocess.run(
        ["docparse-fast", "convert", str(pdf), "-o", "-", "--target", "none", "-q"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


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
