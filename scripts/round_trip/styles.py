"""Styles, and the split of styles and producers into those to tune on and those held out.

The split was fixed before any score was seen.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PageStyle:
    name: str
    paper: str  # a4, a5, letter or b5
    margin: int  # millimetres
    size: int  # of the type, in points
    serif: bool = True
    columns: int = 1
    indented: bool = True  # a paragraph's first line; else there is a gap between paragraphs
    numbered: bool = False  # headings
    table: str = "grid"  # or "booktabs", "lines", "shaded", "none"
    code: str = "plain"  # or "grey", "framed"
    running_head: bool = True


STYLES = (
    PageStyle("article", "a4", 28, 10, table="booktabs"),
    PageStyle("report", "letter", 25, 11, serif=False, indented=False, numbered=True, code="grey"),
    PageStyle("journal", "a4", 18, 9, columns=2, table="booktabs"),
    PageStyle("handbook", "a5", 15, 10, serif=False, indented=False, table="shaded", code="framed"),
    PageStyle("memo", "letter", 38, 12, indented=False, table="none", running_head=False),
    PageStyle("booklet", "a5", 18, 11, table="lines", code="grey"),
    PageStyle("newsletter", "letter", 20, 9, serif=False, columns=2, indented=False, table="shaded", code="framed"),
    PageStyle("manual", "b5", 20, 10, indented=False, numbered=True, table="none", code="grey"),
)
PAPERS = {"a4": (210, 297), "a5": (148, 210), "b5": (176, 250), "letter": (216, 279)}  # millimetres

LATIN = ("en", "de", "fr")
LANGUAGES = {  # of each producer, in turns over the styles
    "pdftex": LATIN,
    "xetex": ("en", "ru", "he", "zh", "ar", "ko", "de"),
    "libreoffice": ("en", "ar", "ru", "ko", "fr", "zh", "he"),
    "weasyprint": ("en", "zh", "he", "ru", "ko", "de", "ar"),
    "reportlab": ("en", "ru", "de"),
    "luatex": ("en", "fr", "ru"),
    "chromium": ("en", "he", "zh", "fr", "ar", "ru", "ko"),
    "typst": ("en", "ar", "ko", "de", "zh", "ru", "he"),
    "groff": LATIN,
}
HELD_OUT_PRODUCERS = {"luatex", "chromium", "typst", "groff"}
HELD_OUT_STYLES = {"booklet", "newsletter", "manual"}


def is_held_out(producer: str, style: str) -> bool:
    return producer in HELD_OUT_PRODUCERS or style in HELD_OUT_STYLES
