"""What TeX's Type 1 fonts call their large signs, which MuPDF has no names for. Knows font programs.

Such a program begins in clear text: `dup 18 /parenleftbigg put` says what stands under code 18.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from docparse_fast.mupdf import pymupdf

CODE = re.compile(rb"dup\s+(\d{1,3})\s*/([\w.]{1,40})\s+put")
LONGEST_HEAD = 100_000  # bytes
HEX = re.compile(r"uni([0-9A-F]{4})|u([0-9A-F]{4,6})")
ENDING = re.compile(r"(?:[Bb]igg?|text|display|double|low|A|\d)$|\..*$|wider$|widest$")
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
            found[base] = {**found.get(base, {}), **signs_of_program(head.partition(b"eexec")[0])}
    return found


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
