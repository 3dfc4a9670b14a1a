"""Writes characters as LaTeX: letters, operators and words. Knows no geometry."""

from __future__ import annotations

import re
import unicodedata

FUNCTION_NAMES = """
    sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln exp lim max min sup inf det dim ker gcd deg
    arg hom mod argmax argmin
"""
FUNCTIONS = frozenset(FUNCTION_NAMES.split())
PLAIN_FUNCTIONS = FUNCTIONS - {"mod", "argmax", "argmin"}  # those that LaTeX has a command for
BIG = frozenset("∑∏∐∫∬∭∮⋃⋂⨁⨂")
RELATION = re.compile(r"[=<>≤≥≠≈≡∼≃≅∝∈∉⊂⊆⊃⊇→⇒⇔↔↦≪≫:]")
OPERATOR = re.compile(r"[∑∏∫∮√∂∇∞±∓×÷⋅∘∀∃∅∧∨∩∪⊕⊗∥⟨⟩≤≥≠≈≡∼≃∝∈∉⊂⊆→⇒⇔↦ℝℕℤℚℂ\u0370-\u03ff\U0001d400-\U0001d7ff]")

NAMES = r"""
    α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho
    σ sigma τ tau υ upsilon φ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon
    Φ Phi Ψ Psi Ω Omega ϵ epsilon ϕ phi ϑ vartheta ς varsigma ϱ varrho ϖ varpi µ mu ∆ Delta ∑ sum ∏ prod ∐ coprod
    ∫ int ∬ iint ∭ iiint ∮ oint ⋃ bigcup ⋂ bigcap ⨁ bigoplus ⨂ bigotimes √ sqrt{} ∂ partial ∇ nabla ∞ infty ± pm
    ∓ mp × times ÷ div ⋅ cdot · cdot ∙ cdot ∘ circ ◦ circ ∗ ast ≤ leq ⩽ leq ≥ geq ⩾ geq ≠ neq ≈ approx ≡ equiv ∼ sim
    ≃ simeq ≅ cong ∝ propto ∈ in ∉ notin ∋ ni ⊂ subset ⊆ subseteq ⊃ supset ⊇ supseteq ∪ cup ∩ cap ∧ wedge ∨ vee
    ¬ neg ∖ setminus ∀ forall ∃ exists ∅ emptyset → to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow
    ⇔ Leftrightarrow ↦ mapsto ⟶ longrightarrow ⟹ Longrightarrow ≪ ll ≫ gg ⊕ oplus ⊗ otimes ⊙ odot ⊥ perp ∥ parallel
    ∠ angle △ triangle ⟨ langle ⟩ rangle 〈 langle 〉 rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil … ldots ⋯ cdots ⋮ vdots
    ⋱ ddots ℓ ell ℏ hbar ℜ Re ℑ Im ℵ aleph † dagger ‡ ddagger ℝ mathbb{R} ℕ mathbb{N} ℤ mathbb{Z} ℚ mathbb{Q}
    ℂ mathbb{C} ℙ mathbb{P} { { } } % % # # & & _ _ $ $ □ square ∎ blacksquare ° degree ∴ therefore ∵ because
"""
COMMANDS = dict(zip(NAMES.split()[::2], NAMES.split()[1::2], strict=True))  # without the backslash
PLAIN = {
    "−": "-",
    "′": "'",
    "″": "''",
    "’": "'",
    "‖": "\\|",
    "–": "-",
    "∣": "|",
    "⁄": "/",
    "∶": ":",
    "\u2062": "",
    "\u2061": "",
    "\u200b": "",
    "˜": "\\tilde{}",
    "ˆ": "\\hat{}",
    "¯": "\\bar{}",
}


def latex_text(text: str, *, bold: bool = False, upright: bool = False) -> str:
    """One word of a formula as LaTeX.

    >>> latex_text("iπ"), latex_text("cos(2x)"), latex_text("if", upright=True), latex_text("B", bold=True)
    ('i\\\\pi', '\\\\cos(2x)', '\\\\text{if}', '\\\\mathbf{B}')
    """
    parts = re.findall(r"[A-Za-z]+|[^A-Za-z]", unicodedata.normalize("NFC", text))
    made = ""
    for part in parts:
        piece = _letters(part, bold, upright) if part.isascii() and part.isalpha() else _sign(part)
        glued = re.search(r"\\[A-Za-z]+$", made) is not None and piece[:1].isalpha()
        made += (" " if glued else "") + piece
    return made


def _letters(word: str, bold: bool, upright: bool) -> str:
    if word in PLAIN_FUNCTIONS:
        return f"\\{word}"
    if word in FUNCTIONS:
        return f"\\operatorname{{{word}}}"
    if bold and len(word) <= 2:
        return f"\\mathbf{{{word}}}"
    return f"\\text{{{word}}}" if upright and len(word) > 1 else word


def _sign(char: str) -> str:
    if char in COMMANDS:
        return f"\\{COMMANDS[char]}"
    if char in PLAIN:
        return PLAIN[char]
    if "\U0001d400" <= char <= "\U0001d7ff":  # mathematical alphabets: the letter they style
        return latex_text(unicodedata.normalize("NFKC", char))
    return " " if char.isspace() else char
