"""Characters that TeX's bitmap fonts have under control codes: ligatures, dashes and quotation marks.

Knows MuPDF's rawdict. Such a font has no names for its characters, so a code stands for itself: `first` reads as a code
and `rst`. The codes of the ligatures tell which of TeX's two encodings it has.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from docparse_fast.pages.symbols import UNKNOWN

_Raw = Mapping[str, Any]
_Run = dict[str, Any]

OLD = {0x0B: "ff", 0x0C: "fi", 0x0D: "fl", 0x0E: "ffi", 0x0F: "ffl"}  # OT1
OLD_SIGNS = {ord("{"): "–", ord("|"): "—", ord("\\"): "“", ord('"'): "”", 0x10: "ı", 0x19: "ß", 0x1A: "æ", 0x1B: "œ"}
NEW = {0x1B: "ff", 0x1C: "fi", 0x1D: "fl", 0x1E: "ffi", 0x1F: "ffl"}  # T1
NEW_SIGNS = {
    0x0D: "‚",
    0x0E: "‹",
    0x0F: "›",
    0x10: "“",
    0x11: "”",
    0x12: "„",
    0x13: "«",
    0x14: "»",
    0x15: "–",
    0x16: "—",
    **dict(enumerate("ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£", 0x80)),
    0xD7: "Œ",
    0xDF: "SS",
    0xF7: "œ",
    0xFF: "ß",
}
DASHES = {code: NEW_SIGNS[code] for code in (0x15, 0x16)}
LARGE_SIGNS = "CMEX"  # a font whose codes have names of their own
BITMAPS = re.compile(r"F\d+|F[a-z]{1,2}")  # as pdfTeX and dvips name fonts that have no name
PRINTABLE = 0.85  # of a font's characters on a page: in another encoding fewer are


def name_codes(raw: Iterable[_Raw]) -> None:
    """Gives the coded characters of a page's blocks their names, in place."""
    runs: dict[str, list[_Run]] = defaultdict(list)
    for block in raw:
        for line in block.get("lines", ()):
            for run in line["spans"]:
                runs[run["font"]].append(run)
    for font, members in runs.items():
        counts = Counter(char["c"] for run in members for char in run["chars"] if not char.get("synthetic"))
        codes = Counter({ord(char): count for char, count in counts.items() if len(char) == 1 and char < " "})
        if not codes and BITMAPS.fullmatch(font):
            for char in (char for run in members for char in run["chars"] if char["c"] == "ÿ"):
                char["c"] = "ß"  # of the two encodings only T1 has this code, and hardly any word has a `ÿ`
        if codes and LARGE_SIGNS not in font:
            printable = sum(count for char, count in counts.items() if char >= " ")
            table = table_of(codes.elements()) if printable >= PRINTABLE * counts.total() else {}
            for char in (char for run in members for char in run["chars"]):
                char["c"] = _name(char, table)


def _name(char: Mapping[str, Any], table: Mapping[int, str]) -> str:
    """A code without a name is drawn nevertheless, unless it has no ink."""
    code = str(char["c"])
    if len(code) != 1:
        return code
    ink = char["bbox"][3] - char["bbox"][1] if code < " " else 0.0
    return table.get(ord(code)) or (UNKNOWN if ink > 0 else code)


def table_of(codes: Iterable[int]) -> Mapping[int, str]:
    """The characters of the encoding that has its ligatures under these codes.

    >>> table_of([0x0C, 0x61])[0x7B], table_of([0x1C, 0xC9])[0x16], table_of([0x61])
    ('–', '—', {})
    """
    counts = Counter(codes)
    old, new = (sum(counts[code] for code in table) for table in (OLD, NEW))
    if max(old, new) == 0:
        low = {code for code in counts if code < ord(" ")}
        return DASHES if low and low <= DASHES.keys() else {}
    return {**OLD, **OLD_SIGNS} if old > new else {**NEW, **NEW_SIGNS}
