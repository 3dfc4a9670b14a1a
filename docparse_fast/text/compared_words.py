"""The words of a text, for comparing what two readers wrote. Knows no page."""

from __future__ import annotations

import re
from collections.abc import Iterator

WORD = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W_]+(?:['’.,-][^\W_]+)*")
TAG = re.compile(r"</?[a-zA-Z][^<>]*>")


def words(text: str) -> list[str]:
    """The words to compare: tags and marks are dropped, and each Chinese character is a word.

    >>> words("<td>1,136</td> isn't 中文")
    ['1,136', "isn't", '中', '文']
    """
    return WORD.findall(TAG.sub(" ", text))


def word_places(text: str) -> Iterator[tuple[int, int]]:
    """Where they stand.

    >>> list(word_places("<b>A</b> isn't"))
    [(3, 4), (9, 14)]
    """
    return (found.span() for found in WORD.finditer(TAG.sub(lambda tag: " " * len(tag[0]), text)))
