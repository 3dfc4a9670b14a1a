"""Fonts of mathematical signs whose characters have the names of Latin letters: `=` is called `onequarter`.

Publishers set papers with MathTime's symbols: TeX's codes, and above them brackets, plus and equals signs. Their PDFs
call a sign by its code (`C2`), or as Latin text has it under that code, and MuPDF believes them. Such a font gets a map
to Unicode.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from docparse_fast.pages.coded_names import Font, encoding_of, map_to_unicode, names_of
from docparse_fast.system.mupdf import pymupdf

# As TeX has them from code 0 on
SIGNS = (
    "−⋅×∗÷⋄±∓⊕⊖⊗⊘⊙◯∘•≍≡⊆⊇≤≥≼≽∼≈⊂⊃≪≫≺≻←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝′∞∈∋△▽\u0338⊦∀∃¬∅ℜℑ⊤⊥"
    "ℵABCDEFGHIJKLMNOPQRSTUVWXYZ∪∩⊎∧∨⊢⊣⌊⌋⌈⌉{}⟨⟩|∥↕⇕∖≀√∐∇∫⊔⊓⊑⊒§†‡¶♣♢♡♠"
)
ABOVE = {0x8A: "]", 0xBC: "=", 0xBD: "[", 0xDE: ")", 0xF0: "(", 0xFE: "+"}
TELLING = frozenset(("onequarter", "onehalf", "Thorn", "eth", "thorn", "C138"))
CODE = re.compile(r"C(\d{1,3})")
SYMBOLIC = 4  # a flag of a font's description: its characters are no letters


def name_math_signs(file: pymupdf.Document, fonts: Iterable[Font]) -> bool:
    """Gives such fonts a map that says the signs; whether there were any."""
    found = False
    for xref in (font[0] for font in fonts if font[2] == "Type1"):
        names = dict(names_of(encoding_of(file, xref)))
        signs = {code: sign for code, name in names.items() if (sign := sign_of(name))}
        if TELLING.intersection(names.values()) and len(signs) == len(names) and _is_symbolic(file, xref):
            file.xref_set_key(xref, "ToUnicode", f"{map_to_unicode(file, signs)} 0 R")
            found = True
    return found


def sign_of(name: str) -> str | None:
    """
    >>> sign_of("onequarter"), sign_of("C2"), sign_of("f"), sign_of("exclam"), sign_of("aacute")
    ('=', '×', '{', '→', None)
    """
    coded = CODE.fullmatch(name)
    code = int(coded[1]) if coded else int(pymupdf.mupdf.fz_unicode_from_glyph_name(name))
    return SIGNS[code] if code < len(SIGNS) else ABOVE.get(code)


def _is_symbolic(file: pymupdf.Document, xref: int) -> bool:
    kind, flags = file.xref_get_key(xref, "FontDescriptor/Flags")
    return kind == "int" and bool(int(flags) & SYMBOLIC)
