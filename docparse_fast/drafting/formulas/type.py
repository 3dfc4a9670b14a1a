"""The signs of a formula as they are printed: their styles, by the names of fonts, and their LaTeX. Knows no places."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from docparse_fast.document import Box, TextSpan


class LetterStyle(StrEnum):
    """How a letter is drawn. Signs and digits are `MATH` unless they are bold."""

    MATH = "math"  # slanted letters, and all signs
    ROMAN = "roman"  # upright letters: words, names of functions
    TEXT_ITALIC = "text-italic"  # slanted words, not variables
    BOLD = "bold"
    BOLD_MATH = "bold-math"  # slanted and bold
    CALLIGRAPHIC = "calligraphic"
    SCRIPT = "script"
    BLACKBOARD = "blackboard"
    FRAKTUR = "fraktur"
    SANS = "sans"
    MONO = "mono"


@dataclass(frozen=True, slots=True)
class Glyph:
    """One printed sign.

    `symbol` is LaTeX for the sign alone: `x`, `7`, `+`, `(`, `\\alpha`, `\\leq`, `\\sum`, `\\{`. Marks that belong to
    other signs have the names of their commands: `\\sqrt` is the radical sign, with or without its rule in the box;
    `\\hat`, `\\tilde`, `\\vec`, `\\dot`, `\\widehat` and so on are accents; `\\overbrace` and `\\underbrace` are braces
    that lie. Parts of one tall fence have the fence's symbol each, or `PART` where the part says nothing.
    """

    symbol: str
    box: Box  # the ink
    baseline: float | None = None  # y of the line it stands on, if known
    size: float | None = None  # of the type, in the units of the box, if known
    style: LetterStyle = LetterStyle.MATH
    whole: bool = False  # a fence that the file itself says is no part of a taller one


PART = "\\vert-part"  # a straight part of a tall fence
UNKNOWN = "\ufffd"  # a sign that is there and has no known name


@dataclass(frozen=True, slots=True)
class FormulaReading:
    latex: str  # without dollar signs
    soundness: float  # 0 to 1: how well the geometry fits what was read


NAMES = r"""
    α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu µ mu ν nu
    ξ xi ο o π pi ρ rho σ sigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega ϑ vartheta ς varsigma ϱ varrho
    ϖ varpi ϰ varkappa ϝ digamma Γ Gamma Δ Delta ∆ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi
    Ω Omega Ω Omega ∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ⋃ bigcup ⋂ bigcap ⨁ bigoplus ⨂ bigotimes
    ⨀ bigodot ⨄ biguplus ⨆ bigsqcup ⋁ bigvee ⋀ bigwedge √ sqrt ∂ partial ∇ nabla ∞ infty ± pm ∓ mp × times ÷ div
    ⋅ cdot · cdot ∙ cdot ∘ circ ◦ circ • bullet ∗ ast ⋆ star ≤ leq ⩽ leqslant ≥ geq ⩾ geqslant ≦ leqq ≧ geqq ≠ neq
    ≈ approx ≡ equiv ∼ sim ≃ simeq ≅ cong ∝ propto ≍ asymp ≐ doteq ≜ triangleq ≗ circeq ≔ coloneqq ≲ lesssim
    ≳ gtrsim ≺ prec ≻ succ ⪯ preceq ⪰ succeq ≼ preccurlyeq ≽ succcurlyeq ⋞ curlyeqprec ⋟ curlyeqsucc ∈ in ∉ notin ∋ ni
    ⊂ subset ⊆ subseteq ⊃ supset ⊇ supseteq ⊊ subsetneq ⊋ supsetneq ⊈ nsubseteq ⊉ nsupseteq ⫋ subsetneqq ⊄ not\subset
    ⊏ sqsubset ⊑ sqsubseteq ⊐ sqsupset ⊒ sqsupseteq ∪ cup ∩ cap ⊎ uplus ⊔ sqcup ⊓ sqcap ⋓ Cup ⋒ Cap ∧ wedge ∨ vee
    ¬ neg ∖ setminus ∀ forall ∃ exists ∄ nexists ∅ emptyset ⌀ varnothing → rightarrow ← leftarrow ↔ leftrightarrow
    ↑ uparrow ↓ downarrow ↕ updownarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ⇑ Uparrow ⇓ Downarrow ↦ mapsto
    ⟶ longrightarrow ⟵ longleftarrow ⟷ longleftrightarrow ⟹ Longrightarrow ⟸ Longleftarrow ⟺ Longleftrightarrow
    ⟼ longmapsto ↪ hookrightarrow ↩ hookleftarrow ↗ nearrow ↘ searrow ↙ swarrow ↖ nwarrow ⇀ rightharpoonup
    ⇁ rightharpoondown ↼ leftharpoonup ↽ leftharpoondown ⇌ rightleftharpoons ↠ twoheadrightarrow ⇝ rightsquigarrow
    ↣ rightarrowtail ⇉ rightrightarrows ⇄ rightleftarrows ⇆ leftrightarrows ⊸ multimap ↾ upharpoonright ≪ ll ≫ gg
    ⋘ lll ⋙ ggg ⊕ oplus ⊖ ominus ⊗ otimes ⊘ oslash ⊙ odot ⊞ boxplus ⊟ boxminus ⊠ boxtimes ⊡ boxdot ⊥ perp ⊤ top
    ⊢ vdash ⊣ dashv ⊨ vDash ⊩ Vdash ⊭ nvDash ⊬ nvdash ∦ nparallel ∤ nmid ∠ angle ∡ measuredangle
    △ triangle ▽ bigtriangledown ▷ triangleright ◁ triangleleft ⊲ vartriangleleft ⊳ vartriangleright ⊴ trianglelefteq
    ⊵ trianglerighteq ⋊ rtimes ⋉ ltimes ⋈ bowtie ≀ wr ⨿ amalg ⋄ diamond ◇ Diamond ♢ diamondsuit ♡ heartsuit
    ♣ clubsuit ♠ spadesuit □ square ■ blacksquare ∎ blacksquare ⟨ langle ⟩ rangle 〈 langle 〉 rangle ⌊ lfloor ⌋ rfloor
    ⌈ lceil ⌉ rceil ⟦ llbracket ⟧ rrbracket ⟮ lgroup ⟯ rgroup … ldots ⋯ cdots ⋮ vdots ⋱ ddots ℓ ell ℏ hbar ħ hbar ℘ wp
    ℜ Re ℑ Im ℵ aleph ℶ beth ð eth ⅁ Game ∁ complement † dagger ‡ ddagger § S ¶ P ′ prime ‵ backprime ♯ sharp ♭ flat
    ♮ natural ∴ therefore ∵ because ∔ dotplus ⊺ intercal ⊛ circledast ⊚ circledcirc ⋏ curlywedge ⋎ curlyvee ≬ between
    ⋔ pitchfork ≏ bumpeq ≎ Bumpeq ≑ doteqdot ≓ risingdotseq ≒ fallingdotseq ≖ eqcirc ∽ backsim ⋍ backsimeq ≊ approxeq
    ≂ eqsim ⪅ lessapprox ⪆ gtrapprox ⪷ precapprox ≾ precsim ≿ succsim ≶ lessgtr ≷ gtrless ≮ nless ≯ ngtr ≰ nleq
    ≱ ngeq ⊀ nprec ⊁ nsucc ≁ nsim ≇ ncong ≨ lneqq ≩ gneqq ⪇ lneq ⪈ gneq ⋦ lnsim ⋧ gnsim ⋐ Subset ⋑ Supset
    ⫅ subseteqq ⫆ supseteqq ↚ nleftarrow ↛ nrightarrow ⇍ nLeftarrow ⇏ nRightarrow ⇎ nLeftrightarrow ⋇ divideontimes
    ⌢ frown ⌣ smile ℧ mho ⊻ veebar ⊼ barwedge ★ bigstar ◯ bigcirc ⃝ bigcirc ▲ blacktriangle ▼ blacktriangledown
    ⧫ blacklozenge ◊ lozenge ∶ colon ⏞ overbrace ⏟ underbrace
    { { } } % % # # & & _ _ $ $ ı imath ȷ jmath ≢ not\equiv ⇋ leftrightharpoons ∊ in ∍ ni ⊶ origof ∷ Colon
"""
_PAIRS = NAMES.split()
COMMANDS = {char: f"\\{name}" for char, name in zip(_PAIRS[::2], _PAIRS[1::2], strict=True)}
COMMANDS["\u2126"] = "\\Omega"  # the sign of the unit, which MuPDF gives for the letter
PLAIN = {
    "−": "-", "–": "-", "‐": "-", "\u00ad": "-", "∣": "|", "⏐": "|", "|": "|", "‖": "\\|", "∥": "\\|", "⁄": "/",
    "∕": "/", "’": "\\prime", "'": "\\prime", "″": "\\prime\\prime", "∶": ":", "＝": "=", "\\": "\\backslash",
    "^": "\\hat", "~": "\\sim", "ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "°": "^{\\circ}",
}  # fmt: skip
ACCENTS = {
    "ˆ": "\\hat", "˜": "\\tilde", "¯": "\\bar", "ˉ": "\\bar", "˙": "\\dot", "¨": "\\ddot", "ˇ": "\\check",
    "˘": "\\breve", "´": "\\acute", "ˊ": "\\acute", "`": "\\grave", "ˋ": "\\grave", "˚": "\\mathring",
    "\u20d7": "\\vec", "\u0302": "\\hat", "\u0303": "\\tilde", "\u0304": "\\bar", "\u0305": "\\bar",
    "\u0307": "\\dot", "\u0308": "\\ddot", "\u030c": "\\check", "\u0306": "\\breve", "\u0301": "\\acute",
    "\u0300": "\\grave", "\u030a": "\\mathring", "\u20db": "\\dddot",
}  # fmt: skip
NOT, MAPS, LEFT_HOOK, RIGHT_HOOK = "\\not", "\\mapstochar", "\\lhook", "\\rhook"
OVERLAYS = {"\u0338": NOT, "⸦": LEFT_HOOK, "\u0592": LEFT_HOOK, "⸧": RIGHT_HOOK, "⊦": MAPS}
# Unicode's parts of tall signs, and Adobe's private ones: straight parts say nothing about which fence they are of
PARTS = {
    **dict.fromkeys("⎛⎜⎝\uf8eb\uf8ec\uf8ed", "("), **dict.fromkeys("⎞⎟⎠\uf8f6\uf8f7\uf8f8", ")"),
    **dict.fromkeys("⎡⎢⎣\uf8ee\uf8ef\uf8f0", "["), **dict.fromkeys("⎤⎥⎦\uf8f9\uf8fa\uf8fb", "]"),
    **dict.fromkeys("⎧⎨⎩\uf8f1\uf8f2\uf8f3", "\\{"), **dict.fromkeys("⎫⎬⎭\uf8fc\uf8fd\uf8fe", "\\}"),
    **dict.fromkeys("⎪\uf8f4\uf8e6", PART), "⎷": "\\sqrt", "\uf8e5": "\\sqrt", "⌠": "\\int", "⎮": "\\int",
}  # fmt: skip
LETTERLIKE = dict(zip("ℝℕℤℚℂℙℍ", "RNZQCPH", strict=True))
SCRIPT_LETTERS = dict(zip("ℬℰℱℋℐℒℳℛℯℊℴ", "BEFHILMRego", strict=True))
FRAKTUR_LETTERS = dict(zip("ℭℌℨ", "CHZ", strict=True))
ALPHABETS = (  # by the words of a character's Unicode name
    ("BOLD ITALIC", LetterStyle.BOLD_MATH), ("SANS-SERIF", LetterStyle.SANS),
    ("BOLD SCRIPT", LetterStyle.SCRIPT),
    ("BOLD FRAKTUR", LetterStyle.FRAKTUR), ("BOLD", LetterStyle.BOLD), ("SCRIPT", LetterStyle.SCRIPT),
    ("FRAKTUR", LetterStyle.FRAKTUR),
    ("DOUBLE-STRUCK", LetterStyle.BLACKBOARD), ("MONOSPACE", LetterStyle.MONO), ("ITALIC", LetterStyle.MATH),
)  # fmt: skip


@lru_cache(maxsize=4096)
def symbol_of(char: str) -> tuple[str, LetterStyle | None]:
    """The LaTeX symbol of a character, and the style that the character itself has.

    >>> symbol_of("α"), symbol_of("x"), symbol_of("𝒜")
    (('\\\\alpha', None), ('x', None), ('A', <LetterStyle.SCRIPT: 'script'>))
    """
    if len(char) > 1 and char[-1] in ACCENTS:
        symbol, style = symbol_of(char[:-1])
        return f"{ACCENTS[char[-1]]}{{{symbol}}}", style
    for table in (COMMANDS, PLAIN, ACCENTS, PARTS, OVERLAYS):
        if char in table:
            return table[char], None
    for letters, style in _STYLED:
        if char in letters:
            return letters[char], style
    if "\U0001d400" <= char <= "\U0001d7ff":
        return _of_alphabet(char)
    return _composed(char), None


_STYLED = (
    ({"ℎ": "h"}, LetterStyle.MATH),
    (LETTERLIKE, LetterStyle.BLACKBOARD),
    (SCRIPT_LETTERS, LetterStyle.SCRIPT),
    (FRAKTUR_LETTERS, LetterStyle.FRAKTUR),
)


def _of_alphabet(char: str) -> tuple[str, LetterStyle | None]:
    name = unicodedata.name(char, "")
    parts = unicodedata.decomposition(char).split()
    plain = chr(int(parts[-1], 16)) if parts else char
    style = next((style for words, style in ALPHABETS if words in name), None)
    return symbol_of(plain)[0] if plain != char else plain, style


def _composed(char: str) -> str:
    """`â` is `\\hat{a}`."""
    parts = unicodedata.normalize("NFD", char)
    if len(parts) == 2 and parts[1] in ACCENTS:
        return f"{ACCENTS[parts[1]]}{{{parts[0]}}}"
    return char


MATH_FONT = re.compile(
    r"CM(MI|SY|EX|BSY|MIB)|MSBM|MSAM|EUFM|EUSM|RSFS|math|symbol|MT-?(Extra|SY|MI|EX)|Euclid-?Extra|wasy|stmary"
    r"|r?(tx|px)(mi|sy|ex)|fourier-m|kp(mi|sy|ex)|-mex|BBOLD|dsrom|bbm",
    re.IGNORECASE,
)
STYLES: tuple[tuple[re.Pattern[str], LetterStyle], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), style)
    for pattern, style in (
        (r"CMMIB|math.*bold.*ital|math.*ital.*bold|txbmi|txmib|kpbmi", LetterStyle.BOLD_MATH),
        (r"rsfs|scr(ipt)?\b", LetterStyle.SCRIPT),
        (r"EUS[BM]|boondox.*cal", LetterStyle.CALLIGRAPHIC),
        (r"MSBM|BBOLD|dsrom|dsss|bbm|blackboard|[tp]xsyb|[tp]xmia?bb|boondox.*ds|-?ams[b]", LetterStyle.BLACKBOARD),
        (r"EUF[MB]|frak", LetterStyle.FRAKTUR),
        (r"CMB?SY|math-?symbols|(?:tx|px|kp|mdput|four).*sy", LetterStyle.CALLIGRAPHIC),
        (r"CMMI|EURM|mathit|math-?ital|letters|(?:tx|px|kp)mi|fourier-math", LetterStyle.MATH),
        (r"CM(TI|BXTI)|SFTI|LMRoman.*Ital", LetterStyle.TEXT_ITALIC),
        (r"CMSS|SFSS|sans|helvet|arial", LetterStyle.SANS),
        (r"CMTT|SFTT|mono|courier|typewriter", LetterStyle.MONO),
    )
)
COMBINING_WIDTH = {NOT: 0.78, "\\vec": 0.5, "\\hat": 0.5, "\\tilde": 0.5, "\\bar": 0.5, "\\dot": 0.28}
WHOLE_FENCES = frozenset("()[]{}⌊⌋⌈⌉⟨⟩")  # their parts are other characters
WIDE = {"\\hat": "\\widehat", "\\tilde": "\\widetilde"}
LARGE = re.compile(r"CMEX|[a-z]ex[ab]?\d*$|-mex|mathex|extension|MSBM", re.IGNORECASE)
WIDE_FROM = 0.6  # of the type's size: accents of this width reach over more than a letter
LOOPED_PHI = 0.58  # of the type's size: a straight phi is higher
CM_LETTERS = re.compile(r"CMMIB?(\d+)")
ROUND_EPSILON = {5: 0.63, 6: 0.56, 7: 0.507, 8: 0.47, 9: 0.455}  # a lunate epsilon is narrower; by the design's size
ROUND_EPSILON_FROM_10 = 0.435


@lru_cache(maxsize=1024)
def style_of_font(font: str, bold: bool, italic: bool) -> LetterStyle:
    """
    >>> style_of_font("EUSM10", False, True), style_of_font("EURM10", False, False)
    (<LetterStyle.CALLIGRAPHIC: 'calligraphic'>, <LetterStyle.MATH: 'math'>)
    """
    known = next((style for pattern, style in STYLES if pattern.search(font)), None)
    if known is not None:
        return known
    if bold:
        return LetterStyle.BOLD_MATH if italic else LetterStyle.BOLD
    return LetterStyle.MATH if italic else LetterStyle.ROMAN


@lru_cache(maxsize=1024)
def is_math_font(font: str) -> bool:
    return MATH_FONT.search(font) is not None


def glyphs_of(span: TextSpan) -> list[Glyph]:
    """The span's signs, each in its place; blanks are no signs."""
    style = style_of_font(span.font, span.bold, span.italic)
    return [_glyph(char, box, span, style) for char, box in _placed(span) if not char.isspace()]


def _placed(span: TextSpan) -> list[tuple[str, Box]]:
    if span.signs:
        return list(span.signs)
    chars = span.text.strip()
    step = span.box.width / max(1, len(chars))
    x = span.box.x0
    return [(c, Box(x + n * step, span.box.y0, x + (n + 1) * step, span.box.y1)) for n, c in enumerate(chars)]


def _glyph(char: str, box: Box, span: TextSpan, style: LetterStyle) -> Glyph:
    symbol, own = symbol_of(char)
    symbol = _told_by_shape(symbol, box, span)
    if symbol in COMBINING_WIDTH and box.width < 0.05 * span.size:
        box = Box(box.x0, box.y0, box.x0 + COMBINING_WIDTH[symbol] * span.size, box.y1)
    if symbol in WIDE and (box.width > WIDE_FROM * span.size or LARGE.search(span.font)):
        symbol = WIDE[symbol]
    if not (symbol.isalnum() or symbol in ("-", "\\prime", ",")) and own is None:
        is_bold = style is LetterStyle.BOLD_MATH and symbol.startswith("\\")
        style = LetterStyle.BOLD_MATH if is_bold else LetterStyle.MATH
    if symbol.isdigit() and style not in (LetterStyle.BOLD, LetterStyle.BLACKBOARD):
        style = LetterStyle.MATH
    return Glyph(symbol, box, span.baseline, span.size, own or style, whole=char in WHOLE_FENCES)


def _told_by_shape(symbol: str, box: Box, span: TextSpan) -> str:
    """Files mix up signs that share a name."""
    if symbol == "\\backslash" and is_math_font(span.font):
        return "\\setminus"
    if symbol in ("\\phi", "\\varphi") and span.signs:
        return "\\phi" if span.baseline - box.y0 > LOOPED_PHI * span.size else "\\varphi"
    if symbol in ("\\epsilon", "\\varepsilon") and (design := CM_LETTERS.search(span.font)):
        widest = ROUND_EPSILON.get(int(design[1]), ROUND_EPSILON_FROM_10)
        return "\\epsilon" if box.width < widest * span.size else "\\varepsilon"
    return symbol
