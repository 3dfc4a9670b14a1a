"""Which characters a language is written in. Knows scripts; does not know who reads them.

The recogniser has one model, and the characters of all these scripts; that does not mean it reads them. Of lines
rendered in Cyrillic, Greek and Hangul it misread 42 to 83 in a hundred: a page that is one of those carries a warning.
Told a language, it is kept from answering in another's script: a smudge on an English page is no Chinese character.
"""

from __future__ import annotations

import unicodedata

from docparse_fast.options import one_of

SCRIPTS = {
    "latin": ("LATIN",),
    "cyrillic": ("CYRILLIC",),
    "greek": ("GREEK",),
    "chinese": ("CJK", "LATIN"),
    "japanese": ("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "LATIN"),
    "korean": ("HANGUL", "CJK", "LATIN"),
    "arabic": ("ARABIC",),
    "thai": ("THAI",),
    "devanagari": ("DEVANAGARI",),
}
LANGUAGES = {
    **dict.fromkeys(
        ("en", "de", "fr", "it", "es", "pt", "nl", "da", "sv", "no", "fi", "is", "pl", "cs", "sk"), "latin"
    ),
    **dict.fromkeys(
        ("hu", "ro", "hr", "sl", "et", "lv", "lt", "tr", "vi", "id", "ms", "la", "ca", "eu", "ga"), "latin"
    ),
    **dict.fromkeys(("ru", "uk", "be", "bg", "sr", "mk"), "cyrillic"),
    "el": "greek",
    **dict.fromkeys(("zh", "ch"), "chinese"),
    "ja": "japanese",
    "ko": "korean",
    **dict.fromkeys(("ar", "fa", "ur"), "arabic"),
    "th": "thai",
    **dict.fromkeys(("hi", "mr", "ne"), "devanagari"),
}

# Lines in a hundred that came out wrong when they were rendered and read.
READ_BADLY = {"cyrillic": (42, 83), "greek": (42, 83), "korean": (42, 83)}
READ_WELL = frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "FULLWIDTH", "HALFWIDTH"})
FEWEST_LETTERS = 20
LEAST_SHARE = 0.3  # of a page's letters; a formula's Greek is less


def misread(lang: str, text: str) -> str:
    """The warning that a page deserves which is said to be, or came out, in a script the recogniser reads badly.

    >>> misread("en+ru", "")
    'the recogniser misreads 42 to 83 of 100 lines in Cyrillic: check the text, or have a target read it'
    >>> misread("", "and Δx = α"), misread("de", "Straße")
    ('', '')
    """
    asked = {LANGUAGES.get(name, "") for name in _names(lang)}
    scripts = [script for script in READ_BADLY if script in asked or _is_mostly(script, text)]
    if not scripts:
        return ""
    low, high = (pick(READ_BADLY[script][end] for script in scripts) for end, pick in ((0, min), (1, max)))
    names = " and ".join(script.title() for script in scripts)
    return f"the recogniser misreads {low} to {high} of 100 lines in {names}: check the text, or have a target read it"


def _is_mostly(script: str, text: str) -> bool:
    letters = [character for character in text if character.isalpha()]
    own = [c for c in letters if not c.isascii() and unicodedata.name(c, "").split(" ")[0] == SCRIPTS[script][0]]
    return len(own) >= FEWEST_LETTERS and len(own) >= LEAST_SHARE * len(letters)


def reads(text: str) -> bool:
    """Whether the recogniser reads a text's script well: what it can't read it answers in letters it can.

    >>> reads("Jahresbericht 2026"), reads("年度报告"), reads("تقرير سنوي"), reads("отчёт")
    (True, True, False, False)
    """
    letters = [character for character in text if character.isalpha()]
    foreign = sum(unicodedata.name(character, "").split(" ")[0] not in READ_WELL for character in letters)
    return foreign <= 0.5 * len(letters)


def scripts_of(lang: str) -> frozenset[str]:
    """The scripts of `en`, `zh-Hans` or `en+zh`, as the first words of Unicode's character names.

    >>> sorted(scripts_of("en+el"))
    ['GREEK', 'LATIN']
    """
    return frozenset(
        script for name in _names(lang) for script in SCRIPTS[LANGUAGES[one_of("--lang", name, LANGUAGES)]]
    )


def _names(lang: str) -> list[str]:
    return [part.strip().lower().split("-")[0].split("_")[0] for part in lang.split("+")]


def is_written_in(character: str, scripts: frozenset[str]) -> bool:
    """Whether a character may stand in a text of these scripts: theirs, or nobody's (digits, signs, punctuation).

    >>> [is_written_in(character, scripts_of("de")) for character in "ß中7"]
    [True, False, True]
    """
    if not character.isalpha():
        return True
    script = unicodedata.name(character, "").split(" ")[0]
    return script in scripts or not any(script in others for others in SCRIPTS.values())
