"""Names the signs of TeX's fonts that MuPDF has no names for, by their codes in the font.

A second extraction gives the codes, and the boxes of the ink. The codes are those of TeX's encodings for mathematics.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Any

from docparse_fast.pages.accents import put_accents_back
from docparse_fast.pages.sign_names import names_of_codes
from docparse_fast.pages.symbols import UNKNOWN
from docparse_fast.system.mupdf import pymupdf, word_heights

MATH_FONT = re.compile(
    r"CM(MI|SY|EX|BSY|MIB)|MSBM|MSAM|EUFM|EUSM|RSFS|math|symbol|MT-?(Extra|SY|MI|EX)|Euclid-?Extra|wasy|stmary"
    r"|r?(tx|px)(mi|sy|ex)|fourier-m|kp(mi|sy|ex)|-mex|BBOLD|dsrom|bbm",
    re.IGNORECASE,
)
LARGE_SIGNS = (
    "()[]⌊⌋⌈⌉{}⟨⟩|∥/∖()()[]⌊⌋⌈⌉{}⟨⟩/∖()[]⌊⌋⌈⌉{}⟨⟩/∖/∖⎛⎞⎡⎤⎣⎦⎢⎥⎧⎫⎩⎭⎨⎬⎪⏐"
    "⎝⎠⎜⎟⟨⟩⨆⨆∮∮⨀⨀⨁⨁⨂⨂∑∏∫⋃⋂⨄⋀⋁∑∏∫⋃⋂⨄⋀⋁∐∐ˆˆˆ˜˜˜[]⌊⌋⌈⌉{}√√√√⎷⎷⎷⇕↑↓⏞⏞⏟⏟⇑⇓"
)
TABLES: tuple[tuple[re.Pattern[str], Mapping[int, str]], ...] = (
    (
        re.compile(r"CMEX|(?:tx|px|kp)\w*ex\w*|[a-z]ex[absx]?\d*$|-mex|mathex|extension", re.IGNORECASE),
        dict(enumerate(LARGE_SIGNS)),
    ),
    (re.compile(r"CMM?IB?\d|CMMI|math-?ital|[tp]xmi", re.IGNORECASE), {0x2C: "⸦", 0x2D: "⸧"}),  # hooks of arrows
    (re.compile(r"CMB?SY|math-?symbols|[tp]xsy", re.IGNORECASE), {0x36: "\u0338", 0x37: "⊦"}),
    (re.compile(r"MSAM", re.IGNORECASE), {0x05: "·", 0x39: "⟯", 0x4B: "⇢", 0x4C: "⇠"}),
    (re.compile(r"MSBM", re.IGNORECASE), {0x5B: "ˆ", 0x5C: "ˆ", 0x5D: "˜", 0x5E: "˜"}),
)

EQUATES = frozenset("=<>≤≥≠≈∈−×(")
FEW = 3  # variables on a page
ITALIC = 2  # MuPDF's flag of a font
STROKE = "\u0338"
INVISIBLE = "\u200b"

Raw = Mapping[str, Any]  # MuPDF's rawdict


def is_mathematical(raw: Raw) -> bool:
    """Whether a page has type made for mathematics, or variables."""
    runs = list(_runs(raw))
    return any(MATH_FONT.search(font) for font in {run["font"] for run in runs}) or _has_variables(runs)


def _has_variables(runs: Sequence[Raw]) -> bool:
    """Whether slanted letters stand before equals signs, as in papers that have no type for mathematics."""
    texts = [("".join(char["c"] for char in run["chars"]).strip(), run["flags"] & ITALIC) for run in runs]
    texts = [text for text in texts if text[0]]
    found = (
        slanted and len(text) == 1 and text.isalpha() and following[:1] in EQUATES
        for (text, slanted), (following, _) in pairwise(texts)
    )
    return sum(1 for _ in islice(filter(None, found), FEW)) == FEW


def with_ink(raw: Raw, page: pymupdf.Page, flags: int) -> Raw:
    """The page's characters with the boxes of their ink; those with a code in a known font are named."""
    characters, coded = list(_characters(raw)), list(_characters(_coded(page, flags)))
    if len(characters) == len(coded):
        names = _Names(page, characters)
        for (font, char), (_, code) in zip(characters, coded, strict=True):
            char["ink"] = code["bbox"]
            if char["c"] == UNKNOWN:
                char["c"] = names.of(font, ord(code["c"]))
    put_accents_back((char for _, char in characters), page)
    _put_back(raw)
    return raw


class _Names:
    """The signs under a font's codes: as its own program says, or as TeX's encodings have them."""

    def __init__(self, page: pymupdf.Page, characters: Sequence[tuple[str, Raw]]) -> None:
        unknown = frozenset(font for font, char in characters if char["c"] == UNKNOWN)
        self.told = names_of_codes(page, unknown) if unknown else {}

    def of(self, font: str, code: int) -> str:
        sign = self.told.get(font, {}).get(code)
        return sign or _table(font).get(code, UNKNOWN)


def _put_back(raw: Raw) -> None:
    """MuPDF moves signs that print over others to the sign before them; in TeX's files they belong to the next."""
    signs = list(_characters(raw))
    for (font, sign), (_, following) in pairwise(signs):
        if not unicodedata.combining(sign["c"][:1] or " ") or not MATH_FONT.search(font):
            continue
        if sign["c"] == STROKE:
            crossed = unicodedata.normalize("NFC", following["c"] + STROKE)
            if len(crossed) == 1:
                following["c"], sign["c"] = crossed, INVISIBLE
        elif sign["c"] != STROKE and following["c"].isalpha():
            following["c"], sign["c"] = following["c"] + sign["c"], INVISIBLE


def _coded(page: pymupdf.Page, flags: int) -> Raw:
    """Codes instead of characters without a name; ink instead of boxes as high as the type."""
    with word_heights(corrected=False):
        raw: Raw = page.get_text("rawdict", flags=flags | pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE)
    return raw


def _table(font: str) -> Mapping[int, str]:
    return next((table for name, table in TABLES if name.search(font)), {})


def _runs(raw: Raw) -> Iterator[Raw]:
    return (run for block in raw["blocks"] for line in block.get("lines", ()) for run in line["spans"])


def _characters(raw: Raw) -> Iterator[tuple[str, dict[str, Any]]]:
    """The file's own; MuPDF adds blanks, not always the same ones."""
    return ((run["font"], char) for run in _runs(raw) for char in run["chars"] if not char.get("synthetic"))
