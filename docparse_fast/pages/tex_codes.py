"""Characters that TeX's bitmap fonts have under control codes: ligatures, dashes and quotation marks.

Knows MuPDF's rawdict. Such a font has no names for its characters, so a code stands for itself: `first` reads as a code
and `rst`. The codes of the ligatures tell which of TeX's two encodings it has.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

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
}
DASHES = {code: NEW_SIGNS[code] for code in (0x15, 0x16)}
PRINTABLE = 0.85  # of a font's characters on a page: in another encoding fewer are


def name_codes(raw: Iterable[_Raw]) -> None:
    """Gives the coded characters of a page's blocks their names, in place."""
    runs: dict[str, list[_Run]] = defaultdict(list)
    for block in raw:
        for line in block.get("lines", ()):
            for run in line["spans"]:
                runs[run["font"]].append(run)
    for members in runs.values():
        table = _table(members)
        for char in (char for run in members for char in run["chars"]) if table else ():
            char["c"] = table.get(ord(char["c"]), char["c"]) if len(char["c"]) == 1 else char["c"]


def _table(runs: Iterable[_Run]) -> dict[int, str]:
    counts = Counter(char["c"] for run in runs for char in run["chars"] if not char.get("synthetic"))
    codes = Counter({ord(char): count for char, count in counts.items() if len(char) == 1 and char < " "})
    if not codes or sum(count for char, count in counts.items() if char >= " ") < PRINTABLE * counts.total():
        return {}
    old, new = (sum(codes[code] for code in table) for table in (OLD, NEW))
    if max(old, new) == 0:
        return DASHES if codes.keys() <= DASHES.keys() else {}
    return {**OLD, **OLD_SIGNS} if old > new else {**NEW, **NEW_SIGNS}
