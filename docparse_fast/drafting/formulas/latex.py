"""Names of signs in LaTeX, by Unicode character. Knows no fonts and no places."""

from __future__ import annotations

import unicodedata

from docparse_fast.drafting.formulas.printed import PART, LetterStyle

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
LETTERLIKE = {
    "ℝ": "R", "ℕ": "N", "ℤ": "Z", "ℚ": "Q", "ℂ": "C", "ℙ": "P", "ℍ": "H",
}  # fmt: skip
SCRIPT_LETTERS = dict(zip("ℬℰℱℋℐℒℳℛℯℊℴ", "BEFHILMRego", strict=True))
FRAKTUR_LETTERS = dict(zip("ℭℌℨ", "CHZ", strict=True))
ALPHABETS = (  # by the words of a character's Unicode name
    ("BOLD ITALIC", LetterStyle.BOLD_MATH), ("SANS-SERIF", LetterStyle.SANS),
    ("BOLD SCRIPT", LetterStyle.SCRIPT),
    ("BOLD FRAKTUR", LetterStyle.FRAKTUR), ("BOLD", LetterStyle.BOLD), ("SCRIPT", LetterStyle.SCRIPT),
    ("FRAKTUR", LetterStyle.FRAKTUR),
    ("DOUBLE-STRUCK", LetterStyle.BLACKBOARD), ("MONOSPACE", LetterStyle.MONO), ("ITALIC", LetterStyle.MATH),
)  # fmt: skip


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
