"""Type 3 fonts that name their characters by the codes themselves, in ways that MuPDF misreads.

Drivers of TeX's bitmap fonts write `/1` or `/x31` or `/#2331` for the character under code 49. MuPDF takes the first
for the character 1, a control code, and knows none of the others below code 32, where TeX has its ligatures. Such a
font gets a map to Unicode.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from docparse_fast.pages.symbols import UNKNOWN
from docparse_fast.pages.tex_codes import table_of
from docparse_fast.system.mupdf import pymupdf

DIFFERENCES = re.compile(r"/Differences\s*\[(.*?)\]", re.DOTALL)
ENTRY = re.compile(r"/([^\s/\[\]<>(){}%]*)|(\d+)")
ESCAPED = re.compile(r"#([0-9A-Fa-f]{2})")
BY_HEX, BY_NUMBER = re.compile(r"[#xX]?([0-9A-Fa-f]{2})"), re.compile(r"[A-Za-z]{1,2}(\d{1,3})")
UNDEFINED = ".notdef"
NEARLY_ALL = 0.9  # of a font's names say their codes
PRINTABLE = 0.7  # of its codes are printable characters: fonts made of a scan's letters count from 0
MAP = """begincmap
1 begincodespacerange
<00> <FF>
endcodespacerange
{count} beginbfchar
{pairs}endbfchar
endcmap"""

Font = tuple[int, str, str, str, str, str]  # as PyMuPDF lists a page's fonts


def name_by_codes(file: pymupdf.Document, fonts: Iterable[Font]) -> bool:
    """Gives such fonts a map that says the codes; whether there were any."""
    found = False
    for xref in (font[0] for font in fonts if font[2] == "Type3"):
        if file.xref_get_key(xref, "ToUnicode")[0] == "xref":
            continue
        names = dict(names_of(encoding_of(file, xref)))
        if _are_codes(names) and any(is_misread(code, name) for code, name in names.items()):
            file.xref_set_key(xref, "ToUnicode", f"{map_to_unicode(file, _meant(names))} 0 R")
            found = True
    return found


def names_of(encoding: str) -> Iterator[tuple[int, str]]:
    """
    >>> list(names_of("<</Differences[12/#230C 49/1/two]>>"))
    [(12, '#0C'), (49, '1'), (50, 'two')]
    """
    listed, code = DIFFERENCES.search(encoding), 0
    for name, number in ENTRY.findall(listed[1]) if listed else ():
        if number:
            code = int(number)
        else:
            if name != UNDEFINED:
                yield code, ESCAPED.sub(lambda found: chr(int(found[1], 16)), name)
            code += 1


def is_misread(code: int, name: str) -> bool:
    """Whether MuPDF reads something else than this code.

    >>> [is_misread(*named) for named in ((49, "1"), (12, "#0C"), (12, "a12"), (65, "A"))]
    [True, True, False, False]
    """
    return int(pymupdf.mupdf.fz_unicode_from_glyph_name(name)) != code and BY_NUMBER.fullmatch(name) is None


def _meant(codes: Iterable[int]) -> dict[int, str]:
    """Each code is a character of TeX's, or stands for itself."""
    codes = list(codes)
    table = table_of(codes)
    return {code: table.get(code) or (chr(code) if code >= ord(" ") else UNKNOWN) for code in codes}


def map_to_unicode(file: pymupdf.Document, named: Mapping[int, str]) -> int:
    """The number of a new map that says what stands under these codes."""
    pairs = "".join(f"<{code:02X}> <{char.encode('utf-16-be').hex()}>\n" for code, char in named.items())
    number = int(file.get_new_xref())
    file.update_object(number, "<<>>")
    file.update_stream(number, MAP.format(count=len(named), pairs=pairs).encode("ascii"))
    return number


def encoding_of(file: pymupdf.Document, xref: int) -> str:
    kind, encoding = file.xref_get_key(xref, "Encoding")
    return str(file.xref_object(int(encoding.split()[0])) if kind == "xref" else encoding)


def _are_codes(names: dict[int, str]) -> bool:
    said = sum(_says(name, code) for code, name in names.items())
    printable = sum(" " <= chr(code) <= "~" for code in names)
    return said >= NEARLY_ALL * len(names) and printable >= PRINTABLE * len(names)


def _says(name: str, code: int) -> bool:
    if len(name) == 1:
        return ord(name) == code
    by_hex, by_number = BY_HEX.fullmatch(name), BY_NUMBER.fullmatch(name)
    return (by_hex is not None and int(by_hex[1], 16) == code) or (by_number is not None and int(by_number[1]) == code)
