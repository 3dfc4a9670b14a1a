"""Whether words name a person, or say where somebody works. Knows text only."""

from __future__ import annotations

import re

from docparse_fast.drafting.words import INSTITUTION
from docparse_fast.text.mail import holds_mail

MOST_WORDS = 7
PARTICLE = 3  # letters: `van`, `de la`, `bin`
ORDINAL = re.compile(r"^\d{1,2}(?:st|nd|rd|th)\s+|[¹²³⁰⁴-⁹]+|(?<![\d*∗†‡§¶✉,.])[\d*∗†‡§¶✉,.]++$")


def tells_where(text: str) -> bool:
    """Whether an institution or a mail address is named."""
    return holds_mail(text) or INSTITUTION.search(text) is not None


def is_name(text: str) -> bool:
    """
    >>> [is_name(text) for text in ("Ana de la Cruz*", "2nd J. Okafor", "BERT-large", "Mean score", "a@b.org", "12")]
    [True, True, False, False, False, False]
    """
    bare = ORDINAL.sub("", text.strip()).replace(",", " ")
    words = bare.split()
    large = [word for word in words if _is_large(word)]
    small = [word for word in words if word not in large and len(word) > PARTICLE]
    enough = len(large) > 1 or (bool(large) and not large[0].isascii())
    return (
        enough and not small and len(words) <= MOST_WORDS and not re.search(r"[\d@:]", bare) and not tells_where(text)
    )


def _is_large(word: str) -> bool:
    """Whether it begins with a capital, or is of a script without any."""
    return word[0].isalpha() and (word[0].isupper() or word[0].lower() == word[0].upper())
