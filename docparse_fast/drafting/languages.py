"""Which characters a language is written in. Knows scripts; does not know who reads them.

The recogniser reads every script with one model. Told a language, it is kept from answering in another's script: a
smudge on an English page is then no Chinese character.
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


def scripts_of(lang: str) -> frozenset[str]:
    """The scripts of `en`, `zh-Hans` or `en+zh`, as the first words of Unicode's character names.

    >>> sorted(scripts_of("en+el"))
    ['GREEK', 'LATIN']
    """
    names = [part.strip().lower().split("-")[0].split("_")[0] for part in lang.split("+")]
    return frozenset(script for name in names for script in SCRIPTS[LANGUAGES[one_of("--lang", name, LANGUAGES)]])


def is_written_in(character: str, scripts: frozenset[str]) -> bool:
    """Whether a character may stand in a text of these scripts: theirs, or nobody's (digits, signs, punctuation).

    >>> [is_written_in(character, scripts_of("de")) for character in "ß中7"]
    [True, False, True]
    """
    if not character.isalpha():
        return True
    script = unicodedata.name(character, "").split(" ")[0]
    return script in scripts or not any(script in others for others in SCRIPTS.values())
