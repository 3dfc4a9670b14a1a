"""Lists languages and scripts, and which the recogniser reads. Knows no reader.

The recogniser has one model, and the characters of Latin, Chinese and Japanese; the others need Tesseract's language
data. A chosen language excludes other scripts, so that a smudge on an English page can't become a Chinese character.
"""

from __future__ import annotations

import unicodedata

from docparse_fast.errors import UsageError
from docparse_fast.options.declaring import one_of
from docparse_fast.system.language_data import BY_LANGUAGE, DATA, best_for, data_here

FROM_RIGHT = frozenset({"arabic", "hebrew"})  # scripts that are read from there
SCRIPTS = {  # its own letters first; what is printed in another script quotes Latin
    "latin": ("LATIN",),
    "chinese": ("CJK", "LATIN"),
    "japanese": ("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "LATIN"),
    "hangul": ("HANGUL", "CJK", "LATIN"),
    "vietnamese": ("LATIN",),
}
SCRIPTS |= {data.script: (data.script.upper(), "LATIN") for data in DATA if data.script not in SCRIPTS}
LANGUAGES = {
    **dict.fromkeys(("en", "de", "fr", "it", "es", "pt", "nl", "da", "sv", "no", "fi", "is", "pl", "cs"), "latin"),
    **dict.fromkeys(
        ("sk", "hu", "ro", "hr", "sl", "et", "lv", "lt", "tr", "id", "ms", "la", "ca", "eu", "ga"), "latin"
    ),
    **dict.fromkeys(("zh", "ch"), "chinese"),
    "ja": "japanese",
    **{data.language: data.script for data in DATA},
}

VIETNAMESE = "vietnamese"  # Latin letters, a third of which the recogniser doesn't know
UNICODE_NAMES = {name: first for name, (first, *_) in SCRIPTS.items()}
FEWEST_OF_EACH = 2  # of the letters that together only Vietnamese has
FEWEST_HORNED = 4  # of those that it has alone
LEAST_SHARE = 0.015
READ_WELL = frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "FULLWIDTH", "HALFWIDTH"})


def is_vietnamese(text: str) -> bool:
    """Whether letters stand in it that only Vietnamese has together, as far as the recogniser knows them.

    >>> is_vietnamese("Chưong trình đc tùng dòng mt và ghi văn bn, tư liu đư"), is_vietnamese("Đorđe, România")
    (True, False)
    """
    found = text.lower()
    horned, barred = found.count("ư") + found.count("ơ"), found.count("đ")
    letters = sum(map(str.isalpha, found))
    told = min(horned, barred) >= FEWEST_OF_EACH or horned >= FEWEST_HORNED
    return told and horned + barred >= LEAST_SHARE * letters


def check_languages(lang: str) -> None:
    """Raises UsageError if a language is unknown, or this machine can't read it."""
    for name in names_in(lang):
        data = BY_LANGUAGE.get(name)
        if data is not None and best_for(data.script, [name]) is None:
            raise UsageError(
                f"--lang {name}: nothing here reads {data.name}; here are {', '.join(languages_here())}",
                remedy=data.remedy,
            )
    scripts_of(lang)


def languages_here() -> list[str]:
    """The values that --lang accepts on this machine."""
    scripts = {data.script for data in data_here()}
    own = [name for name in LANGUAGES if name not in BY_LANGUAGE]
    return [*own, *(data.language for data in BY_LANGUAGE.values() if data.script in scripts)]


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
    known = (one_of("--lang", name, LANGUAGES) for name in names_in(lang))
    return frozenset(script for name in known for script in SCRIPTS[LANGUAGES[name]])


def names_in(lang: str) -> list[str]:
    """
    >>> names_in("zh-Hans+EN")
    ['zh', 'en']
    """
    return [part.strip().lower().split("-")[0].split("_")[0] for part in lang.split("+") if part.strip()]


def is_written_in(character: str, scripts: frozenset[str]) -> bool:
    """Whether a character may stand in a text of these scripts: it is one of theirs, or of no script (digits, signs).

    >>> [is_written_in(character, scripts_of("de")) for character in "ß中7"]
    [True, False, True]
    """
    if not character.isalpha():
        return True
    script = unicodedata.name(character, "").split(" ")[0]
    return script in scripts or not any(script in others for others in SCRIPTS.values())
