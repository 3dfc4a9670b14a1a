"""Finds the meaning of a font's characters: symbols under letters' or private codes, invisible marks, old encodings.

Knows fonts by their names. A sign that has no known name stays U+FFFD; the page image shows it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from docparse_fast.text.characters import has_right_to_left

DINGBATS = str.maketrans("345678lnuHq", "✓✔✕✖✗✘●■◆★❑")  # marks in forms; their codes are those of letters
WINGDINGS = {
    0x22: "✂", 0x28: "☎", 0x2A: "✉", 0x36: "⌛", 0x3F: "✍", 0x41: "✌", 0x46: "☞", 0x4A: "☺", 0x4C: "☹",
    0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□", 0x70: "◻", 0x71: "❑", 0x72: "❒", 0x73: "◆", 0x74: "◆",
    0x75: "◆", 0x76: "❖", 0x77: "◆", 0x78: "☒", 0x9E: "·", 0x9F: "•", 0xA1: "○", 0xA7: "▪", 0xA8: "□",
    0xAB: "★", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xF0: "⇨",
    0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
WINGDINGS_2 = {
    0x4F: "✗",
    0x50: "✓",
    0x51: "☒",
    0x52: "☑",
    0x53: "☒",
    0x54: "☒",
    0x96: "•",
    0x97: "●",
    0xA2: "■",
    0xA3: "□",
}
GREEK = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", "αβχδεφγηιϕκλμνοπθρστυϖωξψζ"
SYMBOL = {
    **{ord("A") + n: char for n, char in enumerate(GREEK[0])},
    **{ord("a") + n: char for n, char in enumerate(GREEK[1])},
    0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2A: "∗", 0x2D: "−", 0x40: "≅", 0x5E: "⊥", 0x7E: "∼", 0xA2: "′", 0xA3: "≤",
    0xA5: "∞", 0xA6: "ƒ", 0xA7: "♣", 0xA8: "♦", 0xA9: "♥", 0xAA: "♠", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→",
    0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB2: "″", 0xB3: "≥", 0xB4: "×", 0xB5: "∝", 0xB6: "∂", 0xB7: "•", 0xB8: "÷",
    0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xBC: "…", 0xC0: "ℵ", 0xC1: "ℑ", 0xC2: "ℜ", 0xC3: "℘", 0xC4: "⊗", 0xC5: "⊕",
    0xC6: "∅", 0xC7: "∩", 0xC8: "∪", 0xC9: "⊃", 0xCA: "⊇", 0xCC: "⊂", 0xCD: "⊆", 0xCE: "∈", 0xCF: "∉", 0xD0: "∠",
    0xD1: "∇", 0xD2: "®", 0xD3: "©", 0xD4: "™", 0xD5: "∏", 0xD6: "√", 0xD7: "⋅", 0xD8: "¬", 0xD9: "∧", 0xDA: "∨",
    0xDB: "⇔", 0xDC: "⇐", 0xDD: "⇑", 0xDE: "⇒", 0xDF: "⇓", 0xE5: "∑", 0xF2: "∫",
}  # fmt: skip
# For fonts whose names say nothing: the bullets of word processors, from either font
BULLETS = {
    0xB7: "•", 0xA7: "▪", 0xD8: "➢", 0xFC: "✓", 0xA8: "□", 0x6F: "□", 0x6C: "●", 0x6E: "■", 0x71: "❑", 0x76: "❖",
    0x9F: "•",
}  # fmt: skip
FONTS: tuple[tuple[re.Pattern[str], dict[int, str]], ...] = (
    (re.compile(r"wingdings ?-?2", re.IGNORECASE), WINGDINGS_2),
    (re.compile(r"wingdings ?-?3", re.IGNORECASE), {}),
    (re.compile(r"wingdings", re.IGNORECASE), WINGDINGS),
    (re.compile(r"(?:^|\+)symbol(?:mt|ps|,|-|$)", re.IGNORECASE), SYMBOL),
)
PICTURE_FONT = re.compile(r"^(?:[A-Z]{6}\+)?l(?:ine|circle)w?10$", re.IGNORECASE)  # LaTeX's lines, arrows and arcs
EURO_FONT = re.compile(r"(?:^|[-+])fey[mb][a-z]\d+$", re.IGNORECASE)  # LaTeX's eurosym: the sign is its `e`
PRIVATE = 0xF000  # to 0xF0FF: codes of symbol fonts on Windows
EXPERT = 0xF700  # to 0xF7FF: Adobe's small capitals and old figures, coded as their plain characters
# MuPDF has no names for TeX's font of large signs, so these are its codes, by ranges
LARGE_SIGNS = "()[]⌊⌋⌈⌉{}⟨⟩|∥/\\()()[]⌊⌋⌈⌉{}⟨⟩/\\()[]⌊⌋⌈⌉{}⟨⟩/\\/\\"
LARGE_OPERATORS = "∑∏∫⋃⋂⨄⋀⋁∑∏∫⋃⋂⨄⋀⋁∐∐"
VARIANTS = frozenset(map(chr, range(0xFE00, 0xFE10)))  # say how the sign before them is drawn
JOINS_NOT = "\u200c"  # separates parts of a Persian word without a blank
UNKNOWN = "\ufffd"
HYPHEN_OF_MAC = "-\u00ad\u2010"  # macOS names one hyphen so
WINDOWS = {0x85: "…", 0x91: "‘", 0x92: "’", 0x93: "“", 0x94: "”", 0x95: "•", 0x96: "–", 0x97: "—", 0x99: "™"}


@lru_cache(maxsize=4096)
def meant(text: str, font: str) -> str:
    """The text that these characters of a font mean.

    >>> meant("\\uf0b7", "ABCDEE+Symbol"), meant("\\uf0a8", "Wingdings-Regular"), meant("l", "Wingdings")
    ('•', '□', '●')
    >>> meant("So\\u00adfa\\x95", "Arial"), meant("\\uf761\\uf762", "MinionExp"), meant("n", "Arial")
    ('So-fa•', 'ab', 'n')
    >>> meant("131-\\u00ad\\u2010458", "Calibri")
    '131-458'
    >>> meant("H", "LINEW10"), meant(" e", "TeX-feymr10")
    ('', ' €')
    """
    if PICTURE_FONT.search(font):
        return ""
    if EURO_FONT.search(font):
        return text.replace("e", "€")
    if "CMEX" in font:
        text = "".join(map(_large_sign, text))
    if "Dingbats" in font:
        text = text.translate(DINGBATS)
    elif "ymbol" in font.lower() or "wingdings" in font.lower():
        text = _of_symbol_font(text, font)
    if text.isascii() and text.isprintable():
        return text
    known = "".join(map(_character, text.replace(HYPHEN_OF_MAC, "-"))).replace("‘‘", "“").replace("’’", "”")
    return known or UNKNOWN * any("\x80" <= char <= "\x9f" for char in text)


def _of_symbol_font(text: str, font: str) -> str:
    table = next((table for name, table in FONTS if name.search(font)), None)
    if not table:
        return text
    codes = (ord(char) - PRIVATE if PRIVATE <= ord(char) <= PRIVATE + 0xFF else ord(char) for char in text)
    return "".join(table.get(code, char) for code, char in zip(codes, text, strict=True))


def _large_sign(char: str) -> str:
    code = ord(char)
    if char in "()[]{}|/":
        return char  # the file names its characters
    if code < len(LARGE_SIGNS) and not char.isspace():
        return LARGE_SIGNS[code]
    if 0x50 <= code < 0x50 + len(LARGE_OPERATORS):
        return LARGE_OPERATORS[code - 0x50]
    return "√" if 0x70 <= code <= 0x74 else char


def _character(char: str) -> str:
    code = ord(char)
    if char == "\u00ad":
        return "-"
    if char.isspace() and code != 0x85:
        return " "
    if 0x80 <= code <= 0x9F:
        return WINDOWS.get(code, "")  # control characters are not drawn
    if PRIVATE <= code <= PRIVATE + 0xFF:
        return BULLETS.get(code - PRIVATE, char)
    if EXPERT + 0x30 <= code <= EXPERT + 0xFF:
        return _plain_letter(code - EXPERT, char)
    if char == JOINS_NOT:
        return char
    if "\ufb1d" <= char <= "\ufefc" and has_right_to_left(char):
        return unicodedata.normalize("NFKC", char)  # the shape of a letter at its place in the word
    if unicodedata.category(char) == "Cn":
        return UNKNOWN
    return "" if unicodedata.category(char) in ("Cc", "Cf") or char in VARIANTS else char


def _plain_letter(code: int, char: str) -> str:
    return chr(code) if chr(code).isalnum() else char
