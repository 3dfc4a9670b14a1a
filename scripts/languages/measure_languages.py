#!/usr/bin/env python3
"""How well scans in ten languages are read: character error rates, with and without --lang.

    apt-get install fonts-noto-core fonts-noto-cjk fonts-dejavu-core fonts-liberation fonts-hosny-amiri culmus
    apt-get install tesseract-ocr-{rus,ell,kor,ara,heb,hin,tha,vie}
    python scripts/languages/measure_languages.py [--only ar he] [--show] [--json FILE]

The texts beside this script are our own, three pages a language, a blank line between pages. Each page is set in
another font, drawn at 200 dots an inch ("clean"), and spoilt as a scanner does ("scanned"). What is counted: letters
wrong, missing or too many, and blanks between words, against the letters of the text.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pymupdf
from rapidfuzz.distance import Levenshtein

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))

from docparse_fast import ParseOptions, parse  # noqa: E402
from docparse_fast.options import DraftOptions  # noqa: E402

LATIN = ["NotoSerif-Regular.ttf", "DejaVuSans.ttf", "LiberationSerif-Regular.ttf"]
FONTS = {
    "ru": ["LiberationSerif-Regular.ttf", "NotoSans-Regular.ttf", "DejaVuSerif.ttf"],
    "el": ["NotoSerif-Regular.ttf", "DejaVuSans.ttf", "LiberationSerif-Regular.ttf"],
    "ko": ["NotoSansCJK-Regular.ttc", "NotoSerifCJK-Regular.ttc"],
    "ar": ["NotoNaskhArabic-Regular.ttf", "NotoSansArabic-Regular.ttf", "Amiri-Regular.ttf"],
    "he": ["FrankRuehlCLM-Medium.ttf", "NotoSansHebrew-Regular.ttf", "DavidCLM-Medium.otf"],
    "hi": ["NotoSansDevanagari-Regular.ttf", "NotoSerifDevanagari-Regular.ttf"],
    "th": ["NotoSansThai-Regular.ttf", "NotoLoopedThai-Regular.ttf", "NotoSerifThai-Regular.ttf"],
    "vi": LATIN,
    "tr": LATIN,
    "pl": LATIN,
}
RIGHT_TO_LEFT = ("ar", "he")
DPI = 200
WIDTH, HEIGHT, MARGIN = 420, 330, 36  # points
SIZE = 12


def pages_of(language: str) -> list[list[str]]:
    text = (HERE / f"{language}.txt").read_text(encoding="utf-8")
    return [page.splitlines() for page in text.strip().split("\n\n")]


def drawn(paragraphs: list[str], language: str, font: str) -> np.ndarray[Any, Any]:
    path = next(Path("/usr/share/fonts").rglob(font))
    css = (
        f"@font-face {{font-family: face; src: url({path.name});}} * {{font-family: face; font-size: {SIZE}px;"
        f" direction: {'rtl' if language in RIGHT_TO_LEFT else 'ltr'}; line-height: 1.5;}} h1 {{font-size: 17px;}}"
    )
    heading, *rest = paragraphs
    html = f"<h1>{heading}</h1>" + "".join(f"<p>{paragraph}</p>" for paragraph in rest)
    with pymupdf.open() as document:
        page = document.new_page(width=WIDTH, height=HEIGHT)
        box = pymupdf.Rect(MARGIN, MARGIN, WIDTH - MARGIN, HEIGHT - MARGIN)
        left, _ = page.insert_htmlbox(box, html, css=css, archive=pymupdf.Archive(str(path.parent)))
        if left < 0:
            raise SystemExit(f"{language}: the text is too long for its page")
        pixels = page.get_pixmap(dpi=DPI, colorspace=pymupdf.csGRAY)
    return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.stride)[:, : pixels.width]


def scanned(page: np.ndarray[Any, Any], seed: int) -> np.ndarray[Any, Any]:
    """A little turned, soft, grainy, on greyish paper, as JPEG."""
    chance = np.random.default_rng(seed)
    height, width = page.shape
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), chance.uniform(-0.6, 0.6), 1.0)
    soft = cv2.GaussianBlur(cv2.warpAffine(page, turn, (width, height), borderValue=255), (0, 0), 0.9)
    grey = 30 + soft.astype(np.float32) * (205 / 255) + chance.normal(0, 7, page.shape)
    _, packed = cv2.imencode(".jpg", np.clip(grey, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 70])
    return cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE)


def plain(markdown: str) -> str:
    """Words alone: no marks of Markdown, one blank between words, one way of writing each letter."""
    text = re.sub(r"<!--.*?-->|^#+ |[*\\`]", "", markdown, flags=re.MULTILINE)
    return " ".join(unicodedata.normalize("NFC", text).split())


def read(picture: np.ndarray[Any, Any], lang: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.png"
        cv2.imwrite(str(path), picture)
        return plain(parse(path, ParseOptions(drafting=DraftOptions(lang=lang))).markdown())


def rows(language: str, pages: list[list[str]], show: bool) -> Iterator[dict[str, Any]]:
    for number, paragraphs in enumerate(pages):
        font = FONTS[language][number % len(FONTS[language])]
        page = drawn(paragraphs, language, font)
        truth = plain("\n".join(paragraphs))
        for kind, picture in (("clean", page), ("scanned", scanned(page, number))):
            for lang in ("", language):
                found = read(picture, lang)
                wrong = Levenshtein.distance(truth, found)
                if show and wrong:
                    print(f"{language} {number + 1} {kind} {lang or '-'} {wrong}\n  {truth}\n  {found}", flush=True)
                yield {
                    "language": language, "page": number + 1, "font": font, "kind": kind, "lang": lang,
                    "letters": len(truth), "wrong": wrong,
                }  # fmt: skip


def table(found: list[dict[str, Any]]) -> str:
    lines = ["| | clean | clean, `--lang` | scanned | scanned, `--lang` |", "|---|--:|--:|--:|--:|"]
    for language in dict.fromkeys(row["language"] for row in found):
        shares = []
        for kind in ("clean", "scanned"):
            for lang in ("", language):
                mine = [r for r in found if (r["language"], r["kind"], r["lang"]) == (language, kind, lang)]
                shares.append(100 * sum(r["wrong"] for r in mine) / sum(r["letters"] for r in mine))
        lines.append(f"| {language} | " + " | ".join(f"{share:.1f}" for share in shares) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=list(FONTS))
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    found: list[dict[str, Any]] = []
    for language in asked.only:
        found += rows(language, pages_of(language), asked.show)
    print(table(found))
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
