"""What TeX's Type 1 fonts call their signs. Knows font programs, encodings and maps to Unicode.

Such a program begins in clear text: `dup 18 /parenleftbigg put` says what stands under code 18. An encoding says the
same: `/Differences [18 /parenleftbigg]`. Some writers of PDF add maps to Unicode that contradict these names, and
MuPDF believes the map.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from docparse_fast.pages.coded_names import Font
from docparse_fast.system.mupdf import pymupdf

CODE = re.compile(rb"dup\s+(\d{1,3})\s*/([\w.]{1,40})\s+put")
DIFFERENCES = re.compile(r"/Differences\s*\[(.*?)\]", re.DOTALL)
NAMED = re.compile(r"/([\w.]+)|(\d+)")
MAPPED = re.compile(rb"<([0-9A-Fa-f]{2})>\s*(?:<\1>\s*)?<([0-9A-Fa-f]{2,8})>")
LONGEST_HEAD = 100_000  # bytes
LONGEST_MAP = 100_000
SPOKEN = re.compile(r"[A-Za-z]{3,}1?")  # a name that says what the sign is, unlike `g12`
HEX = re.compile(r"uni([0-9A-F]{4})|u([0-9A-F]{4,6})")
ENDING = re.compile(r"(?:[Bb]igg?|text|display|double|low|A|\d)$|\.(?s:.*)|wider$|widest$")
SIGNS = {
    "parenleft": "(", "parenright": ")", "bracketleft": "[", "bracketright": "]", "braceleft": "{", "braceright": "}",
    "floorleft": "⌊", "floorright": "⌋", "ceilingleft": "⌈", "ceilingright": "⌉", "angbracketleft": "⟨",
    "angbracketright": "⟩", "angleleft": "⟨", "angleright": "⟩", "barex": "|", "vextendsingle": "|", "bar": "|",
    "vextenddouble": "∥", "bardbl": "∥", "slash": "/", "backslash": "∖",
    "parenlefttp": "⎛", "parenleftex": "⎜", "parenleftbt": "⎝", "parenrighttp": "⎞", "parenrightex": "⎟",
    "parenrightbt": "⎠", "bracketlefttp": "⎡", "bracketleftex": "⎢", "bracketleftbt": "⎣", "bracketrighttp": "⎤",
    "bracketrightex": "⎥", "bracketrightbt": "⎦", "bracelefttp": "⎧", "braceleftmid": "⎨", "braceleftbt": "⎩",
    "bracerighttp": "⎫", "bracerightmid": "⎬", "bracerightbt": "⎭", "braceex": "⎪",
    "summation": "∑", "product": "∏", "coproduct": "∐", "integral": "∫", "contintegral": "∮", "iinteg": "∬",
    "union": "⋃", "intersection": "⋂", "unionmulti": "⨄", "unionsq": "⨆", "logicaland": "⋀", "logicalor": "⋁",
    "circleplus": "⨁", "circlemultiply": "⨂", "circledot": "⨀",
    "radical": "√", "radicalbt": "⎷", "radicalvertex": "⎷", "radicaltp": "⎷",
    "hat": "ˆ", "tilde": "˜", "hatwide": "ˆ", "tildewide": "˜", "dotacc": "˙", "ddotacc": "¨", "vec": "\u20d7",
    "vector": "\u20d7", "bracehtipdownleft": "⏞", "bracehtipdownright": "⏞", "bracehtipupleft": "⏟",
    "bracehtipupright": "⏟", "bracehext": "⏟",
    "simequal": "≅", "nequal": "≠", "mapstochar": "⊦", "negationslash": "\u0338", "arrowhookleft": "⸦",
    "hookrightchar": "⸦", "arrowhookright": "⸧", "hookleftchar": "⸧", "emptysetstress": "∅", "lscript": "ℓ",
    "minus": "−", "equal": "=", "plus": "+",
}  # fmt: skip


def names_of_codes(page: pymupdf.Page, fonts: frozenset[str]) -> dict[str, Mapping[int, str]]:
    """For each of these fonts of a page whose program names its codes, the signs."""
    found: dict[str, Mapping[int, str]] = {}
    for xref, _, kind, name, *_ in page.get_fonts():
        base = name.rpartition("+")[2]
        if kind == "Type1" and base in fonts:
            head = page.parent.extract_font(xref)[3][:LONGEST_HEAD]
            program = signs_of_program(head.partition(b"eexec")[0])
            named = ((code, sign_named(name)) for code, name in _differences(page.parent, xref))
            told = {code: sign for code, sign in named if sign is not None}
            found[base] = {**found.get(base, {}), **program, **told}
    return found


def without_wrong_maps(file: pymupdf.Document, fonts: Iterable[Font], named: re.Pattern[str]) -> bool:
    """Takes maps to Unicode that contradict the signs' names from those fonts that are so named; whether any did."""
    type_1 = (xref for xref, _, kind, name, *_ in fonts if kind == "Type1" and named.search(name))
    wrong = [xref for xref in type_1 if _contradicts(file, xref)]
    for xref in wrong:
        file.xref_set_key(xref, "ToUnicode", "null")
    return bool(wrong)


def _contradicts(file: pymupdf.Document, xref: int) -> bool:
    kind, reference = file.xref_get_key(xref, "ToUnicode")
    if kind != "xref":
        return False
    stream = file.xref_stream(int(reference.split()[0])) or b""
    told = {int(code, 16): _character(text) for code, text in MAPPED.findall(stream[:LONGEST_MAP])}
    return any(code in told and is_another(name, told[code]) for code, name in _differences(file, xref))


def is_another(name: str, told: str) -> bool:
    """Whether a map's character can't be the sign of this name.

    >>> is_another("beta", "´"), is_another("beta", "β"), is_another("bar", "♣"), is_another("A", "𝒜")
    (True, False, True, False)
    """
    if not SPOKEN.fullmatch(name):
        return False
    sign = SIGNS.get(name) or chr(pymupdf.mupdf.fz_unicode_from_glyph_name(name))
    plain = unicodedata.normalize("NFKC", told)[:1] or " "
    if _is_greek(sign):
        return not _is_greek(plain) and unicodedata.category(told[:1] or " ") != "Sm"
    return unicodedata.category(sign) == "Sm" and unicodedata.category(plain) in ("Lu", "Ll", "So", "Sk", "No")


def _is_greek(char: str) -> bool:
    return "GREEK" in unicodedata.name(char, "")


def _character(code: bytes) -> str:
    text = bytes.fromhex(code.decode("ascii").zfill(4))
    return text.decode("utf-16-be", errors="replace")


def _differences(file: pymupdf.Document, xref: int) -> Iterator[tuple[int, str]]:
    """The codes that the font's encoding names."""
    kind, encoding = file.xref_get_key(xref, "Encoding")
    if kind == "xref":
        encoding = file.xref_object(int(encoding.split()[0]))
    listed = DIFFERENCES.search(encoding)
    code = 0
    for name, number in NAMED.findall(listed[1]) if listed else ():
        if number:
            code = int(number)
        else:
            yield code, name
            code += 1


@lru_cache(maxsize=64)
def signs_of_program(head: bytes) -> Mapping[int, str]:
    named = ((int(code), sign_named(name.decode("ascii"))) for code, name in CODE.findall(head))
    return {code: sign for code, sign in named if sign is not None}


def sign_named(name: str) -> str | None:
    """
    >>> [sign_named(name) for name in ("parenleftbigg", "summationdisplay.1", "uni210F.var", "radicalBigg", "A")]
    ['(', '∑', 'ℏ', '√', None]
    """
    code = HEX.match(name)
    if code:
        point = int(code[1] or code[2], 16)
        return chr(point) if chr(point) > " " and point <= 0x10FFFF else None
    while name not in SIGNS:
        shorter = ENDING.sub("", name)
        if shorter == name:
            return None
        name = shorter
    return SIGNS[name]
