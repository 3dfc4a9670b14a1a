"""Reads PDFs with docparse-fast and with the tools it is compared to. Knows how each is called."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

MODELS = {"en": "eng", "de": "deu", "fr": "fra", "zh": "chi_sim", "ru": "rus", "ko": "kor", "he": "heb", "ar": "ara"}


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

    return str(tool.to_markdown(str(pdf), header=False, footer=False, use_ocr=_is_scan(pdf)))


def tesseract(pdf: Path) -> str:
    """Each page by the command, at 200 dots an inch, with the models of the document's language if they are there."""
    found = subprocess.run(["tesseract", "--list-langs"], capture_output=True, text=True, check=True).stdout.split()
    wanted = MODELS.get(pdf.stem.split("-")[2], "eng")
    model = wanted if wanted in found else "eng"
    pages = (
        subprocess.run(
            ["tesseract", "-", "-", "-l", model, "--dpi", "200", "--psm", "1"],
            input=png, capture_output=True, check=True,
        ).stdout.decode()
        for png in _pictures(pdf)
    )  # fmt: skip
    return _escaped("\n\n".join(pages))


def rapidocr(pdf: Path) -> str:
    from rapidocr import RapidOCR

    engine = RapidOCR()
    return _escaped("\n\n".join("\n".join(engine(png).txts or ()) for png in _pictures(pdf)))


def _pictures(pdf: Path) -> Iterator[bytes]:
    import pymupdf

    with pymupdf.open(pdf) as document:
        for page in document:
            yield page.get_pixmap(dpi=200).tobytes("png")


def _is_scan(pdf: Path) -> bool:
    return pdf.stem.count("-") > 2


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_<>\[\]#|-])", r"\\\1", text)


def pdftotext(pdf: Path) -> str:
    text = subprocess.run(["pdftotext", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
    return _escaped(text)


def markitdown(pdf: Path) -> str:
    from markitdown import MarkItDown

    return str(MarkItDown().convert(str(pdf)).text_content)


TOOLS: dict[str, Callable[[Path], str]] = {
    "docparse-fast": docparse_fast,
    "pymupdf4llm": pymupdf4llm,
    "pdftotext": pdftotext,
    "markitdown": markitdown,
    "tesseract": tesseract,
    "rapidocr": rapidocr,
}
