"""What a font's glyphs are: characters and styles by their names, and pieces that are one symbol in print."""

from __future__ import annotations

import re
import string
import subprocess
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

EXTRA = {  # names of glyphs that TeX's own table doesn't know, or that fonts give to another shape
    "epsilon1": "ϵ", "epsilon": "ε", "theta1": "ϑ", "rho1": "ϱ", "sigma1": "ς", "pi1": "ϖ", "omega1": "ϖ",
    "vector": "⃗", "negationslash": "̸", "hatwide": "ˆ", "tildewide": "˜", "radical": "√",
    "radicaltp": "√+", "radicalvertex": "√+", "radicalbt": "√+",
    "hatwider": "ˆ", "hatwidest": "ˆ", "arrowhookleft": "↪", "arrowhookright": "↩", "mapsto": "↦", "vextendsingle": "|",
    "vextenddouble": "‖", "arrowvertex": "|", "arrowvertexdbl": "‖", "bardbl": "‖", "mid": "|", "parallel": "‖",
    "integral": "∫", "contintegral": "∮", "summation": "∑", "product": "∏", "coproduct": "∐", "union": "∪",
    "intersection": "∩", "logicaland": "∧", "logicalor": "∨", "circleplus": "⊕", "circlemultiply": "⊗",
    "asteriskmath": "∗",
    "asterisk": "∗", "periodcentered": "·", "dotmath": "·", "bracehtipdownleft": "⏞l", "bracehtipdownright": "⏞r",
    "bracehtipupleft": "⏟l", "bracehtipupright": "⏟r", "macron": "¯", "overscore": "¯", "dotaccent": "˙",
    "prime": "′", "minute": "′", "backslash": "∖", "slurabove": "⌢", "hyphen": "-", "quoteright": "’", "dotlessi": "ı",
    "dotlessj": "ȷ", "ell": "ℓ", "lscript": "ℓ", "weierstrass": "℘", "Ifractur": "ℑ", "Rfractur": "ℜ", "hslash": "ℏ",
    "precedesequal": "⪯", "followsequal": "⪰", "square": "□", "squaresolid": "■", "triangle": "△", "colon": ":",
    "ddotacc": "¨", "dotacc": "˙", "vec": "⃗", "hat5": "ˆ", "hat6": "ˆ", "simequal": "≃", "doteq": "≐", "barex": "|",
    "bardblex": "‖", "suppress": "-",
}  # fmt: skip
BIG_FORMS = {"∪": "⋃", "∩": "⋂", "∧": "⋀", "∨": "⋁", "⊕": "⨁", "⊗": "⨂"}
SAME = {
    "∣": "|", "∥": "‖", "*": "∗", "⋅": "·", "∙": "·", "˗": "-", "‐": "-", "∆": "Δ", "Ω": "Ω", "µ": "μ",
    "〈": "⟨", "〉": "⟩",
    "⨯": "×", "﹣": "−", "⧵": "∖", "\\": "∖", "´": "´", "∶": ":", "⩽": "⩽", "ħ": "ℏ", "⋆": "⋆", "◦": "∘", "●": "•",
    "̂": "ˆ", "̃": "˜", "̄": "¯", "̇": "˙", "̈": "¨", "̌": "ˇ", "̆": "˘", "́": "´", "̀": "`", "̊": "˚",
    "◁": "⊲", "⟂": "⊥",
}  # fmt: skip
SIZES = re.compile(r"(big|Big|bigg|Bigg|text|display|wider|widest|wide|bigg?1|\d*)$")
PIECE = re.compile(r"^(paren|bracket|brace)(left|right)(tp|bt|ex|mid)A?$")
PIECES = {
    "parenleft": "(",
    "parenright": ")",
    "bracketleft": "[",
    "bracketright": "]",
    "braceleft": "{",
    "braceright": "}",
}
KEPT = frozenset("¨´¯˙˜ˆ˚˘ϵϑϱϖϕςℏℓ℘ℑℜℵ…″′∬∭")  # NFKC would take these apart, or for another letter
STYLES = ("upright", "italic", "bold", "calligraphic", "blackboard", "fraktur")
FRAKTUR = re.compile(r"EUF|frak|fraktur", re.IGNORECASE)
BLACKBOARD = re.compile(r"MSBM|bbold|dsrom|Bbb|symb.*bb|vvarbb|Blackb|bb\b", re.IGNORECASE)
CALLIGRAPHIC = re.compile(
    r"RSFS|EUSM|CMSY|CMBSY|eusm|[Ss]cr|[Cc]al|-Symbo|rtxsy|tx-?sy|px-?sy|BoondoxUp|MSYM|psyro", re.IGNORECASE
)
ITALIC = re.compile(
    r"CMMI|CMTI|CMSL|CMMIB|[Ii]talic|Obliq|-It|math-?it|mi\d|MI\b|EURM|LMMathIt|LMRoman\w*-Ital|slant|RMI|mia|Slan"
)
BOLD = re.compile(r"CMBX|CMMIB|[Bb]old|-Bol|-Bd|EURB|Heavy|Semi")


@cache
def names_table() -> dict[str, str]:
    path = subprocess.run(
        ["kpsewhich", "glyphtounicode.tex"], capture_output=True, text=True, check=True
    ).stdout.strip()
    found = {}
    for name, codes in re.findall(r"\\pdfglyphtounicode\{([^}]+)\}\{([0-9A-F ]+)\}", Path(path).read_text()):
        halves = "".join(chr(int(code, 16)) for code in codes.split() if len(code) < 6)
        found[name] = halves.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return found


def character(name: str, shown: int) -> str:
    """What a glyph is, by its name; by its code where the name says nothing."""
    piece = PIECE.match(name)
    if piece:
        return PIECES[piece[1] + piece[2]] + "+"
    table = names_table()
    found = EXTRA.get(name) or table.get(name, "")
    if not found or "\ue000" <= found[0] <= "\uf8ff":
        base = SIZES.sub("", name.split(".")[0])
        found = EXTRA.get(base) or table.get(base, "")
        if name.endswith(("display", "text")) and found in BIG_FORMS:
            found = BIG_FORMS[found]
    if not found and shown not in (0, 0xFFFD) and not 0xD800 <= shown < 0xF900:
        found = chr(shown)
    if len(found) == 1 and found not in KEPT:
        found = unicodedata.normalize("NFKC", found)
    return SAME.get(found, found)


def is_letter(char: str) -> bool:
    return len(char) == 1 and unicodedata.category(char) in ("Lu", "Ll", "Lo")


def style(font: str, char: str) -> str:
    if not is_letter(char):
        return "upright"
    if FRAKTUR.search(font):
        return "fraktur"
    if BLACKBOARD.search(font) and char.isascii():
        return "blackboard"
    if CALLIGRAPHIC.search(font) and char.isascii() and char.isupper():
        return "calligraphic"
    if BOLD.search(font):
        return "bold"
    return "italic" if ITALIC.search(font) else "upright"


def joined(found: list[list[Any]]) -> list[list[Any]]:
    """Pieces that are one symbol in print: struck relations, long arrows, tall braces."""
    made: list[list[Any]] = []
    waiting: list[list[Any]] = []  # a slash that strikes the next symbol
    for symbol in found:
        last = made[-1] if made else None
        if symbol[0] in STRIKING or (symbol[0] == "↦" and symbol[4] - symbol[2] < TICK * symbol[7]):
            waiting.append(symbol)
        elif waiting:
            made.append(_struck(waiting.pop(), symbol))
        elif last and _extends(last, symbol):
            made[-1] = _around(last, symbol, LONG.get((last[0], symbol[0]), last[0]))
        else:
            made.append(symbol)
    return [[symbol[0][:1] + symbol[0][1:].rstrip("+"), *symbol[1:8]] for symbol in _braces(made)]


STRIKING = ("̸", "↪")
TICK = 0.2  # of the size: the upright of a mapping arrow that is made of two pieces
LONG = {("−", "→"): "→", ("←", "−"): "←", ("⇐", "⇒"): "⇔", ("=", "⇒"): "⇒", ("⇐", "="): "⇐", ("←", "→"): "↔",
        ("|", "="): "⊨",
        ("|", "−"): "⊢", (":", "="): ":="}  # fmt: skip


def _extends(last: list[Any], symbol: list[Any]) -> bool:
    beside = symbol[2] < last[4] - 0.02 * symbol[7] and abs(symbol[6] - last[6]) < 0.01 * symbol[7]
    above = (
        symbol[0] in (last[0], "⎪") and last[0][0] in "()[]{}|‖√⎪" and min(symbol[4], last[4]) > max(symbol[2], last[2])
    )
    tall = symbol[0].endswith("+") or symbol[0] in "|‖⎪"
    return (beside and (last[0], symbol[0]) in LONG and LONG[last[0], symbol[0]] != ":=") or (
        above and tall and symbol[3] < last[5] + 0.3 * symbol[7]
    )


def _around(a: list[Any], b: list[Any], char: str) -> list[Any]:
    box = [min(a[2], b[2]), min(a[3], b[3]), max(a[4], b[4]), max(a[5], b[5])]
    return [char, a[1], *box, a[6], max(a[7], b[7]), a[8]]


def _struck(slash: list[Any], symbol: list[Any]) -> list[Any]:
    if slash[0] in "↦↪":
        return _around(slash, symbol, slash[0])
    return _around(slash, symbol, unicodedata.normalize("NFC", symbol[0] + "̸"))


def _braces(found: list[list[Any]]) -> list[list[Any]]:
    """Each horizontal brace out of its four pieces; over it, the tips point down."""
    pieces = [symbol for symbol in found if symbol[0][0] in "⏞⏟" and len(symbol[0]) > 1]
    rest = [symbol for symbol in found if symbol not in pieces]
    for n in range(0, len(pieces) - 3, 4):
        four = pieces[n : n + 4]
        whole = four[0]
        for piece in four[1:]:
            whole = _around(whole, piece, whole[0][0])
        rest.append(["⏞" if four[0][0].startswith("⏞") else "⏟", *whole[1:]])
    return rest


SMALL = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho "
    "sigma varsigma tau upsilon phi varphi chi psi omega"
)
LARGE = "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
GREEK = dict(zip(SMALL.split(), "αβγδϵεζηθϑικλμνξπϖρϱσςτυϕφχψω", strict=True))
CAPITALS = dict(zip(LARGE.split(), "ΓΔΘΛΞΠΣΥΦΨΩ", strict=True))
ALPHABETS = {"italic": "%s", "upright": "\\mathrm{%s}", "bold": "\\mathbf{%s}", "calligraphic": "\\mathcal{%s}",
             "blackboard": "\\mathbb{%s}", "fraktur": "\\mathfrak{%s}"}  # fmt: skip


def probes() -> list[tuple[str, str, str]]:
    """What shows a font's letters by themselves: LaTeX, character, style. Fonts' own names for them mislead."""
    found = []
    for drawn, written in ALPHABETS.items():
        letters = string.ascii_uppercase if drawn in ("calligraphic", "blackboard") else string.ascii_letters
        found += [(written % letter, letter, drawn) for letter in letters]
    found += [(f"\\{name}", char, "italic") for name, char in GREEK.items()]
    found += [(f"\\{name}", char, "upright") for name, char in CAPITALS.items()]
    found += [(f"\\boldsymbol{{\\{name}}}", char, "bold") for name, char in (GREEK | CAPITALS).items()]
    found += [(f"\\boldsymbol{{{letter}}}", letter, "bold") for letter in string.ascii_letters]
    texts = (("\\textit", "italic"), ("\\textbf", "bold"), ("\\textrm", "upright"))
    found += [
        (f"\\mbox{{{command}{{{letter}}}}}", letter, s) for command, s in texts for letter in string.ascii_letters
    ]
    return found
